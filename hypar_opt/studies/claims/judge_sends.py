"""Evaluators of what is claimed of collectives: schedules recounted send by send, in exact numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.collective.bound import BoundProver
from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim, Settled
from hypar_opt.studies.claims.collective_quantities import EXPRESSIONS, QUANTITIES, CollectiveCase
from hypar_opt.studies.claims.collective_statements import CollectiveGain, FewestSteps, OfCollective, OnArrays
from hypar_opt.studies.claims.printed import geometric_mean
from hypar_opt.studies.sweep import counted
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.studies.claims.plans import PlanCache

LOCKSTEP: Final = "in lockstep, exact, schedules recounted send by send"


def schedule(plans: PlanCache, instance: CollectiveInstance, formulation: str | None) -> CollectiveCase:
    """Return a formulation's schedule, of the default one where none is named, recounted.

    Raises
    ------
    Settled
        If there is none.
    """
    judged = plans.schedules.of(instance, formulation)
    if isinstance(judged, str):
        raise Settled(Judgement(ClaimVerdict.UNDECIDED, why=f"{instance.name}: {judged}"))
    return CollectiveCase(judged, instance.bytes_)


def _cases(plans: PlanCache, statement: OnArrays, formulation: str) -> Iterator[CollectiveCase]:
    """Yield every array with every size; of synchronous steps a schedule is found once for all sizes."""
    for instance in statement.collectives:
        for size in statement.sizes:
            timed = instance.goal == "time"
            asked = replace(instance, bytes_=size, sha256=f"{instance.sha256} {size}") if timed else instance
            yield CollectiveCase(schedule(plans, asked, formulation).judged, size)


def _named(case: CollectiveCase, *, sized: bool) -> str:
    return f"{case.judged.instance.name}, {case.bytes_:,} B" if sized else case.judged.instance.name


def judge_collective(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a quantity of an algorithm's schedules."""
    statement = claim.statement
    assert isinstance(statement, OfCollective)
    quantity, against = QUANTITIES[statement.quantity], []
    found: dict[str, Fraction] = {}
    for case in _cases(plans, statement, statement.formulation):
        name = _named(case, sized=len(statement.sizes) > 1)
        found[name] = value = quantity.of(case)
        if statement.equals is not None:
            expected = EXPRESSIONS[statement.equals](case)
            if value != expected:
                against.append(f"{name} has {_shown(value)}, expected {_shown(expected)}")
        elif statement.value is not None and abs(value - Fraction(statement.value)) > statement.off:
            against.append(f"{name} has {_shown(value)}")
    off = f", within {statement.off} of it" if statement.off else ""
    evidence = f"{quantity.summary} of {statement.formulation}{off}, in {counted(len(found), 'case')}, exact"
    why = f"in {len(against)} of {len(found)} it is not: {against[0]}" if against else ""
    recomputed = _range(found, quantity.unit)
    return Judgement.confirmed_unless(why, recomputed, evidence, {"cases": _exactly(found)})


def judge_fewest(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge that no schedule has fewer steps: one that has refutes it, a bound that is recounted confirms it."""
    statement = claim.statement
    assert isinstance(statement, FewestSteps)
    fewest: dict[str, Fraction] = {}
    for instance in statement.collectives:
        prover = BoundProver(instance)
        narrow = prover.by_narrow_cut
        bound = max((one for one in (prover.best, narrow) if one is not None), key=lambda one: one.value)
        if bound.value >= statement.steps:
            fewest[instance.name] = bound.value
            continue
        case = schedule(plans, instance, None)
        steps = QUANTITIES["steps"].of(case)
        fewest[instance.name] = steps
        if steps < statement.steps:
            proven = f", which is proven to be the fewest: {bound.text}" if bound.value == steps else ""
            why = f"{instance.name}: a schedule takes {steps} steps{proven}"
            return Judgement(ClaimVerdict.REFUTED, _shown(steps), why, "recounted send by send", "", _exactly(fewest))
        return Judgement(ClaimVerdict.UNDECIDED, why=f"{instance.name}: the bound is {bound.value}, {bound.text}")
    evidence = "cuts, ways and messages, recounted"
    return Judgement(ClaimVerdict.CONFIRMED, _range(fewest, ""), "", evidence, "", _exactly(fewest))


def judge_collective_gain(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge how many times as long one algorithm takes as another."""
    statement = claim.statement
    assert isinstance(statement, CollectiveGain)
    found = gains(statement, plans)
    details = {"gains": _exactly(found), "of": statement.of}
    if statement.faster:
        slower = [name for name, gain in found.items() if gain <= 1]
        why = f"in {len(slower)} of {len(found)} it is not: {slower[0]}, {_shown(found[slower[0]])}" if slower else ""
        return Judgement.confirmed_unless(why, _range(found, ""), LOCKSTEP, details)
    expected, numbers = statement.expected, list(found.values())
    if statement.of in ("mean", "gmean"):
        mean = sum(numbers, start=Fraction(0)) / len(numbers) if statement.of == "mean" else geometric_mean(numbers)
        how = expected.how(mean) if statement.of == "mean" else expected.how_mean(numbers)
        why = "" if how is not None else expected.why_not(mean)
        shown = f"{expected.shown(mean, how)}, of {_range(found, '')}"
        return Judgement.confirmed_unless(why, shown, LOCKSTEP, details)
    agreeing = [name for name, gain in found.items() if expected.how(gain) is not None]
    shown = _range(found, "")
    if statement.of == "each":
        why = "" if len(agreeing) == len(found) else f"in {len(agreeing)} of {len(found)} it is that"
        return Judgement.confirmed_unless(why, shown, LOCKSTEP, details)
    if not agreeing:
        why = f"none of {len(found)} settings gives it, and which is meant is open"
        return Judgement(ClaimVerdict.NOT_REPRODUCIBLE, shown, why, LOCKSTEP, "", details)
    evidence = f"{LOCKSTEP}; {len(agreeing)} of {len(found)} settings give it: {agreeing[0]}"
    return Judgement(ClaimVerdict.CONFIRMED, f"{_shown(found[agreeing[0]])}, of {shown}", "", evidence, "", details)


def gains(statement: CollectiveGain, plans: PlanCache) -> dict[str, Fraction]:
    """Return on every array with every size how many times as long the other algorithm takes."""
    found = {}
    pairs = zip(_cases(plans, statement, statement.formulation), _cases(plans, statement, statement.over), strict=True)
    for one, other in pairs:
        found[_named(one, sized=True)] = other.with_bytes(statement.heads * other.chunk_bytes) / one.seconds
    return found


def _exactly(found: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: str(exact(value)) for name, value in found.items()}


def _shown(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):.4g}"


def _range(found: Mapping[str, Fraction], unit: str) -> str:
    """Return one value as it is, and of several the least and the largest with where they are."""
    low, high = (choose(found, key=lambda name: found[name]) for choose in (min, max))
    if found[low] == found[high]:
        return f"{_shown(found[low])} {unit}".strip()
    return f"{_shown(found[low])} ({low}) to {_shown(found[high])} {unit}".strip() + f" ({high})"
