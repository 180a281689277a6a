"""Buffers of blocks that are alike: followed in the first of them, and shifted to the moments of the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.buffers import buffers_of
from hypar_opt.evaluation.operators.likeness import Likeness
from hypar_opt.evaluation.operators.timeline import Timeline, Use

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.operators.timeline import Buffer

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
        shifts: dict[str, list[tuple[int, int]]] = {}
        for name, first in Likeness.of(graph, self.timeline.plan).tensors.items():
            shift = (0, 0) if name == first else self._shift(first, name)
            whose, shift = (name, (0, 0)) if shift is None else (first, shift)
            shifts.setdefault(whose, []).append(shift)
        for name, others in shifts.items():
            for one in buffers_of(graph.tensors[name], self.timeline, self.states):
                if one.use in ALL_ALONG:
                    spans = [(one.first, one.last)] * len(others)
                else:
                    begin, end = int(one.first >= turn), int(one.last >= turn)
                    spans = [(one.first + shift[begin], one.last + shift[end]) for shift in others]
                yield AlikeBuffers(one, spans)

    def _shift(self, first: str, name: str) -> tuple[int, int] | None:
        """Return by how many moments a tensor is later, and earlier as a negative number when it is read again."""
        found: set[tuple[int, int]] = set()
        for one, other in zip(self._touched(first), self._touched(name), strict=True):
            back = self._backward[other] - self._backward[one]
            found.add((other - one, back))
            again, likewise = self._again[one], self._again[other]
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

    @cached_property
    def _backward(self) -> list[int]:
        return [self.timeline.backward(one) for one in self.timeline.graph.operators]

    @cached_property
    def _again(self) -> list[int | None]:
        return [self.timeline.again(one) for one in self.timeline.graph.operators]
