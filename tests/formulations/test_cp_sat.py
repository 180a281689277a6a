"""CP-SAT: exact claims, limits and hints."""

from __future__ import annotations

import math
import sys
import time
from fractions import Fraction
from itertools import product
from threading import Event, Thread, Timer

import numpy as np
import pytest
from family_cases import CASES, built_alone, target, two_values
from helpers import each
from ortools.sat.python import cp_model
from random_graphs import COST, complete_graph, random_graph

from formulations.cp_sat import model
from formulations.cp_sat.search import no_more, watched
from formulations.flow_model import waiting as libraries
from hypar_opt.costgraph import Capacity, CostGraph, Edge, Objective, TableEdge, TableUnary, Variable, Words
from hypar_opt.formulation.registry import load_formulation, require
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem

CP_SAT, BRUTE, JOINT = (load_formulation(name) for name in ("cp-sat", "brute-force", "joint-dp"))
TEN = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")


def solved(graph, seconds=None, **others):
    deadline = None if seconds is None else time.monotonic() + seconds
    run = Run("cp-sat", Limits(deadline=deadline), **others)
    require(CP_SAT, graph, run)
    return CP_SAT.solve(graph, run)


@each("seed", range(30))
def test_it_agrees_with_brute_force_and_joint_dp(seed):
    graph = random_graph(seed)
    solution, brute, joint = solved(graph), BRUTE.solve(graph, Run("b")), JOINT.solve(graph, Run("j"))
    assert (solution.status, solution.bound) == (brute.status, brute.bound) == (joint.status, joint.bound)
    if solution.choices is not None:
        assert graph.feasible(solution.choices)
        assert graph.value(solution.choices) == solution.bound


@each("seed", range(100, 115))
def test_it_agrees_with_brute_force_under_capacities(seed):
    graph = random_graph(seed, variables=4, capacities=True)
    solution, brute = solved(graph), BRUTE.solve(graph, Run("b"))
    assert (solution.status, solution.bound) == (brute.status, brute.bound)
    assert solution.choices is None or graph.feasible(solution.choices)


@each("given", product(["published", "as-evaluated", "receiver"], TEN), quick=5)
def test_the_papers_networks_are_proven(given):
    accounting, network = given
    graph = NetworkProblem(load(network, accounting=accounting)).graph
    solution = solved(graph)
    assert (solution.status, solution.bound) == ("OPTIMAL", JOINT.solve(graph, Run("j")).bound)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("network", ["resnet-18", "resnet-50"])
def test_networks_with_joins_are_proven(network):
    graph = NetworkProblem(load(network)).graph
    assert solved(graph).bound == JOINT.solve(graph, Run("j")).bound


def test_costs_beyond_what_doubles_can_tell_apart_stay_exact():
    costs = np.array([2**55 + 2, 2**55 + 1, 2**55 + 3], dtype=object)
    far = np.array([0, 2**56, 2**57 + 1], dtype=object)
    unary = ({"cost": TableUnary(costs)}, {"cost": TableUnary(far)})
    graph = CostGraph((Variable("a", 3), Variable("b", 3)), unary, (), COST)
    solution = solved(graph)
    assert (solution.status, solution.choices, solution.bound) == ("OPTIMAL", (1, 0), 2**55 + 1)
    capped = graph.replace(capacities=(Capacity("not the first", -1, {1: (0, -1, -2)}),))
    assert (solved(capped).status, solved(capped).bound) == ("OPTIMAL", 2**55 + 1 + 2**56)


def test_a_bound_that_comes_as_a_float_is_never_told_as_more_than_it_was():
    """From 2^53 on floats skip integers, and the nearest may be above: a bound above the optimum."""
    rng, larger = np.random.default_rng(0), 0
    for number in (*rng.integers(0, 2**62, 2000).tolist(), *range(2**53 - 5, 2**53 + 5), 12218010289013923):
        for part in (0, number // 3, number // 2 + 1):
            told = float(number - part) + float(part)
            larger += told > number
            assert 0 <= number - no_more(told) <= 8 * math.ulp(number)
            assert no_more(told) == number or number >= 2**53 - 1
    assert larger > 1000
    assert no_more(0.5) == no_more(-0.0) == 0
    assert no_more(-0.5) == -1


def test_no_bound_is_told_above_the_optimum_where_floats_skip_integers(monkeypatch):
    """Three variables of which two take the same value: the cheapest pair costs 2^55 + 7, as a float 2^55 + 8."""

    class Telling(cp_model.CpSolver):
        def solve(self, *arguments):
            status = super().solve(*arguments)
            assert self.best_objective_bound > 2**55 + 7
            self.best_bound_callback(self.best_objective_bound)
            return status

    monkeypatch.setattr(cp_model, "CpSolver", Telling)
    tables = [TableEdge(np.diag([2**55 + more] * 2).astype(object)) for more in (7, 12, 16)]
    edges = [Edge(*pair, {"cost": table}) for pair, table in zip([(0, 1), (1, 2), (0, 2)], tables, strict=True)]
    nothing, events = {"cost": TableUnary(np.array([0, 0], dtype=object))}, []
    graph = CostGraph(tuple(Variable(name, 2) for name in "abc"), (nothing,) * 3, tuple(edges), COST)
    solution = solved(graph, listener=events.append)
    assert (solution.status, solution.bound) == ("OPTIMAL", 2**55 + 7)
    told = [event.value for event in events if event.kind == "bound"]
    assert solution.bound - 2**6 < max(told) <= solution.bound


def test_contradicting_capacities_are_infeasible():
    graph = random_graph(0)
    usages = {i: tuple(range(variable.size)) for i, variable in enumerate(graph.variables)}
    against = {i: tuple(-use for use in usage) for i, usage in usages.items()}
    graph = graph.replace(capacities=(Capacity("most", 3, usages), Capacity("least", -4, against)))
    solution = solved(graph)
    assert (solution.status, solution.choices, solution.bound) == ("INFEASIBLE", None, None)


def test_a_variable_without_allowed_values_is_infeasible():
    graph = CostGraph((Variable("v", 4, Words("dm", 2, (0, 0))),), ({},), (), COST)
    assert solved(graph).status == "INFEASIBLE"


@pytest.mark.parametrize("case", CASES, ids=[case.family for case in CASES])
def test_each_family_alone_can_hold_and_can_be_broken(case):
    from ortools.sat.python.cp_model import CpSolver

    built = built_alone(model, case)
    for fixing, status in ((case.holds, "OPTIMAL"), (case.breaks, "INFEASIBLE")):
        built.model.add(target(built, fixing) == fixing[3])
        solver = CpSolver()
        assert solver.status_name(solver.solve(built.model)) == status


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.4])
def test_stopped_early_it_claims_no_optimum(seconds):
    graph = complete_graph()
    solution = solved(graph, seconds)
    assert solution.status in (Status.FEASIBLE, Status.NO_SOLUTION)
    if solution.choices is not None:
        assert solution.bound < graph.value(solution.choices)


