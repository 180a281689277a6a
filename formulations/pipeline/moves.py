"""Moves of one group from a stage to another, and what they cost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph.pipeline import StageGraph


class StageMoves:
    """Stages, and what they take, kept while groups move.

    Parameters
    ----------
    graph, choices
        Whose, and the slot of every group.
    """

    def __init__(self, graph: StageGraph, choices: tuple[int, ...]) -> None:
        self.graph = graph
        self._at = list(choices)
        self._options = [graph.options[slot.option] for slot in graph.slots]
        self._near: list[list[int]] = [[] for _ in choices]  # outputs that a group makes or reads
        for output, owner in enumerate(graph.owners.tolist()):
            for group in (owner, *graph.readers[output]):
                self._near[group].append(output)
        self._loads = [[0, 0, 0] for _ in graph.slots]  # computing, reading, sending
        for group, slot in enumerate(choices):
            self._loads[slot][0] += int(self._options[slot].times[group])
        self._transfer(range(len(graph.owners)), 1)

    @property
    def choices(self) -> tuple[int, ...]:
        """The slot of every group."""
        return tuple(self._at)

    def best(self) -> tuple[int, int] | None:
        """Return the group and slot of the best move that is allowed; None where none gains."""
        now = self._value()
        gaining = sorted((value, move) for move in self._moves() if (value := self._tried(*move)) < now)
        return next((move for _, move in gaining if self._allowed(*move)), None)

    def make(self, group: int, slot: int) -> None:
        """Put a group into a slot."""
        self._transfer(self._near[group], -1)
        for place, sign in ((self._at[group], -1), (slot, 1)):
            self._loads[place][0] += sign * int(self._options[place].times[group])
        self._at[group] = slot
        self._transfer(self._near[group], 1)

    def _moves(self) -> Iterator[tuple[int, int]]:
        """Yield groups with slots that are not theirs; of those that are empty and alike the first."""
        held = Counter(self._at)
        free: dict[int, int] = {}
        for place, one in enumerate(self.graph.slots):
            if not held[place]:
                free.setdefault(one.option, place)
        for group, home in enumerate(self._at):
            for slot in (*held, *free.values()):
                if slot != home and self._options[slot].allowed[group]:
                    yield group, slot

    def _tried(self, group: int, slot: int) -> int:
        home = self._at[group]
        self.make(group, slot)
        value = self._value()
        self.make(group, home)
        return value

    def _allowed(self, group: int, slot: int) -> bool:
        changed = self.choices
        return self.graph.feasible((*changed[:group], slot, *changed[group + 1 :]))

    def _value(self) -> int:
        times = [max(load) if self.graph.overlapped else sum(load) for load in self._loads]
        return self.graph.sum_weight * sum(times) + self.graph.max_weight * max(times, default=0)

    def _transfer(self, outputs: list[int] | range, sign: int) -> None:
        """Add what outputs take where they are read and sent, or take it off."""
        at = self._at
        for output in outputs:
            home = at[self.graph.owners[output]]
            others = {at[reader] for reader in self.graph.readers[output]} - {home}
            for slot in others:
                self._loads[slot][1] += sign * int(self._options[slot].transfers[output])
            if others:
                self._loads[home][2] += sign * int(self._options[home].transfers[output])
