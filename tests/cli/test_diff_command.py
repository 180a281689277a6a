"""hypar-opt diff: the rows add up, the files are named, and what does not belong together is an error."""

from __future__ import annotations

import json

import pytest

from hypar_opt import load


@pytest.fixture
def plans(run, tmp_path):
    """Two plans of lenet-c: the best one and data parallelism everywhere."""
    paths = tmp_path / "best.json", tmp_path / "data.json"
    for path, name in zip(paths, ("joint-dp", "data-parallel"), strict=True):
        assert run("solve", "lenet-c", "-f", name, "-q", "-o", path).code == 0
    return paths


def test_every_difference_with_what_it_costs_alone(run, plans):
    ran = run("diff", *plans)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].endswith("best.json: OPTIMAL by joint-dp, 17.6 MB (17,603,040 bytes)")
    assert lines[2] == "lenet-c: 2 of 4 layers differ; the second less the first: +34,056,960 bytes"
    assert lines[3].split() == ["differs", "first", "second", "at", "levels", "bytes"]
    assert [line.split()[0] for line in lines[4:8]] == ["fc1", "fc2", "interaction", "total"]
    assert lines[4].split()[1:6] == ["dmmm", "dddd", "2,", "3,", "4"]
    assert lines[7].split() == ["total", "+34.06", "MB"]
    assert "fc1 -> fc2" in ran.out


def test_for_machines_the_parts_add_up(run, plans):
    found = json.loads(run("diff", *plans, "--json").out)
    parts = sum(one["bytes"] for one in found["changes"]) + found["interaction"]["bytes"]
    first, second = (one["bytes"] for one in found["plans"])
    assert parts == found["total"]["bytes"] == second - first
    assert sum(one["bytes"] for one in found["interaction"]["boundaries"]) == found["interaction"]["bytes"]
    assert all(sum(one["level_bytes"]) == one["bytes"] for one in (*found["changes"], *found["plans"]))
    assert found["objective"] == "communication"


def test_a_plan_and_itself(run, plans):
    ran = run("diff", plans[0], plans[0], "-q")
    assert (ran.code, ran.out) == (0, "lenet-c: the plans are the same\n")


def test_what_is_minimised_has_a_column(run, tmp_path):
    options = ("--array", "hypar-16", "--objective", "lexicographic:energy,time", "-q")
    for name in ("joint-dp", "one-weird-trick"):
        run("solve", "lenet-c", *options, "-f", name, "-o", tmp_path / f"{name}.json")
    ran = run("diff", tmp_path / "joint-dp.json", tmp_path / "one-weird-trick.json")
    assert ran.code == 0
    assert ran.out.splitlines()[3].split() == ["differs", "first", "second", "at", "levels", "bytes", "energy", "time"]


def test_a_plan_of_a_file_s_instance_needs_the_file(run, tmp_path, plans):
    mine = tmp_path / "mine.yaml"
    mine.write_text(load("lenet-c").to_yaml().replace("name: lenet-c", "name: mine"), encoding="utf-8")
    paths = tmp_path / "1.json", tmp_path / "2.json"
    for path, name in zip(paths, ("joint-dp", "hypar-dp"), strict=True):
        assert run("solve", mine, "-f", name, "-q", "-o", path).code == 0
    ran = run("diff", *paths)
    assert ran.code == 2
    assert "1.json: instance: is a plan of 'mine', which is no shipped instance" in ran.err
    assert run("diff", *paths, mine).code == 0
    ran = run("diff", plans[0], paths[0], mine)
    assert ran.code == 2
    assert "instance: is a plan of 'mine', and " in ran.err


def test_plans_made_with_different_overrides(run, plans, tmp_path):
    run("solve", "lenet-c", "--batch", "64", "-q", "-o", tmp_path / "64.json")
    ran = run("diff", plans[0], tmp_path / "64.json")
    assert ran.code == 2
    free = "objective, subject_to, fix, array.placement, array.collectives"
    said = f"best.json: batch 64, there 256; what may differ is {free}"
    assert ran.err.strip().endswith(said)


def test_plans_for_other_exchanges_of_partial_sums(run, tmp_path):
    mesh = "{topology: mesh, levels: 2, dims: [2, 2], placement: identity, link: {bandwidth: 1000000}}"
    for name in ("pairwise", "multitree"):
        given = ("--collectives", name, "--objective", "comm-time", "-q", "-o", tmp_path / f"{name}.json")
        assert run("solve", "lenet-c", "--array", mesh, *given).code == 0
    ran = run("diff", tmp_path / "multitree.json", tmp_path / "pairwise.json")
    assert ran.code == 0
    assert "the problems differ in array.collectives.algorithm: the first's is multitree, the second's" in ran.out
    assert "both plans are priced with the first problem's exchange of partial sums" in ran.out


