"""Evaluator of peaks: every plan is looked at that differs from a formulation's in some layers and levels alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.formulation.run import Limits
from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim
from hypar_opt.studies.claims.legality import require_allowed
from hypar_opt.studies.claims.replacements import worded
from hypar_opt.studies.claims.statements import Peak
from hypar_opt.studies.sweep.enumeration import all_values, within_capacities
from hypar_opt.studies.sweep.space import Space, space_of
from hypar_opt.util.errors import RecomputationError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.studies.claims.plans import PlanCache


@dataclass(frozen=True)
class Peaks:
    """What comes of looking at every plan.

    Parameters
    ----------
    least
        The least cost of any plan that is allowed.
    best
        All plans that have it.
    count
        How many plans are allowed.
    """

    least: Fraction
    best: Sequence[dict[str, str]]
    count: int


def peaks(space: Space, component: str) -> Peaks:
    """Return the best of the plans, of which the instance has to allow one.

    Found by the compiled costs, which are quick; what is found is recomputed by code that shares nothing with them.

    Raises
    ------
    RecomputationError
        If a plan that is found is not allowed, or costs something else.
    """
    problem, limits = space.problem, Limits()
    graph = problem.weighing({component: Fraction(1)})
    values, allowed = all_values(graph, space, limits), within_capacities(graph, space, limits)
    least = values[allowed].min()
    best = [space.strategies(int(index)) for index in np.flatnonzero(allowed & (values == least))]
    found = Peaks(Fraction(int(least), graph.objective.denominator), best, int(np.count_nonzero(allowed)))
    for words in found.best:
        fault, costs = problem.fault_of(words), problem.costs(problem.bytes_of(words), problem.sites, (component,))
        cost = costs.get(component)
        if fault is not None or cost != found.least:
            raise RecomputationError(fault or f"a peak costs {cost} {component}, and the search says {found.least}")
    return found


def outside(space: Space, words: Mapping[str, str]) -> str | None:
    """Return where a plan differs from the base of a space although that is not explored, or None."""
    for layer, word in space.problem.strategies(space.base).items():
        kept = set(range(1, len(word) + 1)) - (set(space.levels) if layer in space.layers else set())
        if any(words[layer][level - 1] != word[level - 1] for level in kept):
            return f"{layer} is {words[layer]}, and {word} where nothing is explored"
    return None


def judge_peak(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge whether no plan that is explored is better; others may be as good, and are named."""
    statement, case = claim.statement, claim.cases[0]
    assert isinstance(statement, Peak)
    problem = plans.problem(case)
    own = plans.strategies(case, statement.formulation)
    printed = dict(own) | statement.strategies
    require_allowed(case, problem, printed)
    space = space_of(problem, problem.choices(own), statement.layers, statement.levels)
    fault = outside(space, printed)
    if fault is not None:
        why = f"the plan is none of those explored: {fault}"
        return Judgement(ClaimVerdict.REFUTED, "not explored", why, case.label)
    cost = plans.cost(case, printed, statement.component)  # settles first what cannot be known
    try:
        found = peaks(space, statement.component)
    except RecomputationError as error:
        return Judgement(ClaimVerdict.UNDECIDED, "-", f"a contradiction: {error}", case.label)
    best = _in_order(found.best, statement, space)
    details = {"explored": found.count, "best": best}
    evidence = f"{found.count:,} plans explored, {len(best):,} with the least {statement.component}"
    if cost < found.least:
        off = f"{float(1 - cost / found.least):.3%} less {statement.component}"
        why = f"a contradiction: the plan, which is allowed and explored, has {off} than the least of those explored"
        return Judgement(ClaimVerdict.UNDECIDED, "-", why, evidence, "", details)
    if cost == found.least:
        ties = len(best) - 1
        recomputed = "the peak" if not ties else f"a peak, with {ties:,} more"
        return Judgement(ClaimVerdict.CONFIRMED, recomputed, "", evidence, "", details)
    why = f"a plan that is explored is better: {float(cost / found.least - 1):.3%} more {statement.component} than it"
    return Judgement(ClaimVerdict.REFUTED, f"peak: {worded(best[0])}", why, evidence, "", details)


def _in_order(best: Sequence[Mapping[str, str]], statement: Peak, space: Space) -> list[dict[str, str]]:
    """Return the explored words of plans, layers and levels in the order in which the statement names them."""
    layers, levels = statement.layers or space.layers, statement.levels or space.levels
    letters = space.problem.instance.choices
    parts = [{layer: words[layer] for layer in layers} for words in best]
    return sorted(parts, key=lambda words: [letters.index(words[layer][h - 1]) for layer in layers for h in levels])
