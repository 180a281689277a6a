"""Fronts by CP-SAT: what is accepted, and what is claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.flow_model.network import arc_count, too_many_arcs
from formulations.flow_model.polytope import span
from formulations.fronts.model import FrontModel
from formulations.fronts.zones import points
from formulations.label_setting.supported import weighted
from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import FrontPoint, FrontSolution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Run


MOST = 3
"""Criteria; more have fronts of too many points to be found one by one."""
MAX_SUM = 2**62
"""CP-SAT sums all costs of an objective in an int64."""


def declined(graphs: Sequence[CostGraph]) -> str | None:
    """Return why a front cannot be enumerated, or None."""
    if len(graphs) > MOST:
        return f"{len(graphs)} criteria, its limit is {MOST}; try joint-dp, where the graph has no cycles"
    total = weighted(graphs, [1] * len(graphs))
    large = too_many_arcs(total)
    if large is not None:
        return large
    size = sum(arc_count(cost) for cost in total.edge_costs.values()) + sum(v.size for v in total.variables)
    if sum(span(graph) for graph in graphs) * size >= MAX_SUM:
        return "the criteria, divided by their common divisors, do not fit 64 bits; try joint-dp"
    return None


def front_of(graphs: Sequence[CostGraph], run: Run) -> FrontSolution:
    """Enumerate the front of any graph, a point at a time.

    Parameters
    ----------
    graphs
        One a criterion: the same variables, edges and capacities.
    run
        Its limits are kept; what was found before is then returned, every point of it a point of the front.
    """
    run.phase("building the model")
    model = FrontModel.of(graphs)
    if not all(model.polytope.values) or any(row.limit < 0 for row in model.polytope.rows):
        return FrontSolution((), complete=True, native_status="no value, or no room for the least usages")
    if not model.polytope.values:
        return FrontSolution((FrontPoint((0,) * len(graphs), ()),), complete=True, native_status="nothing to choose")
    run.phase("searching point by point")
    found: list[FrontPoint] = []
    tracker = Tracker(run.listener, run.source, "points")
    try:
        for point in points(model, run):
            found.append(point)
            tracker.add()
            if len(found) % 16 == 0:
                run.phase(f"{len(found)} points")
    except Stopped:
        return FrontSolution(tuple(sorted(found)), complete=False, native_status="stopped before the last point")
    facts = {"arcs": model.polytope.arcs, "points": len(found)}
    return FrontSolution(tuple(sorted(found)), complete=True, native_status="INFEASIBLE beyond them", statistics=facts)
