"""Evaluators of what is claimed of variants of conjugate gradients: counts of their steps, and least makespans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.instance.tasks import read_task_graph
from hypar_opt.studies.claims.cg_quantities import CG_QUANTITIES
from hypar_opt.studies.claims.cg_statements import OfConjugateGradient
from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim, Settled
from hypar_opt.studies.claims.least_makespans import LeastMakespan
from hypar_opt.studies.conjugate_gradient import cg_document, unroll
from hypar_opt.studies.sweep import counted

if TYPE_CHECKING:
    from hypar_opt.studies.claims.plans import PlanCache


def judge_conjugate_gradient(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a count of one iteration, or least makespans, a unit a task.

    Raises
    ------
    Settled
        If there is no schedule within the limits.
    """
    statement = claim.statement
    assert isinstance(statement, OfConjugateGradient)
    if statement.workers is not None:
        return _makespans(statement, statement.workers, plans)
    quantity = CG_QUANTITIES[statement.quantity]
    steps = unroll(statement.loop(statement.variant, 1), closed=True)
    found = quantity.of(steps, statement.blocks)
    why = "" if found == statement.equals else f"it is {found}"
    evidence = f"{quantity.summary}, counted in {counted(len(steps), 'task')} of {statement.variant}"
    return Judgement.confirmed_unless(why, str(found), evidence, {"count": found})


@dataclass(frozen=True)
class _JudgedMakespan:
    """What a makespan is, and what it is said to be or not to be above, on so many workers."""

    workers: int
    own: LeastMakespan
    other: LeastMakespan | None
    equals: int | None

    @property
    def is_against(self) -> bool:
        """Whether it is otherwise than it is said."""
        if self.other is not None:
            return self.own.least > self.other.most
        assert self.equals is not None
        return not self.own.least <= self.equals <= self.own.most

    @property
    def holds(self) -> bool:
        """Whether it is as it is said."""
        if self.other is not None:
            return self.own.most <= self.other.least
        return self.own.least == self.equals == self.own.most

    @property
    def text(self) -> str:
        """Both."""
        return _range(self.own) + (f" against {_range(self.other)}" if self.other else "")


def _makespans(statement: OfConjugateGradient, workers: tuple[int, ...], plans: PlanCache) -> Judgement:
    """Judge makespans on each number of workers: refuted by schedules, or by what none is below."""
    rows = [_row(statement, count, plans) for count in workers]
    shown = "; ".join(f"{row.text} ({row.workers})" for row in rows)
    proofs = {str(row.workers): row.own.proof if row.other is None else row.other.proof for row in rows}
    evidence = f"schedules recounted task by task, a unit a task; {proofs[str(workers[0])]}"
    details = {"makespans": {str(row.workers): row.text for row in rows}, "proofs": proofs}
    against = [row for row in rows if row.is_against]
    still = [row for row in rows if not row.holds]
    if still and not against:
        why = f"with {counted(still[0].workers, 'worker')} it is {still[0].text}"
        return Judgement(ClaimVerdict.UNDECIDED, shown, why, evidence, "", details)
    said = f"with {counted(against[0].workers, 'worker')} it is {against[0].text}" if against else ""
    why = f"in {len(against)} of {counted(len(rows), 'case')} it is not: {said}" if against else ""
    return Judgement.confirmed_unless(why, shown, evidence, details)


def _row(statement: OfConjugateGradient, workers: int, plans: PlanCache) -> _JudgedMakespan:
    """Return what is known at once, and where that decides nothing what a search finds."""
    found = _known(statement, workers, plans, searched=False)
    return found if found.holds or found.is_against else _known(statement, workers, plans, searched=True)


def _known(statement: OfConjugateGradient, workers: int, plans: PlanCache, *, searched: bool) -> _JudgedMakespan:
    names = statement.variant, statement.no_longer_than
    own, other = (name and _least(statement, name, workers, plans, searched=searched) for name in names)
    assert isinstance(own, LeastMakespan)
    return _JudgedMakespan(workers, own, other if isinstance(other, LeastMakespan) else None, statement.equals)


def _least(
    statement: OfConjugateGradient, variant: str, workers: int, plans: PlanCache, *, searched: bool
) -> LeastMakespan:
    """Return the least makespan: where a barrier ends every iteration, of one of them, as many times as there are."""
    parts = 1 if statement.loop(variant, 1).variant.fuses else statement.iterations
    loop = statement.loop(variant, statement.iterations // parts)
    found = plans.makespans.of(read_task_graph(cg_document(loop, workers)), searched=searched)
    if isinstance(found, str):
        raise Settled(Judgement(ClaimVerdict.UNDECIDED, why=f"{variant} with {counted(workers, 'worker')}: {found}"))
    return found.times(parts)


def _range(known: LeastMakespan) -> str:
    return str(known.most) if known.least == known.most else f"{known.least} to {known.most}"
