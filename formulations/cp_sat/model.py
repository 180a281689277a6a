"""The programme of formulations.flow_model in CP-SAT's terms: everything Boolean, every cost an integer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from formulations.flow_model.polytope import inner_nodes, sinks, sources

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ortools.sat.python.cp_model import CpModel, IntVar

    from formulations.flow_model.polytope import Polytope

Family: TypeAlias = "Callable[[Model, Polytope], None]"


@dataclass(frozen=True)
class Model:
    """A CP-SAT model and its variables.

    Parameters
    ----------
    model
        Filled by the families below.
    x
        By variable and position among its allowed values: whether it takes that value.
    flows
        By pair of variables and arc: whether the pair's path uses it. x determines the path, and
        the path determines both ends' x.
    """

    model: CpModel
    x: Sequence[Sequence[IntVar]]
    flows: Mapping[tuple[int, int], Sequence[IntVar]]


def build(polytope: Polytope, families: Sequence[Family] | None = None) -> Model:
    """Create the variables, then the families of constraints (all of them, unless told), then the objective."""
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    x = [[model.new_bool_var(f"x_{v}_{i}") for i in values] for v, values in enumerate(polytope.values)]
    flows = {
        (s, q): [model.new_bool_var(f"f_{s}_{q}_{a}") for a in range(len(network.arcs))]
        for (s, q), network in polytope.networks.items()
    }
    built = Model(model, x, flows)
    for family in FAMILIES if families is None else families:
        family(built, polytope)
    _objective(built, polytope)
    return built


def one_value(built: Model, polytope: Polytope) -> None:
    """Sum over i of x[v, i] = 1, for every variable v."""
    for literals in built.x:
        built.model.add_exactly_one(literals)


def source(built: Model, polytope: Polytope) -> None:
    """Sum over arcs a out of s_i of f[e, a] = x[first(e), i], for every edge e and value i."""
    for pair, arcs, (variable, i) in sources(polytope):
        _balance(built, pair, arcs, [built.x[variable][i]])


def sink(built: Model, polytope: Polytope) -> None:
    """Sum over arcs a into q_j of f[e, a] = x[second(e), j], for every edge e and value j."""
    for pair, arcs, (variable, j) in sinks(polytope):
        _balance(built, pair, arcs, [built.x[variable][j]])


def conservation(built: Model, polytope: Polytope) -> None:
    """Sum of f[e, a] into n = sum of f[e, a] out of n, for every edge e and inner node n."""
    for pair, entering, leaving in inner_nodes(polytope):
        _balance(built, pair, entering, [built.flows[pair][a] for a in leaving])


def capacity(built: Model, polytope: Polytope) -> None:
    """Sum over v, i of usage[v, i] x[v, i] <= limit, for every capacity."""
    from ortools.sat.python.cp_model import LinearExpr

    for row in polytope.rows:
        literals = [built.x[v][i] for v, i in row.usages]
        built.model.add(LinearExpr.weighted_sum(literals, list(row.usages.values())) <= row.limit)


FAMILIES: tuple[Family, ...] = (one_value, source, sink, conservation, capacity)
"""In the order of the polytope's docstring."""


def _balance(built: Model, pair: tuple[int, int], arcs: Sequence[int], others: list[IntVar]) -> None:
    """Require that the flow over some arcs of an edge equals a sum of other variables."""
    from ortools.sat.python.cp_model import LinearExpr

    flow = [built.flows[pair][a] for a in arcs]
    built.model.add(LinearExpr.sum(flow) == LinearExpr.sum(others))


def _objective(built: Model, polytope: Polytope) -> None:
    """Sum over v, i of u[v, i] x[v, i] + sum over edges e, arcs a of c[e, a] f[e, a]."""
    from ortools.sat.python.cp_model import LinearExpr

    pairs = [pair for own in zip(built.x, polytope.own, strict=True) for pair in zip(*own, strict=True) if pair[1]]
    for edge, network in polytope.networks.items():
        costs = (cost for _, _, cost in network.arcs)
        pairs += [pair for pair in zip(built.flows[edge], costs, strict=True) if pair[1]]
    built.model.minimize(LinearExpr.weighted_sum([var for var, _ in pairs], [cost for _, cost in pairs]))
