"""Evaluators of how much less a training step takes of which only the communication gets faster (Amdahl, 1967)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.network import workload
from hypar_opt.instance.objective.components import COMPUTE_TIME
from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim
from hypar_opt.studies.claims.collective_quantities import CollectiveCase
from hypar_opt.studies.claims.judge_sends import schedule
from hypar_opt.studies.claims.saving_statements import WHOLE, Saving, StepSaving
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.replacements import Case

RULE: Final = "data-parallel"
"""The plan of whose step it is."""


def judge_saving(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge whether a speed-up of the communication can make a step so much shorter.

    Of a step a share s is communication; s / speedup is left of it, so that s (1 - 1 / speedup) is saved, which is no
    more than 1 - 1 / speedup.
    """
    statement = claim.statement
    assert isinstance(statement, Saving)
    speedup, saved = Fraction(statement.speedup), Fraction(statement.percent) / WHOLE
    most = 1 - 1 / speedup
    shown = f"at most {_percent(most)}"
    evidence = "a share s of a step that gets so many times as fast saves s (1 - 1 / speedup) of it"
    details = {"most": str(most), "needs_speedup": str(1 / (1 - saved)), "needs_share": str(saved / most)}
    if statement.printed.interval[0] / WHOLE > 1 - 1 / statement.speedup.interval[1]:
        why = f"it needs {float(1 / (1 - saved)):.4g} times even where all of a step is communication"
        return Judgement(ClaimVerdict.REFUTED, shown, why, evidence, "", details)
    needs = f"{shown}, and that where {_percent(saved / most)} of a step are communication"
    return Judgement(ClaimVerdict.CONFIRMED, needs, "", evidence, "", details)


def judge_step_saving(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge how much of a data-parallel step one algorithm saves beside another, on the network that gains most."""
    statement = claim.statement
    assert isinstance(statement, StepSaving)
    found, shares, ceiling = {}, {}, Fraction(0)
    for instance in statement.collectives:
        own, other = (schedule(plans, instance, name) for name in (statement.formulation, statement.over))
        for case in claim.cases:
            size = gradient_bytes(case)
            ours, theirs = CollectiveCase(own.judged, size).seconds, CollectiveCase(other.judged, size).seconds
            computing = plans.cost(case, plans.strategies(case, RULE), COMPUTE_TIME)
            name = f"{case.instance.name}, {instance.name}"
            found[name] = WHOLE * (theirs - ours) / (computing + theirs)
            shares[name] = f"{float(WHOLE * theirs / (computing + theirs)):.4g}"
            ceiling = max(ceiling, WHOLE * (1 - ours / theirs))
    best = max(found, key=lambda name: found[name])
    how = statement.expected.how(found[best])
    shown = f"{statement.expected.shown(found[best], how)} % ({best})"
    evidence = "seconds of computing, and all gradients in one all-reduce in lockstep; nothing overlaps"
    details = {
        "percent": {name: str(exact(one)) for name, one in found.items()},
        "communication_percent": shares,
        "without_computing": str(ceiling),
    }
    if how is not None:
        return Judgement(ClaimVerdict.CONFIRMED, shown, "", evidence, "", details)
    if statement.printed.interval[0] > ceiling:
        why = f"no accelerator is fast enough: where computing takes no time it is {_percent(ceiling / WHOLE)}"
        return Judgement(ClaimVerdict.REFUTED, shown, why, evidence, "", details)
    why = f"{statement.expected.why_not(found[best])}; where computing takes no time it is {_percent(ceiling / WHOLE)}"
    return Judgement(ClaimVerdict.NOT_REPRODUCIBLE, shown, why, evidence, "", details)


def gradient_bytes(case: Case) -> int:
    """Return the bytes of all gradients of parameters, which data parallelism adds up over all accelerators."""
    instance = case.instance
    return sum(layer.weight for layer in workload(instance.network).layers) * instance.bytes_per_element


def _percent(share: Fraction) -> str:
    return f"{float(WHOLE * share):.4g} %"
