"""The mixed-integer programme, with CBC and with HiGHS, and the polytope behind it."""

from __future__ import annotations

import sys
import tempfile
import time
from fractions import Fraction
from threading import Event, Thread, Timer

import numpy as np
import pytest
from family_cases import CASES, built_alone, target, two_values
from helpers import each
from random_graphs import as_tables, complete_graph, random_graph

from formulations.flow_model import waiting as libraries
from formulations.flow_model.polytope import Polytope, span
from formulations.milp import model
from hypar_opt.costgraph import Capacity, Objective, TableEdge, Variable, Words
from hypar_opt.formulation.registry import load_formulation, require
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem

BRUTE, JOINT = load_formulation("brute-force"), load_formulation("joint-dp")
TEN = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")
both = pytest.mark.parametrize("name", ["milp-cbc", "milp-highs"])


def run_of(name, seconds=None, **others):
    deadline = None if seconds is None else time.monotonic() + seconds
    return Run(name, Limits(deadline=deadline), **others)


def solved(name, graph, **others):
    formulation = load_formulation(name)
    run = run_of(name, **others)
    require(formulation, graph, run)
    return formulation.solve(graph, run)


@both
@each("seed", range(30))
def test_it_agrees_with_brute_force_and_joint_dp(name, seed):
    graph = random_graph(seed)
    solution, brute, joint = (solved(one, graph) for one in (name, "brute-force", "joint-dp"))
    assert (solution.status, solution.bound) == (brute.status, brute.bound) == (joint.status, joint.bound)
    if solution.choices is not None:
        assert graph.feasible(solution.choices)
        assert graph.value(solution.choices) == solution.bound


@both
@each("seed", range(100, 115))
def test_it_agrees_with_brute_force_under_capacities(name, seed):
    graph = random_graph(seed, variables=4, capacities=True)
    solution, brute = solved(name, graph), solved("brute-force", graph)
    assert (solution.status, solution.bound) == (brute.status, brute.bound)
    assert solution.choices is None or graph.feasible(solution.choices)


def test_the_random_graphs_cover_what_they_should():
    graphs = [random_graph(seed) for seed in range(30)]
    limited = [random_graph(seed, variables=4, capacities=True) for seed in range(100, 115)]
    edges = [cost for graph in graphs for cost in graph.edge_costs.values()]
    sides = [{term.side for term in cost.terms if not term.free} for cost in edges if not isinstance(cost, TableEdge)]
    assert {frozenset(one) for one in sides} == {frozenset(), frozenset({0}), frozenset({1}), frozenset({0, 1})}
    assert any(isinstance(cost, TableEdge) for cost in edges)
    assert any(not graph.is_chain for graph in graphs)
    assert any(variable.mask is not None for graph in graphs for variable in graph.variables)
    assert {solved("brute-force", graph).status for graph in graphs} == {"OPTIMAL", "INFEASIBLE"}
    assert {solved("brute-force", graph).status for graph in limited} == {"OPTIMAL", "INFEASIBLE"}


@pytest.mark.slow
@pytest.mark.sampled(1)
@both
@pytest.mark.parametrize("accounting", ["published", "as-evaluated", "receiver"])
def test_the_papers_networks_are_proven(name, accounting):
    for network in TEN:
        graph = NetworkProblem(load(network, accounting=accounting)).graph
        solution = solved(name, graph)
        assert (solution.status, solution.bound) == ("OPTIMAL", JOINT.solve(graph, Run("joint-dp")).bound)
        assert "proven in floating point" in solution.note


@both
def test_a_network_with_joins_is_proven(name):
    graph = NetworkProblem(load("resnet-18")).graph
    assert solved(name, graph).bound == JOINT.solve(graph, Run("joint-dp")).bound


@both
def test_contradicting_capacities_are_infeasible(name):
    graph = random_graph(0)
    usages = {i: tuple(range(variable.size)) for i, variable in enumerate(graph.variables)}
    against = {i: tuple(-use for use in usage) for i, usage in usages.items()}
    graph = graph.replace(capacities=(Capacity("most", 3, usages), Capacity("least", -4, against)))
    solution = solved(name, graph)
    assert (solution.status, solution.choices, solution.bound) == ("INFEASIBLE", None, None)


