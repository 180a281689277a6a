"""The placement's part of joint-cp-sat: who stands where, which sites exchange, and what every level weighs.

    (one site)   sum over u of at[x, u] = 1                                      for every leaf x
    (one leaf)   sum over x of at[x, u] <= 1                                     for every site u
    (lowest)     leaf 0 stands on the lowest site of all
    (partner)    at[x, u] and at[y, v] => pair[h, uv]; with only one of them true pair[h, uv] and x on u put y on v
    (matching)   sum over v of pair[h, uv] = sum over x of at[x, u]              for every level h and site u
    (weight)     step W_h >= sum over uv of cost[uv] pair[h, uv] + busy_h        for every level h
    (busy)       busy_h >= sum over uv of time[l, uv] pair[h, uv]                for every level h and link l

for the pairs of leaves x, y of level h. The translations of the hypercube allow for (lowest): they move no pair to
another level. W_h may exceed the weight, for the objective presses it down.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ortools.sat.python.cp_model import CpModel, IntVar

    from formulations.joint.oracles import Strategies
    from hypar_opt.costgraph.placement import JointGraph, PlacementGraph

Pair: TypeAlias = tuple[int, int]
Family: TypeAlias = "Callable[[Sites], None]"


@dataclass(frozen=True, eq=False)
class Sites:
    """The variables of a placement in a CP-SAT model.

    Parameters
    ----------
    model
        Filled by the families below.
    graph
        The problem.
    at
        By leaf and site: whether it stands there.
    pairs
        By level and two sites, the lower one first: whether they exchange.
    weights
        By level: W_h, so that w_h = base + step W_h.
    step
        Divides every cost and time.
    """

    model: CpModel
    graph: PlacementGraph
    at: Sequence[Sequence[IntVar]]
    pairs: Sequence[Mapping[Pair, IntVar]]
    weights: Sequence[IntVar]
    step: int

    def exchange(self, h: int, first: int, second: int) -> IntVar:
        """Return whether two sites exchange at a level."""
        return self.pairs[h][min(first, second), max(first, second)]


def placed_in(model: CpModel, graph: PlacementGraph, box: Box, families: Sequence[Family] | None = None) -> Sites:
    """Create the variables, then the families of constraints (all of them, unless told)."""
    sites, base = range(graph.sites), graph.base
    at = [[model.new_bool_var(f"at_{x}_{u}") for u in sites] for x in range(graph.leaves)]
    pairs = [
        {pair: model.new_bool_var(f"pair_{h}_{pair}") for pair in combinations(sites, 2)} for h in range(graph.levels)
    ]
    ranges = [
        ((low - base) // box.step, (high - base) // box.step) for low, high in zip(box.least, box.most, strict=True)
    ]
    weights = [model.new_int_var(*bounds, f"W_{h}") for h, bounds in enumerate(ranges)]
    built = Sites(model, graph, at, pairs, weights, box.step)
    for family in FAMILIES if families is None else families:
        family(built)
    return built


def one_site(built: Sites) -> None:
    """Sum over u of at[x, u] = 1, for every leaf x."""
    for literals in built.at:
        built.model.add_exactly_one(literals)


def one_leaf(built: Sites) -> None:
    """Sum over x of at[x, u] <= 1, for every site u; = 1 where every site is needed."""
    for column in zip(*built.at, strict=True):
        if built.graph.sites == built.graph.leaves:
            built.model.add_exactly_one(column)
        else:
            built.model.add_at_most_one(column)


def lowest(built: Sites) -> None:
    """Put leaf 0 on the lowest site of all."""
    spare = built.graph.sites - built.graph.leaves
    built.model.add_at_least_one(built.at[0][: spare + 1])
    for leaf in built.at[1:] if spare else ():
        places = [sum(u * literal for u, literal in enumerate(literals)) for literals in (built.at[0], leaf)]
        built.model.add(places[0] + 1 <= places[1])


def partner(built: Sites) -> None:
    """Of at[x, u], at[y, v] and pair[h, uv], two say the third, for the pairs x, y of level h."""
    for h in range(built.graph.levels):
        for x, y in built.graph.pairs(h):
            for u, v in permutations(range(built.graph.sites), 2):
                three = built.at[x][u], built.at[y][v], built.exchange(h, u, v)
                for one in three:
                    built.model.add_bool_or(other if other is one else ~other for other in three)


def matching(built: Sites) -> None:
    """Sum over v of pair[h, uv] = sum over x of at[x, u], for every level h and site u."""
    sites = range(built.graph.sites)
    for h in range(built.graph.levels):
        for u in sites:
            partners = [built.exchange(h, u, v) for v in sites if v != u]
            built.model.add(sum(partners) == sum(literals[u] for literals in built.at))


def weight(built: Sites) -> None:
    """Step W_h >= sum of cost[uv] pair[h, uv] + busy_h, and busy_h >= what every link has, for every level h."""
    loads = _loads(built)
    for h, total in enumerate(built.weights):
        paid = sum(
            int(built.graph.pair_costs[pair]) // built.step * literal for pair, literal in built.pairs[h].items()
        )
        if loads:
            busy = built.model.new_int_var(
                0, sum(max(load.values()) for load in loads) * built.graph.leaves, f"busy_{h}"
            )
            for load in loads:
                built.model.add(busy >= sum(time * built.pairs[h][pair] for pair, time in load.items()))
            paid = paid + busy
        built.model.add(total >= paid)


FAMILIES: tuple[Family, ...] = (one_site, one_leaf, lowest, partner, matching, weight)
"""In the order of this module's docstring."""


