"""Evaluator of least makespans of task graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim, Settled
from hypar_opt.studies.claims.task_statements import TaskMakespan
from hypar_opt.studies.sweep import counted
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from hypar_opt.studies.claims.plans import PlanCache


def judge_makespan(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge that a makespan is the least: a shorter schedule refutes it, or a bound above it.

    Raises
    ------
    Settled
        If there is no schedule within the limits.
    """
    statement = claim.statement
    assert isinstance(statement, TaskMakespan)
    instance, said = statement.instance, statement.makespan
    found = plans.makespans.of(instance, searched=True)
    if isinstance(found, str):
        raise Settled(Judgement(ClaimVerdict.UNDECIDED, why=found))
    proven = found.least == found.most
    shown = f"{exact(found.most)} s" if proven else f"{exact(found.least)} to {exact(found.most)} s"
    evidence = f"a schedule of {counted(len(instance.tasks), 'task')}, recounted task by task; {found.proof}"
    details = {"least": str(found.least), "most": str(found.most)}
    if found.least <= said <= found.most and not proven:
        why = f"none is known to be the least: {shown}"
        return Judgement(ClaimVerdict.UNDECIDED, shown, why, evidence, "", details)
    why = "" if found.most == said else f"it is {shown}"
    return Judgement.confirmed_unless(why, shown, evidence, details)
