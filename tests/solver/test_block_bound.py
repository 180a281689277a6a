"""Blocks of which it is decided whether they run once more, against all plans and their peaks as recounted."""

from __future__ import annotations

from itertools import product
from random import Random
from threading import Event

import pytest

from hypar_opt.formulation.run import Limits
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver.block_bound import BlockBound
from hypar_opt.solver.operator_blocks import DecidedBlocks
from hypar_opt.solver.operator_moments import InRounds
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.operator_tasks import OperatorTask
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.solve import solve
from tests.helpers import each

INNER = (
    [{"name": "up", "linear": {"features": 8}}, {"name": "act", "activation": {}}],
    [{"name": "act", "softmax": {}}, {"name": "up", "linear": {"features": 8}}],
    [{"name": "up", "linear": {"features": 8}}, {"name": "sum", "inputs": ["block", "up"], "add": {}}],
)


def drawn(seed, capacity, recompute):
    """Return two small blocks behind a layer, on two devices of so much memory."""
    random = Random(f"blocks {seed}")
    inner, some = random.choice(INNER), random.choice((["batch", "none"], ["batch", "out", "features"]))
    layers = [
        {"name": "first", "linear": {"features": 8}},
        {"name": "h", "repeat": {"times": 2, "layers": inner}},
    ]
    fix = {"first": "batch"} | ({"*:forward": "batch", "*:gradient": "batch"} if "add" in inner[1] else {})
    axes = [{"name": "a", "size": 2, "link": {"bandwidth": 1e6}}]
    accelerator = {"model": "roofline", "rate": 1e6, "memory": {"capacity": capacity}}
    return OperatorProblem(
        OperatorInstance.from_dict({
            "schema": "hypar-opt/instance/1",
            "name": "two blocks",
            "batch": 8,
            "network": {"input": {"features": 8}, "layers": layers},
            "array": {"axes": axes, "accelerator": accelerator},
            "cost": {"storage": ["replicated"], "choices": some, "recompute": recompute},
        }).replace(objective=random.choice(("communication", "time")), fix=fix)
    )  # fmt: skip


def every_plan(free, cost=None):
    """Return what all plans cost, and what they take at the peak, by devices.

    Parameters
    ----------
    cost
        From a plan's components to what is told of them; the objective unless given.
    """
    task, graph, found = OperatorTask(free.at_moments(())), free.apart, []
    for choices in product(*(range(variable.size) for variable in graph.variables)):
        if graph.feasible(choices):
            plan = free.plan_of(task.decode(choices)[0])
            found.append(((cost or free.combined)(free.costs(plan)), free.peak(plan).bytes))
    return found


@each("seed", range(13), quick=1)
def test_the_best_plan_that_fits_is_the_best_of_all(seed):
    """Of nothing, of all blocks and of those that are chosen, under a memory that some plans do not fit into."""
    for recompute in ("none", "blocks", "choose"):
        every = every_plan(drawn(seed, 10**9, recompute))
        peaks = sorted({peak for _, peak in every})
        limit = Random(f"limit {seed}").choice([peaks[0] - 1, *peaks[: len(peaks) // 2 + 1]])
        best = min((cost for cost, peak in every if peak <= limit), default=None)
        plan = solve(drawn(seed, float(limit), recompute))
        assert (plan.status, plan.objective) == ("INFEASIBLE" if best is None else "OPTIMAL", best), recompute


@each("seed", range(20), quick=2)
def test_no_plan_that_fits_costs_less_than_the_passes_say(seed):
    every = every_plan(drawn(seed, 10**9, "choose"))
    limit = Random(f"limit {seed}").choice(sorted({peak for _, peak in every})[:-1])
    problem = drawn(seed, float(limit), "choose")
    one = problem.compiled
    passes = BlockBound(DecidedBlocks(problem.apart, one.domains, one.decisions, one.occupancy, Limits()))
    passes.begin()
    bound = passes.bound()
    if bound is not None:
        best = min(cost for cost, peak in every if peak <= limit) * problem.graph_unit
        assert bound <= best <= passes.value


@each("seed", range(12), quick=1)
def test_a_front_is_that_of_all_plans_that_fit(seed):
    traded = "communication", "time"
    every = every_plan(drawn(seed, 10**9, "choose"), lambda costs: tuple(costs[name] for name in traded))
    limit = Random(f"front {seed}").choice(sorted({peak for _, peak in every})[:-1])
    fitting = {costs for costs, peak in every if peak <= limit}
    best = [
        one for one in fitting if not any(all(a <= b for a, b in zip(x, one, strict=True)) for x in fitting - {one})
    ]
    front = pareto_front(drawn(seed, float(limit), "choose"), traded)
    assert front.complete
    assert sorted(tuple(point.costs[name] for name in traded) for point in front.points) == sorted(best)


@pytest.mark.parametrize(("seed", "status"), [(4, "OPTIMAL"), (6, "FEASIBLE")])
def test_a_limit_of_time_leaves_the_plan_of_the_passes(seed, status):
    """What is found last does not fit; what passes have found before does, and is proven where it costs the bound."""
    free = drawn(seed, 10**9, "choose")
    best = solve(free)
    limit = free.peak(free.plan_of(best.strategies)).bytes - 1
    problem, limits = drawn(seed, float(limit), "choose"), Limits(stop=Event())
    problem.over_blocks(limits).begin()

    def relaxed(_, within, begin):
        limits.stop.set()
        return best

    plan = InRounds(problem, relaxed, limits).found()
    assert plan.status == status
    assert problem.peak(problem.plan_of(plan.strategies)).bytes <= limit
    assert plan.bound == best.bound <= plan.objective
