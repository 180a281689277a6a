"""The array of a plan, with the plan's traffic on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.accountings import LEVELLED
from hypar_opt.boxes import by_phase
from hypar_opt.errors import Refusal
from hypar_opt.report.arrays.shown import Shown, show

if TYPE_CHECKING:
    from hypar_opt.reporting import Named


def shown_of(named: Named) -> Shown:
    """Return the array with a plan's traffic on it.

    Parameters
    ----------
    named
        The plan.

    Raises
    ------
    Refusal
        If nobody says where the groups stand, the accounting does not say who sends, or the routes are too many.
    """
    problem, placed = named.problem, named.placed
    instance = problem.instance
    if instance.accounting not in LEVELLED:
        raise Refusal(
            f"accounting '{instance.accounting}' says what a leaf reads, not from whom, so that no link has a load; "
            "expected a plan of another accounting"
        )
    if placed is None and instance.placement is None:
        raise Refusal(f"neither the instance nor {named.name} says where the groups stand; try --placement identity")
    if placed is None:
        raise Refusal(
            f"the routes of {instance.accelerators:,} accelerators are not walked where the objective does not ask for "
            "them; try --objective hop-bytes"
        )
    origin = "of the plan" if named.plan.placement is not None else "of the instance"
    parts = by_phase(problem.work, named.strategies, named.breakdown)
    shown = show(instance.name, instance.machine, placed, origin, parts)
    return replace(shown, accelerator=instance.accelerator, step=named.step)