def test_it_stops_when_told_to_from_outside():
    limits = Limits(stop=Event())
    Timer(0.3, limits.stop.set).start()
    solution = CP_SAT.solve(complete_graph(), Run("cp-sat", limits))
    assert solution.status in (Status.FEASIBLE, Status.NO_SOLUTION)


def test_a_watched_block_keeps_asking_until_it_ends():
    stop, calls = Event(), []
    with watched(stop, lambda: calls.append(None)):
        time.sleep(0.1)
        assert calls == []
        stop.set()
        while len(calls) < 2:
            time.sleep(0.01)
    count = len(calls)
    time.sleep(0.1)
    assert len(calls) == count


def test_the_start_is_the_first_incumbent_and_survives_a_stop():
    graph = complete_graph()
    events = []
    start = (0,) * len(graph.variables)
    solution = solved(graph, 0.0, start=start, listener=events.append)
    assert (solution.status, solution.choices) == ("FEASIBLE", start)
    assert [event.value for event in events if event.kind == "incumbent"] == [graph.value(start)]


def test_a_start_does_not_change_the_optimum():
    graph = NetworkProblem(load("alexnet")).graph
    best = JOINT.solve(graph, Run("j"))
    for start in (best.choices, tuple(0 for _ in best.choices)):
        solution = solved(graph, start=start)
        assert (solution.status, solution.bound) == ("OPTIMAL", best.bound)


def test_a_start_that_is_not_allowed_is_ignored():
    solution = solved(two_values(), start=(1,))
    assert (solution.status, solution.choices, solution.bound) == ("OPTIMAL", (0,), 7)


def test_bounds_and_incumbents_are_told_in_the_graphs_unit():
    graph = NetworkProblem(load("vgg-a")).graph
    events = []
    solution = solved(graph, listener=events.append)
    values = {kind: [event.value for event in events if event.kind == kind] for kind in ("incumbent", "bound")}
    assert values["incumbent"][-1] == solution.bound
    assert values["incumbent"] == sorted(values["incumbent"], reverse=True)
    assert values["bound"]
    assert all(bound <= solution.bound for bound in values["bound"])


def test_it_works_in_a_thread_of_its_own_and_says_nothing(capfd):
    graph = NetworkProblem(load("sfc")).graph
    found = []
    thread = Thread(target=lambda: found.append(solved(graph)))
    thread.start()
    thread.join()
    assert found[0].status == "OPTIMAL"
    assert capfd.readouterr() == ("", "")


def test_costs_beyond_64_bits_are_declined_unless_a_common_divisor_helps():
    graph = random_graph(1)
    assert CP_SAT.accepts(graph.replace(objective=Objective({"cost": Fraction(2**70)})), Run("cp-sat")) is None
    unary = ({"cost": TableUnary(np.array([2**61 + 1, 0], dtype=object))},)
    wide = _wide(unary[0])
    assert CP_SAT.accepts(wide, Run("cp-sat")) == (
        "the costs, divided by their common divisor, do not fit 64 bits; try joint-dp"
    )


def _wide(unary):
    return CostGraph((Variable("v", 2), Variable("w", 2)), (unary, {"cost": TableUnary(np.array([0, 1]))}), (), COST)


def test_too_many_arcs_are_declined_with_the_number():
    graph = NetworkProblem(load("vgg-e", levels=10)).graph
    assert CP_SAT.accepts(graph, Run("cp-sat")) == (
        f"its model would have {18 * 10 * 2**11:,} arcs, its limit is 200,000; try joint-dp"
    )


def test_two_versions_of_highs_in_one_process_are_declined(monkeypatch):
    monkeypatch.setattr(libraries, "version", lambda name: "1.15.1")
    monkeypatch.delitem(sys.modules, "ortools.sat.python.cp_model_helper", raising=False)
    monkeypatch.setitem(sys.modules, "highspy._core", np)
    assert "install 'highspy<1.15'" in CP_SAT.accepts(random_graph(1), Run("cp-sat"))
