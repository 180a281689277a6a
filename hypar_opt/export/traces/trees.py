"""Trees with shares as traces: every share is a chunk of its own, sent along its tree as soon as it is there."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from hypar_opt.export.traces.sends import chunk_sizes, sends_as_traces
from hypar_opt.instance.collective import Chunk, Send

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.export.traces.nodes import Trace
    from hypar_opt.instance.collective import CollectiveInstance, TreePacking, TreeShare


def packing_traces(instance: CollectiveInstance, packing: TreePacking) -> tuple[Trace, ...]:
    """Return by accelerator what it does; a share of less than a byte that rounds to none is not sent.

    Parameters
    ----------
    instance
        The collective.
    packing
        Valid trees.
    """
    sizes = chunk_sizes(instance)
    of_chunk: dict[int, list[TreeShare]] = {}
    for share in packing.shares:
        of_chunk.setdefault(share.chunk, []).append(share)
    chunks: list[Chunk] = []
    bytes_: list[int] = []
    sends: list[Send] = []
    for number, shares in of_chunk.items():
        whole, ends = instance.chunks[number], [Fraction(0), *accumulate(part.share for part in shares)]
        for place, (part, (begin, end)) in enumerate(zip(shares, pairwise(ends), strict=True), start=1):
            size = int(end * sizes[number]) - int(begin * sizes[number])
            if size:
                sends += _sends(len(chunks), part)
                chunks.append(Chunk(f"{whole.name}/{place}", whole.sources, whole.targets))
                bytes_.append(size)
    return sends_as_traces(instance.machine, chunks, bytes_, sends)


def _sends(chunk: int, share: TreeShare) -> Iterator[Send]:
    """Yield the branches of a tree as sends in steps, as early as can be if every link had room for all."""
    there: dict[int, int] = {}
    # sums come together before anything whole goes out; of either, whoever sends has received
    for adds in (True, False):
        left = [one for one in share.branches if one.adds is adds]
        while left:
            ends = {one.route[-1] for one in left}
            ready = [one for one in left if one.route[0] not in ends]
            for one in ready:
                begin = there.get(one.route[0], 0)
                yield Send(chunk, one.route, begin, begin + 1, adds)
            for one in ready:
                there[one.route[-1]] = max(there.get(one.route[-1], 0), there.get(one.route[0], 0) + 1)
            left = [one for one in left if one.route[0] in ends]
