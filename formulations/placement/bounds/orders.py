"""Sites that lie on a line or on a ring, recognised by their pair costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array


def line_of(costs: Array) -> tuple[list[int], list[int]] | None:
    """Return the sites in the order of a line, and the gaps between them, or None.

    On a line a pair costs the difference of two coordinates. Then a site farthest from any one is an end.
    """
    end = int(np.argmax(costs[0]))
    order = np.argsort(costs[end], kind="stable")
    at = costs[end][order]
    if (costs[np.ix_(order, order)] != abs(at[:, None] - at[None, :])).any():
        return None
    return [int(site) for site in order], [int(gap) for gap in np.diff(at)]


def ring_of(costs: Array) -> tuple[list[int], int] | None:
    """Return the sites in the order of a ring with equal links, and what a link costs, or None."""
    count = len(costs)
    if count < 2:
        return None
    link = int(costs[0][1:].min())
    order = [0]
    while len(order) < count:
        near = [int(site) for site in np.flatnonzero(costs[order[-1]] == link) if site not in order]
        if not near:
            return None
        order.append(near[0])
    away = abs(np.arange(count)[:, None] - np.arange(count)[None, :])
    around = np.minimum(away, count - away).astype(costs.dtype) * link
    return (order, link) if (costs[np.ix_(order, order)] == around).all() else None
