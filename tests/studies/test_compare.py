"""compare(): a cell for every instance and formulation, and the results that contradict each other."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from helpers import document, instance_of, linear_chain

from hypar_opt.costgraph.presolve import presolve
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.read import load
from hypar_opt.report.compare.terminal import legend
from hypar_opt.solver import reduced_task
from hypar_opt.solver.plan import Plan
from hypar_opt.studies.compare import Cell, compare, contradictions


def cell(formulation, status, objective=None, sha="a", **fields):
    value = None if objective is None else Fraction(objective)
    strategies = None if objective is None else {"fc": "d"}
    plan = Plan("x", sha, formulation, status, "", strategies, objective, value, None, 0.0, 0)
    return replace(Cell("x", "published", 8, 1, formulation, plan), **fields)


def test_a_plan_below_a_proven_optimum():
    cells = [cell("one", Status.OPTIMAL, 10), cell("two", Status.FEASIBLE, 9)]
    assert contradictions(cells) == ["x: one says OPTIMAL 10, but two says FEASIBLE 9"]
    assert contradictions(cells[::-1]) == contradictions(cells)


def test_two_optima_of_different_cost():
    cells = [cell("one", Status.OPTIMAL, 10), cell("two", Status.OPTIMAL, 9)]
    assert contradictions(cells) == ["x: one says OPTIMAL 10, but two says OPTIMAL 9"]


@pytest.mark.parametrize("status", [Status.FEASIBLE, Status.OPTIMAL])
def test_a_plan_where_none_was_proven_to_be(status):
    cells = [cell("one", Status.INFEASIBLE), cell("two", status, 9)]
    expected = [f"x: one says INFEASIBLE, but two says {status} 9"]
    assert contradictions(cells) == contradictions(cells[::-1]) == expected


@pytest.mark.parametrize(
    "other",
    [
        cell("two", Status.FEASIBLE, 10),
        cell("two", Status.FEASIBLE, 11),
        cell("two", Status.OPTIMAL, 10),
        cell("two", Status.NO_SOLUTION),
        cell("two", Status.ERROR, 9),
        cell("two", Status.FEASIBLE, 9, sha="b"),
        cell("two", Status.FEASIBLE, 9, batch=16),
        cell("two", Status.FEASIBLE, 9, levels=2),
        cell("two", Status.FEASIBLE, 9, accounting="receiver"),
        cell("two", Status.FEASIBLE, 9, plan=None),
    ],
    ids=lambda other: other.plan.status.value if other.plan else "declined",
)
def test_what_can_both_be_true(other):
    one = cell("one", Status.OPTIMAL, 10)
    assert contradictions([one, other]) == contradictions([other, one]) == []


def with_overrides(formulation, status, cost, overrides):
    one = cell(formulation, status, cost)
    return replace(one, plan=replace(one.plan, overrides=overrides))


@pytest.mark.parametrize(
    "overrides",
    [{"splits": "divisible"}, {"input_error": False}, {"objective": "communication=2"}, {"placement": "free"}],
    ids=str,
)
def test_an_instance_with_another_field_replaced_is_another_problem(overrides):
    cells = [cell("one", Status.OPTIMAL, 10), with_overrides("two", Status.OPTIMAL, 9, overrides)]
    assert contradictions(cells) == contradictions(cells[::-1]) == []
    assert contradictions([with_overrides("one", Status.OPTIMAL, 10, overrides), cells[1]]) != []


def test_fields_that_are_the_same_replaced_or_not_make_no_other_problem():
    cells = [cell("one", Status.OPTIMAL, 10), with_overrides("two", Status.OPTIMAL, 9, {"batch": 8, "levels": 1})]
    assert contradictions(cells) == ["x: one says OPTIMAL 10, but two says OPTIMAL 9"]


def test_whole_and_uneven_splits_of_one_instance_do_not_contradict_each_other():
    six = document(linear_chain(8), [8], batch=6, levels=2, choices=["dp"])
    cells = compare([instance_of(six), instance_of(six, splits="divisible")], ["joint-dp"])
    assert [one.plan.status for one in cells] == [Status.OPTIMAL, Status.INFEASIBLE]
    assert contradictions(cells) == []


def test_without_a_proof_nothing_contradicts():
    assert contradictions([cell("one", Status.FEASIBLE, 10), cell("two", Status.FEASIBLE, 9)]) == []


def test_a_cell_for_every_pair_in_order():
    names = ["joint-dp", "hypar-dp"]
    cells = compare([load("sfc"), load("lenet-c")], names)
    pairs = [(one.instance, one.formulation) for one in cells]
    assert pairs == [(i, f) for i in ("sfc", "lenet-c") for f in names]
    assert [one.plan.status.value for one in cells] == ["OPTIMAL", "FEASIBLE"] * 2


def test_a_refusal_is_a_cell_without_a_plan():
    (one,) = compare([load("resnet-18")], ["hypar-dp"])
    assert one.plan is None
    assert one.refusal.startswith("hypar-dp is for chains")


def test_a_stop_ends_the_comparison():
    limits = Limits()
    seen = []

    def stop_after_two(one):
        seen.append(one)
        if len(seen) == 2:
            limits.stop.set()

    instances = [instance_of(document(linear_chain(4), [4]))] * 3
    cells = compare(instances, ["joint-dp"], limits=limits, on_cell=stop_after_two)
    assert cells == seen
    assert len(cells) == 2


def test_a_time_limit_is_of_each_solve():
    instances = [load("sfc")] * 3
    cells = compare(instances, ["joint-dp"], time_limit_s=60)
    assert [one.plan.status.value for one in cells] == ["OPTIMAL"] * 3


def test_presolve_of_a_graph_is_once_for_all_formulations_and_in_nobodys_time(monkeypatch):
    limits, heard, said = Limits(), [], []

    def presolved(tables, over, begun):
        said.append((over(), [event.kind for event in heard]))
        limits.stop.set()
        said.append(over())
        limits.stop.clear()
        return presolve(tables, over=over, begun=begun)

    monkeypatch.setattr(reduced_task, "presolve", presolved)
    names = ["cp-sat", "brute-force"]
    cells = compare([load("five-operators")], names, limits=limits, time_limit_s=60.0, listener=heard.append)
    assert said == [(False, ["progress"]), True]
    assert [cell.plan.status for cell in cells] == [Status.OPTIMAL] * 2


@pytest.mark.parametrize(
    ("objective", "said"),
    [
        ("communication", "communication in GB (1e9 bytes), below"),
        ("time", "time in s; below"),
        ("energy", "energy in J; below"),
        ("hop-bytes", "hop-bytes in B x hops; below"),
        ("product:time,energy", "the objective product:time,energy, of bytes, seconds and joules; below"),
    ],
)
def test_the_legend_says_the_unit(objective, said):
    shown = legend([replace(cell("one", Status.OPTIMAL, 10), objective=objective)])
    assert shown.startswith(said)
