"""The joint optimum by outer approximation: a lower bound that cuts raise until a pair costs it.

Let W be the weight vectors of all placements, and Q a polyhedron that contains W, with directions of the orthant
only: at first `w_h >= the least of any placement`, then also `C . w >= b` for volumes C and proven b <= f(C).

1. The joint optimum is the least P over W, so at least the least P over Q. P is concave and never falls along a
   direction of Q, so that one of Q's *vertices* attains it: w*, with strategies s* and their volumes C*.
2. P(w*) = C* . w* is thus a lower bound, and f(C*), with s* and the best sites for C*, an upper one.
3. If f(C*) <= C* . w*, they meet: s* and these sites are optimal. Otherwise C* . w >= f(C*) holds on all of W and
   fails at w*: it is cut off, and the least P over the vertices that are left is at least as large.
4. A C* does not come twice, for its cut would exclude the second w*; there are finitely many. So it ends.

Levels can be exchanged in W (`formulations.joint.oracles`): every cut also holds with C in any order, and w* is held
against all orders at once, as the least of all `C in some order . w*` pairs the largest of C with the least of w*.
A quick lower bound of f(C*) that cuts w* off serves as well and spares the search for f(C*). A bound b of a
search that a limit ended may not cut w* off; then no more is known, and the bound P(w*) stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

from formulations.joint.polyhedron import Polyhedron, Vector
from hypar_opt.formulation.run import Stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from formulations.joint.oracles import Placements, Strategies, Strategy

    Quick = Callable[[Sequence[int]], int]
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph.placement import JointGraph
    from hypar_opt.formulation.incumbent import Incumbent


@dataclass
class Outer:
    """The state of the approximation.

    Parameters
    ----------
    strategies
        P.
    placements
        f, or a lower bound of it; None where there is to be no search.
    quick
        A lower bound of f that takes no search.
    best
        The best pair.
    most
        How many cuts at most; None for as many as it takes.
    bound
        No pair costs less.
    cuts
        By volumes, the largest first: what no placement undercuts.
    """

    strategies: Strategies
    placements: Placements | None
    quick: Quick
    best: Incumbent
    most: int | None = None
    bound: int = 0
    cuts: dict[tuple[int, ...], int] = field(default_factory=dict)
    _values: dict[Vector, Strategy] = field(default_factory=dict, repr=False)

    def search(self, volumes: Sequence[Sequence[int]] = ()) -> str:
        """Raise the bound until it meets the best pair, or a limit ends it; return why it ended.

        Parameters
        ----------
        volumes
            Cut with these first.
        """
        try:
            return self._search(volumes)
        except Stopped:
            return "stopped"

    def _search(self, volumes: Sequence[Sequence[int]]) -> str:
        polyhedron, made = self._box(volumes), len(volumes)
        while True:
            corner, found = self._lowest(polyhedron)
            self._raise_to(ceil(found.value))
            if self.best.value is not None and self.bound >= self.best.value:
                return "bounds meet"
            if made == self.most:
                return "as many cuts as it makes"
            cut = self._known(corner) or self._found(found)
            if cut is None:
                return self._unfinished()
            polyhedron = polyhedron.cut(*cut)
            made += 1

    def _box(self, volumes: Sequence[Sequence[int]]) -> Polyhedron:
        """Return the orthant above every level's least weight, cut with some volumes."""
        levels = self.strategies.graph.levels
        least = self.quick((1,) + (0,) * (levels - 1)) if levels else 0
        polyhedron = Polyhedron.above((least,) * levels)
        for one in volumes:
            self._remember(one, self.quick(one))
            polyhedron = polyhedron.cut(one, self.cuts[tuple(sorted(one, reverse=True))])
        return polyhedron

    def _lowest(self, polyhedron: Polyhedron) -> tuple[Vector, Strategy]:
        """Return the vertex of least P, and the strategies that are best there."""
        for vertex in polyhedron.vertices:
            if vertex not in self._values:
                self._values[vertex] = self.strategies.best(vertex)
        corner = min(polyhedron.vertices, key=lambda vertex: self._values[vertex].value)
        return corner, self._values[corner]

    def _raise_to(self, bound: int) -> None:
        if bound > self.bound:
            self.bound = bound
            self.best.bound(bound)

    def _known(self, corner: Vector) -> tuple[tuple[int, ...], int] | None:
        """Return a cut that is known for another order of the levels and excludes a vertex."""
        order = tuple(sorted(range(len(corner)), key=corner.__getitem__))
        for volumes, least in self.cuts.items():
            normal = tuple(volumes[order.index(h)] for h in range(len(order)))
            if sum(a * b for a, b in zip(normal, corner, strict=True)) < least:
                return normal, least
        return None

    def _found(self, found: Strategy) -> tuple[tuple[int, ...], int] | None:
        """Return a new cut that excludes a vertex, after the search for the best sites if need be."""
        least = self.quick(found.volumes)
        if least <= found.value and self.placements is not None:
            answer = self.placements.best(found.volumes)
            if answer.placed is not None:
                self.improve(found.choices, answer.placed)
            least = answer.bound
        if least <= found.value:
            return None
        self._remember(found.volumes, least)
        return found.volumes, least

    def _unfinished(self) -> str:
        if self.best.value is not None and self.bound >= self.best.value:
            return "bounds meet"
        return "no quick bound is better" if self.placements is None else "a placement's search was not finished"

    def improve(self, choices: Sequence[int], placed: Sequence[int]) -> None:
        """Offer a pair, and the best strategies for its sites."""
        self.best.offer((*choices, *placed))
        weights = self.strategies.graph.placement.weights(placed)
        self.best.offer((*self.strategies.best(weights).choices, *placed))

    def _remember(self, volumes: Sequence[int], least: int) -> None:
        key = tuple(sorted(volumes, reverse=True))
        self.cuts[key] = max(least, self.cuts.get(key, 0))


def first_volumes(graph: JointGraph, strategies: Strategies) -> list[tuple[int, ...]]:
    """Return volumes to begin with: of some levels alone, all alike, and of the plan that communicates least.

    Raises
    ------
    Stopped
        If the run has to end.
    NoStrategies
        If no strategies are allowed.
    """
    levels = graph.levels
    found = [(1,) * number + (0,) * (levels - number) for number in range(2, levels + 1)]
    return [*found, strategies.best((1,) * levels).volumes]
