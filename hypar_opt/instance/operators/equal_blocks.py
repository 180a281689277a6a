"""Blocks that are alike with all that is around them: what one of them costs, each of the others does, further on.

Blocks that are repeated differ in names. What their operators decide and cost depends on who else reads what they read
and write, too: at the ends of a run, and where something beside the run reads a block, that is another thing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.instance.operators.graph import OperatorGraph


@dataclass(frozen=True)
class Piece:
    """Operators that follow one another.

    Parameters
    ----------
    start, stop
        The first of them, and the one behind the last.
    like
        The first operator of the block of which they are a copy; None of a single operator that is none.
    """

    start: int
    stop: int
    like: int | None = None


@dataclass(frozen=True, eq=False)
class EqualBlocks:
    """The blocks of a graph that are copies of another.

    Parameters
    ----------
    graph
        Whose; none are looked for where `sought` is not set.
    sought
        Whether nothing but the graph tells blocks apart, as words that are given for one of them would.
    """

    graph: OperatorGraph
    sought: bool = True

    @cached_property
    def copies(self) -> Mapping[int, int]:
        """By the first operator of a copy, that of the block of which it is one; the blocks behind both are equal, too.

        So what a copy writes is read as what the other block writes, by operators that are alike in all respects.
        """
        found: dict[int, int] = {}
        odd = self._odd if self.sought else {}
        for number, repeat in enumerate(self.graph.repeats if self.sought else ()):
            equal = {block for block in range(1, repeat.times - 1) if block not in odd[number]}
            starts = [repeat.first + block * repeat.length for block in sorted(equal) if block + 1 in equal]
            found.update(dict.fromkeys(starts[1:], starts[0]) if starts else {})
        return found

    @cached_property
    def lengths(self) -> Mapping[int, int]:
        """By the first operator of a block that is repeated, how many it has."""
        return {
            repeat.first + block * repeat.length: repeat.length
            for repeat in self.graph.repeats
            for block in range(repeat.times)
        }

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """All operators in order: copies of blocks, and what is none one by one."""
        found: list[Piece] = []
        number, count = 0, len(self.graph.operators)
        while number < count:
            like = self.copies.get(number)
            stop = number + (1 if like is None else self.lengths[number])
            found.append(Piece(number, stop, like))
            number = stop
        return found

    @cached_property
    def _odd(self) -> Mapping[int, set[int]]:
        """By run of blocks, the numbers of those that something reads which does not read all of them alike.

        What blocks read alike of others is found out of the second; of the first it can be another thing.
        """
        run, found = self._runs, defaultdict[int, set[int]](set)
        seen: set[str] = set()
        for number in self._looked_at():
            for name in (one.tensor for one in self.graph.operators[number].operands):
                if name not in seen:
                    seen.add(name)
                    for where, blocks in self._touching(name, run).items():
                        found[where] |= blocks
        return found

    @cached_property
    def _runs(self) -> Sequence[int]:
        """By operator, in which run of blocks it is; -1 in none."""
        found = [-1] * len(self.graph.operators)
        for number, repeat in enumerate(self.graph.repeats):
            count = repeat.length * repeat.times
            found[repeat.first : repeat.first + count] = [number] * count
        return found

    def _looked_at(self) -> Iterator[int]:
        """Yield the operators beside the runs, and of each run those of the first two blocks."""
        yield from (number for number, run in enumerate(self._runs) if run < 0)
        for repeat in self.graph.repeats:
            yield from range(repeat.first, repeat.first + repeat.length * min(repeat.times, 2))

    def _touching(self, name: str, run: Sequence[int]) -> Mapping[int, set[int]]:
        """Return by run the blocks that write or read a tensor, if they are few, and not what it is for each of them.

        In one run it is what a block writes for itself and the next one, or has for itself alone.
        """
        graph, found = self.graph, defaultdict[int, set[int]](set)
        readers = [number for number, _ in graph.readers[name]]
        writer = graph.writers.get(name)
        touching = readers if writer is None else [writer, *readers]
        for number in touching:
            if run[number] >= 0:
                repeat = graph.repeats[run[number]]
                found[run[number]].add((number - repeat.first) // repeat.length)
        if len(found) == 1 and all(run[number] >= 0 for number in touching):
            (blocks,) = found.values()
            if max(blocks) - min(blocks) <= (writer is not None):
                return {}
        return {number: blocks for number, blocks in found.items() if len(blocks) < graph.repeats[number].times - 1}
