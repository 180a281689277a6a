"""Arrays and placements as a user meets them."""

from __future__ import annotations

import csv
import json

import pytest
from helpers import document, linear_chain

PLACED = ("--array", "torus-16", "--levels", "2", "--objective", "hop-bytes")


def test_solve_shows_where_the_groups_stand(run):
    ran = run("solve", "lenet-c", "--array", "torus-16", "--objective", "hop-bytes")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].startswith("lenet-c: OPTIMAL by joint-enumeration in ")
    assert lines[2].startswith("objective ") and lines[2].endswith(": hop-bytes")
    assert "placement: leaves of the partition on the torus, a bit a level, the root's first" in ran.out
    at = next(i for i, line in enumerate(lines) if line.startswith("placement:"))
    assert sorted(" ".join(lines[at + 1 : at + 5]).split()) == [f"{leaf:04b}" for leaf in range(16)]
    assert "hops a byte" in ran.out and "busiest link" in ran.out
    assert "regrets are for this placement, by joint-dp: every other strategy of any layer costs more" in ran.out


def test_a_plan_file_says_where_and_is_verified_shown_and_started_from(run, tmp_path):
    plan, picture = tmp_path / "plan.json", tmp_path / "traffic.svg"
    objective = "hop-bytes=1,communication=0.5"
    assert run("solve", "sfc", "--array", "ring-16", "--levels", 2, "--objective", objective, "-o", plan).code == 0
    written = json.loads(plan.read_text())
    assert sorted(written["placement"]) == ["a0", "a1", "a2", "a3"]
    assert written["decided"] == "both"
    assert set(written["cost"]) == {"communication_bytes", "hop_bytes", "comm_time_s", "comm_energy_J"}
    assert written["overrides"] == {
        "array": {"levels": 4, "link": {"bandwidth": 200000000, "energy": 8e-11}, "topology": "ring"},
        "levels": 2,
        "objective": objective,
    }
    ran = run("verify", "sfc", plan)
    assert (ran.code, ran.out.split(":")[0]) == (0, "confirmed")
    assert run("show", "sfc", "--plan", plan, "-o", picture).code == 0
    assert picture.read_text().startswith("<svg")
    again = ("--array", "ring-16", "--levels", 2, "--objective", objective, "--start", plan, "--json")
    for name in ("placement-milp", "joint-cp-sat"):
        found = json.loads(run("solve", "sfc", "-f", name, *again).out)
        assert (found["status"], found["objective"]) == ("OPTIMAL", written["objective"])


