"""The labels of every variable in turn, and the plans read off them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from formulations.joint_dp.elimination import BYTES_PER_CELL
from formulations.label_setting.arcs import gathering, steps_of
from formulations.label_setting.dominance import non_dominated
from formulations.label_setting.forest import within
from formulations.label_setting.table import Kept, Labels, Room, added, advanced, one_each, shifted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from formulations.label_setting.bounds import Bound
    from formulations.label_setting.forest import Forest
    from hypar_opt.formulation.run import Run

    Positions = NDArray[np.intp]

ROOT = -1
"""The parent of every component's last variable: one state, no cost."""


@dataclass(frozen=True, eq=False)
class Enumeration:
    """The labels of a forest's variables.

    Parameters
    ----------
    forest
        The problem.
    bounds
        Tests that every label has to pass.
    room
        Counts labels.
    """

    forest: Forest
    bounds: Sequence[Bound]
    room: Room

    @staticmethod
    def of(forest: Forest, bounds: Sequence[Bound], run: Run) -> Enumeration:
        """Begin with no labels."""
        coordinates = forest.criteria + len(forest.usages)
        return Enumeration(forest, bounds, Room(run, coordinates, BYTES_PER_CELL[forest.dtype is not object]))

    def run(self, on_layer: Callable[[], None] | None = None) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return every point of the front that passes the tests: values and choices, ascending.

        Parameters
        ----------
        on_layer
            Called after every variable.

        Raises
        ------
        Stopped
            If a limit is hit before the last label.
        """
        waiting: dict[int, list[tuple[int, Labels, Positions]]] = {}
        kept: dict[int, Kept] = {}
        for x in self.forest.order:
            at = self._combined(x, waiting.pop(x, []))
            parent = self.forest.parents[x]
            waiting.setdefault(ROOT if parent is None else parent, []).append((x, *self._sent(x, at.labels)))
            kept[x] = at.bare
            if on_layer is not None:
                on_layer()
        root = self._sums(waiting.pop(ROOT))
        root = root.only(within(self.forest.usages, root.labels))
        columns = root.labels.values[: self.forest.criteria]
        best = non_dominated(root.labels.states, columns)
        choices = self._decoded(root, best, kept)
        return list(zip(zip(*(map(int, column[best]) for column in columns), strict=True), choices, strict=True))

    def _combined(self, x: int, messages: list[tuple[int, Labels, Positions]]) -> Kept:
        """Return the labels of a variable's values: its own vector and its children's labels, tested."""
        own, allowed = self.forest.own(x), self.forest.allowed(x)
        if messages:
            at = self._sums(messages)
            at = Kept(shifted(at.labels, own), at.origins)
        else:
            at = Kept(one_each(own, allowed))
        at = at.only(within(self.forest.usages, at.labels))
        for bound in self.bounds:
            at = at.only(bound.keeps(x, at.labels))
        self.room.keep(at.labels.count, len(at.origins))
        return Kept(self._levelled(x, at.labels), at.origins) if self.forest.is_path else at

    def _levelled(self, x: int, labels: Labels) -> Labels:
        """Return the labels with usages raised to the largest that whatever follows cannot bring over the limit.

        Usages that make no difference any more do not keep a label from being dominated.
        """
        values = list(labels.values)
        for j, usage in enumerate(self.forest.usages):
            harmless = usage.limit - self.forest.still[j][x]
            values[self.forest.criteria + j] = np.maximum(values[self.forest.criteria + j], harmless)
        return Labels(tuple(values), labels.offsets)

    def _sums(self, messages: list[tuple[int, Labels, Positions]]) -> Kept:
        """Return the sums of the children's labels."""
        (child, labels, pointer), *others = messages
        at = Kept(labels, ((child, pointer),))
        for child, labels, pointer in others:
            total, left, right = added(at.labels, labels, self.room.take)
            at = Kept(total, (*((one, old[left]) for one, old in at.origins), (child, pointer[right])))
        return at

    def _sent(self, x: int, labels: Labels) -> tuple[Labels, Positions]:
        """Return a variable's labels by its parent's values, and which of its own they come from."""
        parent = self.forest.parents[x]
        pointer = np.arange(labels.count)
        if parent is None:
            return advanced(labels, gathering(len(labels.offsets) - 1, self.forest.criteria), self.room.take)
        for step in steps_of(self.forest.edges(x), self.forest.dtype):
            labels, sources = advanced(labels, step, self.room.take)
            pointer = pointer[sources]
        labels, kept = labels.only(self.forest.allowed(parent)[labels.states])
        return labels, pointer[kept]

    def _decoded(self, root: Kept, positions: Positions, kept: dict[int, Kept]) -> list[tuple[int, ...]]:
        """Follow the pointers from the last labels to the first; return every point's choices."""
        at = {child: pointer[positions] for child, pointer in root.origins}
        choices = np.empty((len(positions), len(kept)), dtype=np.intp)
        for x in reversed(self.forest.order):
            choices[:, x] = kept[x].labels.state_of(at[x])
            at |= {child: pointer[at[x]] for child, pointer in kept[x].origins}
        return [tuple(row) for row in choices.tolist()]
