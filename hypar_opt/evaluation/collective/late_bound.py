"""What comes into an accelerator late, or has to be out of it early, counted by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from hypar_opt.util.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.evaluation.collective.links import LinkUse

    Ways = Mapping[int, Mapping[int, int | Fraction]]


class LateBound(NamedTuple):
    """A number that no schedule's objective is below, and why."""

    value: Fraction
    text: str


def late_bounds(use: LinkUse, ways: Ways) -> Iterator[LateBound]:
    """Yield what follows of the chunks that have to get into an accelerator, or out of it, from so far away or more.

    A message with what comes from r away ends at r at the earliest; of several, one on a link after the other, the last
    does so much later. Out of an accelerator the same holds backwards.

    Parameters
    ----------
    ways
        By source of a chunk, how far all nodes are: sends, or in time seconds.
    """
    machine = use.instance.machine
    for out in (False, True):
        for node, far in _far(use, ways, out=out).items():
            links = [hop for hop in use.messages if hop[0 if out else 1] == node]
            for way in far:
                count = sum(chunks for other, chunks in far.items() if other >= way)
                value = way + _later(use, links, count)
                name = machine.names[node]
                there = f"out of {name} to somewhere" if out else f"into {name} from somewhere"
                away = f"{way} {'s' if use.instance.goal == 'time' else 'sends'} away"
                text = f"{count:,} chunks have to get {there} {away}, by {counted(len(links), 'link')}"
                yield LateBound(Fraction(value), text)


def _far(use: LinkUse, ways: Ways, *, out: bool) -> Mapping[int, Counter[int | Fraction]]:
    """Return by accelerator how many chunks have to get into or out of it, by the longest of their ways."""
    found: dict[int, Counter[int | Fraction]] = {}
    alike = Counter((chunk.sources, chunk.targets) for chunk in use.instance.chunks)
    for (sources, targets), count in alike.items():
        for node in sources if out else targets:
            others = [ways[node][target] for target in targets] if out else [ways[source][node] for source in sources]
            if max(others) > 0:
                found.setdefault(node, Counter())[max(others)] += count
    return found


def _later(use: LinkUse, links: list[tuple[int, int]], count: int) -> int | Fraction:
    """Return how long after the first end of so many messages on some links the last end is at the earliest."""
    if use.instance.goal != "time":
        return ceil(Fraction(count, sum(use.messages[hop] for hop in links))) - 1
    # joined chunks share a latency, which is in the way of the first one
    joined = use.instance.messages == "joined"
    each = [use.transfer(hop) + (0 if joined else use.latency(hop)) for hop in links]
    # each link ends one at once; the others end at multiples of what the links take
    later = Fraction(max(0, count - len(each)), 1) / sum(1 / one for one in each)
    while sum(later // one + 1 for one in each) < count:
        later = min((later // one + 1) * one for one in each)
    return max(later // one * one for one in each)
