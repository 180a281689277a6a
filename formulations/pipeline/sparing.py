"""Which groups of a stage compute their activations anew: the least time more that spares enough memory.

A knapsack with several choices an item, solved exactly: items that spare equally are taken by time, so that they are
one item of which the first so many are taken; sums that others are no worse than are left out, and those that cannot
come below the limit where all that is left spares at the best rate.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.costgraph.pipeline import StageOption

Chosen: TypeAlias = "tuple[Chosen, Sequence[tuple[int, int]]] | None"
"""What was taken before, and the items taken last with their choices."""


@dataclass(frozen=True)
class Spared:
    """One choice of an item.

    Parameters
    ----------
    time, saved
        What it takes more and keeps less, whole numbers; it keeps less of something.
    number
        Which choice it is.
    """

    time: int
    saved: int
    number: int = 1


@dataclass(frozen=True)
class _Taking:
    """So much of a group of items: what it takes more, keeps less, and what is taken."""

    time: int
    saved: int
    taken: tuple[tuple[int, int], ...] = ()


def spared(option: StageOption, group: int, count: int) -> list[Spared]:
    """Return what further ways of a group take more and keep less, with so many microbatches in flight."""
    plain = option.way(group, 0)
    return [
        Spared(way.time - plain.time, plain.kept(count) - way.kept(count), number)
        for number, way in enumerate(option.ways.get(group, ()), start=1)
    ]


def least_sparing(
    items: Mapping[int, Sequence[Spared]], needed: int, most: int | None = None
) -> tuple[int, dict[int, int]] | None:
    """Return the least time more that spares as much as is needed, and what is chosen of which items.

    Parameters
    ----------
    items
        By item its choices, of which one is taken or none.
    needed
        What all together have to keep less.
    most
        Times above this are of no use; None where all are.

    Returns
    -------
        None where there is none.
    """
    if needed <= 0:
        return 0, {}
    parts = sorted(_parts(items), key=lambda part: _rate(part[1:]))
    rates = [_rate(part[1:]) for part in parts]
    rest = [0, *accumulate(max(step.saved for step in part) for part in reversed(parts))][::-1]
    if rest[0] < needed:
        return None
    limit = _soon(parts, needed)
    if most is not None:
        limit = min(limit, most + 1)
    front: list[tuple[int, int, Chosen]] = [(0, 0, None)]
    for place, part in enumerate(parts):
        following = rates[place + 1] if place + 1 < len(parts) else None
        found = [
            (time, min(saved + step.saved, needed), (chosen, step.taken) if step.taken else chosen)
            for time_before, saved, chosen in front
            for step in part
            if (time := time_before + step.time) <= limit
        ]
        front = _undominated(found, needed, rest[place + 1], following, limit)
    enough = [(time, chosen) for time, saved, chosen in front if saved >= needed]
    if not enough:
        return None
    time, last = min(enough, key=lambda one: one[0])
    if most is not None and time > most:
        return None
    taken: dict[int, int] = {}
    while last is not None:
        last, own = last
        taken.update(own)
    return time, taken


def _parts(items: Mapping[int, Sequence[Spared]]) -> Iterable[list[_Taking]]:
    """Yield what there is to be taken, nothing first: of items that spare equally the first so many by time."""
    alike: dict[int, list[tuple[int, int, int]]] = {}
    for item, choices in items.items():
        useful = [one for one in choices if one.saved > 0]
        if len(useful) == 1:
            alike.setdefault(useful[0].saved, []).append((useful[0].time, item, useful[0].number))
        elif useful:
            yield [_Taking(0, 0), *(_Taking(one.time, one.saved, ((item, one.number),)) for one in useful)]
    for saved, own in alike.items():
        own.sort()
        steps = [_Taking(0, 0)]
        for time, item, number in own:
            steps.append(_Taking(steps[-1].time + time, steps[-1].saved + saved, (*steps[-1].taken, (item, number))))
        yield steps


def _rate(steps: Sequence[_Taking]) -> float:
    """Return the least time a byte, a little below where it is rounded."""
    return min(step.time / step.saved for step in steps) * (1 - 1e-12)


def _soon(parts: Sequence[Sequence[_Taking]], needed: int) -> int:
    """Return the time of taking all of one part after the other, of the last one no more than is needed."""
    time = saved = 0
    for part in parts:
        enough = [step.time for step in part if saved + step.saved >= needed]
        if enough:
            return time + min(enough)
        whole = max(part, key=lambda step: step.saved)
        time, saved = time + whole.time, saved + whole.saved
    return time


def _undominated(
    found: list[tuple[int, int, Chosen]], needed: int, rest: int, rate: float | None, limit: int
) -> list[tuple[int, int, Chosen]]:
    """Return sums from which the rest can spare what is needed in time, without those that others are as good as."""
    front: list[tuple[int, int, Chosen]] = []
    best = -1
    for one in sorted(found, key=lambda each: (each[0], -each[1])):
        time, saved, _ = one
        left = needed - saved
        if saved <= best or left > rest:
            continue
        if left > 0 and rate is not None and time + left * rate > limit:
            continue
        front.append(one)
        best = saved
    return front