@both
def test_what_needs_no_solver_is_settled_before(name):
    words = Words("dm", 2, (0, 0))
    graph = random_graph(0)
    nothing = graph.replace(variables=(), unary=(), edges=())
    empty = graph.replace(variables=(Variable("v", 4, words),), unary=({},), edges=())
    full = two_values().replace(capacities=(Capacity("memory", 0, {0: (1, 6)}),))
    assert (solved(name, nothing).status, solved(name, nothing).choices) == ("OPTIMAL", ())
    assert (solved(name, empty).status, solved(name, empty).native_status) == (
        "INFEASIBLE",
        "a variable has no allowed value",
    )
    assert solved(name, full).native_status == "the least usages exceed the capacity 'memory'"


@pytest.mark.parametrize("case", CASES, ids=[case.family for case in CASES])
def test_each_family_alone_can_hold_and_can_be_broken(case):
    import pulp

    built = built_alone(model, case)
    for fixing, status in ((case.holds, "Optimal"), (case.breaks, "Infeasible")):
        variable = target(built, fixing)
        variable.lowBound = variable.upBound = fixing[3]
        built.problem.solve(pulp.COIN_CMD(path=pulp.PULP_CBC_CMD.pulp_cbc_path, msg=False))
        assert pulp.LpStatus[built.problem.status] == status


def relaxed(graph):
    """Return the optimum of the linear programme, in the graph's unit."""
    import pulp

    polytope = Polytope.of(graph)
    problem = model.build(polytope).problem
    problem.solve(pulp.HiGHS(mip=False, msg=False))
    return polytope.constant + polytope.unit * pulp.value(problem.objective)


def cyclic(seed):
    """Return a graph over words with many cycles and nothing masked."""
    graph = random_graph(seed, variables=6, more=16)
    return graph.replace(
        variables=tuple(
            Variable(one.name, one.size, Words(one.words.alphabet, one.words.length)) for one in graph.variables
        )
    )


def test_the_flows_linear_bound_is_the_pairwise_local_polytopes():
    gaps = 0
    for seed in range(8):
        graph = cyclic(seed)
        flow, pairs = relaxed(graph), relaxed(as_tables(graph))
        assert flow == pytest.approx(pairs, rel=1e-9)
        gaps += flow < JOINT.solve(graph, Run("joint-dp")).bound - 1
    assert gaps >= 2, "every one of them was integral, so that little was tested"


def test_on_a_tree_the_linear_bound_is_the_optimum():
    graph = NetworkProblem(load("vgg-e", accounting="receiver")).graph
    assert relaxed(graph) == pytest.approx(JOINT.solve(graph, Run("joint-dp")).bound, rel=1e-9)


@each("seed", range(20))
def test_every_pair_of_values_is_one_path_with_its_cost(seed):
    graph = random_graph(seed, variables=3, most_levels=3)
    polytope = Polytope.of(graph)
    for (first, second), network in polytope.networks.items():
        dense = graph.edge_costs[first, second].dense(object)
        offsets = set()
        for s in polytope.values[first]:
            reached = {s: [0]}
            for tail, head, cost in network.arcs:
                reached.setdefault(head, []).extend(c + cost for c in reached.get(tail, []))
            for q in polytope.values[second]:
                (path,) = reached[network.first + q]
                offsets.add(int(dense[s, q]) - path * polytope.unit)
        assert len(offsets) <= 1


def test_a_word_network_has_fewer_arcs_than_pairs():
    graph = NetworkProblem(load("vgg-e", levels=6)).graph
    assert Polytope.of(graph).arcs == 18 * 6 * 2**7
    assert Polytope.of(as_tables(NetworkProblem(load("sfc")).graph)).arcs == 3 * 16**2


@both
@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.4])
def test_stopped_early_it_claims_no_optimum(name, seconds):
    graph = complete_graph()
    solution = solved(name, graph, seconds=seconds)
    assert solution.status in (Status.FEASIBLE, Status.NO_SOLUTION)
    if solution.choices is not None and solution.bound is not None:
        assert solution.bound < graph.value(solution.choices)


@both
def test_it_stops_when_told_to_from_outside(name):
    limits = Limits(stop=Event())
    Timer(0.3, limits.stop.set).start()
    solution = load_formulation(name).solve(complete_graph(), Run(name, limits))
    assert solution.status in (Status.FEASIBLE, Status.NO_SOLUTION)


@both
def test_the_start_is_the_first_incumbent_and_survives_a_stop(name):
    graph = complete_graph()
    events = []
    start = (0,) * len(graph.variables)
    solution = solved(name, graph, seconds=0.0, start=start, listener=events.append)
    assert (solution.status, solution.choices) == ("FEASIBLE", start)
    assert [event.value for event in events if event.kind == "incumbent"] == [graph.value(start)]


