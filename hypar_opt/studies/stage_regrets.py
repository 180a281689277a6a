"""Regrets of pipelines: what it costs to force an operator into another stage, all other operators chosen anew."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.protocol import StageMarginals
from hypar_opt.formulation.registry import defaults, load_formulation, refusal
from hypar_opt.formulation.run import Stopped
from hypar_opt.studies.regrets import Explanation, Regret
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.formulation.run import Run
    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.solver.plan import Plan

BEFORE: Final = "/before"
BEHIND: Final = "/behind"
"""After an operator's name in a key of regrets: it is forced into the stage before its own, or behind."""
ONE_STAGE: Final = "there is one stage only"


def explain_pipeline(problem: PipelineProblem, plan: Plan, run: Run) -> Explanation:
    """Return what it costs at least to have an operator in another stage: the best of them, the one before and behind.

    All stages keep their devices and their order, and all other operators are chosen anew. Operators that stand
    together share theirs. One that takes no time moves by itself, too.

    Parameters
    ----------
    problem, plan
        Whose plan; it has strategies.
    run
        Its limits, and who hears what is done.
    """
    if problem.compiled.moved:  # to a neighbour, which costs nothing; elsewhere they may cost less
        problem = replace(problem, idle_apart=True)
    assert plan.strategies is not None
    judged = problem.judged(plan.strategies)
    order = judged.order
    if order is None:
        return Explanation(None, {}, "stages that need not be contiguous have none before or behind")
    if len(order) == 1:
        return Explanation(None, {}, ONE_STAGE)
    graph, choices = problem.graph, problem.choices(plan.strategies)
    solver = load_formulation(defaults("pipeline")[0])
    reason = refusal(solver, graph, run)
    if reason is not None or not isinstance(solver, StageMarginals):
        return Explanation(None, {}, reason or f"{solver.name} says nothing of other stages")
    stage_of = {devices: place for place, devices in enumerate(order)}
    own = [0] * graph.groups
    options = [0] * len(order)
    for name, group in problem.compiled.group_of.items():
        own[group] = stage_of[judged.devices_of[name]]
        options[own[group]] = graph.slots[choices[group] % len(graph.slots)].option
    run.phase("regrets of other stages")
    try:
        least = solver.stage_marginals(graph, options, run)
    except Refusal as refused:
        return Explanation(None, {}, str(refused))
    except Stopped:
        return Explanation(None, {}, "stopped by the limit")
    value, texts = graph.value(choices), [str(devices) for devices in order]
    by_group = [_regrets(least[group], own[group], value, graph.unit, texts) for group in range(graph.groups)]
    found = {
        name + key: one for name, group in problem.compiled.group_of.items() for key, one in by_group[group].items()
    }
    return Explanation(None, found, source=solver.name)


def _regrets(
    least: Sequence[int | None], own: int, value: int, unit: int, texts: Sequence[str]
) -> dict[str, Regret | None]:
    """Return the regrets of a group, by what its operators' keys end with: nothing, of the best of all other stages."""

    def of(place: int) -> Regret | None:
        cost = least[place] if 0 <= place < len(texts) else None
        return None if cost is None else Regret(texts[place], Fraction(cost - value, unit))

    others = [one for one in map(of, (place for place in range(len(texts)) if place != own)) if one is not None]
    best = min(others, key=lambda one: one.cost, default=None)
    return {"": best, BEFORE: of(own - 1), BEHIND: of(own + 1)}
