"""Evaluators of what is claimed of schedules of pipelines, in exact numbers, and of what no model here has."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim
from hypar_opt.studies.claims.schedule_quantities import EXPRESSIONS, QUANTITIES, ScheduleCase
from hypar_opt.studies.claims.schedule_statements import OfSchedules, Unmodelled
from hypar_opt.studies.sweep import counted
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.studies.claims.plans import PlanCache

    Values = Sequence[Fraction]
MOST_SHOWN = 8
"""Values of one schedule."""


def judge_schedules(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a statement about a schedule by making and recounting it, for every case.

    Parameters
    ----------
    claim
        The claim.
    plans
        Not looked at: nothing is solved.
    """
    statement = claim.statement
    assert isinstance(statement, OfSchedules)
    quantity = QUANTITIES[statement.quantity]
    found = {case: quantity.of(case.of(statement.rule)) for case in statement.cases}
    against = list(_against(statement, found))
    cases = counted(len(found), "case")
    steps = len(found) - len({case.seconds for case in found})
    of = counted(steps, "step") if statement.trend else cases
    why = f"in {len(against)} of {of} it is not: {against[0]}" if against else ""
    evidence = f"{quantity.summary}, of {statement.rule}, in {cases}, exact"
    rows = [
        {"stages": case.devices, "microbatches": case.microbatches, "values": [exact(one) for one in values]}
        for case, values in found.items()
    ]
    return Judgement.confirmed_unless(why, _recomputed(found), evidence, {"cases": rows})


def judge_unmodelled(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Say that nothing here can recompute it."""
    statement = claim.statement
    assert isinstance(statement, Unmodelled)
    return Judgement(ClaimVerdict.NOT_REPRODUCIBLE, why=f"no model here says anything of {statement.what}")


def _against(statement: OfSchedules, found: Mapping[ScheduleCase, Values]) -> Iterator[str]:
    """Yield what of the cases is otherwise than it is stated."""
    if statement.equals is not None:
        for case, values in found.items():
            expected = [EXPRESSIONS[statement.equals](case, device) for device in range(len(values))]
            if list(values) != expected:
                yield f"{_said(case, values)}, expected {_list(expected)}"
    elif statement.more_than is not None:
        for case, values in found.items():
            others = QUANTITIES[statement.quantity].of(case.of(statement.more_than))
            if sum(values) <= sum(others):
                yield f"{_said(case, values)}, {statement.more_than} has {_list(others)}"
    else:
        sign = 1 if statement.trend == "rises" else -1
        for _, same in groupby(found.items(), key=lambda one: one[0].seconds):
            for (before, few), (case, many) in pairwise(same):
                if sign * (sum(many) - sum(few)) <= 0:
                    yield f"{_said(case, many)}, with M = {before.microbatches} {_list(few)}"


def _recomputed(found: Mapping[ScheduleCase, Values]) -> str:
    """Return the values of the last case, and how few and many there are of one value in all."""
    every = {one for values in found.values() for one in values}
    if len(every) == 1:
        return str(exact(min(every)))
    case, values = list(found.items())[-1]
    return _said(case, values)


def _said(case: ScheduleCase, values: Values) -> str:
    return f"{_list(values)} (K = {case.devices}, M = {case.microbatches})"


def _list(values: Values) -> str:
    """Return values, as fractions; of many the first."""
    return ", ".join(str(one) for one in values[:MOST_SHOWN]) + (", ..." if len(values) > MOST_SHOWN else "")
