"""All stages that there may be between two sets of groups at the end of a pipeline, with their phases' times."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from formulations.pipeline.down_sets.lattice import Lattice
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph


@dataclass(frozen=True)
class StageRows:
    """Stages that begin behind one set of groups, a row each.

    Parameters
    ----------
    ends
        The set that has the stage's groups as well.
    options
        By which it is done.
    forward, backward, lags
        Its times; exact integers.
    most
        Replicas that may stand behind it with it, for its memory.
    """

    ends: Array
    options: Array
    forward: Array
    backward: Array
    lags: Array
    most: Array

    @property
    def work(self) -> Array:
        """What stages take of their device for a microbatch."""
        found: Array = self.forward + self.backward
        return found


@dataclass(frozen=True, eq=False)
class StagesBehind:
    """Stages of a pipeline, told from its end.

    Parameters
    ----------
    graph
        With a batch.
    lattice
        Of sets of groups that have with one whatever comes behind it.
    """

    graph: StageGraph
    lattice: Lattice

    def rows(self, one: int) -> StageRows:
        """Return the stages that stand before all groups of a set."""
        members = self.lattice.members
        wider = np.flatnonzero(~(members[:, [one]] & ~members[:, one:]).any(axis=0))[1:] + one
        inside = members[:, wider] & ~members[:, [one]]
        moved = self._moved(inside)
        parts = [self._of_option(option, wider, inside, moved) for option in range(len(self.graph.options))]
        return StageRows(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _of_option(self, number: int, wider: Array, inside: Array, moved: tuple[Array, Array]) -> tuple[Array, ...]:
        graph, option = self.graph, self.graph.options[number]
        batch = graph.batch
        assert batch is not None  # as accepted
        own = inside.astype(np.int64)
        fits = ~((~option.allowed)[:, None] & inside).any(axis=0)
        most = self._most_behind(number, own)
        fits &= most >= option.replicas
        crossing = [batch.transfers[number] @ phase for phase in moved]
        forward, backward = batch.forward[number] @ own, batch.backward[number] @ own
        lags = np.zeros_like(forward)
        if batch.overlapped:
            lags = np.maximum(*crossing)
        else:
            forward, backward = forward + crossing[0], backward + crossing[1]
        every = (wider, np.full(len(wider), number), forward, backward, lags, most)
        return tuple(column[fits] for column in every)

    def _most_behind(self, number: int, own: Array) -> Array:
        """Return how many replicas may stand behind stages, their own included; fewer than these where none fits."""
        graph, option = self.graph, self.graph.options[number]
        if option.capacity is None:
            return np.full(own.shape[1], graph.devices)
        left, further = option.capacity - option.usages @ own, option.activations @ own
        every = left >= (graph.in_flight - 1) * further
        times = np.where(every, graph.in_flight, 1 + left // np.maximum(further, 1))
        found: Array = np.where(left < 0, 0, np.where(every, graph.devices, option.replicas * times))
        return found

    def _moved(self, inside: Array) -> tuple[Array, Array]:
        """Return by phase, message and stage whether the stage reads or sends the message then."""
        batch = self.graph.batch
        assert batch is not None  # as accepted
        shape = (len(batch.messages), inside.shape[1])
        moved = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for place, message in enumerate(batch.messages):
            owns = inside[message.owner]
            for phase, readers in enumerate(message.readers):
                if readers:
                    moved[phase][place] += inside[list(readers)].any(axis=0) & ~owns
            every = [*message.readers[0], *message.readers[1]]
            moved[message.backward][place] += owns & ~inside[every].all(axis=0)
        return moved

    @cached_property
    def every(self) -> tuple[StageRows, ...]:
        """By set, the stages that stand before all its groups."""
        return tuple(self.rows(one) for one in range(self.lattice.count))
