"""What a batch of microbatches takes at the stages of a plan by a named schedule, recomputed operation by operation."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.schedule import JudgedSchedule, OperationSpan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.pipeline_phases import StagePhases


def batch_seconds(stages: Sequence[StagePhases], schedule: str, microbatches: int) -> Fraction:
    """Return what a batch takes.

    Parameters
    ----------
    stages
        In order.
    schedule
        `gpipe` or `1f1b`.
    microbatches
        How many.

    Raises
    ------
    ValueError
        If stages wait for each other in a circle, or what begins does so before what it needs is there.
    """
    spans = _spans(stages, [list(_order(schedule, place, len(stages), microbatches)) for place in range(len(stages))])
    nothing = [Fraction(0)] * len(stages)
    judged = JudgedSchedule(
        tuple(spans.values()),
        [one.lag for one in stages],
        [one.reads for one in stages],
        nothing,
        nothing,
        beyond=[one.beyond for one in stages],
    )
    fault = judged.fault()
    if fault is not None or len(spans) < 2 * len(stages) * microbatches:
        raise ValueError(fault or "stages wait for each other in a circle")
    return judged.seconds


def _order(schedule: str, place: int, count: int, microbatches: int) -> Iterator[tuple[str, int]]:
    """Yield what a stage does: all forward, then backward from the last; or with K - s forward ones before the first.

    Then one forward and one backward are done in turn.
    """
    if schedule == "gpipe":
        yield from (("forward", one) for one in range(microbatches))
        yield from (("backward", one) for one in reversed(range(microbatches)))
        return
    ahead = count - place - 1
    for one in range(microbatches + ahead):
        if one < microbatches:
            yield "forward", one
        if one >= ahead:
            yield "backward", one - ahead


def _spans(
    stages: Sequence[StagePhases], orders: Sequence[list[tuple[str, int]]]
) -> dict[tuple[str, int, int], OperationSpan]:
    """Return operations by phase, stage and microbatch, each as early as can be; without those that wait for ever."""
    behind = [[other for other, one in enumerate(stages) if place in one.reads] for place in range(len(stages))]
    done: dict[tuple[str, int, int], OperationSpan] = {}
    free, next_of = [Fraction(0)] * len(stages), [0] * len(stages)
    waiting = list(range(len(stages)))
    while waiting:
        place = waiting.pop()
        moved = False
        while next_of[place] < len(orders[place]):
            phase, one = orders[place][next_of[place]]
            stage = stages[place]
            if phase == "forward":
                needed = [(("forward", other, one), stages[other].lag) for other in stage.reads]
                seconds = stage.forward
            else:
                needed = [(("backward", other, one), stage.lag) for other in behind[place]]
                needed += [
                    ((what, other, one), stages[other].lag if what == "forward" else stage.lag)
                    for what, other in stage.beyond
                ]
                seconds = stage.backward
            if any(key not in done for key, _ in needed):
                break
            begin = max([free[place], *(done[key].end + lag for key, lag in needed)])
            done[phase, place, one] = OperationSpan(begin, begin + seconds, place, place, one, phase)
            free[place] = begin + seconds
            next_of[place] += 1
            moved = True
        if moved:
            waiting += [other for other in range(len(stages)) if other != place and other not in waiting]
    return done
