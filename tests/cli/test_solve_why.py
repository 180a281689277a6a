"""solve --why and --all: what is said beside a plan, and what stays as it was without them."""

from __future__ import annotations

import json

import pytest


def test_why_adds_a_sentence_a_layer_and_changes_nothing_else(run):
    plain, ran = run("solve", "lenet-c"), run("solve", "lenet-c", "--why")
    assert (ran.code, plain.code) == (0, 0)
    kept = len(plain.out.splitlines())
    assert ran.out.splitlines()[1:kept] == plain.out.splitlines()[1:]
    added = " ".join(ran.out.splitlines()[kept:])
    assert added.startswith("why: bytes of a layer at all levels; one thing changed")
    assert "conv1 is d at every level: its gradient, 60 kB, is added up" in added
    assert "fc2 is ddmm: " in added


def test_why_for_machines(run):
    found = json.loads(run("solve", "lenet-c", "--why", "--json").out)
    assert [one["layer"] for one in found["why"]] == list(found["plan"])
    for one in found["why"]:
        for other in one["others"]:
            before, after = (sum(x["added_up_bytes"].values()) + x["boundary_bytes"] for x in (one, other))
            assert other["more"]["bytes"] == after - before
    assert "why" not in json.loads(run("solve", "lenet-c", "--json").out)


def test_why_of_a_strategy_graph_is_refused_before_anything_is_solved(run, tmp_path):
    run("export", "lenet-c", "-o", tmp_path / "graph.json")
    ran = run("solve", tmp_path / "graph.json", "--why", "-o", tmp_path / "plan.json")
    assert (ran.code, ran.out) == (2, "")
    assert "error: --why is of networks" in ran.err
    assert not (tmp_path / "plan.json").exists()


def rows(out):
    lines = out.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("layer "))
    last = next(at for at, line in enumerate(lines) if line.startswith(("(", "level ")))
    return lines[first + 1 : last]


def test_neighbours_with_equal_strategies_share_a_row_where_there_are_many(run):
    ran = run("solve", "resnet-50")
    assert len(rows(ran.out)) == 8
    assert rows(ran.out)[0].split()[:6] == ["conv1", "to", "s5b1_conv1", "57", "layers", "d"]
    assert "(70 layers in 8 rows: neighbours with equal strategies share one" in ran.out


@pytest.mark.parametrize("options", [[], ["--no-explain"]])
def test_all_shows_every_layer(run, options):
    folded, ran = run("solve", "resnet-50", *options), run("solve", "resnet-50", "--all", *options)
    assert len(rows(ran.out)) == 70
    assert "rows: neighbours" not in ran.out
    assert ("the least of their regrets" in folded.out) == (not options)
    plan = json.loads(run("solve", "resnet-50", "--json").out)["plan"]
    assert [line.split()[0] for line in rows(ran.out)] == list(plan)
    assert [("".join(line.split()[2:6])) for line in rows(ran.out)] == list(plan.values())


def test_few_layers_are_never_folded(run):
    assert len(rows(run("solve", "resnet-18").out)) == 29
