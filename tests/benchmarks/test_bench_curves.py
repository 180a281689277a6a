"""The benchmark's curves: what runs told and when, how soon plans were good, and the report's part about time."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.cost.strategy_graph import compile_graph
from reports.benchmarks.iopddl.baselines.report import IMPROVEMENTS, Report
from reports.benchmarks.iopddl.baselines.searches import SEARCHES
from reports.benchmarks.iopddl.baselines.toulbar2 import heard
from reports.benchmarks.iopddl.curves import (
    BOUND,
    PLAN,
    RECOUNTED,
    TOLD,
    VERIFIED,
    Curve,
    Move,
    merged_curves,
    moves_of,
    read_curves,
    with_verified,
    write_curves,
)
from reports.benchmarks.iopddl.measures import first_s, near_s, primal_gap, primal_integral
from reports.benchmarks.iopddl.over_time import best_known, drawn, time_rows
from reports.benchmarks.iopddl.runs import Found
from reports.benchmarks.iopddl.writing import write
from tests.benchmarks.test_bench_strategy_graphs import row
from tests.instance.strategy_graph.drawing import best, draw, plans


def curve(*moves, method="m", seed=0, instance="B", **others):
    """Return a run of (time, kind, value)."""
    made = tuple(Move(*one) for one in moves)
    said = {"end_s": 8.25, "status": "FEASIBLE", "load": 0.5, "commit": "abc"} | others
    return Curve(instance, method, seed, 60.0, made, **said)


ONE = curve((1.0, BOUND, 100), (2.0, PLAN, 400, RECOUNTED), (6.0, PLAN, 202, VERIFIED))


def test_a_gap_is_of_the_larger_cost_and_from_0_to_1():
    assert [primal_gap(*one) for one in ((0, 0), (7, 7), (400, 100), (100, 400), (-5, 5), (0, 9), (-100, -400))] == [
        0, 0, Fraction(3, 4), Fraction(3, 4), 1, 1, Fraction(3, 4),
    ]  # fmt: skip


def test_a_primal_integral_by_hand():
    """1 for 2 s, then a half for 4 s, then a hundredth part of 202 / 2 for the rest."""
    assert primal_integral(ONE.plans, 200, 10) == 2 + Fraction(1, 2) * 4 + Fraction(2, 202) * 4
    assert primal_integral(ONE.plans, 200, 4) == 2 + Fraction(1, 2) * 2
    assert primal_integral((), 200, 60) == 60
    assert primal_integral([Move(0.0, PLAN, 200)], 200, 60) == 0


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 50)), max_size=8), st.integers(1, 50))
def test_a_primal_integral_is_the_sum_of_gaps_second_by_second(told, until):
    known = [Move(float(at), PLAN, 200 - cost) for at, cost in sorted(told)]
    seconds = []
    for second in range(until):
        costs = [one.value for one in known if one.time_s <= second]
        seconds.append(primal_gap(costs[-1], 100) if costs else Fraction(1))
    assert primal_integral(known, 100, until) == sum(seconds)


def test_times_to_a_plan_and_to_a_good_one():
    assert (first_s(ONE.plans), near_s(ONE.plans, 200), near_s(ONE.plans, 199)) == (2.0, 6.0, None)
    assert (first_s(()), near_s((), 200)) == (None, None)
    assert near_s([Move(1.0, PLAN, -198)], -200) == 1.0


def test_logs_are_read_to_where_they_were_cut_off(tmp_path):
    events = [("incumbent", 2, 9), ("bound", 1, 3), ("phase", 1.5, None), ("incumbent", 3, 9), ("incumbent", 4, 8)]
    lines = [json.dumps({"event": event, "time_s": at, "value": value}) for event, at, value in events]
    (tmp_path / "log").write_text("\n".join(lines) + '\n{"event": "incumb')
    assert moves_of(tmp_path / "log", RECOUNTED) == (
        Move(1, BOUND, 3, TOLD), Move(2, PLAN, 9, RECOUNTED), Move(4, PLAN, 8, RECOUNTED),
    )  # fmt: skip
    assert moves_of(tmp_path / "none", TOLD) == ()


def test_the_last_plan_is_the_one_that_was_verified():
    assert with_verified(ONE.moves, 202, 9) == ONE.moves
    unsaid = with_verified(ONE.moves, 300, 9.5)
    assert unsaid[-1] == Move(9.5, PLAN, 300, VERIFIED)
    assert [one.value for one in unsaid if one.kind == PLAN] == [400, 300]
    assert with_verified((), 7, 1.5) == (Move(1.5, PLAN, 7, VERIFIED),)
    assert with_verified(ONE.moves, None, 9) == ONE.moves


def test_curves_are_kept_and_a_run_replaces_its_like(tmp_path):
    path = tmp_path / "curves.csv"
    curves = []
    for one in (ONE, curve(method="none", status="out of memory"), curve((1.0, PLAN, 3)), curve(seed=1), ONE):
        curves = merged_curves(curves, one, ["none", "m"])
    assert [(one.method, one.seed, len(one.moves)) for one in curves] == [("none", 0, 0), ("m", 0, 3), ("m", 1, 0)]
    write_curves(path, curves)
    assert read_curves(path) == [replace(one, end_s=8.2) for one in curves]
    assert read_curves(tmp_path / "other.csv") == []
    first = path.read_text().splitlines()
    assert first[1] == "B,none,0,60,8.2,end,,out of memory,0.5,abc"
    assert first[2] == "B,m,0,60,1,bound,100,search,0.5,abc"


def test_what_is_best_known_is_the_least_that_is_published_or_confirmed():
    assert best_known("B", [], []) == 532843
    assert best_known("B", [], [ONE]) == 202
    assert best_known("B", [], [ONE, curve((1.0, PLAN, 7))]) == 202  # which verify did not confirm
    assert best_known("none", [], []) is None
    assert best_known("G", [row(cost=5)], [ONE]) == 5


def test_the_report_has_a_row_a_run_and_a_picture_an_instance(tmp_path):
    curves = [ONE, curve(method="toulbar2", status="out of memory")]
    found = time_rows([], curves)
    shown = [[one[name] for name in ("first s", "1 % s", "primal integral s", "cost")] for one in found]
    assert shown == [["2.00", "6.00", "3.98", "202"], ["", "", "60.00", ""]]
    write(tmp_path / "iopddl.md", [row()], curves)
    text = (tmp_path / "iopddl.md").read_text()
    section = text.split("## Over time")[1].split("## All runs")[0]
    assert "primal integral" in section and "| 60.00 " in section
    assert "iopddl_" not in section.replace("iopddl_curves.csv", "")  # "m" is no method of the benchmark's
    write(tmp_path / "iopddl.md", [row()], [])
    assert "## Over time" not in (tmp_path / "iopddl.md").read_text()


@pytest.mark.slow
def test_pictures_are_of_the_first_seed_of_every_method_that_told_something(tmp_path):
    curves = [ONE, curve((1.0, PLAN, 999), seed=1), curve(method="silent"), curve((3.0, PLAN, 202), method="other")]
    (line,) = drawn(tmp_path, curves, ("m", "silent", "other"))
    assert line.startswith("![Steps over time") and line.endswith("](iopddl_B.svg)")
    svg = (tmp_path / "iopddl_B.svg").read_text()
    assert [f">{name}<" in svg for name in ("m", "other", "silent")] == [True, True, False]
    assert "999" not in line


PRINTED = """\
Reverse DAC dual bound: 115754 (+18.356%)
built
Initial lower and upper bounds: [{low}, 512409557603066263] 100.000%
New solution: 1533583 (0 backtracks, 25 nodes, depth 27, 0.230 seconds)
 {bad}
