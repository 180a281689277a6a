"""Ways to do stages of a pipeline: what each takes of every group of operators."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hypar_opt.costgraph.pipeline.option import GroupWay, StageOption, integers
from hypar_opt.instance.text import cut
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.cost.pipeline_crossings import Crossing
    from hypar_opt.cost.pipeline_memory import KeptBytes
    from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator

MOST_TOGETHER: Final = 6
"""Operators of a group that may each compute its activations anew or not: in 64 ways."""


class OptionKey(NamedTuple):
    """Which way to do a stage: devices of a kind, how many do it together, whether all activations are anew."""

    kind: str
    devices: int
    tensor: int = 1
    anew: bool = False


class WayOfGroup(NamedTuple):
    """What a group takes.

    Parameters
    ----------
    seconds
        Of its computing.
    usage, activations
        Bytes that each device keeps with the fewest microbatches in flight, and more for a further one.
    anew
        Operators that compute their activations anew.
    """

    seconds: Fraction
    usage: Fraction
    activations: Fraction
    anew: frozenset[str] = frozenset()

    def is_as_good_as(self, other: WayOfGroup) -> bool:
        """Return whether it takes and keeps no more than another."""
        return all(own <= its for own, its in zip(self[:3], other[:3], strict=True))


@dataclass(frozen=True, eq=False)
class OptionMaker:
    """Makes an option.

    Parameters
    ----------
    instance
        Whose.
    number, kind
        Of devices.
    key
        Which option.
    groups, crossings, kept
        The groups and outputs that there are, and what is kept.
    """

    instance: PipelineInstance
    number: int
    kind: DeviceKind
    key: OptionKey
    groups: Sequence[Sequence[PipelineOperator]]
    crossings: Sequence[Crossing]
    kept: KeptBytes

    @property
    def replicas(self) -> int:
        """How many there are, each with a part of the samples."""
        return self.key.devices // self.key.tensor

    @cached_property
    def allowed(self) -> list[bool]:
        """By group, whether it may be done so."""
        return [all(self._may(one, anew=False) for one in own) for own in self.groups]

    def _may(self, operator: PipelineOperator, *, anew: bool) -> bool:
        way = operator.way(self.key.tensor, anew=anew)
        return way is not None and self.kind.name in way.seconds

    @cached_property
    def ways(self) -> list[list[WayOfGroup]]:
        """By group what it takes, the quickest way first; one without anything where it may not be done so."""
        nothing = [WayOfGroup(Fraction(0), Fraction(0), Fraction(0))]
        anew_of = self._able if self.key.anew else self._quicker
        quickest = [
            [self._way(own, anew_of(own))] if may else nothing
            for own, may in zip(self.groups, self.allowed, strict=True)
        ]
        if self.instance.recompute != "operators" or self.kind.memory is None:
            return quickest
        most = sum((own[0].usage + own[0].activations * self.kept.further for own in quickest), start=Fraction(0))
        if most <= self.kind.memory:
            return quickest
        return [
            list(_undominated(self._way(own, anew) for anew in self._choices(own))) if may else nothing
            for own, may in zip(self.groups, self.allowed, strict=True)
        ]

    def number_of(self, group: int, anew: frozenset[str]) -> int:
        """Return the number of the way in which some operators of a group compute their activations anew.

        Of one that another is as good as, that other's; the quickest where no other is looked at, for that fits.
        """
        wanted = self._way(self.groups[group], anew)
        return next((number for number, way in enumerate(self.ways[group]) if way.is_as_good_as(wanted)), 0)

    def _able(self, own: Sequence[PipelineOperator]) -> frozenset[str]:
        return frozenset(one.name for one in own if self._may(one, anew=True))

    def _quicker(self, own: Sequence[PipelineOperator]) -> frozenset[str]:
        """Return operators that take less where they compute their activations anew, as measured ones may.

        None where that is for whole stages.
        """
        if self.instance.recompute != "operators":
            return frozenset()
        return frozenset(one.name for one in own if one.is_quicker_anew(self.kind.name, self.key.tensor))

    def _choices(self, own: Sequence[PipelineOperator]) -> Iterator[frozenset[str]]:
        able = sorted(self._able(own))
        if len(able) > MOST_TOGETHER:
            raise Refusal(
                f"'{cut(own[0].name)}' stands on one device with {len(own) - 1:,} more, and each of {len(able):,} may "
                f"compute its activations anew or not; more than {MOST_TOGETHER} are not tried: say `recompute: stages`"
            )
        for count in range(len(able) + 1):
            yield from map(frozenset, combinations(able, count))

    def _way(self, own: Sequence[PipelineOperator], anew: frozenset[str]) -> WayOfGroup:
        """Return what a group takes.

        Each replica does a part of the samples, and adds up its gradients with the others'.
        """
        every = [one.way(self.key.tensor, anew=one.name in anew) for one in own]
        ways = [way for way in every if way is not None]
        seconds = sum(
            (
                way.computing(self.kind.name) + self.instance.addition(self.kind, way.parameters, self.replicas)
                for way in ways
            ),
            start=Fraction(0),
        )
        least, more = (sum((self.kept.of(way, n) for way in ways), start=Fraction(0)) for n in self.kept.told)
        return WayOfGroup(seconds / self.replicas, least, more - least, anew)

    @cached_property
    def transfers(self) -> tuple[list[Fraction], list[Fraction]]:
        """By output, seconds of reading it and of sending it."""
        tensor, replicas = self.key.tensor, self.replicas
        read = [self.kind.transfer(one.read(tensor), replicas) for one in self.crossings]
        return read, [self.kind.transfer(one.sent(tensor), replicas) for one in self.crossings]

    @property
    def times(self) -> Iterator[Fraction]:
        """All seconds that there are in it."""
        yield from (way.seconds for own in self.ways for way in own)
        for part in self.transfers:
            yield from part

    def option(self, unit: int, memory_unit: int) -> StageOption:
        """Return it in units."""
        made = [
            [GroupWay(*map(int, (way.seconds * unit, *(kept * memory_unit for kept in way[1:3])))) for way in own]
            for own in self.ways
        ]
        read, sent = ([int(one * unit) for one in part] for part in self.transfers)
        most = sum(max(way.kept(1 + self.kept.further) for way in own) for own in made)
        return StageOption(
            self.number,
            self.key.devices,
            integers([own[0].time for own in made]),
            integers(read),
            integers([own[0].usage for own in made], most),
            None if self.kind.memory is None else int(self.kind.memory * memory_unit),
            np.array(self.allowed, dtype=bool),
            integers([own[0].activations for own in made], most),
            self.replicas,
            {group: tuple(own[1:]) for group, own in enumerate(made) if own[1:]},
            None if read == sent else integers(sent),
        )


def _undominated(ways: Iterator[WayOfGroup]) -> Iterator[WayOfGroup]:
    """Yield ways, the quickest first, without those that another is in nothing worse than."""
    kept: list[WayOfGroup] = []
    for way in sorted(ways, key=lambda one: (one[:3], len(one.anew))):
        if not any(one.is_as_good_as(way) for one in kept):
            kept.append(way)
            yield way
