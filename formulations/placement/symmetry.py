"""Placements that cost the same, and which one of them the exact models keep.

Three kinds of moves leave a placement's cost as it is:

*Translations.* Renaming every leaf x to x XOR t maps the pairs of each level onto the pairs of the same level.
*Swaps of levels.* Two levels of equal volume can change their bits in every leaf's name: the pairs of
one become the pairs of the other, and as much is paid for each.
*Automorphisms.* A permutation of the sites that keeps all pair costs, and that maps the loads of every link onto the
loads of some link, keeps every level's weight.

A placement's *key* is the site of leaf 0, then the sites of its neighbours, level by level, root first. Among the
placements that these moves make of one another, one has the first key in lexicographic order. Of it hold all at once:

* leaf 0 has the lowest site of all (else a translation brings a lower one to leaf 0), so it has site 0 if every
  site has a leaf;
* the site of leaf 0 is the lowest of its orbit under the automorphisms (else one lowers it);
* of two levels of equal volume, the first has the lower neighbour of leaf 0 (else their swap lowers the first entry
  in which the keys differ);
* if leaf 0 always has site 0, the first level's neighbour has the lowest site of its orbit under the automorphisms
  that keep site 0 (else one of those lowers the key's second entry and keeps its first).

Each condition is implied by the key being first, so that keeping only placements with all of them loses no optimum.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from formulations.placement.automorphisms import lower_sites
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True, eq=False)
class Symmetry:
    """What the placement with the first key keeps to.

    Parameters
    ----------
    graph
        The problem.
    values
        By leaf: the sites that it may stand on.
    translated
        Whether leaf 0 has the lowest site of all.
    swapped
        Neighbours of leaf 0 at two levels of equal volume, the first of which has the lower site.
    lowering
        By leaf, for sites that it does without: an automorphism to a lower site, as the image of every site.
    """

    graph: PlacementGraph
    values: tuple[tuple[int, ...], ...]
    translated: bool = False
    swapped: tuple[tuple[int, int], ...] = ()
    lowering: Mapping[int, Mapping[int, tuple[int, ...]]] = field(default_factory=dict)

    @staticmethod
    def none(graph: PlacementGraph) -> Symmetry:
        """Keep every placement."""
        return Symmetry(graph, (tuple(range(graph.sites)),) * graph.leaves)

    @staticmethod
    def of(graph: PlacementGraph, run: Run) -> Symmetry:
        """Keep placements with the first key."""
        if not graph.levels:
            return Symmetry.none(graph)
        spare, neighbour = graph.sites - graph.leaves, graph.partition.bits[0]
        lowering = {0: lower_sites(graph, run)} if spare else {neighbour: lower_sites(graph, run, fixed=(0,))}
        values = [tuple(range(spare + 1)), *[tuple(range(1, graph.sites))] * (graph.leaves - 1)]
        for leaf, lowered in lowering.items():
            values[leaf] = tuple(site for site in values[leaf] if site not in lowered)
        return Symmetry(graph, tuple(values), True, _equal_levels(graph), lowering)

    @property
    def orders(self) -> tuple[tuple[int, int], ...]:
        """Pairs of leaves, the first of which has the lower site, as far as the values don't say it already."""
        lowest = self.translated and len(self.values[0]) > 1
        return self.swapped + (tuple((0, leaf) for leaf in range(1, self.graph.leaves)) if lowest else ())

    def keeps(self, placed: Sequence[int]) -> bool:
        """Return whether a placement meets all conditions."""
        allowed = all(site in values for site, values in zip(placed, self.values, strict=True))
        return allowed and all(placed[first] < placed[second] for first, second in self.orders)

    def canonical(self, placed: Sequence[int]) -> tuple[int, ...]:
        """Return a placement of equal cost that meets all conditions."""
        found, lower = tuple(placed), self._lower(tuple(placed))
        while lower != found:
            found, lower = lower, self._lower(lower)
        return found

    def _lower(self, placed: tuple[int, ...]) -> tuple[int, ...]:
        """Apply moves that lower the key, if there are any."""
        if self.translated:
            shift = placed.index(min(placed))
            placed = tuple(placed[leaf ^ shift] for leaf in range(len(placed)))
        for first, second in self.swapped:
            if placed[first] > placed[second]:
                placed = _swapped(placed, first, second)
        for leaf, images in self.lowering.items():
            image = images.get(placed[leaf])
            if image is not None:
                placed = tuple(image[site] for site in placed)
        return placed


def _equal_levels(graph: PlacementGraph) -> tuple[tuple[int, int], ...]:
    """Return leaf 0's neighbours at levels of equal volume, the level nearer to the root first."""
    levels = list(zip(graph.partition.bits, graph.volumes, strict=True))
    return tuple((first, second) for (first, one), (second, other) in combinations(levels, 2) if one == other)


def _swapped(placed: Sequence[int], first: int, second: int) -> tuple[int, ...]:
    """Exchange two bits in the names of all leaves."""

    def renamed(leaf: int) -> int:
        return leaf ^ (first | second) if bool(leaf & first) != bool(leaf & second) else leaf

    return tuple(placed[renamed(leaf)] for leaf in range(len(placed)))


def exchanged(placed: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """Return the placement whose level h weighs what level order[h] of the given one does.

    In halves. A leaf whose bit of level h is set stands where the leaf with the bit of level order[h] stood.
    """
    bits = halves(len(order)).bits
    moved = [(bit, bits[old]) for bit, old in zip(bits, order, strict=True)]

    def origin(leaf: int) -> int:
        return sum(old for bit, old in moved if leaf & bit)

    return tuple(placed[origin(leaf)] for leaf in range(len(placed)))


def descending(numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the positions of numbers, the largest first."""
    return tuple(sorted(range(len(numbers)), key=lambda i: -numbers[i]))


def inverse(order: Sequence[int]) -> tuple[int, ...]:
    """Return where every position is in an order of them."""
    return tuple(sorted(range(len(order)), key=order.__getitem__))
