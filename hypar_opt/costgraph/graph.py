"""The CostGraph: the one form of a problem that every formulation reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import numpy as np

from hypar_opt.costgraph.edge import EdgeCost, TableEdge
from hypar_opt.costgraph.memory import Memory, least_of, offsets
from hypar_opt.costgraph.objective import Objective, combined_unary, sum_edges, weighted_edges
from hypar_opt.costgraph.parts import Capacity, Edge, Repeats, Variable
from hypar_opt.costgraph.tables import FORBIDDEN, Tables
from hypar_opt.costgraph.unary import Array, TableUnary, UnaryCost

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

T = TypeVar("T")
SUMMANDS = 4
"""How many entries, each at most `CostGraph.forbidden`, a formulation may add before it saturates."""


@dataclass(frozen=True)
class CostGraph:
    """Variables, exact integer costs on them and on pairs, capacities, and an objective.

    Parameters
    ----------
    variables
        In an order that is topological where the problem has a direction.
    unary
        For every variable, costs by component.
    edges
        Pairwise costs.
    objective
        Weights by component; all costs below are in units of 1 / objective.denominator.
    capacities
        Linear constraints.
    ceiling
        Where something is forbidden by costing too much: no allowed assignment costs as much, every other does.
    source
        The tables that it was made from, if it was.
    repeats
        Blocks of variables that may be alike, in order; none overlap.
    """

    variables: tuple[Variable, ...]
    unary: tuple[Mapping[str, UnaryCost], ...]
    edges: tuple[Edge, ...]
    objective: Objective
    capacities: Sequence[Capacity] = ()
    ceiling: int | None = None
    source: Tables | None = field(default=None, repr=False, compare=False)
    repeats: tuple[Repeats, ...] = field(default=(), repr=False, compare=False)
    _known: dict[Hashable, object] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.unary) != len(self.variables):
            raise ValueError(f"{len(self.unary)} unary costs for {len(self.variables)} variables")
        fitting: set[tuple[int, int]] = set()
        for variable, costs in zip(self.variables, self.unary, strict=True):
            if (id(costs), variable.size) not in fitting:  # equal blocks share their costs
                if any(cost.size != variable.size for cost in costs.values()):
                    raise ValueError(f"the costs of '{variable.name}' do not match its {variable.size} values")
                fitting.add((id(costs), variable.size))
        _check_edges(self.edges, self.sizes)
        _check_repeats(self.repeats, len(self.variables))
        if self.is_coupled:  # edges of strategy graphs are too many to be looked at for nothing
            _check_pairs(self.capacities, self.edges)

    def replace(self, **changes: Any) -> CostGraph:
        """Return a copy with fields changed, checked anew; it is no longer what its tables say.

        With other variables nothing is said of blocks any more.
        """
        kept = () if "variables" in changes else self.repeats
        return replace(self, **{"source": None, "repeats": kept, **changes})

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what formulations find out of it more than once: what was made for a key, or make it."""
        if key not in self._known:
            self._known[key] = make()
        return cast("T", self._known[key])

    @cached_property
    def unary_costs(self) -> tuple[UnaryCost, ...]:
        """The objective's cost of every variable."""
        found: dict[tuple[object, ...], UnaryCost] = {}
        met: dict[tuple[int, int, int], UnaryCost] = {}
        costs = []
        for variable, own in zip(self.variables, self.unary, strict=True):
            shared = id(variable.words), variable.size, id(own)
            if shared not in met:
                key = id(variable.words), variable.size, *_identities(own)
                if key not in found:  # equal blocks share their costs
                    found[key] = combined_unary(variable, own, self.objective)
                met[shared] = found[key]
            costs.append(met[shared])
        return tuple(costs)

    @cached_property
    def edge_costs(self) -> Mapping[tuple[int, int], EdgeCost]:
        """The objective's cost of every pair (first < second), parallel edges summed; `barred` is twice `forbidden`."""
        if not self.barred:
            return self.weighed_edges
        found: dict[tuple[int, int], EdgeCost] = dict(self.weighed_edges)
        marked: dict[tuple[int, int], EdgeCost] = {}
        for pair, barred in self.barred.items():
            cost = found.get(pair)
            key = id(cost), id(barred)
            if key not in marked:  # equal blocks share their costs
                values = np.zeros(barred.shape, dtype=self.dtype) if cost is None else cost.dense(self.dtype)
                marked[key] = TableEdge(np.where(barred, np.asarray(2 * self.forbidden, dtype=self.dtype), values))
            found[pair] = marked[key]
        return dict(sorted(found.items()))

    @cached_property
    def barred(self) -> Mapping[tuple[int, int], NDArray[np.bool_]]:
        """Which values of a pair (first < second) are not allowed together, where some are not."""
        found: dict[tuple[int, int], NDArray[np.bool_]] = {}
        turned: dict[int, NDArray[np.bool_]] = {}
        for edge in self.edges:
            if edge.barred is None:
                continue
            forward = edge.first < edge.second
            pair = (edge.first, edge.second) if forward else (edge.second, edge.first)
            mask = edge.barred if forward else turned.setdefault(id(edge.barred), edge.barred.T)
            known = found.get(pair)
            found[pair] = mask if known is None or known is mask else known | mask
        return found

    @cached_property
    def agreeing(self) -> tuple[Edge, ...]:
        """The edges that bar something."""
        return tuple(edge for edge in self.edges if edge.barred is not None)

    @cached_property
    def weighed_edges(self) -> Mapping[tuple[int, int], EdgeCost]:
        """The objective's cost of every pair (first < second) that has one, whether it is allowed or not."""
        found: dict[tuple[int, int], list[EdgeCost]] = {}
        weighed: dict[tuple[object, ...], list[EdgeCost]] = {}
        met: dict[tuple[bool, int], list[EdgeCost]] = {}
        for edge in self.edges:
            first, second = edge.first, edge.second
            forward = first < second
            costs = met.get((forward, id(edge.costs)))
            if costs is None:
                key = forward, *_identities(edge.costs)
                if key not in weighed:  # equal blocks share their costs
                    costs = weighted_edges(edge, self.objective)
                    weighed[key] = costs if forward else [cost.transposed() for cost in costs]
                costs = met[forward, id(edge.costs)] = weighed[key]
            pair = (first, second) if forward else (second, first)
            found[pair] = [*found[pair], *costs] if pair in found else costs
        return {pair: sum_edges(costs) for pair, costs in sorted(found.items()) if costs}

    @cached_property
    def ends(self) -> Array:
        """The pairs that have a cost, in order; shape (pairs, 2)."""
        pairs = self.edge_costs
        return np.fromiter(chain.from_iterable(pairs), dtype=np.int64, count=2 * len(pairs)).reshape(-1, 2)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Every variable's number of values."""
        return tuple(variable.size for variable in self.variables)

    @property
    def is_coupled(self) -> bool:
        """Whether pairs of values use a capacity; those of tables are used by single ones."""
        return self.source is None and any(capacity.pairs for capacity in self.capacities)

    @cached_property
    def tables(self) -> Tables:
        """The same problem as flat arrays.

        Raises
        ------
        ValueError
            If its costs do not fit 64 bits.
        """
        return tables_of(self) if self.source is None else self.source

    @cached_property
    def upper(self) -> int:
        """A number that no allowed assignment's cost exceeds."""
        own = sum(cost.upper for cost in self.unary_costs)
        return own + sum(cost.upper for cost in self.weighed_edges.values())

    @property
    def forbidden(self) -> int:
        """A number larger than any assignment's cost: the mark of what is not allowed."""
        return self.upper + 1

    @property
    def dtype(self) -> type[np.int64] | type[object]:
        """int64 if every sum that a formulation may form is proven to fit, else Python integers.

        Formulations saturate at `forbidden`, so that no sum has more than a few such summands.
        """
        return np.int64 if SUMMANDS * self.forbidden < 2**63 else object

    @cached_property
    def neighbours(self) -> tuple[frozenset[int], ...]:
        """For every variable the variables it shares an edge with."""
        found: list[set[int]] = [set() for _ in self.variables]
        for first, second in self.edge_costs:
            found[first].add(second)
            found[second].add(first)
        return tuple(frozenset(others) for others in found)

    @property
    def is_chain(self) -> bool:
        """Whether variable i shares an edge with variable i + 1 and with no other behind it."""
        return set(self.edge_costs) == {(i, i + 1) for i in range(len(self.variables) - 1)}

    def value(self, choices: Sequence[int]) -> int:
        """Return the cost of an assignment, in units of 1 / objective.denominator."""
        own = sum(cost.value(choice) for cost, choice in zip(self.unary_costs, choices, strict=True))
        pairs = self.edge_costs.items()
        return own + sum(cost.value(choices[first], choices[second]) for (first, second), cost in pairs)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether an assignment is allowed and within every capacity."""
        if self.ceiling is not None:  # made from tables, whose rows are too many to be looked at one by one
            return self.tables.fits(choices)
        if len(choices) != len(self.variables):
            raise ValueError(f"{len(choices)} choices for {len(self.variables)} variables")
        allowed = all(bool(mask[choices[place]]) for place, mask in self._masks.items())
        joined = not any(mask[choices[first], choices[second]] for (first, second), mask in self.barred.items())
        return allowed and joined and not self.exceeded(choices)

    @cached_property
    def _masks(self) -> Mapping[int, Array]:
        """Of the variables that do not allow every value, which they allow."""
        masks = ((place, variable.mask) for place, variable in enumerate(self.variables))
        return {place: mask for place, mask in masks if mask is not None}

    def exceeded(self, choices: Sequence[int]) -> list[str]:
        """Return the names of the capacities that an assignment uses too much of."""
        return [one.name for one in self.capacities if one.used(choices) > one.limit]


def _identities(costs: Mapping[str, object]) -> tuple[tuple[str, int], ...]:
    """Return which objects costs by component are."""
    return tuple((name, id(cost)) for name, cost in costs.items())


def _check_pairs(capacities: Sequence[Capacity], edges: Sequence[Edge]) -> None:
    joined = {tuple(sorted((edge.first, edge.second))) for edge in edges}
    for capacity in capacities:
        for pair in capacity.pairs:
            if pair not in joined:
                raise ValueError(f"the capacity '{capacity.name}' joins variables {pair}, and no edge does")


def _check_repeats(repeats: Sequence[Repeats], variables: int) -> None:
    begin = 0
    for one in repeats:
        if one.first < begin or one.length < 1 or one.times < 1 or one.end > variables:
            raise ValueError(f"{one} overlaps another, is empty, or goes beyond {variables} variables")
        begin = one.end


def _check_edges(edges: Sequence[Edge], sizes: Sequence[int]) -> None:
    fitting: set[tuple[int, int, int]] = set()
    count = len(sizes)
    for number, edge in enumerate(edges):
        first, second = edge.first, edge.second
        if not (0 <= first < count and 0 <= second < count):
            end = second if 0 <= first < count else first
            raise ValueError(f"edges[{number}] names variable {end}, there are {count}")
        if first == second:
            raise ValueError(f"edges[{number}] joins variable {first} with itself")
        key = id(edge.costs), sizes[first], sizes[second]
        shape = key[1:]
        if edge.barred is not None and edge.barred.shape != shape:
            raise ValueError(f"what edges[{number}] bars does not have the shape {shape}")
        if key in fitting:  # equal blocks share their costs
            continue
        if any(cost.shape != shape for cost in edge.costs.values()):
            raise ValueError(f"the costs of edges[{number}] do not have the shape {shape}")
        fitting.add(key)


@dataclass(frozen=True, eq=False)
class RowCapacities(Sequence[Capacity]):
    """The rows of a memory as capacities, each made when it is asked for."""

    memory: Memory

    def __len__(self) -> int:
        return self.memory.rows

    @overload
    def __getitem__(self, row: int) -> Capacity: ...

    @overload
    def __getitem__(self, row: slice) -> Sequence[Capacity]: ...

    def __getitem__(self, row: int | slice) -> Capacity | Sequence[Capacity]:
        if isinstance(row, slice):
            return [self[one] for one in range(*row.indices(len(self)))]
        memory = self.memory
        number = range(memory.rows)[row]
        live = np.flatnonzero((memory.spans[:, 0] <= number) & (number < memory.spans[:, 1]))
        usages: dict[int, Array] = {}
        for item in live.tolist():
            holder = int(memory.holders[item])
            usages[holder] = usages[holder] + memory.of(item) if holder in usages else memory.of(item)
        name = f"memory at time {memory.moments[number]}"
        return Capacity(name, int(memory.room[number]), {one: TableUnary(use) for one, use in usages.items()})


def graph_of(tables: Tables, component: str = "total") -> tuple[CostGraph, int]:
    """Return a CostGraph, and what an assignment of the tables costs besides.

    What is forbidden costs more than all else together; what costs the graph's `ceiling` has something forbidden.
    The graph's own `tables` are these, every part's least cost taken off.
    """
    tables, shift = _normal(tables)
    penalty = tables.span + 1
    dtype = np.int64 if penalty < FORBIDDEN else object

    def finite(costs: Array) -> Array:
        return np.where(costs < FORBIDDEN, costs.astype(dtype), np.array(penalty, dtype=dtype))

    graph = CostGraph(
        tuple(Variable(str(i), int(size)) for i, size in enumerate(tables.sizes)),
        tuple({component: TableUnary(finite(tables.own(i)))} for i in range(tables.count)),
        tuple(
            Edge(int(first), int(second), {component: TableEdge(finite(tables.table(e)))})
            for e, (first, second) in enumerate(tables.ends)
        ),
        Objective({component: Fraction(1)}),
        RowCapacities(tables.memory) if tables.memory.rows else (),
        ceiling=penalty,
        source=tables,
    )
    return graph, shift


def _normal(tables: Tables) -> tuple[Tables, int]:
    """Take every part's least cost off."""
    shift = tables.constant
    parts = []
    for values, starts in ((tables.unary, tables.starts), (tables.edges, tables.edge_starts)):
        least = least_of(values, starts)
        least = np.where(least < FORBIDDEN, least, 0)
        shift += sum(least.tolist())
        parts.append(np.where(values < FORBIDDEN, values - np.repeat(least, np.diff(starts)), FORBIDDEN))
    return tables.replace(unary=parts[0], edges=parts[1], constant=0), shift


