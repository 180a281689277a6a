"""What noise costs: schedules by tasks as they come, and by an order that was planned without it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.studies.conjugate_gradient.dispatch import dispatch, follow, whole
from hypar_opt.studies.conjugate_gradient.unrolling import unroll

if TYPE_CHECKING:
    from hypar_opt.studies.conjugate_gradient.durations import Durations
    from hypar_opt.studies.conjugate_gradient.noise import Noise
    from hypar_opt.studies.conjugate_gradient.unrolling import Loop


@dataclass(frozen=True)
class Disturbance:
    """How many times as long it takes with noise.

    Parameters
    ----------
    work
        All tasks' seconds, of those without.
    online
        Where workers take what is ready, with the priorities of the undisturbed tasks.
    planned
        Where each does the tasks that it does without noise, in that order.
    """

    work: Fraction
    online: Fraction
    planned: Fraction


def disturbed(loop: Loop, durations: Durations, workers: int, noise: Noise) -> Disturbance:
    """Return what noise does to iterations, a barrier at their end."""
    steps = unroll(loop, closed=True)
    calm = durations.of_all(steps, loop.blocks)
    longer = [one + noise.delay(step.name, one) for step, one in zip(steps, calm, strict=True)]
    _, (expected, actual) = whole(calm, longer)
    plan = dispatch(steps, expected, workers)
    return Disturbance(
        Fraction(sum(actual), sum(expected)),
        Fraction(dispatch(steps, actual, workers, expected).length, plan.length),
        Fraction(follow(steps, actual, plan), plan.length),
    )
