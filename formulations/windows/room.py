"""The loops over memory: what a window's new values use more, where that is too much, and what a row's price adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

if TYPE_CHECKING:
    from formulations.windows.layout import Layout
    from hypar_opt.costgraph import Array


@njit(cache=True, nogil=True)
def step(layout: Layout, members: Array, choices: Array, found: Array, steps: Array) -> tuple[int, int]:
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
def fullest(layout: Layout, used: Array, steps: Array, first: int, last: int) -> tuple[int, int]:
    """Return the row that would be over its room by most, and what it would use more; (-1, 0) where none is."""
    row, extra, most, more = -1, 0, 0, 0
    for each in range(first, last):
        more += steps[each]
        over = used[each] + more - layout.room[each]
        if over > most:
            row, extra, most = each, more, over
    return row, extra


@njit(cache=True, nogil=True)
def charge(layout: Layout, costs: Array, members: Array, row: int, price: float) -> None:
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
