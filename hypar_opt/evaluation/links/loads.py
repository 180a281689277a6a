"""What a placement costs for the bytes of every level, link by link; and what each part of a plan has in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.evaluation.links.routes import Walked, walk
from hypar_opt.instance.objective.components import COMM_ENERGY, COMM_TIME, COMMUNICATION, HOP_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.communication import Bytes, PhaseExchange
    from hypar_opt.evaluation.links.sums import TimedSum
    from hypar_opt.instance.hardware import Hop, Machine
    from hypar_opt.util.partition import Partition

Loads: TypeAlias = "Mapping[Hop, Fraction]"
"""Bytes by link and direction; links that carry nothing are left out."""


@dataclass(frozen=True)
class Busiest:
    """The link that takes longest of all: by time where every link has a bandwidth, else by bytes.

    Parameters
    ----------
    hop
        The nodes that it leads from and to; of equally busy ones the first.
    load
        Bytes.
    time
        Seconds, where there are bandwidths.
    """

    hop: Hop
    load: Fraction
    time: Fraction | None


@dataclass(frozen=True)
class ScheduledSums:
    """What partial sums take by schedules, and what takes its time as ever.

    Parameters
    ----------
    sums
        Of every layer, those of each set of levels.
    others
        What boundaries alone put on the links.
    """

    sums: tuple[TimedSum, ...]
    others: Measured

    @property
    def seconds(self) -> Fraction:
        """Of all, one after the other."""
        return sum((one.seconds for one in self.sums), start=self.others.comm_time or Fraction(0))

    @property
    def loads(self) -> Loads:
        """Every link's load in these seconds."""
        total = dict(self.others.loads)
        for one in self.sums:
            for hop, load in one.loads.items():
                total[hop] = total.get(hop, Fraction(0)) + load
        return total


@dataclass(frozen=True)
class Measured:
    """The bytes of every level on the links.

    Parameters
    ----------
    machine
        The array.
    walked
        The routes of the placement.
    volumes
        By level, the bytes that all its pairs exchange, both directions together.
    timed
        What partial sums take where they are exchanged by schedules, beside what all else takes.
    """

    machine: Machine
    walked: Walked
    volumes: tuple[Fraction, ...]
    timed: ScheduledSums | None = field(default=None, kw_only=True)

    @property
    def communication(self) -> Fraction:
        """Bytes, over all levels."""
        return sum(self.volumes, start=Fraction(0))

    @cached_property
    def sent(self) -> tuple[Fraction, ...]:
        """By level, the bytes that every accelerator sends to each of its peers."""
        return tuple(volume / self.walked.partition.routes(h) for h, volume in enumerate(self.volumes))

    @cached_property
    def levels(self) -> tuple[Loads, ...]:
        """By level, every link's load."""
        return tuple(
            {hop: count * sent for hop, count in crossings.items()} if sent else {}
            for sent, crossings in zip(self.sent, self.walked.crossings, strict=True)
        )

    @cached_property
    def loads(self) -> Loads:
        """Every link's load, over all levels."""
        total: dict[Hop, Fraction] = {}
        for level in self.levels:
            for hop, load in level.items():
                total[hop] = total.get(hop, Fraction(0)) + load
        return total

    @property
    def hop_bytes(self) -> Fraction:
        """Every byte times the hops of its route: from the routes' lengths, not from the loads."""
        return sum((sent * hops for sent, hops in zip(self.sent, self.walked.hops, strict=True)), start=Fraction(0))

    @cached_property
    def busiest(self) -> tuple[Busiest | None, ...]:
        """By level, the link that its exchange waits for; None where nothing is exchanged."""
        return tuple(self._busiest(level) for level in self.levels)

    @property
    def comm_time(self) -> Fraction | None:
        """Seconds: every level takes as long as its busiest link, and levels follow one another.

        Partial sums that are exchanged by schedules take what these do. None where a link has no bandwidth.
        """
        if not self._has_bandwidths:
            return None
        if self.timed is not None:
            return self.timed.seconds
        return sum((one.time for one in self.busiest if one is not None and one.time is not None), start=Fraction(0))

    @property
    def comm_energy(self) -> Fraction | None:
        """Joules: every link's load times its energy a byte; None where a link has none."""
        if any(link.energy is None for link in self.machine.links):
            return None
        link_of = self.machine.link_of
        return sum((load * (link_of[hop].energy or 0) for hop, load in self.loads.items()), start=Fraction(0))

    @cached_property
    def costs(self) -> Mapping[str, Fraction]:
        """The components of a plan's cost that its bytes on the links have, by name; without those not known."""
        found = {
            COMMUNICATION: self.communication,
            HOP_BYTES: self.hop_bytes,
            COMM_TIME: self.comm_time,
            COMM_ENERGY: self.comm_energy,
        }
        return {name: cost for name, cost in found.items() if cost is not None}

    @cached_property
    def _has_bandwidths(self) -> bool:
        return all(link.bandwidth is not None for link in self.machine.links)

    def time(self, hop: Hop, load: Fraction) -> Fraction | None:
        """Return the seconds that a link needs for a load, None where a link has no bandwidth."""
        bandwidth = self.machine.link_of[hop].bandwidth
        return load / bandwidth if self._has_bandwidths and bandwidth else None

    def _busiest(self, loads: Loads) -> Busiest | None:
        found = (Busiest(hop, load, self.time(hop, load)) for hop, load in sorted(loads.items()))
        return max(found, key=lambda one: one.load if one.time is None else one.time, default=None)