def _loads(built: Sites) -> list[Mapping[Pair, int]]:
    """Return, by link, how long the exchange of two sites keeps it busy, in steps."""
    usage = built.graph.usage
    if usage is None:
        return []
    found: dict[int, dict[Pair, int]] = defaultdict(lambda: defaultdict(int))
    for u, v in permutations(range(built.graph.sites), 2):
        for link, cost in zip(*usage.of(u, v, built.graph.sites), strict=True):
            found[int(link)][min(u, v), max(u, v)] += int(cost) // built.step
    return list(found.values())


@dataclass(frozen=True)
class Box:
    """What weights and bytes can be, by level.

    Parameters
    ----------
    step
        A weight is the placement's base and a multiple of it.
    least, most
        Of the weights.
    fewest, largest
        Of the bytes.
    """

    step: int
    least: tuple[int, ...]
    most: tuple[int, ...]
    fewest: tuple[int, ...]
    largest: tuple[int, ...]

    @property
    def upper(self) -> int:
        """A number that no pair in the box exceeds."""
        return sum(map(int.__mul__, self.most, self.largest))


def wide(graph: JointGraph) -> Box:
    """Return bounds that take no search: every pair the dearest, every boundary the dearest."""
    placement, levels = graph.placement, range(graph.levels)
    routes = [placement.partition.routes(h) for h in levels]
    times = [] if placement.usage is None else [int(cost) for cost in placement.usage.costs]
    step = gcd(*map(int, placement.pair_costs.flat), *times) or 1
    dearest = int(placement.pair_costs.max()) + 2 * max(times, default=0)
    most = tuple(placement.base + count // 2 * dearest for count in routes)
    largest = tuple(graph.weighed([int(h == one) for h in levels]).upper for one in levels)
    zeros = (0,) * graph.levels
    return Box(step, (placement.base,) * graph.levels, most, zeros, largest)


def narrowed(box: Box, strategies: Strategies, quick: Callable[[Sequence[int]], int], value: int, base: int) -> Box:
    """Return what is left of a box for pairs that cost at most a value.

    * w_h is at least the quick bound of a placement in which level h alone counts.
    * C_h is at least P of level h alone: the least bytes of that level that any strategies have.
    * As P never falls, `P(w) <= value` and `w >= least` say that P(least, but w_h at level h) <= value.
    * `C_h x least_h + P(least, but 0 at level h) <= C . w <= value`.

    Raises
    ------
    Stopped
        If the run has to end.
    NoStrategies
        If no strategies are allowed.
    """
    levels = range(len(box.least))
    floor = quick([int(h == 0) for h in levels]) if box.least else 0
    least = tuple(max(low, base + -((base - floor) // box.step) * box.step) for low in box.least)
    fewest = tuple(int(strategies.best([int(h == one) for h in levels]).value) for one in levels)
    box = replace(box, least=least, fewest=fewest)
    most = tuple(_most(box, h, lambda w: strategies.best(w).value <= value) for h in levels)
    rest = [int(strategies.best([0 if h == one else least[h] for h in levels]).value) for one in levels]
    largest = tuple(
        min(upper, (value - other) // low) if low else upper
        for upper, other, low in zip(box.largest, rest, least, strict=True)
    )
    return replace(box, most=most, largest=largest)


def _most(box: Box, h: int, allows: Callable[[Sequence[int]], bool]) -> int:
    """Bisect for the largest weight of a level that is allowed while the others are least."""
    low, high = 0, (box.most[h] - box.least[h]) // box.step
    while low < high:
        middle = (low + high + 1) // 2
        weights = [least + middle * box.step * (i == h) for i, least in enumerate(box.least)]
        low, high = (middle, high) if allows(weights) else (low, middle - 1)
    return box.least[h] + low * box.step
