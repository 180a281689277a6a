"""The memory at all moments of a step: what fits is found in rounds, and is the best of all plans that fit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from hypar_opt.evaluation.operators import MemoryPeak
from hypar_opt.formulation.run import Limits
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver.operator_moments import ROUNDS, InRounds, exceeded
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.solve import solve
from hypar_opt.verification import verify

LAYERS = [
    {"name": "one", "linear": {"features": 16}},
    {"name": "shares", "softmax": {}},
    {"name": "two", "linear": {"features": 4}},
]


def problem(capacity, **cost):
    """Return three layers on an axis of two devices that have so much memory."""
    accelerator = {"model": "roofline", "rate": 1e6, "memory": {"capacity": capacity}}
    axes = [{"name": "a", "size": 2, "link": {"bandwidth": 1e6}}]
    network = {"input": {"features": 8}, "layers": LAYERS}
    array = {"axes": axes, "accelerator": accelerator}
    whole = {"schema": "hypar-opt/instance/1", "name": "three", "batch": 16, "network": network, "array": array}
    return OperatorProblem(OperatorInstance.from_dict({**whole, "cost": {"storage": ["replicated", "zero-3"], **cost}}))


def every_plan():
    """Return of all plans the bytes, what the evaluator finds at the peak, and what is kept."""
    free = problem(10**9)
    domains, task, found = free.compiled.domains, free.task("brute-force", "strategies", None, None)[0], []
    for choices in product(*(range(len(one.values)) for one in domains)):
        plan = free.plan_of(task.decode(choices)[0])
        found.append((free.costs(plan)["communication"], free.peak(plan).bytes, free.kept_in_all(plan)))
    return found


def test_the_best_plan_that_fits_at_its_peak():
    """Limits at which another plan is best, down to what nothing fits into: some hold what is kept, not the peak."""
    every = sorted(every_plan())
    limits, least = [], None
    for _, peak, _ in every:
        if least is None or peak < least:
            limits, least = [*limits, peak], peak
    assert len(limits) > 1
    assert any(kept <= limits[-1] < peak for _, peak, kept in every)
    for limit in (*limits[-3:], limits[-1] - 1):
        best = min((bytes_ for bytes_, peak, _ in every if peak <= limit), default=None)
        plan = solve(problem(limit))
        if best is None:
            assert plan.status == "INFEASIBLE"
            assert not plan.note or f"which has {limit}" in plan.note.replace(",", "")
            continue
        assert (plan.status, plan.objective) == ("OPTIMAL", best)
        assert plan.statistics[ROUNDS] >= 1


def test_a_plan_whose_peak_is_too_much_is_refuted(tmp_path):
    """It keeps no more than there is."""
    free = problem(10**9)
    plan = solve(free)
    found = free.plan_of(plan.strategies)
    assert free.kept_in_all(found) < free.peak(found).bytes
    plan.save(tmp_path / "plan.json")
    limited = problem(free.peak(found).bytes - 1)
    verdict = verify(replace(limited.instance, sha256=free.instance.sha256), tmp_path / "plan.json")
    (memory,) = [one for one in verdict.checks if one.name == "memory"]
    assert memory.outcome.value == "refuted"
    assert "on each device in the" in memory.text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["brute-force", "joint-dp", "cp-sat", "milp-highs", "portfolio"])
def test_every_formulation_takes_moments(name):
    every = every_plan()
    limit = sorted(peak for _, peak, _ in every)[len(every) // 50]
    plan = solve(problem(limit), name)
    assert (plan.status, plan.objective) == ("OPTIMAL", min(one for one, peak, _ in every if peak <= limit))


def test_a_front_is_of_plans_that_fit():
    limit = sorted(peak for _, peak, _ in every_plan())[20]
    one = problem(limit)
    front = pareto_front(one, ("communication", "compute-time"))
    assert front.complete
    assert front.points
    assert all(one.peak(one.plan_of(point.strategies)).bytes <= limit for point in front.points)


def test_of_each_run_of_moments_that_is_too_much_the_worst_counts():
    taken = [MemoryPeak("forward", "one", {"maps": Fraction(size)}) for size in (1, 5, 7, 6, 2, 9, 3, 8)]
    assert list(exceeded(taken, Fraction(4))) == [2, 5, 7]
    assert list(exceeded(taken, Fraction(9))) == []


def test_rounds_end_with_the_limit():
    """What is found of a relaxation and does not fit is no plan; its bound is one."""
    one = problem(min(peak for _, peak, _ in every_plan()))
    limits = Limits(stop=Limits().stop)
    best = solve(problem(10**9))

    def relaxed(_, within, begin):
        limits.stop.set()
        return best

    plan = InRounds(one, relaxed, limits).found()
    assert (plan.status, plan.strategies, plan.bound) == ("NO_SOLUTION", None, best.objective)
