"""Collectives on the command line: solved, verified, shown; bad input is told, and writes nothing."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
import yaml

from tests.collectives import collective_document


@pytest.fixture
def solved(run, tmp_path):
    path = tmp_path / "plan.json"
    assert run("solve", "ring-4", "-o", path).code == 0
    return path


def test_a_schedule_is_verified_and_shown(run, solved, tmp_path):
    ran = run("verify", "ring-4", solved)
    assert (ran.code, "no schedule is below 3: 6 chunks have to get" in ran.out) == (0, True), ran.out
    shown = run("show", "ring-4", "--plan", solved)
    assert "2 steps, 3 rounds" in shown.out
    document = json.loads(run("show", "ring-4", "--plan", solved, "--json").out)
    assert len(document["schedule"]["sends"]) == 24
    table = tmp_path / "sends.csv"
    assert run("show", "ring-4", "--plan", solved, "-o", table).code == 0
    assert table.read_text().count("\n") == 25
    assert "least rounds in 2 steps" in run("show", "ring-4").out


def test_a_schedule_in_seconds_is_shown(run, tmp_path):
    file = tmp_path / "timed.yaml"
    link = {"bandwidth": 1000, "latency": 1}
    file.write_text(yaml.safe_dump(collective_document(dims=[3, 3], objective="time", link=link, bytes=9000)))
    ran = run("solve", file, "-o", tmp_path / "plan.json")
    assert (ran.code, "4 s; no schedule is below 4 s: " in ran.out) == (0, True), ran.out
    for form in ("svg", "md", "csv"):
        output = tmp_path / f"plan.{form}"
        assert run("show", file, "--plan", tmp_path / "plan.json", "-o", output).code == 0
        assert output.stat().st_size
    assert run("verify", file, tmp_path / "plan.json").code == 0


def test_a_broken_schedule_is_refuted_with_its_reason(run, solved):
    document = json.loads(solved.read_text())
    document["plan"]["a0.1"] = document["plan"]["a0.1"].replace("a0>a1@1", "a0>a2@1")
    solved.write_text(json.dumps(document))
    ran = run("verify", "ring-4", solved)
    assert ran.code != 0
    assert "there is no link a0 -> a2" in ran.out


TWO_PAIRS = {
    "nodes": [{"name": f"n{i}"} for i in range(4)],
    "links": [{"ends": ["n0", "n1"]}, {"ends": ["n2", "n3"]}],
}
CUBE = {"topology": "hypercube", "dims": None, "accelerators": 8}


@pytest.mark.parametrize(
    ("said", "formulation", "message"),
    [
        ({"group": ["a0"]}, None, "group: expected at least 2 accelerators, got 1"),
        ({"dims": [1]}, None, "array: expected at least 2 accelerators, got 1"),
        ({"topology": "custom", "dims": None, "graph": TWO_PAIRS}, None, "no path leads from 'n0' to 'n2'"),
        ({"bytes": 0}, None, "bytes: expected an integer of at least 1, got 0"),
        ({"bytes": 8}, None, "expected at least a byte for each of the 9 chunks, got 8 in all"),
        ({"bytes": 17, "chunks": 2}, None, "expected at least a byte for each of the 18 chunks, got 17 in all"),
        ({}, "rng", "no formulation is called 'rng'; there are"),
        ({}, "rng", "did you mean 'ring'?"),
        ({}, "joint-dp", "a collective has sends; try collective-cp-sat"),
        ({"objective": "time"}, None, "array.link.bandwidth: missing, and time needs it"),
        ({}, "ring", "ring declines: there is no Hamiltonian cycle: neighbours are on either of two sides"),
        ({}, "shifted-trees", "does not look the same from everywhere; try multitree"),
        ({"collective": "all-to-all"}, "multitree", "try collective-cp-sat"),
        ({"collective": "all-reduce", "objective": "rounds", "steps": 4}, "collective-cp-sat", "ask for those of a"),
        ({"collective": "all-gathr"}, None, "did you mean 'all-gather'?"),
        (CUBE, "ring_", "did you mean 'ring'?"),
    ],
)
def test_bad_input_writes_nothing(run, tmp_path, said, formulation, message):
    folder = tmp_path / "made"
    folder.mkdir()
    file = tmp_path / "bad.yaml"
    fields = {"topology": "mesh", "dims": [3, 3], **said}
    fields = {name: value for name, value in fields.items() if value is not None}
    file.write_text(yaml.safe_dump(collective_document(**fields)))
    ran = run("solve", file, *([] if formulation is None else ["-f", formulation]), "-o", folder / "plan.json")
    assert (ran.code, message in " ".join(ran.err.split())) == (2, True), ran.err
    assert not any(folder.iterdir())


@pytest.mark.parametrize("command", ["verify", "simulate", "show --plan", "export --to chakra", "export --to schedule"])
def test_a_schedule_of_another_array_is_told(run, solved, tmp_path, command):
    folder = tmp_path / "made"
    folder.mkdir()
    name, *options = command.split()
    output = ["-o", folder / "made.json"] if name in ("show", "export") else []
    given = [*options, solved] if name == "show" else [solved, *options]
    ran = run(name, "torus-4x4-gather", *given, *output)
    assert (ran.code, "is a plan of 'ring-4', not of 'torus-4x4-gather'" in ran.err) == (2, True), ran.err
    assert not any(folder.iterdir())


def test_a_schedule_of_an_array_that_has_changed_is_told(run, tmp_path):
    file, plan = tmp_path / "grid.yaml", tmp_path / "plan.json"
    file.write_text(yaml.safe_dump(collective_document("mesh", dims=[2, 2])))
    assert run("solve", file, "-f", "multitree", "-o", plan).code == 0
    file.write_text(yaml.safe_dump(collective_document("mesh", dims=[2, 3])))
    ran = run("verify", file, plan)
    assert (ran.code, "is a plan of another version of 'of-a-test'" in ran.err) == (2, True), ran.err


def test_collectives_are_compared_and_listed(run):
    ran = run("compare", "torus-4x4-gather", "--formulations", "ring,multitree")
    assert ran.code == 0
    assert "steps of the schedule" in ran.out
    assert "torus-4x4-gather" in run("list", "collectives").out


def test_trees_are_verified_and_shown(run, tmp_path):
    path = tmp_path / "plan.json"
    assert "171.4 GB a second" in run("solve", "dgx-1-trees", "-o", path).out
    assert "7 chunks have to get into 1 node, by 4 links" in run("verify", "dgx-1-trees", path).out
    document = json.loads(run("show", "dgx-1-trees", "--plan", path, "--json").out)
    assert sum(Fraction(one["share"]) for one in document["packing"]["trees"] if one["chunk"] == "g3") == 1
    table = tmp_path / "trees.csv"
    assert run("show", "dgx-1-trees", "--plan", path, "-o", table).code == 0
    assert table.read_text().startswith("chunk,tree,share,route,adds\n")
    refused = run("compare", "dgx-1-trees", "--bytes", "1KiB,1MiB")
    assert (refused.code, "objective: expected steps, rounds or time, got bandwidth" in refused.err) == (2, True)
