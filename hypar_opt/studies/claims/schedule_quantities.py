"""What of a schedule claims can be about, and expressions of it: each a record by its spelling in claims files.

Of K equal stages, one a device or v a device, a microbatch takes one second forward a device and two backward, of which
gradients of parameters take one. Amounts are those of a microbatch: of what it leaves between its phases, and of
versions of the parameters.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.studies.schedules.compare import schedule_of_rule
from hypar_opt.studies.schedules.rules import RULES
from hypar_opt.studies.schedules.stages import StageTimes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.evaluation.schedule import JudgedSchedule
    from hypar_opt.studies.schedules.compare import NamedSchedule

NONE: Final = Fraction(0)
ONE: Final = Fraction(1)


@dataclass(frozen=True)
class ScheduleCase:
    """Stages, and a number of microbatches.

    Parameters
    ----------
    seconds
        Of each stage's forward phase.
    chunks
        Stages a device.
    microbatches
        In a batch.
    """

    seconds: tuple[Fraction, ...]
    chunks: int
    microbatches: int

    @property
    def devices(self) -> int:
        """How many there are."""
        return len(self.seconds) // self.chunks

    @property
    def said(self) -> str:
        """In short."""
        return f"K = {self.devices}, M = {self.microbatches}"

    def of(self, rule: str) -> NamedSchedule:
        """Return a schedule of it, in which every microbatch leaves a byte at each stage."""
        stages = [StageTimes(one, 2 * one, one, kept=ONE) for one in self.seconds]
        return schedule_of_rule(RULES[rule], stages, self.devices, self.microbatches)


@dataclass(frozen=True)
class ScheduleQuantity:
    """Something of a schedule.

    Parameters
    ----------
    name, summary
        As it is spelt, and what it is.
    of
        From a schedule to its values: one, or one a device.
    """

    name: str
    summary: str
    of: Callable[[NamedSchedule], tuple[Fraction, ...]]


def _bubble(found: NamedSchedule) -> tuple[Fraction, ...]:
    assert found.bubble is not None
    return (found.bubble,)


def _activations(found: NamedSchedule) -> tuple[Fraction, ...]:
    return _peaks(replace(_judged(found), versions=()))


def _activations_of_batch(found: NamedSchedule) -> tuple[Fraction, ...]:
    count = len({span.microbatch for span in _judged(found).spans})
    return tuple(one / count for one in _activations(found))


def _versions(found: NamedSchedule) -> tuple[Fraction, ...]:
    judged = _judged(found)
    count = len(judged.kept)
    ones = [ONE] * count
    return _peaks(replace(judged, kept=[NONE] * count, resident=ones, versions=ones if judged.versions else ()))


def _staleness(found: NamedSchedule) -> tuple[Fraction, ...]:
    """Return by device how often at most others change the parameters between a microbatch's two phases there.

    A schedule that waits for the batch's end changes them there alone.
    """
    judged = _judged(found)
    return tuple(max(_changes(judged, device)) if judged.versions else NONE for device in range(judged.devices))


def _changes(judged: JudgedSchedule, device: int) -> list[Fraction]:
    own = [span for span in judged.spans if span.device == device]
    forward = {span.microbatch: span.begin for span in own if span.phase == "forward"}
    backward = {span.microbatch: span for span in own if span.phase == "backward"}
    return [
        Fraction(sum(forward[one] < other.end <= backward[one].begin for other in backward.values())) for one in forward
    ]


def _peaks(judged: JudgedSchedule) -> tuple[Fraction, ...]:
    return tuple(judged.peak(device) for device in range(judged.devices))


def _judged(found: NamedSchedule) -> JudgedSchedule:
    assert found.judged is not None
    return found.judged


_QUANTITIES: Final = (
    ScheduleQuantity("bubble", "the share of all devices' time in which they do nothing", _bubble),
    ScheduleQuantity("activations", "the most microbatches of which a device keeps what backward needs", _activations),
    ScheduleQuantity(
        "batch-activations",
        "the most that a device keeps for backward phases, as a share of a batch's",
        _activations_of_batch,
    ),
    ScheduleQuantity("versions", "the most versions of its parameters that a device keeps", _versions),
    ScheduleQuantity("staleness", "changes of the parameters between the phases of one microbatch", _staleness),
)
QUANTITIES: Final[Mapping[str, ScheduleQuantity]] = MappingProxyType({one.name: one for one in _QUANTITIES})
"""By name."""


def _in_flight(case: ScheduleCase, device: int) -> Fraction:
    return Fraction(min(case.microbatches, case.devices - device))


EXPRESSIONS: Final[Mapping[str, Callable[[ScheduleCase, int], Fraction]]] = MappingProxyType(
    {
        "0": lambda case, device: NONE,
        "1": lambda case, device: ONE,
        "M": lambda case, device: Fraction(case.microbatches),
        "(K - 1) / (M + K - 1)": lambda case, device: _idle(case, 1),
        "(K - 1) / (v M + K - 1)": lambda case, device: _idle(case, case.chunks),
        "min(M, K - s + 1)": _in_flight,
        "min(M, K - s + 1) - 1": lambda case, device: _in_flight(case, device) - 1,
    }
)
"""What a value may be said to be, by a case and the device, counted from 0; s is the stage, counted from 1."""


def _idle(case: ScheduleCase, chunks: int) -> Fraction:
    return Fraction(case.devices - 1, chunks * case.microbatches + case.devices - 1)
