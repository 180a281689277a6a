"""Evaluators of speed-ups and gains in energy: the exact model of a case's machine, held against what is printed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import COMPONENTS
from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, MissingPlan, PublishedClaim
from hypar_opt.studies.claims.plans import PlanCache, byte_cost, not_reproducible
from hypar_opt.studies.claims.printed import PrintedNumber, geometric_mean
from hypar_opt.studies.claims.statements import Gain
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.claims.replacements import Case

GB = 10**9


@dataclass(frozen=True)
class Found:
    """Two plans of a case, held against each other.

    Parameters
    ----------
    case, problem, words
        Of the plan that is better.
    component
        By which it is.
    cost, base
        Of that plan, and of the one that it is compared with.
    bytes
        That the first exchanges.
    """

    case: Case
    problem: NetworkProblem
    words: Mapping[str, str]
    component: str
    cost: Fraction
    base: Fraction
    bytes: Fraction

    @property
    def gain(self) -> Fraction:
        """How many times better the first is."""
        return self.base / self.cost

    def exchanging(self, count: Fraction) -> Fraction:
        """Return the gain if the first plan exchanged another number of bytes, all else being as it is."""
        return self.base / (self.cost + self._each * (count - self.bytes))

    @cached_property
    def _each(self) -> Fraction:
        return byte_cost(self.case, self.words, self.component, self.problem)

    @property
    def row(self) -> dict[str, Any]:
        """For machines."""
        return {
            **self.case.row,
            "communication_bytes": exact(self.bytes),
            self.component: str(exact(self.cost)),
            "compared_with": str(exact(self.base)),
            "gain": str(self.gain),
        }


def found(case: Case, against: Case, statement: Gain, component: str, plans: PlanCache) -> Found:
    """Return a statement's two plans, each on its own machine.

    Raises
    ------
    Settled
        If there is no such plan, or its cost is not known or nothing.
    """
    words = plans.words(case, statement)
    cost = plans.cost(case, words, component)
    base = plans.cost(against, plans.strategies(against, statement.over), component)
    if not cost:
        raise not_reproducible(case, f"the plan takes no {component}")
    problem = plans.problem(case)
    return Found(case, problem, words, component, cost, base, Fraction(problem.bytes_of(words).total))


def judge_gain(claim: PublishedClaim, plans: PlanCache, component: str) -> Judgement:
    """Judge how many times better a plan is by a component: time of a speed-up, energy of a gain in its efficiency."""
    statement = claim.statement
    assert isinstance(statement, Gain)
    groups = claim.by_reading
    pairs = [list(zip(*pair, strict=True)) for pair in zip(groups[::2], groups[1::2], strict=True)]
    if statement.any_instance and statement.exchanges == "own":
        return _any_instance([pair for several in pairs for pair in several], statement, component, plans)
    readings = [[found(*pair, statement, component, plans) for pair in several] for several in pairs]
    details = {"gains": [one.row for several in readings for one in several]}
    if statement.exchanges == "printed":
        return _by_printed_bytes(readings[0][0], statement, details)
    return _mean(readings, statement, details)


def _by_printed_bytes(one: Found, statement: Gain, details: dict[str, Any]) -> Judgement:
    """Judge a gain by the printed bytes in place of the plan's own: by all that may round to them."""
    assert statement.communication_GB is not None
    low, middle, high = _gains(one, statement.communication_GB)
    expected = statement.expected
    how = expected.how(low, high)
    printed = f"printed {statement.communication_GB.text} GB"
    evidence = f"{printed} in place of the plan's own {in_full(one.bytes)} bytes"
    details = {**details, "from_printed_bytes": [str(low), str(high)]}
    why = "" if how is not None else expected.why_not(middle)
    return Judgement.confirmed_unless(why, expected.shown(middle, how), evidence, details)


def _why_unlike(each: Sequence[Found], statement: Gain) -> str:
    """Return that a plan's bytes are those that are printed under no accounting, and what those would give."""
    assert statement.communication_GB is not None
    low, _, high = _gains(each[0], statement.communication_GB)
    follows = "would follow" if statement.expected.how(low, high) is not None else "would not follow either"
    own = "the plan exchanges other bytes than are printed"
    if len(each) > 1:
        own = f"under none of {len(each)} accountings does the plan exchange the bytes that are printed"
    return f"{own}; from those, the number {follows}"


