"""Which devices are taken by the stages that are done, and what a further stage makes of that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Self, TypeAlias

import numpy as np

from formulations.pipeline.bounds import beyond, number_type, shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph, StageOption

State: TypeAlias = "tuple[int, ...]"
"""How many devices of each kind are taken; how many stages there are, where these are limited, else 0; last how many
replicas these are, where that decides what fits, else 0."""


@dataclass(frozen=True, eq=False)
class DeviceStates:
    """The ways in which devices can be taken.

    Parameters
    ----------
    graph
        Whose.
    every
        All that stages one after the other can lead to, ascending.
    steps
        The state with a further stage; -1 where there are too few devices; shape (states, options).
    """

    graph: StageGraph
    every: Sequence[State]
    steps: Array

    @classmethod
    def of(cls, graph: StageGraph) -> Self:
        """Return a graph's states."""
        start = (0,) * (len(graph.counts) + 2)
        following = {start: [_with(start, one, graph) for one in graph.options]}
        waiting = [start]
        while waiting:
            for state in following[waiting.pop()]:
                if state is not None and state not in following:
                    following[state] = [_with(state, one, graph) for one in graph.options]
                    waiting.append(state)
        every = sorted(following)
        place = {state: number for number, state in enumerate(every)}
        steps = [[-1 if one is None else place[one] for one in following[state]] for state in every]
        return cls(graph, every, np.array(steps, dtype=np.int64))

    @cached_property
    def in_flight(self) -> Array:
        """Microbatches in flight at a further stage where stages are done from the end, else 1; shape as `steps`."""
        if not self.graph.counts_behind:
            return np.ones_like(self.steps)
        behind = np.array([state[-1] for state in self.every], dtype=np.int64)
        graph = self.graph
        by_behind = [
            [graph.microbatches(one.replicas, many + one.replicas) for one in graph.options]
            for many in range(int(behind.max()) + 1)
        ]
        found: Array = np.array(by_behind, dtype=np.int64)[behind]
        return found

    def room(self, most: int) -> Array:
        """Return by state the effort that the devices left have room for, where no stage takes more than `most`."""
        most_of, none = shares(self.graph), beyond(self.graph)
        rooms = []
        for state in self.every:
            left = (count - taken for count, taken in zip(self.graph.counts, state[:-2], strict=True))
            total = sum(one * share for one, share in zip(left, most_of, strict=True))
            rooms.append(min(int(total * most), none))
        return np.array(rooms, dtype=number_type(self.graph))


def _with(state: State, option: StageOption, graph: StageGraph) -> State | None:
    """Return the state with a further stage; None where there are too few devices, or stages too many."""
    kind, taken = option.kind, state[option.kind] + option.devices
    stages = state[-2] + (graph.most_stages is not None)
    if taken > graph.counts[kind] or (graph.most_stages is not None and stages > graph.most_stages):
        return None
    replicas = option.replicas if graph.counts_behind else 0
    return (*state[:kind], taken, *state[kind + 1 : -2], stages, state[-1] + replicas)


def states_of(graph: StageGraph) -> int:
    """Return in how many ways devices can be taken at most, those of a kind alike, and stages be counted."""
    told = all(option.devices == option.replicas for option in graph.options) or not graph.counts_behind
    stages = 1 if graph.most_stages is None else min(graph.most_stages, graph.devices) + 1
    return prod(count + 1 for count in graph.counts) * stages * (1 if told else graph.devices + 1)