@both
def test_a_start_does_not_change_the_optimum(name):
    graph = NetworkProblem(load("alexnet")).graph
    events = []
    best = JOINT.solve(graph, Run("joint-dp"))
    for start in (best.choices, tuple(0 for _ in best.choices)):
        solution = solved(name, graph, start=start, listener=events.append)
        assert (solution.status, solution.bound) == ("OPTIMAL", best.bound)
    assert events[0].value == best.bound


def test_cbc_takes_the_start_for_what_it_is(tmp_path):
    from formulations.milp import cbc

    graph = NetworkProblem(load("sfc")).graph
    polytope = Polytope.of(graph)
    built = model.build(polytope)
    _, names, _, _ = built.problem.writeMPS(str(tmp_path / "model.mps"), rename=1)
    best = JOINT.solve(graph, Run("joint-dp"))
    cbc._write_start(tmp_path / "start.mst", built, polytope, best.choices, names)
    assert cbc._finished(cbc._command(tmp_path, Limits()), tmp_path, Limits())
    expected = (best.bound - polytope.constant) // polytope.unit
    assert f"MIPStart provided solution with cost {expected}" in (tmp_path / "log").read_text()


@both
def test_a_start_that_is_not_allowed_is_ignored(name):
    graph = two_values()
    solution = solved(name, graph, start=(1,))
    assert (solution.status, solution.choices, solution.bound) == ("OPTIMAL", (0,), 7)


@both
def test_it_works_in_a_thread_of_its_own_and_says_nothing(name, capfd):
    graph = NetworkProblem(load("sfc")).graph
    found = []
    thread = Thread(target=lambda: found.append(solved(name, graph)))
    thread.start()
    thread.join()
    assert found[0].status == "OPTIMAL"
    assert capfd.readouterr() == ("", "")


def test_cbc_leaves_no_files_behind(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for seconds in (None, 0.4):
        assert solved("milp-cbc", complete_graph(4 if seconds is None else 16), seconds=seconds)
        assert list(tmp_path.iterdir()) == []


@both
def test_bounds_and_incumbents_are_told_in_the_graphs_unit(name):
    graph = NetworkProblem(load("vgg-a")).graph
    events = []
    solution = solved(name, graph, listener=events.append)
    values = {kind: [event.value for event in events if event.kind == kind] for kind in ("incumbent", "bound")}
    assert values["incumbent"][-1] == solution.bound
    assert values["incumbent"] == sorted(values["incumbent"], reverse=True)
    assert all(bound <= solution.bound for bound in values["bound"])


@both
def test_costs_that_doubles_cannot_tell_apart_are_told_apart(name):
    odd = random_graph(1).replace(objective=Objective({"cost": Fraction(2**60)}))
    far = complete_graph(3, 2)
    wide = far.replace(edges=tuple(_wider(edge) for edge in far.edges))
    assert span(wide) > 2**60
    for graph in (odd, wide):
        solution = solved(name, graph)
        assert (solution.status, solution.bound) == ("OPTIMAL", solved("brute-force", graph).bound)


def _wider(edge):
    values = edge.costs["cost"].values * 2**45 + np.arange(4).reshape(2, 2)
    return type(edge)(edge.first, edge.second, {"cost": TableEdge(values)})


@both
def test_too_many_arcs_are_declined_with_the_number(name):
    graph = NetworkProblem(load("vgg-e", levels=10)).graph
    assert load_formulation(name).accepts(graph, Run(name)) == (
        f"its model would have {18 * 10 * 2**11:,} arcs, its limit is 200,000; try joint-dp"
    )


def test_two_versions_of_highs_in_one_process_are_declined(monkeypatch):
    monkeypatch.setattr(libraries, "version", lambda name: "1.15.1")
    monkeypatch.delitem(sys.modules, "highspy._core", raising=False)
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model_helper", np)
    reason = load_formulation("milp-highs").accepts(random_graph(1), Run("milp-highs"))
    assert "install 'highspy<1.15'" in reason
    assert load_formulation("milp-cbc").accepts(random_graph(1), Run("milp-cbc")) is None
    monkeypatch.setattr(libraries, "version", lambda name: "1.14.0")
    assert load_formulation("milp-highs").accepts(random_graph(1), Run("milp-highs")) is None