def _gains(one: Found, printed: PrintedNumber) -> list[Fraction]:
    """Return the least gain that the printed bytes may mean, that of the number itself, and the largest."""
    least, most = printed.interval
    return [one.exchanging(Fraction(amount) * GB) for amount in (most, printed, least)]


def _mean(readings: Sequence[Sequence[Found]], statement: Gain, details: dict[str, Any]) -> Judgement:
    """Return the verdict on a gain, or on the geometric mean of several; under each accounting that may be meant."""
    expected = statement.expected
    gains = [[one.gain for one in several] for several in readings]
    agreeing = [expected.how_mean(one) for one in gains]
    number = statement.communication_GB  # where none is printed, the plan's own bytes are as good as those
    alike = [number is None or number.agrees(several[0].bytes / GB) for several in readings]
    numbers = [geometric_mean(one) for one in gains]
    names = [several[0].case.instance.accounting for several in readings]
    shown = _each([expected.shown(*one) for one in zip(numbers, agreeing, strict=True)], names)
    right = [how is not None and same for how, same in zip(agreeing, alike, strict=True)]
    shows = right.index(True) if any(right) else alike.index(True) if any(alike) else 0
    evidence = _evidence(readings[shows], statement)
    if not any(alike):  # a number that agrees all the same does so by chance
        why = _why_unlike([several[0] for several in readings], statement)
        return Judgement(ClaimVerdict.NOT_REPRODUCIBLE, shown, why, evidence, "", details)
    if any(right):
        return Judgement(ClaimVerdict.CONFIRMED, shown, "", evidence, "", details)
    why = expected.why_not(numbers[shows])  # of a plan with other bytes it would say nothing
    if len(readings) > 1:
        chance = [name for name, how, same in zip(names, agreeing, alike, strict=True) if how is not None and not same]
        why = f"under {names[shows]}: {why}"
        if chance:
            why += f"; under {', '.join(chance)} it agrees, but there the plan exchanges other bytes than are printed"
    return Judgement(ClaimVerdict.REFUTED, shown, why, evidence, "", details)


def _any_instance(pairs: Sequence[tuple[Case, Case]], statement: Gain, component: str, plans: PlanCache) -> Judgement:
    """Return the verdict where it is open which instance is meant: that none of these gives it refutes nothing."""
    expected = statement.expected
    each: list[Found] = []
    without: list[Judgement] = []  # what is said of those that have no plan: they are not the one meant
    for pair in pairs:
        try:
            each.append(found(*pair, statement, component, plans))
        except MissingPlan as none:
            without.append(none.judgement)
    if not each:
        why = f"it is open which network is meant, and no candidate has a plan: {without[0].why}"
        return Judgement(ClaimVerdict.NOT_REPRODUCIBLE, "-", why, without[0].evidence)
    details: dict[str, Any] = {"gains": [one.row for one in each]}
    if without:
        details["without_plan"] = [f"{none.evidence}: {none.why}" for none in without]
    agreeing = [expected.how(one.gain) for one in each]
    names = [one.case.instance.name for one in each]
    shown = _each([expected.shown(one.gain, how) for one, how in zip(each, agreeing, strict=True)], names)
    evidence = _evidence(each, statement)
    if any(how is not None for how in agreeing):
        return Judgement(ClaimVerdict.CONFIRMED, shown, "", evidence, "", details)
    why = f"it is open which network is meant, and none of {len(pairs)} candidates gives what is printed"
    return Judgement(ClaimVerdict.NOT_REPRODUCIBLE, shown, why, evidence, "", details)


def _evidence(each: Sequence[Found], statement: Gain) -> str:
    whose = statement.formulation or "the given plan"
    pair = f"{whose} over {statement.over}"
    if len(each) > 1:
        return f"{pair}: {len(each)} exact ratios"
    one = each[0]
    seconds = [f"{float(Fraction(cost)):.4g} {COMPONENTS[one.component].unit}" for cost in (one.cost, one.base)]
    return f"{pair}: {' against '.join(seconds)} a step"


def _each(texts: Sequence[str], names: Sequence[str]) -> str:
    """Return one text as it is, and of several each with its name."""
    if len(texts) == 1:
        return texts[0]
    return ", ".join(f"{text} ({name})" for text, name in zip(texts, names, strict=True))
