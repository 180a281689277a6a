"""Why a plan is as it is: where its bytes go, and what any other strategy would cost."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hypar_opt.formulation.registry import defaults
from hypar_opt.formulation.run import Limits, Listener, Run, limits_of
from hypar_opt.instance.objective.function import LEXICOGRAPHIC
from hypar_opt.instance.text import shown
from hypar_opt.solver.exclusion import ExcludingProblem
from hypar_opt.solver.kinds import not_explained, problem_of
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import solve
from hypar_opt.studies.amounts import amount_of
from hypar_opt.studies.regrets import Explanation, Regret, exceeded_by_some, marginals_of
from hypar_opt.util.errors import Refusal
from hypar_opt.util.lazy import deferred

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hypar_opt.costgraph import Array
    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.instance import Instance
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.problem import Problem


def explain(
    instance: Instance | OperatorInstance | Problem | Path | str,
    plan: Plan,
    limits: Limits | None = None,
    listener: Listener | None = None,
    *,
    time_limit: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
) -> Explanation:
    """Explain a plan.

    Parameters
    ----------
    instance
        What the plan solves: an instance as it was solved, overrides among it, or a problem compiled before.
    plan
        Has strategies.
    limits
        For the regrets, which take two passes of the exact dynamic programme; under a memory limit that binds, of
        products and of one component before another a solve for each layer, of up to `MOST_SOLVED_AGAIN`.
    listener
        Called with what they are at.
    time_limit, seed, workers
        Instead of those of `limits`; the time in seconds.

    Raises
    ------
    ValueError
        If the plan has no strategies.
    TypeError
        If an argument is of another kind.
    """
    if not isinstance(plan, Plan):
        raise TypeError(f"plan: expected a plan, as solve returns it, got {shown(plan)}")
    limits = limits_of(limits, time_limit, seed, workers)
    problem = problem_of(instance)
    if not problem.is_explained:
        raise not_explained(problem)
    if plan.strategies is None:
        raise ValueError(f"a plan with status {plan.status} has nothing to explain")
    run = Run(defaults("network")[0], limits, listener=listener)
    return EXPLAINERS[problem.kind](problem, plan, run)


def _explain_network(problem: NetworkProblem, plan: Plan, run: Run) -> Explanation:
    assert plan.strategies is not None
    problem.choices(plan.strategies)  # which says what keeps a plan from being one of this instance
    if problem.is_free and plan.placement is not None:
        problem = problem.at(plan.placement)
    breakdown = problem.bytes_of(plan.strategies)
    why = _beyond_marginals(problem)
    if why:
        return _solved_again(problem, plan.strategies, breakdown, why, run)
    marginals = marginals_of(problem.graph.replace(capacities=()), run)
    if isinstance(marginals, str):
        return Explanation(breakdown, {}, marginals)
    return Explanation(breakdown, _regrets(problem, plan.strategies, marginals), source=run.source)


MOST_SOLVED_AGAIN: Final = 32
"""Layers up to which regrets that no min-marginals give are found by solving again, once for each layer."""


def _beyond_marginals(problem: NetworkProblem) -> str:
    """Return why min-marginals, which are of sums over all plans, say nothing of a problem; nothing if they do."""
    if problem.objective.kind != "sum":
        return f"the objective is {problem.objective.spelt}, which is no weighted sum"
    return exceeded_by_some(problem.graph)


def _solved_again(
    problem: NetworkProblem, strategies: Mapping[str, str], breakdown: Breakdown, why: str, run: Run
) -> Explanation:
    """Return the regrets that come of solving the problem without each layer's strategy: exact where that is proven."""
    count = len(strategies)
    if count > MOST_SOLVED_AGAIN:
        many = (
            f"it would have to be solved again for each of {count:,} layers, and that is done for {MOST_SOLVED_AGAIN}"
        )
        return Explanation(breakdown, {}, f"{why}: {many} at most")
    now, found, solvers = amount_of(problem, breakdown, problem.placed), dict[str, Regret | None](), list[str]()
    for layer, word in strategies.items():
        if run.limits.over:
            return Explanation(breakdown, {}, "stopped by the limit")
        run.phase(f"regret of {layer}: solving again without its strategy")
        try:
            other = solve(ExcludingProblem.of(problem, layer, word), limits=run.limits)
        except Refusal as refusal:
            return Explanation(breakdown, {}, f"{why}, and {refusal}")
        if not other.proven:
            said = f"without the strategy of '{layer}' nothing was proven within the limits"
            return Explanation(breakdown, {}, f"{why}, and {said}: {other.status} ({other.native_status})")
        solvers.append(other.formulation)
        if other.strategies is None:
            found[layer] = None
            continue
        more = amount_of(problem, problem.bytes_of(other.strategies), problem.placed).minus(now)
        costs = more.costs if problem.objective.kind == LEXICOGRAPHIC else {}
        found[layer] = Regret(other.strategies[layer], more.objective, costs)
    return Explanation(breakdown, found, source=" and ".join(dict.fromkeys(solvers)), again=True)


def _regrets(
    problem: NetworkProblem, strategies: Mapping[str, str], marginals: tuple[Array, ...]
) -> dict[str, Regret | None]:
    graph = problem.graph
    choices = problem.choices(strategies)
    value = graph.value(choices)
    found: dict[str, Regret | None] = {}
    for variable, choice, least in zip(graph.variables, choices, marginals, strict=True):
        others = least.copy()
        others[choice] = graph.forbidden
        best = int(np.argmin(others))
        known = variable.words is not None and others[best] < graph.forbidden
        cost = Fraction(int(others[best]) - value, graph.objective.denominator)
        found[variable.name] = Regret(variable.words.word(best), cost) if known and variable.words else None
    return found


EXPLAINERS: Final[Mapping[str, Callable[[Any, Plan, Run], Explanation]]] = MappingProxyType(
    {
        "network": _explain_network,
        "operators": deferred("hypar_opt.studies.operators.regrets", "explain_operators"),
        "pipeline": deferred("hypar_opt.studies.stage_regrets", "explain_pipeline"),
    }
)
"""By kind of problem, what explains its plans."""
