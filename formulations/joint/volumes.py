"""C_h, the bytes of every level, as linear expressions over the polytope of formulations.polytope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from formulations.polytope import Polytope

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.placement import JointGraph


@dataclass(frozen=True)
class LevelCosts:
    """What a level's bytes are: constant + sum of unary and arc costs.

    Parameters
    ----------
    constant
        Whatever the strategies.
    own
        By variable and position among its allowed values.
    arcs
        By pair of variables and arc.
    """

    constant: int
    own: Sequence[Sequence[int]]
    arcs: Mapping[tuple[int, int], Sequence[int]]

    @property
    def parts(self) -> Iterator[int]:
        """Yield every number that the bytes are a sum of."""
        yield self.constant
        for row in (*self.own, *self.arcs.values()):
            yield from row


def level_polytopes(graph: JointGraph) -> tuple[Polytope, ...]:
    """Return the programme of every level alone.

    A network's nodes and arcs follow from which letters a cost looks at, not from the levels' weights: the
    programmes differ in costs only, so that one set of variables serves all.

    Raises
    ------
    RuntimeError
        If they differ in more.
    """
    levels = range(graph.levels)
    found = tuple(Polytope.of(graph.weighed([int(h == one) for h in levels])) for one in levels)
    if len({_shape(one) for one in found}) > 1:
        raise RuntimeError("the levels' networks have different arcs")
    return found


def level_costs(polytope: Polytope) -> LevelCosts:
    """Return a programme's costs, no longer scaled."""
    unit = polytope.unit
    return LevelCosts(
        polytope.constant,
        [[unit * cost for cost in costs] for costs in polytope.own],
        {pair: [unit * cost for _, _, cost in network.arcs] for pair, network in polytope.networks.items()},
    )


def _shape(polytope: Polytope) -> tuple[object, ...]:
    arcs = ((pair, tuple(arc[:2] for arc in one.arcs)) for pair, one in sorted(polytope.networks.items()))
    return polytope.values, tuple(arcs)
