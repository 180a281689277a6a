"""Trees with shares as plans: there and back, shown, and refuted where they are not what is claimed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt import Plan, load, solve, verify
from hypar_opt.costgraph.collective.pieces import is_packing, read_pieces
from hypar_opt.solver.packing_problem import PackingProblem, PackingTask
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification.verdict import CheckOutcome
from tests.collectives import collective_of


@pytest.mark.parametrize("collective", ["all-gather", "reduce-scatter", "all-reduce"])
def test_packings_are_choices_again(collective, tmp_path):
    instance = collective_of(
        "bigraph", collective, accelerators=4, objective="bandwidth", link={"bandwidth": 3}, bytes=7
    )
    problem = PackingProblem(instance)
    plan = solve(problem)
    choices, task = problem.choices(plan.strategies), PackingTask(problem)
    assert task.decode(choices)[0] == plan.strategies
    assert task.feasible(choices)
    assert Fraction(task.value(choices)) / task.unit == plan.objective
    plan.save(tmp_path / "plan.json")
    assert Plan.load(tmp_path / "plan.json").objective == plan.objective


def test_choices_that_break_off_are_no_packing():
    graph = PackingProblem(load("dgx-1-trees")).graph
    for choices in ((0,), (0, 1, 1, 0, 2, 0), (0, 1, 0), (99, 1, 0), (0, 1, 1, 0, 2, 0, 6)):
        assert not is_packing(graph, choices)
    with pytest.raises(ValueError, match="break off after 0 pieces"):
        read_pieces((0,))


def test_a_better_packing_than_there_is_is_refuted():
    instance = load("dgx-1-trees")
    plan = solve(instance, "multitree")
    assert verify(instance, replace(plan, status="OPTIMAL", bound=plan.objective)).outcome is not CheckOutcome.CONFIRMED
    cheaper = replace(plan, objective=plan.bound, costs={"time": plan.bound}, bound=plan.bound, status="OPTIMAL")
    assert verify(instance, cheaper).outcome is CheckOutcome.REFUTED


def test_a_start_has_to_be_a_packing():
    problem = PackingProblem(load("dgx-1-trees"))
    with pytest.raises(InputError, match="its shares add up to 0"):
        problem.choices({})
    with pytest.raises(Refusal, match="sends and no strategies"):
        _ = problem.sizing_graph
