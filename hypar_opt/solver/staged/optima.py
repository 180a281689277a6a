"""The best strategies inside of stages, each found once by a formulation of networks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph.part import part_of_graph
from hypar_opt.formulation.registry import choose, load_formulation, require
from hypar_opt.formulation.run import Limits, Run, Stopped
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.protocol import Formulation
    from hypar_opt.instance.network import Workload


@dataclass(frozen=True)
class StageOptimum:
    """The best strategies of a stage.

    Parameters
    ----------
    time
        In the common unit; None where nothing is allowed.
    choices
        By layer of the stage.
    """

    time: int | None
    choices: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class StageOptima:
    """Finds out what stages take inside; a `StagesInside`.

    Stages of layers that are alike, on submeshes of a kind, are solved once.

    Parameters
    ----------
    work
        Of the whole network.
    graphs, scales
        By kind of submesh the strategies of all layers there, and what their unit is in the common one.
    formulation
        Who solves; None for the default of each.
    """

    work: Workload
    graphs: tuple[CostGraph, ...]
    scales: tuple[int, ...]
    formulation: str | None = None
    known: dict[Hashable, StageOptimum] = field(default_factory=dict)

    def least(self, kind: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return what every layer costs at least by itself, and what every pair of layers does."""
        graph, scale = self.graphs[kind], self.scales[kind]
        own = [self._least_of(graph, place) * scale for place in range(len(graph.variables))]
        costs = graph.edge_costs
        pairs = dict.fromkeys((edge.producer, edge.reader) for edge in self.work.boundaries)
        found = [int(costs[pair].dense(graph.dtype).min()) * scale if pair in costs else 0 for pair in pairs]
        return own, found

    @staticmethod
    def _least_of(graph: CostGraph, place: int) -> int:
        costs, mask = graph.unary_costs[place].dense(graph.dtype), graph.variables[place].mask
        allowed = costs if mask is None else costs[mask]
        return int(np.min(allowed)) if len(allowed) else graph.forbidden

    def time(self, kind: int, layers: Sequence[int], limits: Limits | None = None) -> int | None:
        """Return the least that a stage takes; None where nothing is allowed."""
        return self.optimum(kind, layers, limits).time

    def optimum(self, kind: int, layers: Sequence[int], limits: Limits | None = None) -> StageOptimum:
        """Return the best strategies of a stage, which are found if they are not known."""
        key = self._content(kind, layers)
        if key not in self.known:
            self.known[key] = self._solved(kind, layers, limits or Limits())
        return self.known[key]

    def words(self, kind: int, layers: Sequence[int]) -> tuple[str, ...]:
        """Return the best word of every layer of a stage."""
        variables = (self.graphs[kind].variables[layer] for layer in layers)
        chosen = zip(variables, self.optimum(kind, layers).choices, strict=True)
        return tuple("" if one.words is None else one.words.word(choice) for one, choice in chosen)

    def _content(self, kind: int, layers: Sequence[int]) -> Hashable:
        """Return what only stages have in common that differ in names alone."""
        number = {layer: i for i, layer in enumerate(layers)}
        inner: list[Any] = [
            replace(edge, producer=number[edge.producer], reader=number[edge.reader])
            for edge in self.work.boundaries
            if edge.producer in number and edge.reader in number
        ]
        return kind, tuple(replace(self.work.layers[layer], name="") for layer in layers), tuple(inner)

    def _solved(self, kind: int, layers: Sequence[int], limits: Limits) -> StageOptimum:
        if limits.over:
            raise Stopped
        graph = part_of_graph(self.graphs[kind], layers)
        solver = self._solver(graph, limits)
        found = solver.solve(graph, Run(solver.name, limits))
        if found.status is Status.INFEASIBLE:
            return StageOptimum(None)
        if found.status is not Status.OPTIMAL or found.choices is None:
            if limits.over:
                raise Stopped
            raise Refusal(f"{solver.name} does not end with a proof inside of a stage: {found.native_status}")
        return StageOptimum(graph.value(found.choices) * self.scales[kind], found.choices)

    def _solver(self, graph: CostGraph, limits: Limits) -> Formulation:
        if self.formulation is None:
            return choose("network", graph, limits)
        solver = load_formulation(self.formulation)
        require(solver, graph, Run(solver.name, limits))
        return solver