def tables_of(graph: CostGraph) -> Tables:
    """Return the tables of a graph whose costs fit them.

    Raises
    ------
    ValueError
        If they do not: a number is FORBIDDEN or more.
    """
    sizes = np.array([variable.size for variable in graph.variables], dtype=np.int64)
    unary = []
    for variable, cost in zip(graph.variables, graph.unary_costs, strict=True):
        dense = _checked(cost.dense(object))
        unary.append(dense if variable.mask is None else np.where(variable.mask, dense, FORBIDDEN))
    edges = []
    for pair, price in graph.edge_costs.items():
        barred = graph.barred.get(pair)
        if barred is None:
            edges.append(_checked(price.dense(object)).reshape(-1))
        else:
            allowed = _checked(np.where(barred, 0, price.dense(object)))
            edges.append(np.where(barred, FORBIDDEN, allowed).reshape(-1))
    return Tables(
        sizes,
        _joined(unary),
        graph.ends,
        _joined(edges),
        memory_of(graph.capacities),
    )


def _checked(values: Array) -> Array:
    if values.size and not -FORBIDDEN < int(values.min()) <= int(values.max()) < FORBIDDEN:
        raise ValueError(f"costs reach {int(values.max()):.3g}, and tables hold less than {FORBIDDEN:.3g}")
    return values.astype(np.int64)


def _joined(parts: Sequence[Array]) -> Array:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def memory_of(capacities: Sequence[Capacity]) -> Memory:
    """Return a row for every capacity, and an item for every variable that uses some of it.

    Raises
    ------
    ValueError
        If pairs of values use one, or a number does not fit.
    """
    if any(capacity.pairs for capacity in capacities):
        raise ValueError("a capacity is used by pairs of values, and rows of tables by single ones")
    holders, spans, usages = [], [], []
    for row, capacity in enumerate(capacities):
        for variable, use in capacity.usages.items():
            holders.append(variable)
            spans.append((row, row + 1))
            usages.append(_checked(use.dense(object)))
    room = _checked(np.array([capacity.limit for capacity in capacities], dtype=object))
    return Memory(
        np.array(holders, dtype=np.int64),
        np.array(spans, dtype=np.int64).reshape(-1, 2),
        offsets(np.array([len(one) for one in usages], dtype=np.int64)),
        _joined(usages),
        room,
        np.arange(len(room)),
    )
