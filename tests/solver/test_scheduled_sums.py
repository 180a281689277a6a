"""Plans whose partial sums are exchanged by schedules: costs, evaluator and formulations agree on every word."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from helpers import each
from scheduled_networks import ARRAYS, drawn, scheduled

import hypar_opt.cost.sum_times as sum_times
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.solver.sum_schedules import FoundSchedules, SumSchedules, constructors
from hypar_opt.util.errors import InputError, RecomputationError
from hypar_opt.verification import verify
from hypar_opt.verification.verdict import CheckOutcome

TORUS, RING, MESH, TREE, _ = ARRAYS


def least(problem):
    """Return the least time of all plans, by the evaluator alone."""
    words = ["".join(one) for one in product(problem.instance.choices, repeat=problem.instance.levels)]
    names = [layer.name for layer in problem.work.layers]
    plans = (dict(zip(names, plan, strict=True)) for plan in product(words, repeat=len(names)))
    return min(problem.objective_of(problem.bytes_of(plan)) for plan in plans if problem.fault_of(plan) is None)


@each("seed", range(1, 81), quick=5)
def test_the_optimum_is_the_least_of_all_plans(seed):
    problem = NetworkProblem(drawn(seed))
    plan = solve(problem)
    assert (plan.status, plan.objective) == (Status.OPTIMAL, least(problem))


@each("seed", range(100, 112), quick=1)
def test_formulations_agree(seed):
    problem = NetworkProblem(drawn(seed))
    found = {name: solve(problem, name) for name in ("joint-dp", "cp-sat", "milp-highs", "lagrangian")}
    assert len({one.objective for one in found.values() if one.status is Status.OPTIMAL}) == 1
    assert all(found[name].status is Status.OPTIMAL for name in ("joint-dp", "cp-sat", "milp-highs"))


def test_a_ring_of_all_takes_its_formula():
    data = dict.fromkeys(("fc1", "fc2"), "ddd")
    instance = scheduled(RING, {"algorithm": "ring"}, batch=8, fix=data)
    plan = solve(instance)
    # 2 (p - 1) steps of a message of 2 s and of an eighth of a gradient of 4-byte numbers at 3 bytes a second
    expected = sum(14 * (2 + Fraction(weight * 4, 8 * 3)) for weight in (60, 40))
    assert plan.objective == expected


@pytest.mark.parametrize(("array", "taken"), [(TORUS, "shifted-trees"), (MESH, "pairwise")])
def test_where_an_algorithm_declines_counterparts_exchange(array, taken):
    problem = NetworkProblem(scheduled(array, {"algorithm": "shifted-trees"}))
    plan = dict.fromkeys(("fc1", "fc2"), "d" * problem.instance.levels)
    found = problem.measured(problem.bytes_of(plan), problem.instance.placement)
    assert {one.algorithm for one in found.timed.sums} == {taken}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("levels", ["together", "each"])
@pytest.mark.parametrize("array", [MESH, TREE, TORUS], ids=lambda one: one["topology"])
def test_the_best_is_no_slower_than_any(array, levels):
    free = {**array, "link": {"bandwidth": 3}}
    times = {
        name: solve(scheduled(free, {"algorithm": name, "levels": levels})).objective
        for name in ("pairwise", "best", *constructors())
    }
    assert times["best"] == min(times.values())


def test_pairwise_is_what_it_is_without_the_field():
    named = scheduled(MESH, {"algorithm": "pairwise"})
    assert NetworkProblem(named).graph == NetworkProblem(named.changed(array=unscheduled(named))).graph


def unscheduled(instance):
    return instance.spec.array.model_copy(update={"collectives": None})


def test_a_level_by_itself_sums_what_all_together_do():
    plan = {"fc1": "dmd", "fc2": "ddm"}
    found = {}
    for levels in ("each", "together"):
        problem = NetworkProblem(scheduled(TORUS, {"algorithm": "multitree", "levels": levels}))
        found[levels] = problem.measured(problem.bytes_of(plan), problem.instance.placement)
    assert [one.levels for one in found["together"].timed.sums] == [(0, 2), (1,), (0, 1), (2,)]
    assert sorted(one.levels for one in found["each"].timed.sums) == [(0,), (0,), (1,), (1,), (2,), (2,)]
    assert found["each"].volumes == found["together"].volumes
    assert found["together"].timed.others.volumes == found["each"].timed.others.volumes


def test_without_latencies_twice_the_bytes_take_twice_the_time():
    times = [
        solve(scheduled({**MESH, "link": {"bandwidth": rate}}, {"algorithm": "multitree"})).objective for rate in (1, 2)
    ]
    assert times[0] == 2 * times[1]


def test_a_schedule_that_loses_a_send_is_caught(monkeypatch):
    real = SumSchedules.of

    def lossy(self, levels):
        found = real(self, levels)
        return FoundSchedules({name: moves[1:] for name, moves in found.moves.items()}, found.declined)

    monkeypatch.setattr(SumSchedules, "of", lossy)
    with pytest.raises(RecomputationError, match=r"the schedule of multitree for the sums of levels 1, 2: .* lacks"):
        solve(scheduled(MESH, {"algorithm": "multitree"}, fix={"fc*": "dd"}))


@pytest.mark.parametrize(
    "wrong", [lambda a, b, x: b * x, lambda a, b, x: a + b * x / 2], ids=["no latency", "half the bytes"]
)
def test_costs_that_are_counted_wrong_are_caught(monkeypatch, wrong):
    def seconds(self, bytes_):
        return sum((max(wrong(a, b, bytes_) for a, b in lines) for lines in self.steps), start=Fraction(0))

    monkeypatch.setattr(sum_times.ScheduleTime, "seconds", seconds)
    plan = solve(scheduled(MESH, {"algorithm": "multitree"}))
    assert plan.status is Status.ERROR
    assert "boxes and routes give" in plan.native_status


def test_an_unknown_algorithm_names_the_nearest():
    with pytest.raises(InputError, match=r"array.collectives.algorithm: expected .* got 'rings'; did you mean 'ring'"):
        solve(scheduled(MESH, {"algorithm": "rings"}))


def test_an_exact_search_constructs_nothing():
    with pytest.raises(InputError, match=r"expected pairwise, best, .* got 'collective-cp-sat'"):
        solve(scheduled(MESH, {"algorithm": "collective-cp-sat"}))


def test_who_decides_level_by_level_declines():
    plan = scheduled(MESH, {"algorithm": "ring"})
    with pytest.raises(Exception, match="what a layer costs is no sum over levels; try joint-dp"):
        solve(plan, "hypar-dp")


def test_a_plan_is_verified(tmp_path):
    instance = scheduled(MESH, {"algorithm": "best"})
    plan = solve(instance)
    plan.save(tmp_path / "plan.json")
    assert verify(instance, tmp_path / "plan.json").outcome is CheckOutcome.CONFIRMED
    replace(plan, objective=plan.objective / 2).save(tmp_path / "plan.json")
    assert verify(instance, tmp_path / "plan.json").outcome is CheckOutcome.REFUTED
