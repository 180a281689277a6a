"""A graph of operators compiled component by component, and put together as an objective weighs them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import floor, gcd
from typing import TYPE_CHECKING, cast

import numpy as np

from hypar_opt.cost.operators.charges import Received
from hypar_opt.cost.operators.compile import CompiledOperators
from hypar_opt.cost.operators.computing import Computing
from hypar_opt.cost.operators.graph_charges import GRAPH_CHARGES
from hypar_opt.cost.operators.groups import GroupRoutes
from hypar_opt.cost.operators.link_charges import CHARGES, fastest_first
from hypar_opt.costgraph import Capacity, CostGraph, Edge, Objective, TableEdge, TableUnary
from hypar_opt.instance.objective.components import COMMUNICATION, COMPUTED, SRAM_ENERGY, parts_of
from hypar_opt.util.interrupt import never

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hypar_opt.cost.operators.charges import ConversionCharge
    from hypar_opt.cost.operators.model import OperatorModel
    from hypar_opt.costgraph import Array, EdgeCost
    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.instance.operators.device import Device
    from hypar_opt.instance.operators.links import AxisLink
    from hypar_opt.instance.operators.standing import Standing


@dataclass(frozen=True, eq=False)
class Compiled:
    """What a component costs.

    Parameters
    ----------
    unary
        Of every variable.
    edges
        Of pairs of variables.
    unit
        How many of the costs' units make one of the component's.
    """

    unary: tuple[TableUnary, ...]
    edges: tuple[tuple[int, int, TableEdge], ...]
    unit: Fraction

    def reduced(self) -> Compiled:
        """Return the same in the largest unit in which all costs are whole, so that sums of them fit 64 bits longer."""
        own = {id(cost): cost.values for cost in self.unary}
        tables = {id(cost): cost.values for _, _, cost in self.edges}
        divisor = gcd(*(int(np.gcd.reduce(values, axis=None)) for values in (*own.values(), *tables.values())))
        if divisor < 2:
            return self
        unary = {key: TableUnary(_whole(values // divisor)) for key, values in own.items()}
        edges = {key: TableEdge(_whole(values // divisor)) for key, values in tables.items()}
        return Compiled(
            tuple(unary[id(cost)] for cost in self.unary),
            tuple((first, second, edges[id(cost)]) for first, second, cost in self.edges),
            self.unit / divisor,
        )


def _whole(values: Array) -> Array:
    """Return whole numbers in 64 bits if all fit."""
    return values.astype(np.int64) if int(values.max(initial=0)) < 2**62 else values


@dataclass(frozen=True, eq=False)
class CompiledComponents:
    """The components of what plans of operators cost, each compiled when it is asked for, and once.

    Parameters
    ----------
    graph, model
        The operators, and how they may be split.
    links
        Along each axis.
    device
        What each device can do; None where nothing of it is known.
    over
        Asked now and then whether to stop, which raises `Interrupted`.
    optimiser
        What updates the parameters; None where that is not counted.
    standing
        Where devices stand on a graph; None where they do not, or that is not known.
    """

    graph: OperatorGraph
    model: OperatorModel
    links: tuple[AxisLink, ...] = ()
    device: Device | None = None
    over: Callable[[], bool] = never
    optimiser: Optimiser | None = None
    standing: Standing | None = None
    _known: dict[str, Compiled] = field(default_factory=dict, repr=False)

    @cached_property
    def operators(self) -> CompiledOperators:
        """What is decided, and the bytes of it."""
        objective = Objective({COMMUNICATION: Fraction(1)})
        charge = None
        if self.model.padded and self.links:
            charge = Received(self.graph, self.model.axes, fastest_first(self.links))
        return CompiledOperators(self.graph, self.model, objective, charge, over=self.over)

    def costgraph(self, weights: Mapping[str, Fraction], beside: Iterable[str] = ()) -> CostGraph:
        """Return the CostGraph of a weighted sum.

        Parameters
        ----------
        weights
            By component, totals among them.
        beside
            Components that weigh nothing and whose pairs of variables are there as well.

        Raises
        ------
        InputError
            If an operator has no word, or a row of the device's measured times is missing.
        """
        weighed: dict[str, Fraction] = {}
        for name, weight in weights.items():
            for part in charged(name) if weight else ():
                weighed[part] = weighed.get(part, Fraction(0)) + weight
        for name in beside:
            for part in charged(name):
                weighed.setdefault(part, Fraction(0))
        if tuple(weighed) == (COMMUNICATION,):
            base = self.operators.costgraph
            if weighed[COMMUNICATION] == 1:
                return base
            return base.replace(objective=Objective(weighed).divided(self.operators.charge.unit))
        found = {name: self.component(name) for name in weighed}
        unary = tuple(
            dict(zip(found, costs, strict=True)) for costs in zip(*(one.unary for one in found.values()), strict=True)
        )
        joined: dict[int, dict[str, EdgeCost]] = {}
        ends: dict[int, tuple[int, int]] = {}
        for name, one in found.items():
            for number, (first, second, cost) in enumerate(one.edges):  # in the same order, whatever is charged
                joined.setdefault(number, {})[name] = cost
                ends[number] = first, second
        edges = (*(Edge(*ends[number], costs) for number, costs in joined.items()), *self.operators.agreeing)
        objective = Objective({name: weight / found[name].unit for name, weight in weighed.items()})
        whole = self.operators
        return CostGraph(whole.variables, unary, edges, objective, whole.capacities, repeats=whole.repeats)

    def component(self, name: str) -> Compiled:
        """Return what a component costs that is no total."""
        if name not in self._known:
            found = self._computed(name) if name in COMPUTED else self._moved(name)
            self._known[name] = found if name == COMMUNICATION else found.reduced()
        return self._known[name]

    def _computed(self, name: str) -> Compiled:
        assert self.device is not None  # asked for where the array says what a device can do
        computing = self._computing
        assert computing is not None
        unary, unit = computing.unary(name)
        return Compiled(unary, (), Fraction(unit))

    @cached_property
    def _computing(self) -> Computing | None:
        if self.device is None:
            return None
        domains = self.operators.domains
        return Computing(self.graph, self.model, domains, self.device, self.over, self.optimiser)

    def _moved(self, name: str) -> Compiled:
        operators = self.operators
        if name != COMMUNICATION:
            charge = self._charge(name)
            objective = Objective({name: Fraction(1)})
            operators = CompiledOperators(self.graph, self.model, objective, charge, self.operators, self.over)
        costgraph = operators.costgraph
        unary = tuple(cast("TableUnary", costs[name]) for costs in costgraph.unary)
        charged = (edge for edge in costgraph.edges if edge.barred is None)
        edges = tuple((edge.first, edge.second, cast("TableEdge", edge.costs[name])) for edge in charged)
        return Compiled(unary, edges, Fraction(operators.charge.unit))

    def _charge(self, name: str) -> ConversionCharge:
        if self.standing is None:
            return CHARGES[name](self.graph, self.model.axes, self.links, self.model.padded)
        return GRAPH_CHARGES[name](self.graph, self.model.axes, self.links, self.model.padded, routes=self._routes)

    @cached_property
    def _routes(self) -> GroupRoutes:
        assert self.standing is not None  # asked for where devices stand somewhere
        return GroupRoutes(self.standing, self.model.axes, self.over)

    def bound(self, name: str, most: Fraction) -> Capacity:
        """Return a bound on a component as a capacity."""
        graph = self.costgraph({name: Fraction(1)})
        unit = graph.objective.denominator
        return Capacity(
            f"bound on {name}", floor(most * unit), dict(enumerate(graph.unary_costs)), unit, graph.weighed_edges
        )


def charged(component: str) -> tuple[str, ...]:
    """Return the components that one is the sum of here: nothing is known of buffers on the chip."""
    return tuple(name for name in parts_of(component) if name != SRAM_ENERGY)
