"""What prices leave to plans that cost no more than a known one: all of those, and less than the whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import each

from hypar_opt.costgraph import Duals, Priced
from hypar_opt.costgraph.presolve import NoPlan
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.certificate.of_graph import leaders_of
from hypar_opt.verification.reduced_cost_fixing import NarrowedProblem, NoDearer
from tests.instance.strategy_graph.drawing import best, draw, plans
from tests.instance.strategy_graph.drawing import cost as cost_of

SEEDS = [seed for seed in range(60) if best(draw(seed, 5, hard=True)) is not None][:30]


def problem_of(seed, presolved):
    return GraphProblem(replace(draw(seed, 5, hard=True), sha256=f"{seed:064x}"), presolved)


def prices_of(problem, seed):
    """Prices of nothing, or any: all are sound."""
    tables, rng = problem.graph.tables, np.random.default_rng(seed)
    zero = Duals.zero(tables)
    if seed % 2:
        return zero
    drawn = [rng.integers(-6, 7, len(one)) for one in (zero.first, zero.second)]
    return Duals(1, *drawn, rng.integers(0, 2, len(zero.prices)))


def narrowed(problem, duals, cost, limits=None):
    return NarrowedProblem(problem.instance, problem.presolved, limits, whole=problem, duals=duals, cost=cost)


def step_of(problem):
    return next(step for step in problem.reduction.steps if isinstance(step, NoDearer))


@pytest.mark.parametrize("presolved", [False, True])
@each("seed", SEEDS)
def test_a_plan_that_costs_no_more_stays(seed, presolved):
    problem = problem_of(seed, presolved)
    duals, costs = prices_of(problem, seed), {}
    for plan in plans(problem.instance):
        left, cost = problem.reduction.contract(plan), cost_of(problem.instance, plan)
        if left is not None and cost is not None:
            costs[tuple(left.tolist())] = cost
    for limit in sorted(set(costs.values()))[:4]:
        step = step_of(narrowed(problem, duals, limit))
        for left, cost in costs.items():
            assert step.contract(np.array(left)) is not None or cost > limit


@pytest.mark.parametrize("presolved", [False, True])
@each("seed", SEEDS)
def test_the_best_plan_is_found_in_what_is_left(seed, presolved):
    problem = problem_of(seed, presolved)
    least, _ = best(problem.instance)
    for more in (0, 5):
        left = narrowed(problem, prices_of(problem, seed), least + more)
        plan = solve(left, "brute-force")
        assert (plan.status, plan.objective) == (Status.OPTIMAL, least)
        chosen = np.array([int(plan.strategies[str(node)]) for node in range(problem.instance.nodes)])
        assert cost_of(problem.instance, chosen) == least


def test_good_prices_leave_less_and_less_is_left_to_cheaper_plans():
    removed = np.zeros(3, dtype=np.int64)
    for seed in SEEDS:
        problem, told = problem_of(seed, False), []
        solve(problem, "milp-highs", proof=told.append)
        least, _ = best(problem.instance)
        counts = [step_of(narrowed(problem, told[-1], least + more)).removed for more in (0, 3, 1000)]
        assert counts == sorted(counts, reverse=True)
        removed += counts
    assert removed[0] > removed[1] > removed[2]  # which are without a partner, whatever they cost


def test_below_the_bound_nothing_is_left():
    problem = problem_of(SEEDS[0], False)
    duals = Duals.zero(problem.graph.tables)
    below = problem.shift + Priced(problem.graph.tables, duals).bound - 1
    left = narrowed(problem, duals, below)
    with pytest.raises(NoPlan):
        left.reduction  # noqa: B018 - made when asked for
    assert left.refuted is not None


def test_presolve_of_what_is_left_ends_with_its_time():
    problem = problem_of(SEEDS[0], False)
    least, _ = best(problem.instance)
    for limits, goes_on in ((None, True), (Limits(), True), (Limits(deadline=0.0), False)):
        steps = narrowed(problem, Duals.zero(problem.graph.tables), least, limits).reduction.steps
        assert isinstance(steps[-1], NoDearer) is not goes_on


def test_no_bound_is_carried_back_from_what_is_left():
    problem = next(one for seed in SEEDS if (one := problem_of(seed, False)).tables.count)
    least, _ = best(problem.instance)
    left = narrowed(problem, Duals.zero(problem.graph.tables), least)
    assert step_of(left).name == "values of dearer plans"
    with pytest.raises(Refusal, match="cannot be carried back"):
        leaders_of(left.reduction, Duals.zero(left.reduction.tables))
