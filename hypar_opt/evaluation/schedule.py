"""Whether a schedule is one, and what it takes and keeps: recomputed from begins and ends alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, order=True)
class OperationSpan:
    """An operation in time.

    Parameters
    ----------
    begin, end
        Seconds.
    device, stage, microbatch
        From 0.
    phase
        `forward`, `backward` or `gradient`.
    """

    begin: Fraction
    end: Fraction
    device: int
    stage: int
    microbatch: int
    phase: str


@dataclass(frozen=True)
class JudgedSchedule:
    """A schedule.

    Parameters
    ----------
    spans
        All operations.
    lags
        By stage, seconds until others have what it made, and it what they made backward.
    reads
        By stage, those whose outputs it needs.
    kept, resident
        By stage, bytes of a microbatch between its phases, and bytes that are always there.
    versions
        By stage, bytes of parameters of which every microbatch in flight has a version of its own; one is resident.
        Without any there are no versions.
    beyond
        By stage, phases of other stages that its backward one waits for besides those of the stages that read it.
    """

    spans: tuple[OperationSpan, ...]
    lags: Sequence[Fraction]
    reads: Sequence[Sequence[int]]
    kept: Sequence[Fraction]
    resident: Sequence[Fraction]
    versions: Sequence[Fraction] = ()
    beyond: Sequence[Sequence[tuple[str, int]]] = ()

    @property
    def seconds(self) -> Fraction:
        """When the last operation ends."""
        return max((span.end for span in self.spans), default=Fraction(0))

    @property
    def devices(self) -> int:
        """How many there are."""
        return 1 + max((span.device for span in self.spans), default=-1)

    def busy(self, device: int) -> Fraction:
        """Return how long a device does something."""
        return sum((span.end - span.begin for span in self.spans if span.device == device), start=Fraction(0))

    @property
    def bubble(self) -> Fraction:
        """The share of all devices' time in which they do nothing."""
        return self.idle(self.seconds)

    def idle(self, seconds: Fraction) -> Fraction:
        """Return the share of so many seconds of all devices in which they do nothing."""
        busy = sum((self.busy(device) for device in range(self.devices)), start=Fraction(0))
        return 1 - busy / (seconds * self.devices)

    def fault(self) -> str | None:
        """Return what is wrong, in a sentence, or None."""
        return next(self._faults(), None)

    def _faults(self) -> Iterator[str]:
        for device in range(self.devices):
            own = sorted(span for span in self.spans if span.device == device and span.begin < span.end)
            for first, second in pairwise(own):
                if second.begin < first.end:
                    yield f"device {device + 1} does {_said(first)} and {_said(second)} at the same time"
        found = {(span.phase, span.stage, span.microbatch): span for span in self.spans}
        for span in self.spans:
            stage, one = span.stage, span.microbatch
            if span.phase == "gradient":
                needed = [("backward", stage, Fraction(0))]
            elif span.phase == "forward":
                needed = [("forward", other, self.lags[other]) for other in self.reads[stage]]
            else:
                behind = [other for other, read in enumerate(self.reads) if stage in read]
                needed = [("forward", stage, Fraction(0)), *(("backward", other, self.lags[stage]) for other in behind)]
                more = self.beyond[stage] if self.beyond else ()
                needed += [(what, where, self.lags[where if what == "forward" else stage]) for what, where in more]
            for phase, where, lag in needed:
                before = found.get((phase, where, one))
                if before is None or span.begin < before.end + lag:
                    yield f"{_said(span)} begins before {phase} of microbatch {one + 1} at stage {where + 1} is there"

    def memory(self, device: int) -> list[tuple[Fraction, Fraction]]:
        """Return when what a device keeps changes, and how many bytes it keeps from then on.

        What a microbatch leaves is kept from the begin of its forward operation to the end of its last one.
        """
        stages = sorted({span.stage for span in self.spans if span.device == device})
        base = sum((self.resident[stage] for stage in stages), start=Fraction(0))
        changes: list[tuple[Fraction, Fraction]] = []
        for stage in stages:
            own = sorted((span for span in self.spans if span.stage == stage), key=lambda span: span.microbatch)
            there: list[tuple[Fraction, int]] = []
            for _, each in groupby(own, key=lambda span: span.microbatch):
                parts = list(each)
                there += [(min(one.begin for one in parts), 1), (max(one.end for one in parts), -1)]
            changes += [(time, number * self.kept[stage]) for time, number in there]
            if self.versions:
                changes += _further(there, self.versions[stage])
        return _profile(base, changes)

    def peak(self, device: int) -> Fraction:
        """Return the most bytes that a device keeps."""
        return max(kept for _, kept in self.memory(device))


def _further(there: list[tuple[Fraction, int]], amount: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Return when so many bytes for each microbatch in flight but one change, and by how much."""
    found, count = [], 0
    for time, each in groupby(sorted(there), key=lambda change: change[0]):
        before, count = count, count + sum(number for _, number in each)
        found.append((time, (max(count - 1, 0) - max(before - 1, 0)) * amount))
    return found


def _profile(base: Fraction, changes: list[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    found = [(Fraction(0), base)]
    for time, each in groupby(sorted(changes), key=lambda change: change[0]):
        kept = found[-1][1] + sum(change for _, change in each)
        found = [*found[: -1 if found[-1][0] == time else None], (time, kept)]
    return found


def _said(span: OperationSpan) -> str:
    return f"{span.phase} of microbatch {span.microbatch + 1} at stage {span.stage + 1}"
