"""Regrets of operators: what another word costs at least, or another placement, all else chosen anew."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.operators.domains import COPY, KEPT, STORAGE
from hypar_opt.studies.regrets import Explanation, Regret, exceeded_by_some, marginals_of
from hypar_opt.util.interrupt import Interrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypar_opt.cost.operators.domains import Domain, DomainValue
    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.run import Run
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.plan import Plan

OF_VALUES: dict[str, Callable[[DomainValue], str]] = {
    "": lambda value: value.text,
    STORAGE: lambda value: value.storage,
    KEPT: lambda value: value.kept_text or COPY,
}
"""By the end of a key of a plan's strategies, what it says of a value."""


def explain_operators(problem: OperatorProblem, plan: Plan, run: Run) -> Explanation:
    """Return the regrets of every operator and of every placement, by the keys of a plan's strategies.

    A plan is worth showing without them: where it is stopped while operators are compiled, there are none.

    Parameters
    ----------
    problem, plan
        Whose plan; it has strategies.
    run
        Of the formulation that they come from.
    """
    try:
        return _explained(problem, plan, run)
    except Interrupted as stop:
        return Explanation(None, {}, str(stop))


def _explained(problem: OperatorProblem, plan: Plan, run: Run) -> Explanation:
    assert plan.strategies is not None
    asked, problem = problem, problem.standing_as(plan)
    choices = asked.choices(plan.strategies)  # which says what keeps a plan from being one of this instance
    why = exceeded_by_some(problem.whole)
    if why:
        tables = ", and their tables are reduced" if problem.is_tight else ""
        found = "what another word costs among those that keep to it is not found in one pass; solve again with --fix"
        return Explanation(None, {}, f"{why}{tables}: {found}")
    graph = problem.whole
    marginals = marginals_of(graph, run)
    if isinstance(marginals, str):
        return Explanation(None, {}, marginals)
    if problem is not asked:
        choices = problem.choices(plan.strategies)
    value, unit = graph.value(choices), graph.objective.denominator
    forbidden = graph.forbidden

    def of_domain(domain: Domain, choice: int, least: Array) -> dict[str, Regret | None]:
        found: dict[str, Regret | None] = {}
        for key, others in _others(domain, choice):
            costs = np.where(others, least, forbidden)
            best = int(np.argmin(costs))
            known = bool(others[best]) and costs[best] < forbidden
            text = OF_VALUES[key](domain.values[best])
            found[key] = Regret(text, Fraction(int(costs[best]) - value, unit)) if known else None
        return found

    shared: dict[tuple[int, int, int], dict[str, Regret | None]] = {}  # equal blocks have all three in common
    regrets: dict[str, Regret | None] = {}
    for domain, choice, least in zip(problem.compiled.domains, choices, marginals, strict=True):
        known = id(domain.values), choice, id(least)
        if known not in shared:
            shared[known] = of_domain(domain, choice, least)
        for key, regret in shared[known].items():
            regrets[domain.name + key] = regret
    return Explanation(None, regrets, source=run.source)


def _others(domain: Domain, choice: int) -> Iterator[tuple[str, Array]]:
    """Yield which values say another thing than the chosen one: of its word, and of what else there is a choice of."""
    for key, said in OF_VALUES.items():
        texts = [said(value) for value in domain.values]
        if not key or len(set(texts)) > 1:
            yield key, np.array([text != texts[choice] for text in texts])