New solution: 1533 (0 backtracks, 25 nodes, depth 27, 0.230 seconds)
 {good}
Optimality gap: [{higher}, 1533583] 92.100 % (25 backtracks, 50 nodes, 0.259 seconds)
answer: {answer}
"""


def test_what_toulbar2_prints_is_told_with_the_tables_cost(tmp_path):
    graph = draw(next(seed for seed in range(100) if best(draw(seed)) and len(plans(draw(seed))) > 1))
    tables = compile_graph(graph)
    report = Report(tmp_path / "report.json", tables, time.monotonic(), 30.0)
    first, *_ = plans(graph)
    good = best(graph)[1]
    answer = {"limited": True, "bound": 4.0, "choices": None}
    texts = [" ".join(map(str, choices)) for choices in (first, good)]
    low, higher = -9 - tables.constant, -5 - tables.constant
    printed = PRINTED.format(low=low, higher=higher, bad=texts[0], good=texts[1], answer=json.dumps(answer))
    assert heard(printed.splitlines(keepends=True), report) == answer
    told = [json.loads(line) for line in (tmp_path / IMPROVEMENTS).read_text().splitlines()]
    assert [one["value"] for one in told if one["event"] == "bound"] == [-9, -5]
    costs = [one["value"] for one in told if one["event"] == "incumbent"]
    assert costs[-1] == best(graph)[0] and costs == sorted(set(costs), reverse=True)
    assert report.known["built"] is True
    assert heard(printed.splitlines(keepends=True)[:-1], report) is None


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.slow
def test_every_baseline_tells_of_its_plan_and_bound_as_they_come(tmp_path, name):
    graph = draw(next(seed for seed in range(100) if best(draw(seed)) is not None))
    report = Report(tmp_path / "report.json", compile_graph(graph), time.monotonic(), 30.0)
    SEARCHES[name](report)
    moves = moves_of(tmp_path / IMPROVEMENTS, RECOUNTED)
    assert [one.value for one in moves if one.kind == PLAN][-1] == best(graph)[0]
    assert [one.value for one in moves if one.kind == BOUND][-1] <= best(graph)[0]


def test_what_is_found_without_a_curve_has_none():
    assert Found("OPTIMAL", 1, 1, None, 1.0, 1, None).moves == ()
