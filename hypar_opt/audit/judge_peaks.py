"""Evaluator of peaks: every plan is looked at that differs from a formulation's in some layers and levels alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.audit.exploration import Space, peaks
from hypar_opt.audit.legality import require_allowed
from hypar_opt.audit.model_statements import Peak
from hypar_opt.audit.pricing import cost_of
from hypar_opt.audit.spelling import worded
from hypar_opt.audit.verdict import Judgement, Verdict
from hypar_opt.errors import RecomputationError
from hypar_opt.network import Add, Concat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.audit.claims import Claim
    from hypar_opt.audit.plans import Plans
    from hypar_opt.instance import Instance


def judge_peak(claim: Claim, plans: Plans) -> Judgement:
    """Judge whether no plan that is explored is better; others may be as good, and are named."""
    statement, case = claim.statement, claim.cases[0]
    assert isinstance(statement, Peak)
    problem = plans.problem(case)
    own = plans.strategies(case, statement.formulation)
    printed = dict(own) | statement.strategies
    require_allowed(case, problem, printed)
    space = space_of(case.instance, statement, own)
    outside = space.outside(printed)
    if outside is not None:
        return Judgement(Verdict.REFUTED, "not explored", f"the plan is none of those explored: {outside}", case.label)
    cost = cost_of(case, printed, statement.component, plans)  # settles first what cannot be known
    try:
        found = peaks(space, problem, statement.component)
    except RecomputationError as error:
        return Judgement(Verdict.UNDECIDED, "-", f"a contradiction: {error}", case.label)
    details = {"explored": found.count, "best": [_part(words, space) for words in found.best]}
    evidence = f"{found.count:,} plans explored, {len(found.best):,} with the least {statement.component}"
    if cost < found.least:
        off = f"{float(1 - cost / found.least):.3%} less {statement.component}"
        why = f"a contradiction: the plan, which is allowed and explored, has {off} than the least of those explored"
        return Judgement(Verdict.UNDECIDED, "-", why, evidence, "", details)
    if cost == found.least:
        ties = len(found.best) - 1
        recomputed = "the peak" if not ties else f"a peak, with {ties:,} more"
        return Judgement(Verdict.CONFIRMED, recomputed, "", evidence, "", details)
    recomputed = f"peak: {worded(_part(found.best[0], space))}"
    why = f"a plan that is explored is better: {float(cost / found.least - 1):.3%} more {statement.component} than it"
    return Judgement(Verdict.REFUTED, recomputed, why, evidence, "", details)


def space_of(instance: Instance, statement: Peak, own: Mapping[str, str]) -> Space:
    """Return the plans that a statement explores."""
    layers = statement.layers or instance.network.decision_names
    levels = statement.levels or tuple(range(1, instance.levels + 1))
    joins = {layer.name for layer in instance.network.layers if isinstance(layer.op, Add | Concat)}
    letters = {name: instance.choices.replace("o", "") if name in joins else instance.choices for name in layers}
    return Space(own, layers, levels, letters)


def _part(words: Mapping[str, str], space: Space) -> dict[str, str]:
    return {layer: words[layer] for layer in space.layers}