def test_a_placement_that_is_tampered_with_is_refuted(run, tmp_path):
    plan = tmp_path / "plan.json"
    run("solve", "sfc", "--array", "ring-16", "--levels", 2, "--objective", "hop-bytes", "-o", plan)
    document = json.loads(plan.read_text())
    document["placement"][1] = document["placement"][0]
    plan.write_text(json.dumps(document))
    ran = run("verify", "sfc", plan)
    assert ran.code == 1
    assert "leaves 0 and 1 both stand on" in ran.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("-f", "joint-dp"),
            "the objective depends on the placement, which is to be decided too; try joint-enumeration",
        ),
        (("-f", "joint-enumeration", "--placement", "identity"), "the placement is given, so that there is none"),
        (("--certificate", "c"), "joint-enumeration writes no certificates; joint-dp does, where its tables fit"),
        (("--accounting", "leaf-exact"), "--objective: hop-bytes weighs the bytes of each level, and accounting"),
        (("--objective", "hops"), "--objective: expected communication, hop-bytes, comm-time, comm-energy, "),
        (("--objective", "hop-bytes,hop-bytes"), "--objective: 'hop-bytes' comes twice"),
        (("--objective", "hop-bytes=x"), "--objective hop-bytes: expected a number, got 'x'"),
        (("--objective", "hop-bytes=-1"), "--objective: expected a number of at least 0, got -1"),
        (("--array", "torsu-16"), "torsu-16: neither a file nor the name of a shipped array; did you mean 'torus-16'?"),
        (("--levels", "5"), "has 16 accelerators, 5 levels need 32"),
    ],
)
def test_what_does_not_go_together(run, arguments, message):
    given = ["--array", "torus-16", "--objective", "hop-bytes"]
    ran = run("solve", "sfc", *given, *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.startswith("error: ") and ran.err.count("\n") == 1


def test_arrays_beside_each_other(run, tmp_path):
    given = ("sfc", "lenet-c", "--arrays", "h-tree-16,ring-16", "--levels", "2", "-o", tmp_path)
    ran = run("compare-arrays", *given)
    assert (ran.code, ran.err) == (0, "")
    assert "every link as fast as the first array's" in ran.out
    assert "as much link bandwidth in all as the first array has" in ran.out
    rows = list(csv.DictReader((tmp_path / "arrays.csv").read_text().splitlines()))
    assert [(row["instance"], row["array"]) for row in rows] == [
        ("sfc", "h-tree-16"), ("sfc", "ring-16"), ("lenet-c", "h-tree-16"), ("lenet-c", "ring-16"),
    ]  # fmt: skip
    assert {row["status"] for row in rows} == {"OPTIMAL"}
    # four accelerators: the H tree's links add up to 4 + 2 x 2 = 8 times a leaf's, the ring's to 4 times
    ring = next(row for row in json.loads((tmp_path / "arrays.json").read_text()) if row["array"] == "ring-16")
    assert float(ring["comm_time_s_equal_total"]) == float(ring["comm_time_s_equal_link"]) / 2
    assert "\\*: proven, of plan and placement together" in (tmp_path / "arrays.md").read_text()
    assert (tmp_path / "arrays.tex").read_text().count(r"\end{tabular}") == 4


def custom(folder, name, of_link, of_each):
    """Write an array of two accelerators and one link."""
    graph = {"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"ends": ["a", "b"], **of_each}]}
    path = folder / name
    path.write_text(json.dumps({"topology": "custom", "levels": 1, "link": of_link, "graph": graph}))
    return path


def test_instances_of_one_name_and_links_that_say_their_own(run, tmp_path):
    """Two files of one name are two rows; where every link says its bandwidth, what 'link' says does not count."""
    files = (tmp_path / "small.json", tmp_path / "large.json")
    for path, features in zip(files, (4, 32), strict=True):
        path.write_text(json.dumps(document(linear_chain(features, features), [features], levels=1)))
    one = custom(tmp_path, "one.json", {"bandwidth": 1000}, {})
    two = custom(tmp_path, "two.json", {"bandwidth": 1}, {"bandwidth": 1000})
    rows = json.loads(run("compare-arrays", *files, "--arrays", f"{one},{two}", "--json").out)
    assert len(rows) == 4
    for row, other in (rows[:2], rows[2:]):
        assert row["comm_time_s_equal_link"] == other["comm_time_s_equal_link"] == row["comm_time_s"]
    assert rows[0]["comm_time_s"] != rows[2]["comm_time_s"]


def test_an_array_of_one_accelerator_has_nothing_to_compare(run, tmp_path):
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"topology": "custom", "levels": 0, "graph": {"nodes": [{"name": "a"}], "links": []}}))
    ran = run("compare-arrays", "sfc", "--levels", 0, "--arrays", path)
    assert (ran.code, ran.err) == (2, f"error: {path}: has one accelerator and no links, nothing to compare\n")


def test_a_table_shows_the_objective_and_what_is_proven_of_it(run):
    given = ("--array", "ring-16", "--levels", 2, "--objective", "hop-bytes")
    ran = run("compare", "sfc", "-f", "joint-enumeration,placement-cp-sat", *given)
    assert "hop-bytes in B x hops; below or behind it" in ran.out
    assert "2.01388e+08*" in ran.out and "2.01388e+08+" in ran.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--arrays", ","), "--arrays names none"),
        (("--arrays", "nowhere"), "nowhere: neither a file nor the name of a shipped array"),
        (("-f", "nothing"), "no formulation is called 'nothing'"),
    ],
)
def test_arrays_that_are_none(run, arguments, message):
    ran = run("compare-arrays", "sfc", *arguments)
    assert ran.code == 2
    assert message in ran.err


def test_the_arrays_are_listed(run):
    rows = json.loads(run("list", "arrays", "--json").out)
    torus = next(row for row in rows if row["name"] == "torus-16")
    assert torus == {
        "name": "torus-16", "topology": "torus", "accelerators": 16, "switches": 0, "links": 32,
        "bandwidth in all": "6.4 GB/s", "each": "-",
    }  # fmt: skip


def test_formulations_say_what_they_decide(run):
    rows = {row["name"]: row["decides"] for row in json.loads(run("list", "formulations", "--json").out)}
    assert (rows["joint-dp"], rows["local-search"], rows["alternating"]) == ("strategies", "placement", "both")
