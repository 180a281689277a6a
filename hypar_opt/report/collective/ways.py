"""The ways of chunks through the array: of a schedule what is sent when, of trees with shares which branch is which."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from hypar_opt.report.collective.homes import home_of
from hypar_opt.report.numbers import in_si

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.evaluation.collective.packing import JudgedPacking
    from hypar_opt.instance.collective import Branch, CollectiveInstance, Send

MOST_HOPS: Final = 6_000
"""Links on the ways that a picture offers."""


class WayHop(NamedTuple):
    """A link on a chunk's way.

    Parameters
    ----------
    hop
        From, and to.
    when
        A step, seconds, or how many branches there are before it.
    text
        The same in words.
    adds
        Whether what arrives is added to what is there.
    """

    hop: tuple[int, int]
    when: float
    text: str
    adds: bool


class ChunkWay(NamedTuple):
    """All ways of a chunk, or those of one of its trees.

    Parameters
    ----------
    label
        Which chunk and tree.
    home
        Position of the accelerator that the chunk belongs to.
    hops
        In the order of time.
    """

    label: str
    home: int
    hops: tuple[WayHop, ...]


@dataclass(frozen=True)
class WaysShown:
    """What a picture offers.

    Parameters
    ----------
    instance
        Whose array it is.
    ways
        That can be chosen.
    count
        How many there are.
    of
        What these are: chunks, or trees.
    when
        What colours say: `in step`, `arrives at` or `branch`.
    """

    instance: CollectiveInstance
    ways: tuple[ChunkWay, ...]
    count: int
    of: str
    when: str

    @property
    def is_timed(self) -> bool:
        """Whether colours are seconds."""
        return self.when == "arrives at"


def ways_of_schedule(judged: JudgedCollective) -> WaysShown:
    """Return the sends of as many chunks as a picture can offer."""
    instance, timed = judged.instance, judged.steps is None
    found: list[list[Send]] = [[] for _ in instance.chunks]
    for one in sorted(judged.schedule.sends, key=lambda one: (one.begin, one)):
        found[one.chunk].append(one)

    def hops(sends: Sequence[Send]) -> Iterator[WayHop]:
        for one in sends:
            if timed:
                text = f"from {in_si(float(one.begin), 's')} to {in_si(float(one.end), 's')}"
            else:
                text = f"in step {one.end}"
            yield from (WayHop(hop, float(one.end), text, one.adds) for hop in pairwise(one.route))

    ways = (
        ChunkWay(f"chunk {chunk.name}", home_of(instance, number), tuple(hops(found[number])))
        for number, chunk in enumerate(instance.chunks)
    )
    return WaysShown(instance, _offered(ways), len(found), "chunk", "arrives at" if timed else "in step")


def ways_of_trees(judged: JudgedPacking) -> WaysShown:
    """Return as many trees with shares as a picture can offer."""
    instance, shares = judged.instance, judged.packing.shares
    counts: dict[int, int] = {}

    def ways() -> Iterator[ChunkWay]:
        for one in shares:
            counts[one.chunk] = counts.get(one.chunk, 0) + 1
            label = f"chunk {instance.chunks[one.chunk].name}, tree {counts[one.chunk]}: {one.share} of the chunk"
            yield ChunkWay(label, home_of(instance, one.chunk), tuple(_branches(one.branches)))

    return WaysShown(instance, _offered(ways()), len(shares), "tree", "branch")


def _offered(ways: Iterator[ChunkWay]) -> tuple[ChunkWay, ...]:
    found: list[ChunkWay] = []
    hops = 0
    for one in ways:
        hops += len(one.hops)
        if found and hops > MOST_HOPS:
            break
        found.append(one)
    return tuple(found)


def _branches(branches: Sequence[Branch]) -> Iterator[WayHop]:
    """Yield the links of a tree, numbered by how many branches lie before them; sums come first."""
    adding = {one.route[0]: one for one in branches if one.adds}
    number: dict[Branch, int] = {}
    for node in list(adding):
        below = 1
        while node in adding and number.get(adding[node], 0) < below:
            number[adding[node]] = below
            node, below = adding[node].route[-1], below + 1
    begin = max(number.values(), default=0)
    coming = {one.route[-1]: one for one in branches if not one.adds}
    for one in coming.values():
        chain = [one]
        while chain[-1] not in number and chain[-1].route[0] in coming:
            chain.append(coming[chain[-1].route[0]])
        before = number[chain.pop()] if chain[-1] in number else begin
        for each in reversed(chain):
            before += 1
            number[each] = before
    for one in sorted(branches, key=lambda one: (number[one], one.route)):
        text = f"branch {number[one]}"
        yield from (WayHop(hop, float(number[one]), text, one.adds) for hop in pairwise(one.route))
