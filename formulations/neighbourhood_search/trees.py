"""The loops over trees: which variables a window has, and their best values while all others stay.

What could be said of slices, or with a set, is said of numbers: either takes seconds to compile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from formulations.neighbourhood_search.layout import TableLayout
    from hypar_opt.costgraph import Array

OUTSIDE, WAITS = -1, -2
"""The place of a variable that a window has not; and while it grows, of one that it may get."""


@njit(cache=True, nogil=True)
def grow(
    layout: TableLayout,
    root: int,
    most: int,
    broad: bool,
    noise: np.random.Generator,
    members: Array,
    hangs: Array,
    place: Array,
) -> int:
    """Grow a tree from a root; a variable that would close a cycle stays out.

    Parameters
    ----------
    most
        How many variables it may have.
    broad
        Breadth first, neighbours in random order; otherwise whichever variable waits.
    members, hangs
        Set to its variables, each after the one that it hangs on, and to the arc to that one (-1: the root).
    place
        Of every variable in `members`; -1 for all at first, and where it is not in it.

    Returns
    -------
    size
        How many variables it has.
    """
    waiting = [root]
    place[root] = WAITS
    size = turn = 0
    while turn < len(waiting) and size < most:
        if not broad:
            _swap(waiting, turn, turn + int(noise.random() * (len(waiting) - turn)))
        one = waiting[turn]
        turn += 1
        inside = 0
        arc = -1
        for each in range(layout.arcs[one], layout.arcs[one + 1]):
            if place[layout.others[each]] >= 0:
                inside += 1
                arc = each
        if inside > 1:
            continue
        members[size], hangs[size], place[one] = one, arc, size
        size += 1
        begin = len(waiting)
        for each in range(layout.arcs[one], layout.arcs[one + 1]):
            other = layout.others[each]
            if place[other] == OUTSIDE:
                place[other] = WAITS
                waiting.append(other)
                _swap(waiting, len(waiting) - 1, begin + int(noise.random() * (len(waiting) - begin)))
    for one in waiting:
        if place[one] == WAITS:
            place[one] = OUTSIDE
    return size


@njit(cache=True, nogil=True)
def _swap(waiting: list[int], one: int, other: int) -> None:
    waiting[one], waiting[other] = waiting[other], waiting[one]


@njit(cache=True, nogil=True)
def settle(
    layout: TableLayout,
    costs: Array,
    members: Array,
    hangs: Array,
    place: Array,
    choices: Array,
    total: Array,
    found: Array,
) -> None:
    """Find the values of a forest's variables that are best together while all others keep theirs.

    From the leaves up: total_p(b) += min over a of [ total_v(a) + cost_vp(a, b) ]; then down again, by the value above.

    Parameters
    ----------
    costs
        What every value costs.
    members, hangs, place
        The forest: its variables, each after the one that it hangs on, the arcs to those (-1: a root), and where in
        `members` each variable of the graph is (-1: it is not).
    total
        Work space, shaped as `costs`; the same array if those are not needed any more.
    found
        Set to the values, in the order of the members.
    """
    for one in members:
        _start(layout, costs, one, place, choices, total)
    least = np.empty(len(total))
    for k in range(len(members) - 1, -1, -1):
        one, arc = members[k], hangs[k]
        if arc < 0:
            continue
        above = layout.others[arc]
        width = layout.starts[above + 1] - layout.starts[above]
        for b in range(width):
            least[b] = np.inf
        at = layout.mine[arc]
        for a in range(layout.starts[one], layout.starts[one + 1]):
            for b in range(width):
                cost = total[a] + layout.pairs[at + b]
                least[b] = cost if cost < least[b] else least[b]
            at += width
        for b in range(width):
            total[layout.starts[above] + b] += least[b]
    for k in range(len(members)):
        one, arc = members[k], hangs[k]
        own = total[layout.starts[one] : layout.starts[one + 1]]
        if arc >= 0:
            at = layout.theirs[arc] + found[place[layout.others[arc]]] * len(own)
            for a in range(len(own)):
                own[a] += layout.pairs[at + a]
        found[k] = np.argmin(own)


@njit(cache=True, nogil=True)
def _start(layout: TableLayout, costs: Array, one: int, place: Array, choices: Array, total: Array) -> None:
    """Set what a variable's values cost by themselves and with the neighbours outside the tree."""
    start, end = layout.starts[one], layout.starts[one + 1]
    for at in range(start, end):
        total[at] = costs[at]
    for arc in range(layout.arcs[one], layout.arcs[one + 1]):
        other = layout.others[arc]
        if place[other] < 0:
            at = layout.theirs[arc] + choices[other] * (end - start)
            for a in range(end - start):
                total[start + a] += layout.pairs[at + a]