def weigh(
    machine: Machine, walked: Walked, bytes_by_level: Sequence[Bytes], timed: ScheduledSums | None = None
) -> Measured:
    """Add up what crosses each link on the routes of a placement.

    Parameters
    ----------
    bytes_by_level
        What all pairs of a level exchange, both directions together.
    timed
        What takes another time than they do.

    Raises
    ------
    ValueError
        If they have other levels.
    """
    if len(bytes_by_level) != walked.levels:
        raise ValueError(f"bytes of {len(bytes_by_level)} levels, the placement has {walked.levels}")
    return Measured(machine, walked, tuple(map(Fraction, bytes_by_level)), timed=timed)


@dataclass(frozen=True)
class Traffic:
    """The traffic of a plan on an array.

    Parameters
    ----------
    machine
        The array.
    placed
        An accelerator's position for every leaf.
    parts
        What each layer and boundary exchanges in each phase.
    walked
        The placement's routes.
    """

    machine: Machine
    placed: tuple[int, ...]
    parts: tuple[PhaseExchange, ...]
    walked: Walked

    @property
    def levels(self) -> int:
        """H."""
        return self.walked.levels

    def in_all(self) -> Measured:
        """Return what all of them put on the links."""
        volumes = [sum((Fraction(part.levels[h]) for part in self.parts), Fraction(0)) for h in range(self.levels)]
        return weigh(self.machine, self.walked, volumes)


def traffic_of(
    machine: Machine, placed: Sequence[int], parts: Sequence[PhaseExchange], partition: Partition | None = None
) -> Traffic:
    """Walk every route of a placement for what a plan exchanges.

    Parameters
    ----------
    placed
        An accelerator's position for every leaf.
    parts
        See `hypar_opt.evaluation.communication.by_phase`.
    partition
        How the array is cut; into halves if None.

    Raises
    ------
    ValueError
        If it is no placement, or the parts have other levels.
    Refusal
        If the routes are too many or too long to be walked.
    """
    walked = walk(machine, placed, partition=partition)
    wrong = next((part for part in parts if len(part.levels) != walked.levels), None)
    if wrong is not None:
        raise ValueError(f"'{wrong.name}' has {len(wrong.levels)} levels, the placement has {walked.levels}")
    return Traffic(machine, tuple(placed), tuple(parts), walked)
