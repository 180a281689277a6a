"""Pareto fronts of any graph, point by point: epsilon-constraints over the polytope of formulations.flow_model.

Every criterion j is a linear expression over the same one-hot values x and flows f,

    F_j = sum over v, i of u_j[v, i] x[v, i] + sum over edges e, arcs a of c_j[e, a] f[e, a],

for one network carries an edge's costs by all criteria (`packing`). So "criterion j is at most epsilon_j" is a row,
and CP-SAT, which computes in exact integers, finds the least F_1 + F_2 + ... under one such row a criterion, which is a
point of the front, or proves that there is none; `zones` says which epsilons have to be asked about until nothing is
left. Before that, weighted sums are minimised by joint-dp's elimination where its tables fit the memory limit: all the
points that they find, but none else, can be had so, and they bound what there can be between those points.

Classical two-stage epsilon-constraints (least F_1 with F_2 bounded, then least F_2 with F_1 at that) were measured
beside it and dropped: as many searches and as fast on chains, but on resnet-18 18 points after 40 s, where this has 97
of the 118. Rows of the kind "some criterion is less than at point p", one for each point, are slower by far: 21 s and
not 1.5 s for the 45 points of lenet-c's front of the bytes of level 1, of level 2, and of levels 3 and 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.cp_sat.model import MAX_SUM
from formulations.flow_model.network import arc_count, too_many_arcs
from formulations.flow_model.polytope import span
from formulations.fronts.model import FrontModel
from formulations.fronts.zones import ZoneSearch
from formulations.joint_dp.elimination import min_fill, peak_bytes
from formulations.label_setting.fronts import KnownPlans, weighted
from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import FrontPoint, FrontSolution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import CostGraph


MOST = 3
"""Criteria; more have fronts of too many points to be found one by one."""
SUMS = 200
"""Weighted sums of two criteria at most, each of which takes less than one search of CP-SAT."""


def declined(graphs: Sequence[CostGraph]) -> str | None:
    """Return why a front cannot be enumerated, or None."""
    if len(graphs) > MOST:
        return f"{len(graphs)} criteria, its limit is {MOST}; try joint-dp"
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
        return FrontSolution((), complete=True, native_status="no value, or the least usages exceed what is allowed")
    if not model.polytope.values:
        return FrontSolution((FrontPoint((0,) * len(graphs), ()),), complete=True, native_status="nothing to choose")
    known = KnownPlans(tuple(graphs), ())
    search = ZoneSearch(model, known.sums)
    found: list[FrontPoint] = []
    try:
        _explore(known, run)
        for values, choices in known.supported.items():
            found.append(FrontPoint(values, choices))
            search.add(choices)
        run.phase("searching point by point")
        tracker = Tracker(run.listener, run.source, "points")
        tracker.add(len(found))
        for point in search.points(run):
            found.append(point)
            tracker.add()
            if len(found) % 16 == 0:
                run.phase(f"{len(found)} points")
    except Stopped as stopped:
        why = str(stopped) or "stopped before the last point"
        return FrontSolution(tuple(sorted(found)), complete=False, native_status=why, excess=search.excess)
    facts = {"arcs": model.polytope.arcs, "points": len(found)}
    return FrontSolution(tuple(sorted(found)), complete=True, native_status="the front is complete", statistics=facts)


def _explore(known: KnownPlans, run: Run) -> None:
    """Minimise weighted sums, if the tables fit the memory limit."""
    steps = min_fill(known.graphs[0])
    if max(peak_bytes(graph, steps) for graph in known.graphs) <= run.limits.memory_bytes:
        run.phase("minimising weighted sums")
        known.explore(run, SUMS)
