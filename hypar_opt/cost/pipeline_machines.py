"""Machines with devices inside: a stage of one is a pipeline on these, the best there is.

What a stage S takes on m machines with bandwidth b follows from the best of the pipelines on the devices of one, X(S),
the least time of their slowest stage:

    c = (X(S) + 4 (m - 1) / m x parameters(S) / b) / m,

with what is read and sent across machines beside it, as of any stage. Every link has what crosses it: a device inside
reads what its own stage needs, wherever that is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.pipeline_bottleneck import Bottleneck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cost.pipeline_tables import StagePairs, StageParts
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.pipeline import DeviceKind


@dataclass(frozen=True, eq=False)
class LevelWay:
    """A way to do a stage: on so many devices of a kind, which may be machines.

    Parameters
    ----------
    kind, number, devices
        Of which kind, its number in the level, and how many.
    inside
        The level inside; None where there is none.
    """

    kind: DeviceKind
    number: int
    devices: int
    inside: MachineLevel | None


@dataclass(frozen=True, eq=False)
class TimeTable:
    """Times of stages between down-sets by all ways of a level.

    Parameters
    ----------
    times
        By way, in units of the level; shape (begins, ends).
    allowed
        By way, whether there may be such a stage.
    """

    times: Sequence[Array]
    allowed: Sequence[Array]


@dataclass(frozen=True, eq=False)
class MachineLevel:
    """Devices of a pipeline, or those inside of a machine.

    Parameters
    ----------
    parts
        Groups and outputs.
    kinds
        Of devices.
    overlapped
        Whether stages read, compute and send at the same time.
    """

    parts: StageParts
    kinds: Sequence[DeviceKind]
    overlapped: bool

    @cached_property
    def ways(self) -> tuple[LevelWay, ...]:
        """All of them, kind by kind."""
        inside = [
            MachineLevel(self.parts, kind.inside, self.overlapped) if kind.inside else None for kind in self.kinds
        ]
        return tuple(
            LevelWay(kind, number, count, inside[number])
            for number, kind in enumerate(self.kinds)
            for count in range(1, kind.replicas + 1)
        )

    @cached_property
    def unit(self) -> int:
        """The common denominator of all times."""
        found = 1
        for way in self.ways:
            found = lcm(found, self._own_unit(way) * way.devices, *(one.denominator for one in self._a_byte(way)))
        return found

    @cached_property
    def most(self) -> Fraction:
        """Seconds that no stage takes more than."""
        moved, added = 2 * sum(self.parts.sizes), sum(self.parts.parameters)
        found = []
        for way in self.ways:
            own = sum(self.parts.seconds(way.kind), start=Fraction(0)) if way.inside is None else way.inside.most
            a_byte = (one * self.parts.byte_unit for one in self._a_byte(way))
            found.append(own + sum(one * size for one, size in zip(a_byte, (moved, added), strict=True)))
        return max(found)

    def table(self, pairs: StagePairs) -> TimeTable:
        """Return the times of all stages between down-sets."""
        exact = np.int64 if self.most * self.unit < 2**61 else object
        busy: dict[int, tuple[Array, Array]] = {}
        times, allowed = [], []
        for way in self.ways:
            if way.number not in busy:
                busy[way.number] = self._busy(way, pairs)
            own, may = busy[way.number]
            moved, added = (int(one * self.unit) for one in self._a_byte(way))
            computing = own.astype(exact) * (self.unit // (self._own_unit(way) * way.devices))
            computing += pairs.parameters.astype(exact) * added
            read, sent = (one.astype(exact) * moved for one in pairs.crossing)
            parts = np.maximum(np.maximum(computing, read), sent) if self.overlapped else computing + read + sent
            times.append(parts)
            allowed.append(may)
        return TimeTable(times, allowed)

    def best(self, pairs: StagePairs) -> Bottleneck:
        """Return the best pipelines on the level's devices, for all stages between down-sets."""
        table = self.table(pairs)
        counts = tuple(kind.count for kind in self.kinds)
        taken = [(way.number, way.devices) for way in self.ways]
        return Bottleneck.of(counts, taken, table.times, table.allowed)

    def _own_unit(self, way: LevelWay) -> int:
        """Return the denominator of what a way's device computes."""
        if way.inside is not None:
            return way.inside.unit
        return lcm(*(one.denominator for one in self.parts.seconds(way.kind)))

    def _a_byte(self, way: LevelWay) -> tuple[Fraction, Fraction]:
        """Return the seconds of a byte unit that is read or sent, and of one whose gradients are added up."""
        one = Fraction(1, self.parts.byte_unit)
        return way.kind.transfer(one, way.devices), way.kind.addition(one, way.devices) / way.devices

    def _busy(self, way: LevelWay, pairs: StagePairs) -> tuple[Array, Array]:
        """Return what one device of a way's kind computes of every stage, and whether it may have it."""
        if way.inside is not None:
            best = way.inside.best(pairs)
            return best.times, best.reached
        unit, parts = self._own_unit(way), self.parts
        may = pairs.are_stages & pairs.has_none([not all(map(way.kind.may_have, own)) for own in parts.groups])
        if way.kind.memory is not None:
            scale = lcm(way.kind.memory.denominator, *(one.denominator for one in parts.memory))
            may &= pairs.sums([int(one * scale) for one in parts.memory]) <= int(way.kind.memory * scale)
        return pairs.sums([int(one * unit) for one in parts.seconds(way.kind)]), may
