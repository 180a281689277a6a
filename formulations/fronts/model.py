"""The criteria as expressions of one CP-SAT model, and searches of it under rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd
from typing import TYPE_CHECKING

from formulations.cp_sat import model as encoding
from formulations.cp_sat.search import search
from formulations.flow_model.finish import concluded
from formulations.flow_model.network import Network, network_of
from formulations.flow_model.polytope import Polytope
from formulations.label_setting.supported import weighted
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ortools.sat.python.cp_model import LinearExpr

    from formulations.flow_model.polytope import Polytope
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.incumbent import Valued
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


Pair = tuple[int, int]


@dataclass(frozen=True)
class Coefficients:
    """A criterion over the polytope: it costs constant + unit x the sum of the chosen coefficients.

    Parameters
    ----------
    own
        By variable and position among its allowed values.
    arcs
        By pair of variables and arc.
    unit, constant
        The common divisor, and the variables' least costs.
    """

    own: tuple[tuple[int, ...], ...]
    arcs: Mapping[Pair, tuple[int, ...]]
    unit: int
    constant: int

    @property
    def most(self) -> int:
        """A number that no assignment's sum exceeds."""
        parts = [*self.own, *self.arcs.values()]
        return sum(sum(part) for part in parts)


def packed(graphs: Sequence[CostGraph]) -> tuple[Polytope, tuple[Coefficients, ...]]:
    """Return the polytope, without costs, and every criterion's coefficients.

    The criteria are summed with weights so far apart that the sum's digits, in that base, are the criteria's costs: the
    network of the sum is a network of each of them.
    """
    bits = 1 + max((cost.upper.bit_length() for graph in graphs for cost in graph.edge_costs.values()), default=0)
    total = weighted(graphs, [1 << bits * j for j in range(len(graphs))])
    bare = Polytope.of(graphs[0].replace(edges=()))
    networks = {
        (first, second): network_of(cost, bare.values[first], bare.values[second])
        for (first, second), cost in total.edge_costs.items()
    }
    free = {pair: _with_costs(network, [0] * len(network.arcs)) for pair, network in networks.items()}
    nothing = tuple((0,) * len(values) for values in bare.values)
    polytope = replace(bare, own=nothing, networks=free, unit=1, constant=0)
    return polytope, tuple(_criterion(graph, bare, networks, bits * j, bits) for j, graph in enumerate(graphs))


def _criterion(
    graph: CostGraph, polytope: Polytope, networks: Mapping[Pair, Network], shift: int, bits: int
) -> Coefficients:
    own, constant = [], 0
    for cost, values in zip(graph.unary_costs, polytope.values, strict=True):
        dense = cost.dense(object)
        least = min((int(dense[i]) for i in values), default=0)
        own.append(tuple(int(dense[i]) - least for i in values))
        constant += least
    mask = (1 << bits) - 1
    arcs = {pair: tuple(cost >> shift & mask for _, _, cost in network.arcs) for pair, network in networks.items()}
    unit = gcd(*(cost for costs in (*own, *arcs.values()) for cost in costs)) or 1
    return Coefficients(
        tuple(tuple(cost // unit for cost in costs) for costs in own),
        {pair: tuple(cost // unit for cost in costs) for pair, costs in arcs.items()},
        unit,
        constant,
    )


def _with_costs(network: Network, costs: Sequence[int]) -> Network:
    arcs = ((tail, head, cost) for (tail, head, _), cost in zip(network.arcs, costs, strict=True))
    return replace(network, arcs=tuple(arcs))


@dataclass(frozen=True)
class Model:
    """The polytope in CP-SAT, without an objective.

    Parameters
    ----------
    graphs
        One a criterion.
    polytope
        Without costs.
    built
        The model.
    criteria, sums
        By criterion: the coefficients, and their weighted sum of the model's variables.
    """

    graphs: tuple[CostGraph, ...]
    polytope: Polytope
    built: encoding.Model
    criteria: tuple[Coefficients, ...]
    sums: tuple[LinearExpr, ...]

    @staticmethod
    def of(graphs: Sequence[CostGraph]) -> Model:
        """Encode the polytope."""
        polytope, criteria = packed(graphs)
        built = encoding.build(polytope)
        return Model(tuple(graphs), polytope, built, criteria, tuple(_sum(built, one) for one in criteria))

    def values(self, choices: Sequence[int]) -> tuple[int, ...]:
        """Return an assignment's costs."""
        return tuple(graph.value(choices) for graph in self.graphs)

    def scaled_values(self, choices: Sequence[int]) -> tuple[int, ...]:
        """Return an assignment's sums of coefficients."""
        return tuple(self.scaled(j, value) for j, value in enumerate(self.values(choices)))

    def scaled(self, criterion: int, value: int) -> int:
        """Return the largest sum of coefficients that costs at most a value."""
        one = self.criteria[criterion]
        return (value - one.constant) // one.unit

    def copy(self) -> Model:
        """Return a model that rows can be added to."""
        return replace(self, built=replace(self.built, model=self.built.model.clone()))

    def searched(self, problem: Valued, unit: int, constant: int, run: Run, start: tuple[int, ...] | None) -> Solution:
        """Minimise the model's objective.

        Parameters
        ----------
        problem
            What the rows allow, and what the objective is worth.
        unit, constant
            An assignment is worth constant + unit x the objective.
        start
            An assignment to begin with, where there is one that may be allowed.

        Returns
        -------
        OPTIMAL or INFEASIBLE.

        Raises
        ------
        Stopped
            If a limit is hit before.
        RuntimeError
            If what CP-SAT says does not stand up to recomputation.
        """
        run.check()
        quiet = replace(run, listener=None, start=start)
        best, programme = Incumbent.of(problem, quiet), replace(self.polytope, unit=unit, constant=constant)
        solution = concluded(programme, best, search(self.built, programme, best, quiet), {})
        if solution.status in (Status.OPTIMAL, Status.INFEASIBLE):
            return solution
        run.check()
        if solution.status in (Status.NO_SOLUTION, Status.FEASIBLE) and not solution.note:
            raise Stopped  # CP-SAT's clock may end a little before ours
        raise RuntimeError(f"CP-SAT says {solution.native_status}, recomputed {solution.status}: {solution.note}")


def _sum(built: encoding.Model, criterion: Coefficients) -> LinearExpr:
    """Return sum over v, i of u[v, i] x[v, i] + sum over edges e, arcs a of c[e, a] f[e, a]."""
    from ortools.sat.python.cp_model import LinearExpr

    pairs = [pair for own in zip(built.x, criterion.own, strict=True) for pair in zip(*own, strict=True)]
    for edge, costs in criterion.arcs.items():
        pairs += zip(built.flows[edge], costs, strict=True)
    pairs = [pair for pair in pairs if pair[1]]
    return LinearExpr.weighted_sum([literal for literal, _ in pairs], [cost for _, cost in pairs])
