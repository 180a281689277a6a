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
        Whose, and the slot and way of every group.
    """

    def __init__(self, graph: StageGraph, choices: tuple[int, ...]) -> None:
        self.graph = graph
        self._at = graph.slots_of(choices)
        self._choices = list(choices)
        self._options = [graph.options[slot.option] for slot in graph.slots]
        self._near: list[list[int]] = [[] for _ in choices]  # outputs that a group makes or reads
        for output, owner in enumerate(graph.owners.tolist()):
            for group in (owner, *graph.readers[output]):
                self._near[group].append(output)
        self._loads = [[0, 0, 0] for _ in graph.slots]  # computing, reading, sending
        for group, choice in enumerate(choices):
            self._loads[self._at[group]][0] += graph.way_of(group, choice).time
        self._transfer(range(len(graph.owners)), 1)

    @property
    def choices(self) -> tuple[int, ...]:
        """The slot and way of every group."""
        return tuple(self._choices)

    def best(self) -> tuple[int, int] | None:
        """Return the group and choice of the best move that is allowed; None where none gains."""
        now = self._value()
        gaining = sorted((value, move) for move in self._moves() if (value := self._tried(*move)) < now)
        return next((move for _, move in gaining if self._allowed(*move)), None)

    def make(self, group: int, choice: int) -> None:
        """Put a group into a slot, to be done there in a way."""
        self._transfer(self._near[group], -1)
        for one, sign in ((self._choices[group], -1), (choice, 1)):
            self._loads[one % len(self._loads)][0] += sign * self.graph.way_of(group, one).time
        self._choices[group], self._at[group] = choice, choice % len(self._loads)
        self._transfer(self._near[group], 1)

    def _moves(self) -> Iterator[tuple[int, int]]:
        """Yield groups with choices that are not theirs; of slots that are empty and alike those of the first."""
        held = Counter(self._at)
        free: dict[int, int] = {}
        for place, one in enumerate(self.graph.slots):
            if not held[place]:
                free.setdefault(one.option, place)
        for group, home in enumerate(self._choices):
            for slot in (*held, *free.values()):
                if self._options[slot].allowed[group]:
                    several = range(1 + len(self._options[slot].ways.get(group, ())))
                    choices = (slot + number * len(self._loads) for number in several)
                    yield from ((group, choice) for choice in choices if choice != home)

    def _tried(self, group: int, choice: int) -> int:
        home = self._choices[group]
        self.make(group, choice)
        value = self._value()
        self.make(group, home)
        return value

    def _allowed(self, group: int, choice: int) -> bool:
        changed = self.choices
        return self.graph.feasible((*changed[:group], choice, *changed[group + 1 :]))

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
                self._loads[home][2] += sign * int(self._options[home].sending[output])
