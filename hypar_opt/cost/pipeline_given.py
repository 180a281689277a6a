"""Times of stages on machines, as a search over down-sets asks for them; and what is inside of each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.pipeline_machines import MachineLevel
from hypar_opt.cost.pipeline_tables import StagePairs, StageParts
from hypar_opt.costgraph.pipeline.option import integers
from hypar_opt.instance.pipeline import StageDevices
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.cost.pipeline_machines import TimeTable
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.instance.pipeline import PipelineInstance, PipelineOperator

MOST_DOWN_SETS: Final = 1_000
"""Of all pairs of which the best pipelines are found in memory and in some ten seconds."""


@dataclass(frozen=True, eq=False)
class MachineTimes:
    """What stages take where some are on machines.

    Parameters
    ----------
    level
        The devices that are not inside of others.
    before
        By group, those that come no later.
    """

    level: MachineLevel
    before: Sequence[frozenset[int]]
    _known: dict[frozenset[int], StagePairs] = field(default_factory=dict, init=False, repr=False)

    @property
    def most(self) -> int:
        """What no stage takes more than."""
        return ceil(self.level.most * self.level.unit)

    def over(self, members: Array) -> MachineTimesBetween:
        """Return the times of stages between down-sets.

        Raises
        ------
        Refusal
            If there are too many for tables of all pairs.
        """
        _check(int(members.shape[1]))
        return MachineTimesBetween(self.level.table(StagePairs(self.level.parts, members)), 2 * self.most + 1)

    def time(self, option: int, groups: Sequence[int]) -> int | None:
        """Return what a stage takes; None where there may be no such stage."""
        table = self.level.table(self._within(frozenset(groups)))
        return int(table.times[option][0, -1]) if table.allowed[option][0, -1] else None

    def inside(self, option: int, groups: Sequence[int]) -> Mapping[int, StageDevices]:
        """Return by group which devices inside of its machines do it; nothing where none are inside."""
        way = self.level.ways[option]
        if way.inside is None:
            return {}
        pairs = self._within(frozenset(groups))
        taken = [1] * len(way.inside.kinds)
        found: dict[int, StageDevices] = {}
        deeper = MachineTimes(way.inside, self.before)
        for number, begin, end in way.inside.best(pairs).traced():
            one = way.inside.ways[number]
            own = np.flatnonzero(pairs.members[:, end] & ~pairs.members[:, begin]).tolist()
            below = deeper.inside(number, own)
            first = taken[one.number]
            taken[one.number] += one.devices
            found |= {group: StageDevices(one.kind.name, first, one.devices, inside=below.get(group)) for group in own}
        return found

    def _within(self, groups: frozenset[int]) -> StagePairs:
        """Return the down-sets from before a stage to its end."""
        if groups not in self._known:
            begin = self._closed(groups) - groups
            layer, every = {begin}, [begin]
            while layer:
                layer = {
                    held | {one} for held in layer for one in groups - held if self.before[one] <= held
                }  # each with one group more
                every += sorted(layer, key=sorted)
                _check(len(every))
            members = np.zeros((len(self.before), len(every)), dtype=bool)
            for place, held in enumerate(every):
                members[list(held), place] = True
            self._known[groups] = StagePairs(self.level.parts, members)
        return self._known[groups]

    def _closed(self, groups: frozenset[int]) -> frozenset[int]:
        """Return groups with all that come no later."""
        found, waiting = set(groups), list(groups)
        while waiting:
            more = self.before[waiting.pop()] - found
            found |= more
            waiting += more
        return frozenset(found)


@dataclass(frozen=True, eq=False)
class MachineTimesBetween:
    """Times of the stages between down-sets of one list.

    Parameters
    ----------
    table
        By way.
    barred
        The time of a stage that there may not be.
    """

    table: TimeTable
    barred: int

    def between(self, one: int, others: Array) -> list[Array]:
        """Return by option the times of stages with the groups of other down-sets that are not in one."""
        rows = zip(self.table.times, self.table.allowed, strict=True)
        return [
            np.where(may[one, others], times[one, others], np.array(self.barred, times.dtype)) for times, may in rows
        ]


def flattened(instance: PipelineInstance) -> PipelineInstance:
    """Return a pipeline with machines that have nothing inside, on which operators take what they do at least.

    At least means: evenly on all devices inside, of the kind that does it soonest.
    """
    machines = [kind for kind in instance.kinds if kind.inside]

    def least(operator: PipelineOperator) -> dict[str, Fraction]:
        return {
            kind.name: min(operator.computing(leaf.name) for leaf in kind.leaves if leaf.may_have(operator))
            / sum(leaf.count // kind.count for leaf in kind.leaves)
            for kind in machines
            if kind.may_have(operator)
        }

    operators = tuple(replace(one, seconds={**one.seconds, **least(one)}) for one in instance.operators)
    return replace(instance, operators=operators, kinds=tuple(replace(kind, inside=()) for kind in instance.kinds))


def with_machines(
    instance: PipelineInstance, graph: StageGraph, group_of: Mapping[str, int], sizes: Sequence[Fraction]
) -> tuple[StageGraph, MachineTimes]:
    """Return the graph of a flattened pipeline with the times that stages take on machines; and these.

    Parameters
    ----------
    graph, group_of
        Of the flattened pipeline, and the group of every operator.
    sizes
        Bytes by output of the graph.
    """
    groups: list[list[PipelineOperator]] = [[] for _ in graph.names]
    for one in instance.operators:
        groups[group_of[one.name]].append(one)
    parts = StageParts(groups, graph.owners.tolist(), graph.readers, sizes)
    level = MachineLevel(parts, instance.kinds, instance.overlapped)
    before: list[set[int]] = [set() for _ in groups]
    for first, second in graph.order:
        before[second].add(first)
    options = tuple(
        replace(one, times=integers([int(time) * level.unit // graph.unit for time in one.times]))
        for one in graph.options
    )
    times = MachineTimes(level, [frozenset(own) for own in before])
    return graph.replace(options=options, unit=level.unit, given_times=times), times


def _check(down_sets: int) -> None:
    if down_sets > MOST_DOWN_SETS:
        raise Refusal(
            f"machines need the times of all pairs of down-sets, and this order has more than {MOST_DOWN_SETS:,}; try "
            "devices that are in no machines"
        )
