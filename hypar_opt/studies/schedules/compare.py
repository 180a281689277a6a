"""Known schedules of a plan's stages side by side, and the best there is."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.schedule import JudgedSchedule, OperationSpan
from hypar_opt.formulation.registry import defaults, load_formulation, refusal
from hypar_opt.formulation.run import Run
from hypar_opt.formulation.solution import Status
from hypar_opt.studies.schedules.rules import RULES
from hypar_opt.studies.schedules.stages import Batch, batch_of, begins_of
from hypar_opt.studies.schedules.stream import seconds_a_microbatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.formulation.run import Limits
    from hypar_opt.studies.schedules.rules import ScheduleRule, StageStep
    from hypar_opt.studies.schedules.stages import StageTimes

BEST: Final = "best"
"""What the best schedule is called beside the rules."""
MOST_OPERATIONS: Final = 400
"""Of a batch for which the best schedule is looked for."""


@dataclass(frozen=True)
class NamedSchedule:
    """A schedule of a batch, or why a rule has none.

    Parameters
    ----------
    name, summary
        Of the rule; `best` for the best there is.
    judged
        As recomputed; None where there is none.
    reason
        Why there is none.
    seconds
        Of a batch; of one that does not wait for its end, from a batch's end to the next one's in the long run.
    status, bound
        Of the best: what was proven, and what no schedule takes less than.
    fits
        Whether all devices' memories hold what they keep.
    """

    name: str
    summary: str
    judged: JudgedSchedule | None
    reason: str = ""
    seconds: Fraction | None = None
    status: Status | None = None
    bound: Fraction | None = None
    fits: bool = True

    @property
    def bubble(self) -> Fraction | None:
        """The share of all devices' time in which they do nothing."""
        return None if self.judged is None or not self.seconds else self.judged.idle(self.seconds)


def compare_schedules(
    stages: Sequence[StageTimes], microbatches: int, *, devices: int | None = None, limits: Limits | None = None
) -> list[NamedSchedule]:
    """Return known schedules of a batch, each timed and checked, and the best for each way to do the backward phase.

    Parameters
    ----------
    stages
        In order.
    microbatches
        In a batch.
    devices
        How many there are: stage s is on device s mod so many; one a stage unless given.
    limits
        Of the search for the best; without them none is looked for.
    """
    count = devices or len(stages)
    found = [schedule_of_rule(rule, stages, count, microbatches) for rule in RULES.values()]
    if limits is not None:
        splits = sorted({rule.splits_backward for rule in RULES.values() if rule.splits_backward <= _has_split(stages)})
        found += [_best(Batch(tuple(stages), count, microbatches, one), found, limits) for one in splits]
    return found


def _has_split(stages: Iterable[StageTimes]) -> bool:
    """Return whether it is known of any stage what gradients of parameters take."""
    return any(one.gradient for one in stages)


def schedule_of_rule(
    rule: ScheduleRule, stages: Sequence[StageTimes], devices: int, microbatches: int
) -> NamedSchedule:
    """Return a rule's schedule of a batch, timed and checked, or why there is none.

    Parameters
    ----------
    rule
        The rule.
    stages, devices, microbatches
        As `compare_schedules` has them.
    """
    chunks = len(stages) // devices
    reason = None
    if chunks > 1 and not rule.several_stages:
        reason = "a device has one stage only"
    elif chunks == 1 and rule.several_stages:
        reason = "a device has several stages"
    elif rule.splits_backward and not _has_split(stages):
        reason = "needs the seconds in which gradients of parameters are computed"
    reason = reason or rule.fault(devices, chunks, microbatches)
    if reason:
        return NamedSchedule(rule.name, rule.summary, None, reason)
    batch = batch_of(rule, stages, devices, microbatches)
    try:
        begins = begins_of(batch, rule.orders(devices, chunks, microbatches))
    except ValueError as error:
        return NamedSchedule(rule.name, rule.summary, None, str(error))
    judged = judged_of(batch, begins, versions=rule.versions)
    seconds = judged.seconds
    if rule.versions:
        seconds = microbatches * seconds_a_microbatch(batch)
    return NamedSchedule(rule.name, rule.summary, judged, seconds=seconds, fits=fits(judged, stages, devices))


def judged_of(batch: Batch, begins: Mapping[StageStep, Fraction], *, versions: bool = False) -> JudgedSchedule:
    """Return a schedule to be judged.

    Raises
    ------
    ValueError
        If it is none.
    """
    spans = tuple(
        OperationSpan(
            begin, begin + batch.seconds(one), one.stage % batch.devices, one.stage, one.microbatch, one.phase
        )
        for one, begin in begins.items()
    )
    stages = batch.stages
    judged = JudgedSchedule(
        spans,
        [one.lag for one in stages],
        batch.reads,
        [one.kept for one in stages],
        [one.resident for one in stages],
        [one.parameters for one in stages] if versions else (),
        [one.beyond for one in stages],
    )
    fault = judged.fault()
    if fault is not None:
        raise ValueError(fault)
    return judged


def fits(judged: JudgedSchedule, stages: Sequence[StageTimes], devices: int) -> bool:
    """Return whether all devices' memories hold what they keep."""
    capacities = [stages[device].capacity for device in range(devices)]
    return all(limit is None or judged.peak(device) <= limit for device, limit in enumerate(capacities))


def _best(batch: Batch, known: Sequence[NamedSchedule], limits: Limits) -> NamedSchedule:
    """Return the best schedule, beginning with the shortest known one of the same operations that fits."""
    name = f"{BEST}, backward split" if batch.splits_backward else BEST
    summary = "the shortest that memories have room for"
    if len(batch.steps) > MOST_OPERATIONS:
        return NamedSchedule(name, summary, None, f"{len(batch.steps):,} operations, more than {MOST_OPERATIONS}")
    graph = batch.graph
    formulation = load_formulation(defaults("schedule")[0])
    start = _start(batch, known)
    begun = None if start is None else tuple(int(start[step] * graph.unit) for step in batch.steps)
    run = Run(formulation.name, limits, begun)
    reason = refusal(formulation, graph, run)
    if reason is not None:
        return NamedSchedule(name, summary, None, reason)
    solution = formulation.solve(graph, run)
    bound = None if solution.bound is None else Fraction(solution.bound, graph.unit)
    if solution.choices is None:
        return NamedSchedule(name, summary, None, str(solution.status), status=solution.status, bound=bound)
    begins = {step: Fraction(begin, graph.unit) for step, begin in zip(batch.steps, solution.choices, strict=True)}
    judged = judged_of(batch, begins)
    status = solution.status if bound is not None and bound <= judged.seconds else Status.ERROR
    if not fits(judged, batch.stages, batch.devices):
        status = Status.ERROR
    return NamedSchedule(name, summary, judged, seconds=judged.seconds, status=status, bound=bound)


def _start(batch: Batch, known: Sequence[NamedSchedule]) -> dict[StageStep, Fraction] | None:
    """Return when the shortest known schedule of a batch that fits begins everything; None without one."""
    judged = (one.judged for one in known if one.judged is not None and one.fits and one.seconds)
    same = (one for one in judged if len(one.spans) == len(batch.steps))
    shortest = min(same, key=lambda one: one.seconds, default=None)
    if shortest is None:
        return None
    begins = {(span.phase, span.stage, span.microbatch): span.begin for span in shortest.spans}
    return {step: begins[step] for step in batch.steps}
