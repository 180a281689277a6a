"""What it costs to have an operator in another stage, against all plans whose stages keep devices and order."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypar_opt.evaluation.pipeline import JudgedPipeline
from hypar_opt.evaluation.pipeline_memory import StageMemory
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import solve
from hypar_opt.studies.sensitivity import explain
from hypar_opt.studies.stage_regrets import BEFORE, BEHIND, ONE_STAGE
from tests.formulations.pipeline.small_pipelines import either
from tests.helpers import each


def has_room(instance, devices_of, order):
    """Return whether stages in this order keep no more than fits, each with something."""
    behind = 0
    for devices in reversed(order):
        behind += devices.count
        own = [one for one in instance.operators if devices_of[one.name] == devices]
        capacity = instance.kind_named(devices.kind).memory
        kept = StageMemory(instance, own, devices.count, capacity).kept(behind)
        if not own or (capacity is not None and kept > capacity):
            return False
    return True


def plans_of(instance, order, *, counts_behind=False):
    """Return the plans whose stages have these devices in this order, with their objectives."""
    classes = {}
    for one in instance.operators:
        classes.setdefault(one.together or f" {one.name}", []).append(one.name)
    place = {devices: number for number, devices in enumerate(order)}
    found = []
    for chosen in product(order, repeat=len(classes)):
        devices = {name: one for own, one in zip(classes.values(), chosen, strict=True) for name in own}
        judged = JudgedPipeline(instance, devices)
        ascends = all(place[devices[a]] <= place[devices[b]] for a, b in judged._earlier())
        if ascends and judged.fault is None and (not counts_behind or has_room(instance, devices, order)):
            found.append((devices, judged.objective))
    return found


@each("seed", range(120), quick=6)
def test_of_all_plans_with_these_stages_none_costs_less(seed):
    instance = either(seed, most=5)
    problem = problem_of(instance)
    plan = solve(problem)
    if plan.strategies is None or not instance.contiguous:
        return
    judged = problem.judged(plan.strategies)
    explanation = explain(problem, plan)
    if len(judged.stages) == 1:
        assert explanation.missing == ONE_STAGE
        return
    assert not explanation.missing
    order = judged.order
    plans = plans_of(instance, order, counts_behind=problem.graph.counts_behind)
    groups = {}
    for name, group in problem.compiled.group_of.items():
        groups.setdefault(group, []).append(name)
    for names in groups.values():
        own = order.index(judged.devices_of[names[0]])
        costs = {
            devices: min((cost for held, cost in plans if all(held[name] == devices for name in names)), default=None)
            for devices in order
        }
        more = {str(one): cost - plan.objective for one, cost in costs.items() if cost is not None}
        for key, place in ((BEFORE, own - 1), (BEHIND, own + 1)):
            devices = str(order[place]) if 0 <= place < len(order) else None
            regret = explanation.regrets[names[-1] + key]
            assert (regret and (regret.second_best, regret.cost)) == (
                (devices, more[devices]) if devices in more else None
            )
        best = explanation.regrets[names[0]]
        others = [cost for devices, cost in more.items() if devices != str(order[own])]
        assert (best and best.cost) == min(others, default=None)


def chain(*seconds, devices=2, **changes):
    operators = tuple(
        PipelineOperator(f"o{i}", "forward", {"gpu": Fraction(one)}, (f"o{i - 1}",) if i else ())
        for i, one in enumerate(seconds)
    )
    return PipelineInstance("chain", "", operators, (DeviceKind("gpu", devices),), **changes)


def test_regrets_of_a_chain():
    problem = problem_of(chain(2, 2, 1, 2))
    regrets = explain(problem, solve(problem)).regrets  # 4 and 3
    assert regrets["o0"].cost == 3  # all in one stage
    assert (regrets["o1/behind"].second_best, regrets["o1/behind"].cost) == ("gpu 2", 1)
    assert (regrets["o2"].second_best, regrets["o2/before"].cost, regrets["o2/behind"]) == ("gpu 1", 1, None)


def test_a_plan_that_is_not_optimal_has_a_regret_below_0():
    problem = problem_of(chain(3, 1, 1))
    poor = dict.fromkeys(("o0", "o1"), "gpu 1") | {"o2": "gpu 2"}
    plan = solve(problem)
    explained = explain(problem, Plan(**{**vars(plan), "strategies": poor, "objective": Fraction(4)}))
    assert explained.regrets["o1"].cost == -1
    assert explained.unique is False


def test_stages_that_need_not_be_contiguous_have_none():
    problem = problem_of(chain(1, 1, contiguous=False))
    assert "not be contiguous" in explain(problem, solve(problem, "pipeline-equal")).missing


def test_an_operator_that_takes_no_time_moves_by_itself():
    last = {"a": Fraction(5)}
    instance = PipelineInstance(
        "idle",
        "",
        (
            PipelineOperator("long", "forward", {"a": Fraction(7)}),
            PipelineOperator("idle", "forward", {"a": Fraction(0)}),
            PipelineOperator("last", "forward", last, ("long", "idle")),
        ),
        (DeviceKind("a", 2),),
    )
    problem = problem_of(instance)
    explanation = explain(problem, solve(problem))
    assert explanation.regrets["idle"].cost == 0
    assert explanation.regrets["last"].cost == 5
    assert not explanation.unique
