"""The textbook's linearisation of products, for comparison only: no formulation uses it.

Every product x[s, i] x[q, j] that has a cost becomes a variable of its own,

    min  sum over v, i of u[v, i] x[v, i] + sum over edges, i, j of c[i, j] e[i, j]
    sum over i of x[v, i] = 1,    e[i, j] >= x[s, i] + x[q, j] - 1,    e >= 0,    x binary,

the form of XLA's open auto-sharding solver. Its linear relaxation is weak: where every x is at most 1/2, no pair costs
anything. All k^(2H) pairs of strategies of an edge are there, save those that cost nothing.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from formulations.cp_sat.search import STATUSES
from formulations.flow_model.finish import SolverAnswer, conclude
from formulations.flow_model.polytope import Polytope
from formulations.milp import cbc, highs, model
from hypar_opt.costgraph import Edge, Objective, TableEdge, TableUnary
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypar_opt.costgraph import CostGraph

    Result: TypeAlias = tuple[Status, int | None, int | None, float]
    Search: TypeAlias = Callable[[Polytope, Incumbent, Run], SolverAnswer]


def textbook_cbc(graph: CostGraph, limit_s: float) -> Result:
    """Return status, value, bound (in the graph's unit) and seconds, with building, of CBC."""
    return _measured(graph, limit_s, lambda *given: cbc.search(_milp(given[0]), *given))


def textbook_highs(graph: CostGraph, limit_s: float) -> Result:
    """Return the same of HiGHS."""
    return _measured(graph, limit_s, lambda *given: highs.search(_milp(given[0]), *given))


def textbook_cp_sat(graph: CostGraph, limit_s: float) -> Result:
    """Return the same of CP-SAT, with its own presolve."""
    return _measured(graph, limit_s, _cp_sat)


TEXTBOOK = {"cbc": textbook_cbc, "highs": textbook_highs, "cp-sat": textbook_cp_sat}
"""By solver."""


def _measured(graph: CostGraph, limit_s: float, search: Search) -> Result:
    began = time.perf_counter()
    best = Incumbent.of(graph, Run("textbook", Limits(deadline=time.monotonic() + limit_s)))
    polytope = Polytope.of(_tables(graph))
    solution = conclude(polytope, best, search(polytope, best, best.run))
    value = None if solution.choices is None else graph.value(solution.choices)
    return solution.status, value, solution.bound, time.perf_counter() - began


def _tables(graph: CostGraph) -> CostGraph:
    """Return the graph with every cost as a table, so that an arc is a pair."""
    unary = tuple({"cost": TableUnary(cost.dense(object))} for cost in graph.unary_costs)
    edges = tuple(Edge(*pair, {"cost": TableEdge(cost.dense(object))}) for pair, cost in graph.edge_costs.items())
    return graph.replace(unary=unary, edges=edges, objective=Objective({"cost": Fraction(1)}))


def _products(polytope: Polytope, x: Any) -> Iterator[tuple[Any, Any, int]]:
    """Yield every pair of variables whose product has a cost."""
    positions = [{value: i for i, value in enumerate(values)} for values in polytope.values]
    for (first, second), network in polytope.networks.items():
        for i, j, cost in network.arcs:
            if cost:
                yield x[first][positions[first][i]], x[second][positions[second][j - network.first]], cost


def _milp(polytope: Polytope) -> model.Model:
    """State it in PuLP: the shipped formulation's one-hot values, and a variable a product."""
    import pulp

    built = model.build(replace(polytope, networks={}))
    terms = [pair for own in zip(built.x, polytope.own, strict=True) for pair in zip(*own, strict=True)]
    for number, (x, y, cost) in enumerate(_products(polytope, built.x)):
        product = built.problem.add_variable(f"e_{number}", lowBound=0)
        terms.append((product, cost))
        row = pulp.LpAffineExpression([(product, 1), (x, -1), (y, -1)])
        built.problem.addConstraint(pulp.LpConstraint(row, pulp.LpConstraintGE, rhs=-1))
    built.problem.setObjective(pulp.LpAffineExpression(terms))
    return built


def _cp_sat(polytope: Polytope, best: Incumbent, run: Run) -> SolverAnswer:
    """State and solve it in CP-SAT."""
    from ortools.sat.python.cp_model import CpModel, CpSolver, LinearExpr

    problem = CpModel()
    x = [[problem.new_bool_var("") for _ in values] for values in polytope.values]
    terms = [pair for own in zip(x, polytope.own, strict=True) for pair in zip(*own, strict=True)]
    for row in x:
        problem.add_exactly_one(row)
    for one, other, cost in _products(polytope, x):
        product = problem.new_bool_var("")
        terms.append((product, cost))
        problem.add(product >= one + other - 1)
    problem.minimize(LinearExpr.weighted_sum([var for var, _ in terms], [cost for _, cost in terms]))
    solver = CpSolver()
    solver.parameters.num_workers = run.limits.workers
    solver.parameters.max_time_in_seconds = run.limits.remaining_s() or 0.0
    status = STATUSES[solver.status_name(solver.solve(problem))]
    if status in (Status.OPTIMAL, Status.FEASIBLE):
        best.offer(polytope.choices([solver.boolean_value(one) for one in row].index(True) for row in x))
    return SolverAnswer(status, "", math.floor(solver.best_objective_bound))
