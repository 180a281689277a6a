"""Blocks of layers that are equal, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.importers.items import places
from hypar_opt.instance.operators.network_schema import BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from hypar_opt.importers.items import Item

LONGEST: Final = 1_000
"""Layers in a block."""


@dataclass(frozen=True)
class BlockRun:
    """Blocks that are equal.

    Parameters
    ----------
    start, length, times
        The first layer of the first, layers in each, and how many there are.
    entry
        What the first of them reads where the others read the one before.
    """

    start: int
    length: int
    times: int
    entry: str

    @property
    def saved(self) -> int:
        """How many layers need not be written."""
        return self.length * (self.times - 1)

    @property
    def stop(self) -> int:
        """The layer behind the last."""
        return self.start + self.length * self.times


def runs_of(items: Sequence[Item]) -> list[BlockRun]:
    """Return rows of equal blocks, of each row the best that begin at any of its layers."""
    finder = _Finder(items)
    found: list[BlockRun] = []
    for length in range(1, min(LONGEST, len(items) // 2) + 1):
        # two blocks together are equal where each is
        shorter = [run for run in found if length % run.length == 0]
        found += finder.of_length(length, shorter)
    return found


class _Finder:
    """Layers as numbers: what they are, and how far before them lies what they read."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        index = {one.name: i for i, one in enumerate(items)}
        outside: dict[str, int] = {}
        self.reads: list[list[int]] = []
        forms: dict[object, int] = {}
        self.last_reader = np.full(len(items), -1)
        found = []
        for number, one in enumerate(items):
            mine = list(places(index, one))
            for _, place, _ in mine:
                if place is not None:
                    self.last_reader[place] = number
            key = (one.form, tuple(part for _, _, part in mine))
            found.append(forms.setdefault(key, len(forms)))
            self.reads.append(
                [-1 - outside.setdefault(name, len(outside)) if at is None else at for name, at, _ in mine]
            )
        self.forms = np.array(found)
        self.names = {-1 - number: name for name, number in outside.items()}
        widest = max(map(len, self.reads), default=0)
        self.slots = np.full((len(items), max(widest, 1)), -(10**9))
        for number, mine_ in enumerate(self.reads):
            self.slots[number, : len(mine_)] = mine_

    def of_length(self, length: int, shorter: Sequence[BlockRun] = ()) -> Iterator[BlockRun]:
        """Yield runs of blocks of so many layers, but within those of shorter blocks that say the same."""
        same = self.forms[length:] == self.forms[:-length]
        if not same.any():
            return
        ahead, back = self.slots[length:], self.slots[:-length]
        same &= ((ahead - back == length) | (ahead == back)).all(axis=1)
        for start, stop in _stretches(same):
            is_said = any(run.start <= start + run.length and stop + length - run.length <= run.stop for run in shorter)
            if stop - start >= length and not is_said:
                yield from self._within(start, stop + length, length)

    def _within(self, start: int, stop: int, length: int) -> Iterator[BlockRun]:
        """Yield the blocks of a stretch of layers that repeats, by where they begin.

        The block before it belongs to it if it reads something else where the others read the block before them.
        """
        for first in range(start, min(start + length, stop - 2 * length + 1)):
            for begin in (first - length, first) if first == start or first - length >= 0 else (first,):
                if begin < 0:
                    continue
                times = (stop - begin) // length
                found = next(filter(None, (self._run(begin, length, n) for n in (times, times - 1))), None)
                if found is not None:
                    yield found
                    break

    def _run(self, start: int, length: int, times: int) -> BlockRun | None:
        """Return blocks if `repeat` says them, else None."""
        if times < 2 or not self._is_closed(start, length, times):
            return None
        if "split" in (self.items[start + length - 1].kind, *([self.items[start - 1].kind] if start else [])):
            return None  # whose parts are read, and no block has parts
        entries = set[int]()
        for number in range(length):
            for block in range(times - 1):
                at = start + block * length + number
                if self.forms[at] != self.forms[at + length] or len(self.reads[at]) != len(self.reads[at + length]):
                    return None
                begin = start + (block + 1) * length
                inputs = len(self.items[at].inputs)
                for place, (mine, theirs) in enumerate(zip(self.reads[at], self.reads[at + length], strict=True)):
                    if theirs == begin - 1 and place >= inputs:
                        return None  # a block's output is no layer whose parameters could be shared
                    if theirs == begin - 1 and (block or mine < start):
                        if block and mine != begin - 1 - length:
                            return None
                        if not block:
                            entries.add(mine)
                    elif theirs >= begin:
                        if theirs - mine != length:
                            return None
                    elif theirs != mine or theirs >= start or self.names.get(mine) == BLOCK:
                        return None  # within a block its own input hides that of the block around it
        if len(entries) != 1:
            return None
        entry = entries.pop()
        if entry >= 0 and self.items[entry].kind == "split":
            return None
        return BlockRun(start, length, times, self.items[entry].name if entry >= 0 else self.names[entry])

    def _is_closed(self, start: int, length: int, times: int) -> bool:
        """Return whether what stands behind reads the last layer of the last block alone."""
        stop = start + length * times
        inside: NDArray[np.int64] = self.last_reader[start : stop - 1]
        return bool((inside < stop).all())


def _stretches(same: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield where a row of layers begins that are all so, and the place behind it."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], same.view(np.int8), [0]))))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
