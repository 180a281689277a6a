"""The benchmark on strategy graphs: what is published, processes with limits, rows, and the whole on a tiny graph."""

from __future__ import annotations

import sys

import pytest

from reports.benchmarks.iopddl import __main__ as bench
from reports.benchmarks.iopddl import instances
from reports.benchmarks.iopddl.curves import read_curves
from reports.benchmarks.iopddl.processes import ended
from reports.benchmarks.iopddl.published import AFTER, CONTEST, MINUTES, judged, published
from reports.benchmarks.iopddl.rows import COLUMNS, merged, read, row_of, write_csv
from reports.benchmarks.iopddl.runs import Found
from reports.benchmarks.iopddl.writing import write
from tests.instance.strategy_graph.files import example, written

BEST = 445
"""Of the worked example."""


def python(*words):
    return [sys.executable, *words]


def row(method="m", seed=0, **found):
    known = {"status": "OPTIMAL", "cost": 217039, "bound": 217039, "found_s": None, "wall_s": 3.0, "peak_mib": 5}
    return row_of("G", method, seed, 120, Found(**(known | {"verified": "confirmed"} | found)), "abc", ours=True)


def test_every_instance_of_the_contest_has_a_limit_and_a_published_cost():
    assert "".join(MINUTES) == "".join(CONTEST) == "ABCDEFGHIJKLMNOPQRSTUVWXY"
    assert [published(name).limit_s for name in "AFKPU"] == [60, 120, 180, 240, 300]
    assert published("K").best == AFTER["K"] < CONTEST["K"]
    assert (published("D").compiler, published("none").best) == (None, None)


@pytest.mark.parametrize(
    ("name", "status", "cost", "wall_s", "verdict"),
    [
        ("A", "OPTIMAL", 6548553650, 63.0, "met"),
        ("A", "FEASIBLE", 6548553650, 60.0, "missed: not proven optimal"),
        ("K", "FEASIBLE", 2_200_000_000, 180.0, "met"),
        ("K", "FEASIBLE", 2_200_000_001, 190.0, "missed: above 2,200,000,000, over the time limit"),
        ("K", "NO_SOLUTION", None, 180.0, "missed: above 2,200,000,000"),
        ("Y", "OPTIMAL", 1, 1.0, None),
    ],
)
def test_what_was_to_be_reached_is_judged_by_proof_cost_and_time(name, status, cost, wall_s, verdict):
    assert judged(name, status, cost, wall_s, {"A": 60, "K": 180, "Y": 300}[name]) == verdict


def test_a_process_is_ended_with_all_that_it_started(tmp_path):
    sleeper = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
    done = ended(python("-c", sleeper), tmp_path, 0.5, 4)
    assert done.code is None
    assert 0.5 <= done.wall_s < 5
    assert done.why.startswith("stopped")


@pytest.mark.slow
def test_a_process_that_wants_too_much_memory_is_said_to(tmp_path):
    done = ended(python("-c", "x = bytearray(2**30)"), tmp_path, 20, 0.25)
    assert (done.code, done.why) == (1, "out of memory")
    assert ended(python("-c", "x = bytearray(2**30)"), tmp_path, 20, 4).code == 0


def test_a_process_that_fails_is_quoted_and_its_memory_known(tmp_path):
    failing = "import sys; x = b'1' * 2**27; sys.exit('error: bad luck')"
    done = ended(python("-c", failing), tmp_path, 20, 4)
    assert done.why == "ERROR: ended with 1: error: bad luck"
    assert 128 <= done.peak_mib < 1000


def test_what_is_not_known_is_nothing():
    assert row()["gap %"] == "0.0000"
    assert row()["target"] == "met"
    unknown = row(status="TIME LIMIT", cost=None, bound=None, verified=None)
    assert {unknown[name] for name in ("cost", "bound", "gap %", "found s", "difference %", "plan")} == {""}
    assert unknown["target"] == "missed: not proven optimal"


def test_differences_are_of_the_published_cost_and_gaps_of_the_plan():
    one = row(cost=220000, bound=200000)
    assert one["difference %"] == f"{100 * (220000 - 217039) / 217039:.4f}"
    assert one["gap %"] == f"{100 * 20000 / 220000:.4f}"


def test_a_run_replaces_its_like_and_leaves_the_others(tmp_path):
    rows = []
    for one in (row(), row(seed=1), row("other"), row(cost=220000)):
        rows = merged(rows, one, ["m", "other"])
    assert [(one["method"], one["seed"], one["cost"]) for one in rows] == [
        ("m", "0", "220000"), ("m", "1", "217039"), ("other", "0", "217039"),
    ]  # fmt: skip
    write_csv(tmp_path / "rows.csv", rows)
    assert read(tmp_path / "rows.csv") == rows
    assert tuple(rows[0]) == COLUMNS


def test_methods_stand_side_by_side_with_their_best_plan_or_the_reason(tmp_path):
    none = row("other", status="out of memory", cost=None, bound=None, verified=None)
    runs = [row(status="FEASIBLE", cost=220000), row(seed=1, status="FEASIBLE"), row(seed=2, status="OPTIMAL"), none]
    write(tmp_path / "report.md", runs)
    line = (tmp_path / "report.md").read_text().split("## Methods side by side")[1].splitlines()[4]
    assert [cell.strip() for cell in line.split("|")[2:-1]] == ["217,039", "217,039 (proven)", "out of memory"]


def test_instances_are_named_by_their_letter_or_their_file(tmp_path):
    for name in ("asplos-2025-iopddl-C.json.gz", "mine.json", "README.md"):
        (tmp_path / name).touch()
    assert list(instances.found(tmp_path)) == ["C", "mine"]


@pytest.mark.slow
def test_a_tiny_graph_is_measured_from_file_to_report(tmp_path):
    written(tmp_path / "tiny.json", example())
    words = ["--folder", str(tmp_path), "--seeds", "3", "--time-limit", "20", "--output", str(tmp_path / "reports")]
    for name in ("brute-force", "xla, highs"):
        words += ["--only", name]
    bench.main(words)
    rows = read(tmp_path / "reports" / "iopddl.csv")
    assert [(one["method"], one["seed"], one["cost"], one["status"], one["plan"]) for one in rows] == [
        ("xla, highs", "3", str(BEST), "OPTIMAL", "confirmed"),
        ("brute-force", "3", str(BEST), "OPTIMAL", "confirmed"),
    ]
    report = (tmp_path / "reports" / "iopddl.md").read_text()
    assert "| tiny" in report
    assert f"{BEST:,} (proven)" in report.split("## Methods side by side")[1].split("## All runs")[0]
    assert "nan" not in report.lower()
    curves = read_curves(tmp_path / "reports" / "iopddl_curves.csv")
    assert [(one.method, one.plans[-1].value, one.plans[-1].rests_on) for one in curves] == [
        ("xla, highs", BEST, "verify"), ("brute-force", BEST, "verify"),
    ]  # fmt: skip
    assert report.count("](iopddl_tiny.svg)") == 1


def test_an_instance_without_a_limit_or_that_is_not_there_is_refused(tmp_path):
    written(tmp_path / "tiny.json", example())
    with pytest.raises(SystemExit, match="no time limit is known of tiny"):
        bench.main(["--folder", str(tmp_path), "--output", str(tmp_path)])
    with pytest.raises(SystemExit, match="has no instance Z; there are tiny"):
        bench.main(["--folder", str(tmp_path), "--instances", "Z", "--output", str(tmp_path)])
