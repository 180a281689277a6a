"""Buffers of blocks that are alike: followed in the first of them, and shifted to the moments of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.evaluation.operators.buffers import buffers_of
from hypar_opt.evaluation.operators.likeness import Likeness
from hypar_opt.evaluation.operators.timeline import Timeline, Use

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.evaluation.operators.timeline import Buffer

Shift: TypeAlias = tuple[int, int]
"""By how many moments later, and in the backward phase; there it is a negative number."""
NOT_LATER: Final[Shift] = (0, 0)
ALL_ALONG: Final[tuple[Use, ...]] = ("parameters", "gradients", "states")
"""What is there during all of a step."""


@dataclass(frozen=True)
class AlikeBuffers:
    """A buffer, and how many others are like it but for their moments.

    Parameters
    ----------
    buffer
        Of the first tensor of its like.
    spans
        First and last moments of this one and of the others.
    """

    buffer: Buffer
    spans: Sequence[tuple[int, int]]


@dataclass(frozen=True)
class ShiftedBuffers:
    """Everything that is in a device's memory during a step; of tensors that are alike one is followed.

    What writes or reads a tensor of a block writes and reads its like in another block, so many operators later and in
    the backward phase so many moments earlier. Where these are not the same for all of them, each tensor is followed.

    Parameters
    ----------
    timeline
        Of which plan.
    states
        Numbers that the optimiser has for each one trained.
    """

    timeline: Timeline
    states: int

    def __iter__(self) -> Iterator[AlikeBuffers]:
        graph, turn = self.timeline.graph, len(self.timeline.graph.operators)
        alike, shifts = Likeness.of(graph, self.timeline.plan), dict[str, list[Shift]]()
        steps = self._steps(alike)
        for name, first in alike.first_tensors.items():
            found = NOT_LATER if name == first else self._shift(first, name)
            whose, (later, earlier) = (name, NOT_LATER) if found is None else (first, found)
            there = shifts.setdefault(whose, [])
            (more, less), times = steps.get(name, (NOT_LATER, 1))
            there += [(later + number * more, earlier + number * less) for number in range(times)]
        for name, others in shifts.items():
            for one in buffers_of(graph.tensors[name], self.timeline, self.states):
                if one.use in ALL_ALONG:
                    spans = [(one.first, one.last)] * len(others)
                else:
                    begin, end = int(one.first >= turn), int(one.last >= turn)
                    spans = [(one.first + shift[begin], one.last + shift[end]) for shift in others]
                yield AlikeBuffers(one, spans)

    def _steps(self, alike: Likeness) -> Mapping[str, tuple[Shift, int]]:
        """Return by tensor of the first block of a stretch the shift to the next block, and how many blocks there are.

        The blocks are treated alike, so that each has as many moments as the others, and the shift is the same for all.
        """
        found: dict[str, tuple[Shift, int]] = {}
        for one in alike.stretches:
            if one.times > 1:
                mine, its = (alike.names(one, start)[one.length :] for start in (one.first, one.further[0]))
                for name, other in zip(mine, its, strict=True):
                    shift = self._shift(name, other)
                    assert shift is not None  # what is equal is read and written by the same, so many operators later
                    found[name] = shift, one.times
        return found

    def _shift(self, first: str, name: str) -> Shift | None:
        """Return by how many moments a tensor is later, and earlier as a negative number when it is read again."""
        found: set[Shift] = set()
        time, operators = self.timeline, self.timeline.graph.operators
        for one, other in zip(self._touched(first), self._touched(name), strict=True):
            back = time.backward(operators[other]) - time.backward(operators[one])
            found.add((other - one, back))
            again, likewise = time.again(operators[one]), time.again(operators[other])
            if again is not None and likewise is not None:
                found.add((other - one, likewise - again))
            elif again is not likewise:
                return None
        shift = found.pop()
        return None if found or shift[0] < 0 else shift

    def _touched(self, tensor: str) -> list[int]:
        """Return who writes it, if anybody does, and who reads it."""
        graph = self.timeline.graph
        readers = [number for number, _ in graph.readers[tensor]]
        return [graph.writers[tensor], *readers] if tensor in graph.writers else readers
