"""How large an array the heuristics take."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.costgraph.placement import PlacementGraph

MOST_SITES = 1 << 12
"""Tables of all pairs of sites are kept."""


def too_many_sites(graph: PlacementGraph) -> str | None:
    """Return why not, with the alternative, or None."""
    if graph.sites <= MOST_SITES:
        return None
    return f"{graph.sites:,} sites, and it takes up to {MOST_SITES:,}; try identity"
