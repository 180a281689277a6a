"""The programme of formulations.flow_model in PuLP's terms: x binary, flows continuous."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from formulations.flow_model.polytope import inner_nodes, sinks, sources

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from formulations.flow_model.polytope import Polytope

Variable: TypeAlias = Any
"""A pulp.LpVariable; PuLP has no types."""
Terms: TypeAlias = "Iterable[tuple[Variable, int]]"

HALF = 0.5
"""Usages and limits are whole: no tolerance decides, neither for a plan at the limit nor for one that is 1 beyond."""

Family: TypeAlias = "Callable[[Model, Polytope], None]"


class Built(Protocol):
    """What a search needs of a built programme."""

    @property
    def problem(self) -> Any:
        """With all its constraints, in PuLP's terms."""

    @property
    def x(self) -> Sequence[Sequence[Variable]]:
        """By variable and position among its allowed values: 1 if it takes that value."""


@dataclass(frozen=True)
class Model:
    """A PuLP problem and its variables.

    Parameters
    ----------
    problem
        Filled by the families below.
    x
        By variable and position among its allowed values: 1 if it takes that value.
    flows
        By pair of variables and arc: how much of the pair's path uses it. Where x is integral the
        path is one, and so are its flows.
    """

    problem: Any
    x: Sequence[Sequence[Variable]]
    flows: Mapping[tuple[int, int], Sequence[Variable]]


def build(polytope: Polytope, families: Sequence[Family] | None = None) -> Model:
    """Create the variables, then the families of constraints (all of them, unless told), then the objective."""
    import pulp

    problem = pulp.LpProblem("hypar_opt")
    x = [
        [problem.add_variable(f"x_{v}_{i}", cat=pulp.LpBinary) for i in values]
        for v, values in enumerate(polytope.values)
    ]
    flows = {
        (s, q): [problem.add_variable(f"f_{s}_{q}_{a}", lowBound=0) for a in range(len(network.arcs))]
        for (s, q), network in polytope.networks.items()
    }
    built = Model(problem, x, flows)
    for family in FAMILIES if families is None else families:
        family(built, polytope)
    _objective(built, polytope)
    return built


def one_value(built: Model, polytope: Polytope) -> None:
    """Sum over i of x[v, i] = 1, for every variable v."""
    for own in built.x:
        _equal(built, ((x, 1) for x in own), 1)


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
    """Sum over v, i of usage[v, i] x[v, i] <= limit + 1/2, for every capacity: as far as can be from what decides."""
    import pulp

    for row in polytope.rows:
        if row.usages:
            used = pulp.LpAffineExpression([(built.x[v][i], use) for (v, i), use in row.usages.items()])
            built.problem.addConstraint(pulp.LpConstraint(used, pulp.LpConstraintLE, rhs=row.limit + HALF))


FAMILIES: tuple[Family, ...] = (one_value, source, sink, conservation, capacity)
"""In the order of the polytope's docstring."""


def _balance(built: Model, pair: tuple[int, int], arcs: Sequence[int], others: Sequence[Variable]) -> None:
    """Require that the flow over some arcs of an edge equals a sum of other variables."""
    flow = [(built.flows[pair][a], 1) for a in arcs]
    _equal(built, [*flow, *((other, -1) for other in others)], 0)


def _equal(built: Model, terms: Terms, right: int) -> None:
    import pulp

    expression = pulp.LpAffineExpression(list(terms))
    built.problem.addConstraint(pulp.LpConstraint(expression, pulp.LpConstraintEQ, rhs=right))


def _objective(built: Model, polytope: Polytope) -> None:
    """Sum over v, i of u[v, i] x[v, i] + sum over edges e, arcs a of c[e, a] f[e, a]."""
    import pulp

    pairs = [pair for own in zip(built.x, polytope.own, strict=True) for pair in zip(*own, strict=True)]
    for edge, network in polytope.networks.items():
        pairs += zip(built.flows[edge], (cost for _, _, cost in network.arcs), strict=True)
    built.problem.setObjective(pulp.LpAffineExpression([pair for pair in pairs if pair[1]]))
