"""What the partial sums of a plan take where they are exchanged by schedules, recounted send by send.

Every schedule is played once: it has to be along links, and to add up what all accelerators of every group have, each
contribution once. What it takes is then counted for the bytes of each sum, and what it puts on the links.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.evaluation.choices import halving_of
from hypar_opt.evaluation.collective import JudgedCollective
from hypar_opt.instance.collective import all_reduce_of, groups_of
from hypar_opt.instance.collectives_spec import BEST, PAIRWISE
from hypar_opt.instance.hardware import routing_of
from hypar_opt.util.errors import RecomputationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.evaluation.links.routes import Walked
    from hypar_opt.instance.collective import GroupsAllReduce, SendSchedule
    from hypar_opt.instance.collectives_spec import CollectivesSpec
    from hypar_opt.instance.hardware import Hop, Machine
    from hypar_opt.instance.network import Workload

Levels: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class TimedSum:
    """The partial sums of a layer that a set of levels exchanges.

    Parameters
    ----------
    layer
        Its name.
    levels
        From 0, ascending.
    bytes_
        That every group sums up.
    algorithm
        By which they are exchanged.
    seconds
        What that takes.
    loads
        Bytes by link and direction.
    """

    layer: str
    levels: Levels
    bytes_: Fraction
    algorithm: str
    seconds: Fraction
    loads: Mapping[Hop, Fraction]


@dataclass(frozen=True, eq=False)
class SumTimer:
    """Recounts what sets of levels take.

    Parameters
    ----------
    machine, walked, placed
        The array, the routes between counterparts, and where the leaves stand.
    asked
        What the instance says.
    schedules
        From a set of levels to what is sent, by algorithm.
    """

    machine: Machine
    walked: Walked
    placed: tuple[int, ...]
    asked: CollectivesSpec
    schedules: Callable[[Levels], Mapping[str, SendSchedule]]
    _judged: dict[Levels, Mapping[str, SendSchedule]] = field(default_factory=dict, init=False, repr=False)
    _timed: dict[tuple[Levels, Fraction], TimedSum] = field(default_factory=dict, init=False, repr=False)

    def of_plan(self, work: Workload, breakdown: Breakdown) -> tuple[TimedSum, ...]:
        """Return what every layer's partial sums take, layer by layer.

        Raises
        ------
        RecomputationError
            If a schedule does not do what it has to.
        """
        return tuple(self._of_layers(work, breakdown))

    def _of_layers(self, work: Workload, breakdown: Breakdown) -> Iterator[TimedSum]:
        for layer, row in zip(work.layers, breakdown.intra, strict=True):
            found: dict[str | None, list[int]] = {}
            for h, letter in enumerate(breakdown.strategies[layer.name]):
                if row[h]:
                    found.setdefault(halving_of(layer, letter).summed, []).append(h)
            for levels in found.values():
                sets = [tuple(levels)] if self.asked.levels == "together" else [(h,) for h in levels]
                for one in sets:
                    exchanged = sum((Fraction(row[h]) for h in one), start=Fraction(0))
                    timed = self.timed(one, self._summed(one, exchanged))
                    yield TimedSum(layer.name, one, timed.bytes_, timed.algorithm, timed.seconds, timed.loads)

    def _summed(self, levels: Levels, exchanged: Fraction) -> Fraction:
        """Return the bytes of a group's sum: an all-reduce of p moves 2 (p - 1) times as many in every group."""
        size = 1 << len(levels)
        groups = self.walked.partition.leaves // size
        return exchanged / (2 * (size - 1) * groups)

    def timed(self, levels: Levels, bytes_: Fraction) -> TimedSum:
        """Return what a set of levels takes for so many bytes in every group."""
        key = levels, bytes_
        if key not in self._timed:
            self._timed[key] = min(self._ways(levels, bytes_), key=lambda one: one.seconds)
        return self._timed[key]

    def _ways(self, levels: Levels, bytes_: Fraction) -> list[TimedSum]:
        collective = self._collective(levels, bytes_)
        found = []
        for name, schedule in self._checked(levels).items():
            judged = JudgedCollective(collective, schedule)
            assert judged.seconds is not None  # every link has a bandwidth
            found.append(TimedSum("", levels, bytes_, name, judged.seconds, judged.bytes_by_link))
        return found if found and self.asked.algorithm != BEST else [*found, self._pairwise(levels, bytes_)]

    def _collective(self, levels: Levels, bytes_: Fraction) -> GroupsAllReduce:
        groups = groups_of(self.walked.partition, self.placed, levels)
        return all_reduce_of(self.machine, groups, self.asked.chunks, bytes_)

    def _checked(self, levels: Levels) -> Mapping[str, SendSchedule]:
        """Return the schedules of a set of levels, each played once."""
        if levels not in self._judged:
            found = self.schedules(levels)
            for name, schedule in found.items():
                fault = JudgedCollective(self._collective(levels, Fraction(1)), schedule).fault
                if fault is not None:
                    said = ", ".join(str(h + 1) for h in levels)
                    raise RecomputationError(f"the schedule of {name} for the sums of levels {said}: {fault.text}")
            self._judged[levels] = found
        return self._judged[levels]

    def _pairwise(self, levels: Levels, bytes_: Fraction) -> TimedSum:
        """Return what the exchange of counterparts takes, scattering sums level by level and gathering them again."""
        seconds = Fraction(0)
        loads: dict[Hop, Fraction] = {}
        messages = 1 if len(levels) == 1 else 2
        share = 2 * bytes_ / 2 ** len(levels)  # of every accelerator; it doubles with each level
        for h in levels:
            crossings = self.walked.crossings[h]
            busy = [share * count / (self.machine.link_of[hop].bandwidth or 1) for hop, count in crossings.items()]
            seconds += max(busy) + messages * self._latency(h)
            for hop, count in crossings.items():
                loads[hop] = loads.get(hop, Fraction(0)) + share * count
            share *= 2
        return TimedSum("", levels, bytes_, PAIRWISE, seconds, loads)

    def _latency(self, h: int) -> Fraction:
        """Return the longest way's at a level; of a divided way its paths', each by its share."""
        routing, latencies = routing_of(self.machine), []
        for leaf, site in enumerate(self.placed):
            for peer in self.walked.partition.peers(leaf, h):
                shares = routing.shares(site, self.placed[peer])
                latencies.append(sum(self.machine.link_of[hop].latency * share for hop, share in shares.items()))
        return Fraction(max(latencies))