@njit(cache=True, nogil=True)
def change(layout: TableLayout, costs: Array, members: Array, place: Array, choices: Array, found: Array) -> float:
    """Return by how much the cost of an assignment changes if a forest's variables take the values found."""
    total = 0.0
    for k in range(len(members)):
        one, old, new = members[k], choices[members[k]], found[k]
        if old == new:
            continue
        total += costs[layout.starts[one] + new] - costs[layout.starts[one] + old]
        for arc in range(layout.arcs[one], layout.arcs[one + 1]):
            other = layout.others[arc]
            width = layout.starts[other + 1] - layout.starts[other]
            before = after = choices[other]
            if place[other] >= 0:
                after = found[place[other]]
                if after != before and place[other] < k:
                    continue  # both changed, and the edge was counted at its other end
            at = layout.mine[arc]
            total += layout.pairs[at + new * width + after] - layout.pairs[at + old * width + before]
    return total


@njit(cache=True, nogil=True)
def step(layout: TableLayout, members: Array, choices: Array, found: Array, steps: Array) -> tuple[int, int]:
    """Add to the steps from row to row what the values found use more than the old ones.

    Returns
    -------
    first, last
        The steps that may have changed are those of the rows [first, last].
    """
    first, last = len(steps), -1
    for k in range(len(members)):
        one, old, new = members[k], choices[members[k]], found[k]
        if old == new:
            continue
        for item in range(layout.items[one], layout.items[one + 1]):
            at = layout.usage_starts[item]
            more = layout.usages[at + new] - layout.usages[at + old]
            if more != 0:
                steps[layout.first[item]] += more
                steps[layout.last[item]] -= more
                first, last = min(first, layout.first[item]), max(last, layout.last[item])
    return first, last


@njit(cache=True, nogil=True)
def fullest(layout: TableLayout, used: Array, steps: Array, first: int, last: int) -> tuple[int, int]:
    """Return the row that would be over its room by most, and what it would use more; (-1, 0) where none is."""
    row, extra, most, more = -1, 0, 0, 0
    for each in range(first, last):
        more += steps[each]
        over = used[each] + more - layout.room[each]
        if over > most:
            row, extra, most = each, more, over
    return row, extra


@njit(cache=True, nogil=True)
def charge(layout: TableLayout, costs: Array, members: Array, row: int, price: float) -> None:
    """Add the price of a row's memory to what the values of a window's variables cost."""
    for one in members:
        for item in range(layout.items[one], layout.items[one + 1]):
            if layout.first[item] <= row < layout.last[item]:
                at, start = layout.usage_starts[item], layout.starts[one]
                for a in range(layout.starts[one + 1] - start):
                    costs[start + a] += price * layout.usages[at + a]


@njit(cache=True, nogil=True)
def take(members: Array, choices: Array, found: Array, used: Array, steps: Array, first: int, last: int) -> None:
    """Let a window's variables take the values found."""
    for k in range(len(members)):
        choices[members[k]] = found[k]
    more = 0
    for row in range(first, last):
        more += steps[row]
        used[row] += more