def test_of_a_strategy_graph_it_says_what_it_takes(run, plans, tmp_path):
    run("export", "lenet-c", "-o", tmp_path / "graph.json")
    run("solve", tmp_path / "graph.json", "-q", "-o", tmp_path / "plan.json")
    ran = run("diff", tmp_path / "plan.json", tmp_path / "plan.json", tmp_path / "graph.json")
    assert ran.code == 2
    assert "expected the instance of a network, got a strategy graph" in ran.err


def test_no_plan_has_nothing_to_compare(run, plans, tmp_path):
    document = json.loads(plans[0].read_text())
    document |= {"status": "INFEASIBLE", "plan": None, "cost": None, "objective": None, "bound": None}
    (tmp_path / "none.json").write_text(json.dumps(document))
    ran = run("diff", plans[0], tmp_path / "none.json")
    assert ran.code == 2
    assert "has status INFEASIBLE and no plan, expected a plan to compare" in ran.err


def test_what_a_bound_costs(run, tmp_path):
    paths = tmp_path / "best.json", tmp_path / "limited.json"
    for path, more in zip(paths, ((), ("--at-most", "communication=2.822e9")), strict=True):
        run("solve", "vgg-e", "--array", "hypar-16", "--objective", "energy", *more, "-q", "-o", path)
    ran = run("diff", *paths)
    assert (ran.code, ran.err) == (0, "")
    said = ran.out.splitlines()
    field = "the problems differ in subject_to.communication: the first's is not bounded, the second's at most"
    assert said[2] == f"{field} 2,822,000,000 B"
    assert said[3].startswith("the first plan is not allowed by the second's problem: the plan's communication is 2,82")
    assert said[4] == "the second plan is a plan of the first's problem, too"
    (energy,) = [line for line in said if line.startswith("energy ")]
    assert energy.split() == [
        "energy",
        "81.7774379630592",
        "J",
        "81.7998355464192",
        "J",
        "+0.02239758336",
        "J",
        "+0.0274",
        "%",
    ]
    back = run("diff", *reversed(paths)).out
    assert "-0.02239758336 J" in back  # a difference between -1 and 0 keeps its sign
    found = json.loads(run("diff", *paths, "--json").out)
    assert found["differing"] == [{"field": "subject_to.communication", "first": None, "second": 2_822_000_000}]
    assert [bool(one["fault_in_other"]) for one in found["plans"]] == [True, False]
    assert found["objectives"] == [{"objective": "energy", "first": "81.7774379630592", "second": "81.7998355464192"}]


def test_seconds_that_have_no_end_are_rounded_where_plans_are_compared_in_all(run, tmp_path):
    for name, fix in (("free", ()), ("given", ("--fix", "query=batch out"))):
        run("solve", "gpt2-block", "--batch", "16", "--array", "a100-2x8", "-q", *fix, "-o", tmp_path / f"{name}.json")
    ran = run("diff", tmp_path / "free.json", tmp_path / "given.json")
    assert ran.code == 0
    [line] = [one for one in ran.out.splitlines() if one.startswith("time ")]
    assert line.split()[1] == "about"
    assert "/" not in line


def test_a_product_against_one_of_its_factors(run, tmp_path):
    paths = tmp_path / "product.json", tmp_path / "time.json"
    for path, objective in zip(paths, ("product:time,energy", "time"), strict=True):
        run("solve", "vgg-e", "--array", "hypar-16", "--objective", objective, "-q", "-o", path)
    out = run("diff", *paths).out
    assert "the problems differ in objective: the first's is product:time,energy, the second's time\n" in out
    assert "is a plan of the" not in out  # which an objective says nothing of
    rows = {line.split()[0] for line in out.splitlines()}
    assert {"communication", "time", "energy", "product:time,energy"} <= rows


def test_points_of_a_front_show_what_it_trades(run, tmp_path):
    front = tmp_path / "front.json"
    run("pareto", "vgg-e", "--array", "hypar-16", "-q", "-o", front)
    ran = run("diff", f"{front}#1", f"{front}#2")
    assert ran.code == 0
    head = next(line for line in ran.out.splitlines() if line.startswith("differs"))
    assert head.split() == ["differs", "first", "second", "at", "levels", "bytes", "time", "energy"]
    costs = json.loads(run("diff", f"{front}#1", f"{front}#2", "--json").out)["total"]["costs"]
    assert (costs["time"], costs["energy"]) == ("0.012582912", "-0.02239758336")
