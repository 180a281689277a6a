"""Known orders in which the stages of a pipeline do the microbatches of a batch.

Stage s is on device s mod K, so that a device has v = S / K stages where the stages are more than the devices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

Phase: TypeAlias = Literal["forward", "backward", "gradient"]


class StageStep(NamedTuple):
    """What a device does with one microbatch at one of its stages."""

    phase: Phase
    stage: int
    microbatch: int


Orders: TypeAlias = Sequence[Sequence[StageStep]]
"""By device, what it does, in order."""


@dataclass(frozen=True)
class ScheduleRule:
    """A named schedule.

    Parameters
    ----------
    name, summary, source
        What it is called, what it does, and who described it.
    orders
        From the number of devices, stages a device, and microbatches to what each device does.
    several_stages
        Whether a device may have more than one stage.
    splits_backward
        Whether the gradients of parameters are computed apart from those of inputs.
    versions
        Whether it never waits for a batch to end, and so keeps as many versions of its parameters as it has
        microbatches in flight.
    fault
        Returns why there is none for such numbers, or None.
    """

    name: str
    summary: str
    source: str
    orders: Callable[[int, int, int], Orders]
    several_stages: bool = False
    splits_backward: bool = False
    versions: bool = False
    fault: Callable[[int, int, int], str | None] = lambda devices, chunks, microbatches: None


def _gpipe(devices: int, chunks: int, microbatches: int) -> Orders:
    """All forward, then all backward, the last microbatch first."""
    return [
        [
            *(StageStep("forward", stage, one) for one in range(microbatches)),
            *(StageStep("backward", stage, one) for one in reversed(range(microbatches))),
        ]
        for stage in range(devices)
    ]


def _one_forward_one_backward(devices: int, chunks: int, microbatches: int) -> Orders:
    """As many forward as there are stages behind, then one backward and one forward in turn."""
    return [_in_turn(min(devices - stage - 1, microbatches), stage, microbatches) for stage in range(devices)]


def _in_turn(warm: int, stage: int, microbatches: int) -> list[StageStep]:
    found = [StageStep("forward", stage, one) for one in range(warm)]
    for one in range(microbatches - warm):
        found += [StageStep("forward", stage, warm + one), StageStep("backward", stage, one)]
    return found + [StageStep("backward", stage, one) for one in range(microbatches - warm, microbatches)]


def _interleaved(devices: int, chunks: int, microbatches: int) -> Orders:
    """One forward, one backward over several stages a device, microbatches in groups of as many as devices."""
    total = chunks * microbatches
    found = []
    for device in range(devices):
        warm = min(total, 2 * (devices - device - 1) + (chunks - 1) * devices)
        forward = [_turn("forward", place, device, devices, chunks) for place in range(total)]
        backward = [_turn("backward", place, device, devices, chunks) for place in range(total)]
        order = forward[:warm]
        for place in range(total - warm):
            order += [forward[warm + place], backward[place]]
        found.append(order + backward[total - warm :])
    return found


def _turn(phase: Phase, place: int, device: int, devices: int, chunks: int) -> StageStep:
    group, within = divmod(place, devices * chunks)
    chunk, microbatch = divmod(within, devices)
    chunk = chunk if phase == "forward" else chunks - 1 - chunk
    return StageStep(phase, chunk * devices + device, group * devices + microbatch)


def _whole_groups(devices: int, chunks: int, microbatches: int) -> str | None:
    if microbatches % devices:
        return f"expected microbatches in groups of {devices}, one a device, got {microbatches}"
    return None


def _zero_bubble(devices: int, chunks: int, microbatches: int) -> Orders:
    """One forward, one backward, of which the gradients of parameters wait until there is nothing else to do (H1).

    A device is as many of them behind as it has begun fewer microbatches than the first: so no device keeps more than
    the first does.
    """
    found = []
    for stage in range(devices):
        order: list[StageStep] = []
        done = 0
        for step in _in_turn(min(devices - stage - 1, microbatches), stage, microbatches):
            order.append(step)
            if step.phase == "backward" and step.microbatch - done >= stage:
                order.append(StageStep("gradient", stage, done))
                done += 1
        found.append(order + [StageStep("gradient", stage, one) for one in range(done, microbatches)])
    return found


_ALL: Final = (
    ScheduleRule("gpipe", "all forward, then all backward", "Huang and others, 2019", _gpipe),
    ScheduleRule(
        "1f1b", "one forward, one backward, and a wait at the batch's end", "Narayanan and others, 2021",
        _one_forward_one_backward,
    ),
    ScheduleRule(
        "pipedream", "the same without a wait at the batch's end, on stale parameters", "Narayanan and others, 2019",
        _one_forward_one_backward, versions=True,
    ),
    ScheduleRule(
        "interleaved", "one forward, one backward, with several stages a device", "Narayanan and others, 2021",
        _interleaved, several_stages=True, fault=_whole_groups,
    ),
    ScheduleRule(
        "zero-bubble", "one forward, one backward, gradients of parameters in what would be bubbles (H1)",
        "Qi and others, 2024", _zero_bubble, splits_backward=True,
    ),
)  # fmt: skip
RULES: Final[Mapping[str, ScheduleRule]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""
