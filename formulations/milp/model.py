"""The programme of formulations.flow_model in PuLP's terms: x binary, flows continuous."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from formulations.flow_model.polytope import Polytope, ends, inner_nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


Variable: TypeAlias = Any
"""A pulp.LpVariable; PuLP has no types."""
Terms: TypeAlias = "Iterable[tuple[Variable, int]]"

HALF = 0.5
"""Usages and limits are whole: no tolerance decides, neither for a plan at the limit nor for one that is 1 beyond."""

Family: TypeAlias = "Callable[[PulpFlow, Polytope], None]"


@dataclass(frozen=True)
class PulpModel:
    """A PuLP problem, and the variables that say what is chosen.

    Parameters
    ----------
    problem
        With all its constraints.
    x
        By variable and position among its allowed values: 1 if it takes that value.
    """

    problem: Any
    x: Sequence[Sequence[Variable]]


@dataclass(frozen=True)
class PulpFlow(PulpModel):
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

    flows: Mapping[tuple[int, int], Sequence[Variable]]


def build(polytope: Polytope, families: Sequence[Family] | None = None) -> PulpFlow:
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
    built = PulpFlow(problem, x, flows)
    for family in FAMILIES if families is None else families:
        family(built, polytope)
    problem.setObjective(pulp.LpAffineExpression(polytope.costs.terms(x, flows)))
    return built


def one_value(built: PulpFlow, polytope: Polytope) -> None:
    """Sum over i of x[v, i] = 1, for every variable v."""
    for own in built.x:
        equal(built, ((x, 1) for x in own), 1)


def source(built: PulpFlow, polytope: Polytope) -> None:
    """Sum over arcs a out of s_i of f[e, a] = x[first(e), i], for every edge e and value i."""
    for pair, arcs, (variable, i) in ends(polytope, 0):
        _balance(built, pair, arcs, [built.x[variable][i]])


def sink(built: PulpFlow, polytope: Polytope) -> None:
    """Sum over arcs a into q_j of f[e, a] = x[second(e), j], for every edge e and value j."""
    for pair, arcs, (variable, j) in ends(polytope, 1):
        _balance(built, pair, arcs, [built.x[variable][j]])


def conservation(built: PulpFlow, polytope: Polytope) -> None:
    """Sum of f[e, a] into n = sum of f[e, a] out of n, for every edge e and inner node n."""
    for pair, entering, leaving in inner_nodes(polytope):
        _balance(built, pair, entering, [built.flows[pair][a] for a in leaving])


def capacity(built: PulpFlow, polytope: Polytope) -> None:
    """Sum of usage x[v, i] and usage f[e, a] <= limit + 1/2, for every capacity: as far as can be from what decides."""
    for row in polytope.rows:
        terms = row.terms(built.x, built.flows)
        if terms:
            at_most(built, terms, row.limit + HALF)


FAMILIES: tuple[Family, ...] = (one_value, source, sink, conservation, capacity)
"""In the order of the polytope's docstring."""


def _balance(built: PulpFlow, pair: tuple[int, int], arcs: Sequence[int], others: Sequence[Variable]) -> None:
    """Require that the flow over some arcs of an edge equals a sum of other variables."""
    flow = [(built.flows[pair][a], 1) for a in arcs]
    equal(built, [*flow, *((other, -1) for other in others)], 0)


def equal(built: PulpModel, terms: Terms, right: int) -> None:
    """Require that a sum of variables times their coefficients is a number."""
    import pulp

    built.problem.addConstraint(pulp.LpConstraint(pulp.LpAffineExpression(list(terms)), pulp.LpConstraintEQ, rhs=right))


def at_most(built: PulpModel, terms: Terms, right: float) -> None:
    """Require that a sum of variables times their coefficients is no more than a number."""
    import pulp

    built.problem.addConstraint(pulp.LpConstraint(pulp.LpAffineExpression(list(terms)), pulp.LpConstraintLE, rhs=right))
