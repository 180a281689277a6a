"""Permutations of the sites that keep what every placement costs.

A level weighs a sum of pair costs, and as much as its busiest link is busy. A permutation keeps both for every
placement if it keeps every pair's cost, and if the links' loads (by pair of sites, how long their exchange keeps
a link busy) are, after it, the same set of tables: the busiest link is then the highest of the same numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.prices import link_times

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run

MOST_SITES = 64
"""Beyond it no automorphisms are looked for."""
MOST_STEPS = 20_000
"""Sites tried in the search for one automorphism; after them it counts as not found, which only costs symmetry."""


def lower_sites(graph: PlacementGraph, run: Run, fixed: tuple[int, ...] = ()) -> dict[int, tuple[int, ...]]:
    """Return an automorphism to a lower site, for the sites where one is found.

    Parameters
    ----------
    fixed
        Sites that the automorphisms keep where they are.

    Returns
    -------
    dict
        By site: the permutation, as the image of every site. Whatever is in it was checked in full.
    """
    found: dict[int, tuple[int, ...]] = {}
    if graph.sites > MOST_SITES:
        return found
    search = _Backtracking(graph)
    free = [site for site in range(graph.sites) if site not in fixed]
    for i, site in enumerate(free):
        for lower in free[:i]:
            if run.limits.over:
                return found
            if lower in found:
                continue
            image = search.image(fixed, site, lower)
            if image is not None:
                found[site] = image
                break
    return found


class _Backtracking:
    """Backtracking over the images of one site after the other."""

    def __init__(self, graph: PlacementGraph) -> None:
        self._sites = graph.sites
        self._loads = _load_matrices(graph)
        self._kinds = {load.tobytes() for load in self._loads}
        self._colours = _colours(graph, self._loads)
        self._steps = 0

    def _keeps(self, image: Sequence[int]) -> bool:
        at = np.ix_(image, image)
        if not np.array_equal(self._colours[at], self._colours):
            return False
        return {np.ascontiguousarray(load[at]).tobytes() for load in self._loads} == self._kinds

    def image(self, fixed: tuple[int, ...], site: int, target: int) -> tuple[int, ...] | None:
        """Return an automorphism that keeps the fixed sites and maps one site to another."""
        self._steps = 0
        order = [*fixed, site]
        order += [other for other in range(self._sites) if other not in order]
        images = [*fixed, target]
        if not all(self._fits(order, images[:i], images[i]) for i in range(len(images))):
            return None
        return next(self._extensions(order, images), None)

    def _extensions(self, order: Sequence[int], images: list[int]) -> Iterator[tuple[int, ...]]:
        if len(images) == self._sites:
            image = tuple(images[order.index(site)] for site in range(self._sites))
            if self._keeps(image):
                yield image
            return
        for target in range(self._sites):
            self._steps += 1
            if self._steps > MOST_STEPS:
                return
            if target not in images and self._fits(order, images, target):
                yield from self._extensions(order, [*images, target])

    def _fits(self, order: Sequence[int], images: Sequence[int], target: int) -> bool:
        """Return whether the next site of the order can go to a target, given those before it."""
        site = order[len(images)]
        before = list(order[: len(images)])
        ours, theirs = self._colours[site], self._colours[target]
        return bool(ours[site] == theirs[target]) and np.array_equal(ours[before], theirs[list(images)])


def _load_matrices(graph: PlacementGraph) -> list[Array]:
    """Return for every link how long an exchange of two sites keeps it busy; shape (sites, sites)."""
    if graph.usage is None:
        return []
    loads = np.moveaxis(link_times(graph.usage, graph.sites, graph.usage.costs.dtype), 2, 0)
    # only which times are equal matters, and small numbers compare by their bytes
    return list(np.unique(loads, return_inverse=True)[1].reshape(loads.shape))


def _colours(graph: PlacementGraph, loads: Sequence[Array]) -> Array:
    """Return a number for every two sites: equal for equal costs, and for links kept busy equally long."""
    numbers: dict[tuple[object, ...], int] = {}
    colours = np.zeros((graph.sites, graph.sites), dtype=np.int64)
    for u in range(graph.sites):
        for v in range(graph.sites):
            # a site's exchange with itself never happens, so that it tells nothing apart
            traits = () if u == v else (int(graph.pair_costs[u, v]), *sorted(int(load[u, v]) for load in loads))
            colours[u, v] = numbers.setdefault(traits, len(numbers))
    return colours
