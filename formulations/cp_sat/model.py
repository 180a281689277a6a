"""The programme of formulations.flow_model in CP-SAT's terms: everything Boolean, every cost an integer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from formulations.cp_sat.search import CpSatModel
from formulations.flow_model.polytope import Polytope, ends, inner_nodes
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ortools.sat.python.cp_model import IntVar, LinearExpr


MAX_SUM = 2**62
"""CP-SAT sums all costs of an objective, and all usages of a capacity, in an int64."""
Family: TypeAlias = "Callable[[CpSatFlow, Polytope], None]"


@dataclass(frozen=True)
class CpSatFlow(CpSatModel):
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

    flows: Mapping[tuple[int, int], Sequence[IntVar]]


def build(polytope: Polytope, families: Sequence[Family] | None = None) -> CpSatFlow:
    """Create the variables, then the families of constraints (all of them, unless told), then the objective."""
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    x = [[model.new_bool_var(f"x_{v}_{i}") for i in values] for v, values in enumerate(polytope.values)]
    flows = {
        (s, q): [model.new_bool_var(f"f_{s}_{q}_{a}") for a in range(len(network.arcs))]
        for (s, q), network in polytope.networks.items()
    }
    built = CpSatFlow(model, x, flows)
    for family in FAMILIES if families is None else families:
        family(built, polytope)
    model.minimize(linear(polytope.costs.terms(x, flows)))
    return built


def check_rows(name: str, polytope: Polytope) -> None:
    """Raise `Refusal` if the usages of a capacity that plans can exceed sum to more than 64 bits hold."""
    if any(row.most > row.limit and row.most >= MAX_SUM for row in polytope.rows):
        raise Refusal(f"{name} declines: the usages, divided by their common divisor, do not fit 64 bits")


def one_value(built: CpSatFlow, polytope: Polytope) -> None:
    """Sum over i of x[v, i] = 1, for every variable v."""
    for literals in built.x:
        built.model.add_exactly_one(literals)


def source(built: CpSatFlow, polytope: Polytope) -> None:
    """Sum over arcs a out of s_i of f[e, a] = x[first(e), i], for every edge e and value i."""
    for pair, arcs, (variable, i) in ends(polytope, 0):
        _balance(built, pair, arcs, [built.x[variable][i]])


def sink(built: CpSatFlow, polytope: Polytope) -> None:
    """Sum over arcs a into q_j of f[e, a] = x[second(e), j], for every edge e and value j."""
    for pair, arcs, (variable, j) in ends(polytope, 1):
        _balance(built, pair, arcs, [built.x[variable][j]])


def conservation(built: CpSatFlow, polytope: Polytope) -> None:
    """Sum of f[e, a] into n = sum of f[e, a] out of n, for every edge e and inner node n."""
    for pair, entering, leaving in inner_nodes(polytope):
        _balance(built, pair, entering, [built.flows[pair][a] for a in leaving])


def capacity(built: CpSatFlow, polytope: Polytope) -> None:
    """Sum over v, i of usage[v, i] x[v, i] + sum over e, a of usage[e, a] f[e, a] <= limit, for every capacity."""
    for row in polytope.rows:
        if row.most <= row.limit:
            continue  # which may be a number beyond 64 bits
        built.model.add(linear(row.terms(built.x, built.flows)) <= row.limit)


FAMILIES: tuple[Family, ...] = (one_value, source, sink, conservation, capacity)
"""In the order of the polytope's docstring."""


def _balance(built: CpSatFlow, pair: tuple[int, int], arcs: Sequence[int], others: list[IntVar]) -> None:
    """Require that the flow over some arcs of an edge equals a sum of other variables."""
    from ortools.sat.python.cp_model import LinearExpr

    flow = [built.flows[pair][a] for a in arcs]
    built.model.add(LinearExpr.sum(flow) == LinearExpr.sum(others))


def linear(terms: Iterable[tuple[IntVar, int]]) -> LinearExpr:
    """Return the sum of variables times their coefficients."""
    from ortools.sat.python.cp_model import LinearExpr

    both = list(terms)
    return LinearExpr.weighted_sum([variable for variable, _ in both], [weight for _, weight in both])
