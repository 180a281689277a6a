"""Graphs side by side, which presolve leaves in several components: by every formulation, and with certificates."""

from __future__ import annotations

import hashlib
import io
import time
from dataclasses import replace
from math import ceil

import numpy as np
import pytest

from hypar_opt.costgraph import Priced
from hypar_opt.costgraph.presolve import components
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.problem import Start
from hypar_opt.solver.solve import solve
from hypar_opt.verification.certificate.check import check
from hypar_opt.verification.certificate.of_graph import write_graph_certificate
from tests.instance.strategy_graph.drawing import best, cost
from tests.instance.strategy_graph.unions import drawn, least, uncolourable, union

EXACT = ("brute-force", "cp-sat", "milp-cbc", "milp-highs", "portfolio")
PRICING = ("milp-highs", "lagrangian", "portfolio")
SEEDS = range(10)


def problem_of(whole):
    return GraphProblem(replace(whole, sha256=hashlib.sha256(whole.name.encode()).hexdigest()))


def parts_of(problem):
    """Return how many parts are solved apart."""
    return 0 if problem.refuted is not None else len(components(problem.reduction.tables))


def holds(problem, plan, truth, exact):
    """Return whether a plan's claims agree with its graph's least cost."""
    if truth is None:
        return plan.status is Status.INFEASIBLE or (plan.status is Status.NO_SOLUTION and not exact)
    graph = problem.instance
    paid = cost(graph, graph.sizes * 0 + [int(text) for text in plan.strategies.values()])
    proven = plan.status is Status.OPTIMAL and plan.objective == plan.bound == truth
    open_ = plan.status is Status.FEASIBLE and not exact and plan.bound <= truth <= plan.objective
    return paid == plan.objective and (proven or open_)


@pytest.mark.parametrize("seeds", [SEEDS[:4], pytest.param(SEEDS[4:], marks=pytest.mark.slow)], ids=["few", "others"])
@pytest.mark.parametrize("formulation", [*EXACT, "lagrangian"])
def test_graphs_apart(formulation, seeds):
    for seed in seeds:
        count = 2 + seed % 2
        graphs, whole = drawn(seed, count, hard=True)
        problem = problem_of(whole)
        plan = solve(problem, formulation)
        assert holds(problem, plan, least(graphs), formulation in EXACT), seed
        assert plan.statistics["components"] == count
        assert plan.native_status.startswith(f"in {count} components: ")


@pytest.mark.parametrize("seeds", [SEEDS[:4], pytest.param(SEEDS[4:], marks=pytest.mark.slow)], ids=["few", "others"])
@pytest.mark.parametrize("formulation", [*EXACT, "lagrangian"])
def test_graphs_that_share_the_memory(formulation, seeds):
    parts = []
    for seed in seeds:
        _, whole = drawn(seed, 2, apart=False, most_nodes=3, hard=True)
        problem, found = problem_of(whole), best(whole)
        truth = None if found is None else found[0]
        assert holds(problem, solve(problem, formulation), truth, formulation in EXACT), seed
        parts.append(parts_of(problem))
    assert {1, 2} <= set(parts)


def splitting(seed, count=2):
    """Return graphs that have plans, and their union, of which presolve leaves as many components."""
    graphs, whole = drawn(seed, count, feasible=True, hard=True)
    problem = problem_of(whole)
    assert parts_of(problem) == count
    return graphs, problem


@pytest.mark.parametrize(
    "formulation", [pytest.param(one, marks=[pytest.mark.slow] * (one == "milp-cbc")) for one in EXACT]
)
def test_a_part_without_a_plan_that_presolve_does_not_see(formulation):
    impossible, (others, _) = uncolourable(), drawn(0, 1, feasible=True, hard=True)
    assert best(impossible) is None
    for graphs in ([impossible, *others], [*others, impossible]):
        problem = problem_of(union(graphs))
        assert parts_of(problem) == 2
        plan = solve(problem, formulation)
        assert plan.status is Status.INFEASIBLE
        assert " of 2: " in plan.native_status


@pytest.mark.parametrize("formulation", [*EXACT, "lagrangian"])
def test_no_time_at_all(formulation):
    for seed in (0, 1):
        graphs, problem = splitting(seed)
        plan = solve(problem, formulation, limits=Limits(time.monotonic()))
        assert plan.status in (Status.OPTIMAL, Status.FEASIBLE, Status.NO_SOLUTION)
        assert plan.bound is None or plan.bound <= least(graphs)


def test_no_time_leaves_the_start():
    graphs, problem = splitting(0)
    whole = problem.instance
    plan = solve(problem, "cp-sat")
    start = Start(plan.strategies)
    again = solve(problem, "milp-cbc", limits=Limits(time.monotonic()), start=start)
    assert again.status in (Status.OPTIMAL, Status.FEASIBLE)
    assert again.objective == least(graphs) == cost(whole, np.array([int(one) for one in again.strategies.values()]))


@pytest.mark.parametrize("formulation", ["cp-sat", "portfolio", "lagrangian"])
def test_what_is_told_on_the_way_is_of_the_whole(formulation):
    graphs, problem = splitting(0, 3)
    events, truth = [], least(graphs)
    solve(problem, formulation, listener=events.append)
    plans = [event for event in events if event.kind == "incumbent"]
    bounds = [event.value for event in events if event.kind == "bound"]
    told = [event.choices for event in plans if event.source != "solve"]  # whose first plan is of no formulation
    assert all(len(choices) == problem.reduction.tables.count for choices in told)
    assert [event.value for event in plans] == sorted((event.value for event in plans), reverse=True)
    assert plans[-1].value >= truth >= max(bounds)
    assert bounds == sorted(bounds)
    assert any(event.text.startswith("component 1 of") for event in events)


@pytest.mark.parametrize("formulation", PRICING)
def test_certificates_of_unions_hold(formulation):
    improved = 0
    for seed in range(5):
        graphs, problem = splitting(seed)
        proofs, tables = [], problem.reduction.tables
        plan = solve(problem, formulation, proof=proofs.append)
        file = io.BytesIO()
        write_graph_certificate(file, problem, proofs[-1], plan)
        found = check(file)
        assert found.proven
        assert found.cost == plan.objective >= least(graphs)
        assert ceil(Priced(tables, proofs[-1]).bound) <= found.bound <= least(graphs)
        improved += Priced(tables, proofs[-1]).bound > Priced(tables, proofs[0]).bound
    assert improved > 1
