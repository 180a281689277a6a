"""The three joint formulations: against every pair of strategies and sites, against each other, limits, refusals."""

from __future__ import annotations

import importlib
import time
from dataclasses import replace
from fractions import Fraction
from threading import Event

import numpy as np
import pytest
from factor_cases import with_factors
from helpers import each
from joint_cases import MIXED, TIME, UNIT, brute_force, chain, joint, line, random_joint, ring

from formulations.flow_model import network
from formulations.joint import enumeration
from formulations.joint.alternating import FORMULATION as ALTERNATING
from formulations.joint.common import conclude
from formulations.joint.cp_sat import FORMULATION as CP_SAT
from formulations.joint.cp_sat import JointCpSat
from formulations.joint.enumeration import FORMULATION as ENUMERATION
from formulations.joint.oracles import Strategies
from hypar_opt.costgraph import Capacity, CostGraph, TableUnary, Variable
from hypar_opt.formulation.protocol import Formulation
from hypar_opt.formulation.run import Limits, Run, Stopped
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.hardware import Machine

EXACT = {"enumeration": ENUMERATION, "cp-sat": CP_SAT, "cp-sat, unhelped": JointCpSat(helped=False)}
ALL = {**EXACT, "alternating": ALTERNATING}
EIGHT = {"enumeration": ENUMERATION, "cp-sat": CP_SAT}


def solved(formulation, graph, **limits):
    run = Run(formulation.name, Limits(**limits))
    assert formulation.accepts(graph, run) is None
    return formulation.solve(graph, run)


def value(graph, solution):
    layers = len(graph.parallelism.variables)
    choices, placed = solution.choices[:layers], solution.choices[layers:]
    assert graph.parallelism.feasible(choices)
    assert graph.placement.feasible(placed)
    return graph.value(choices, placed)


@each("seed", range(8), quick=2)
@pytest.mark.parametrize("name", EXACT)
def test_exact_ones_find_the_best_of_all_pairs(seed, name):
    graph = random_joint(seed)
    solution = solved(EXACT[name], graph)
    assert solution.status is Status.OPTIMAL
    assert solution.bound == value(graph, solution) == brute_force(graph)


@each("seed", range(8), quick=1)
@pytest.mark.parametrize("name", EIGHT)
def test_exact_ones_find_it_whatever_letters_multiply_the_levels_below_by(seed, name):
    graph = random_joint(seed)
    graph = replace(graph, parallelism=with_factors(graph.parallelism, seed))
    solution = solved(EXACT[name], graph)
    assert solution.status is Status.OPTIMAL
    assert solution.bound == value(graph, solution) == brute_force(graph)


@each("seed", range(60), quick=5)
@pytest.mark.parametrize("name", ["enumeration", "cp-sat", "alternating"])
def test_free_sites_cost_no_more_than_the_identity_with_its_best_strategies_however_soon_it_ends(
    seed, name, monkeypatch
):
    """A start of nothing but the identity: whatever else would have been tried is left out."""
    monkeypatch.setattr(enumeration, "listed", _nothing_more)
    monkeypatch.setattr(importlib.import_module("formulations.joint.alternating"), "alternated", _stopped)
    graph = random_joint(seed)
    placed = tuple(range(graph.placement.leaves))
    strategies = Strategies(graph, Limits())
    identity = strategies.best(graph.placement.weights(placed))
    solution = solved(ALL[name], graph)
    assert value(graph, solution) <= identity.value == graph.value(identity.choices, placed)


def _stopped(*_):
    raise Stopped


def _nothing_more(best, strategies):
    return conclude(best, None, "stopped")


@each("seed", range(5), quick=1)
def test_alternating_lies_on_its_side_of_the_optimum(seed):
    graph = random_joint(seed)
    solution = solved(ALTERNATING, graph)
    least = brute_force(graph)
    assert solution.bound <= least <= value(graph, solution)
    assert (solution.status is Status.OPTIMAL) == (solution.bound == value(graph, solution))


@pytest.mark.slow
@each("seed", (100, 103))
def test_at_eight_accelerators_they_agree(seed):
    graph = random_joint(seed, levels=3)
    found = [solved(one, graph) for one in EIGHT.values()]
    assert {one.status for one in found} == {Status.OPTIMAL}
    assert len({one.bound for one in found} | {value(graph, one) for one in found}) == 1


def test_with_a_site_to_spare_they_agree():
    graph = joint(chain(3, 30, 7, 50), ring(9), TIME)
    assert solved(ENUMERATION, graph).bound == solved(CP_SAT, graph).bound


def test_the_approximation_agrees_with_the_list(monkeypatch):
    graphs = [random_joint(seed, levels=3) for seed in range(2)]
    expected = [solved(ENUMERATION, graph).bound for graph in graphs]
    monkeypatch.setattr(enumeration, "LISTED", 0)
    found = [solved(ENUMERATION, graph) for graph in graphs]
    assert [one.bound for one in found] == expected
    assert {one.status for one in found} == {Status.OPTIMAL}
    assert {one.native_status for one in found} == {"bounds meet"}


@pytest.mark.parametrize("name", ALL)
def test_one_accelerator(name):
    graph = joint(chain(0, 3, 4), Machine("of-a-test", ("a0",), (), ()))
    solution = solved(ALL[name], graph)
    assert (solution.status, solution.choices, solution.bound) == ("OPTIMAL", (0, 0), 0)


@pytest.mark.parametrize("name", ALL)
def test_no_allowed_strategies(name):
    fixed = {"fc1": "dd"}
    graph = joint(chain(2, 3, 3, batch=3, divisible=True, fix=fixed), line(4))
    solution = solved(ALL[name], graph)
    assert (solution.status, solution.choices, solution.bound) == ("INFEASIBLE", None, None)


@pytest.mark.parametrize("name", ALL)
def test_given_strategies_stay(name):
    graph = joint(chain(2, 30, 7, 50, fix={"fc1": "md"}), line(4))
    solution = solved(ALL[name], graph)
    assert graph.parallelism.variables[0].words.word(solution.choices[0]) == "md"
    assert solution.bound == brute_force(graph)


def test_the_order_of_the_line_goes_with_the_bytes():
    """A line's levels weigh 4 and 8 hops: the one with more bytes gets the shorter way."""
    graph = joint(chain(2, 40, 40, fix={"fc1": "dm"}), line(4))
    few, many = sorted(graph.volumes((1,)))
    assert few < many
    assert solved(ENUMERATION, graph).bound == (8 * few + 4 * many) * graph.placement.unit // 4


@pytest.mark.parametrize("name", ["enumeration", "cp-sat", "alternating"])
def test_stopped_at_once_it_claims_nothing(name):
    stop = Event()
    stop.set()
    solution = ALL[name].solve(random_joint(3), Run("test", Limits(stop=stop)))
    assert (solution.status, solution.choices) == ("NO_SOLUTION", None)
    assert not solution.bound


@pytest.mark.parametrize("name", ["enumeration", "cp-sat", "alternating"])
def test_stopped_with_a_start_it_returns_the_start(name):
    graph, stop = random_joint(3), Event()
    start = (0,) * len(graph.parallelism.variables) + (0, 1, 2, 3)
    stop.set()
    solution = ALL[name].solve(graph, Run("test", Limits(stop=stop), start))
    assert (solution.status, solution.choices) == ("FEASIBLE", start)


@pytest.mark.parametrize("formulation", [ENUMERATION, CP_SAT, ALTERNATING])
def test_a_deadline_is_kept_and_what_is_proven_is_kept_with_it(formulation):
    graph = joint(chain(4, 300, 70, 500, batch=64), ring(16), MIXED)
    solution = solved(formulation, graph, deadline=time.monotonic() + 0.3)
    assert solution.status in (Status.FEASIBLE, Status.OPTIMAL, Status.NO_SOLUTION)
    if solution.status is Status.FEASIBLE and solution.bound is not None:
        assert solution.bound < value(graph, solution)


def test_a_start_that_does_not_fit_is_not_used():
    graph = random_joint(3)
    best = brute_force(graph)
    for start in ((0,), (0, 0, 0, 0, 0, 0, 0), (9, 9, 9, 0, 1, 2, 3)):
        assert ENUMERATION.solve(graph, Run("test", start=start)).bound == best


@pytest.mark.parametrize("name", ALL)
def test_incumbents_get_better_and_bounds_stay_below(name):
    graph, events = random_joint(7), []
    solution = ALL[name].solve(graph, Run("test", listener=events.append))
    incumbents = [event for event in events if event.kind == "incumbent"]
    values = [event.value for event in incumbents]
    assert values == sorted(set(values), reverse=True)
    assert incumbents[-1].choices == solution.choices
    assert all(event.value <= values[-1] for event in events if event.kind == "bound")


@pytest.mark.parametrize("formulation", [ENUMERATION, CP_SAT, ALTERNATING])
def test_they_are_formulations_of_both(formulation):
    assert isinstance(formulation, Formulation)
    assert formulation.capabilities.decides == "both"
    assert formulation.capabilities.exact == (formulation is not ALTERNATING)


class TestRefusals:
    """Each with its whole text."""

    def refusal(self, graph, formulation=ALTERNATING, **limits):
        return formulation.accepts(graph, Run("test", Limits(**limits)))

    def test_capacities(self):
        graph = chain(2, 9, 9).replace(capacities=(Capacity("memory", 9, {}),))
        assert self.refusal(joint(graph, line(4))) == (
            "it takes no capacity constraints; try cp-sat for the strategies, then placement-cp-sat for the sites"
        )

    def test_choices_without_words(self):
        graph = joint(chain(2, 9, 9), line(4))
        plain = CostGraph((Variable("plain", 2),), ({"communication": TableUnary(np.array([0, 1]))},), (), UNIT)
        text = "the choices of 'plain' have no levels that a placement could weigh; try cp-sat"
        for formulation in (ENUMERATION, CP_SAT, ALTERNATING):
            assert self.refusal(type(graph)(plain, "communication", graph.placement), formulation) == text

    def test_words_of_another_length(self):
        graph = joint(chain(2, 9, 9), line(4))
        longer = type(graph)(chain(3, 9, 9), "communication", graph.placement)
        assert self.refusal(longer) == "'fc1' has words of 3 levels, the array has 2"

    def test_leaf_exact(self):
        graph = joint(chain(2, 9, 9, 9, accounting="leaf-exact"), line(4))
        assert self.refusal(graph, CP_SAT) == (
            "what 'fc1' and 'fc2' exchange is not a sum over levels, so that no level's "
            "weight applies to it; try the accounting published or receiver"
        )

    def test_tables_that_do_not_fit(self):
        text = self.refusal(joint(chain(2, 9, 9), line(4)), memory_bytes=1)
        assert text is not None
        assert text.startswith("joint-dp, which it asks, declines: its tables need about ")

    def test_many_levels(self, monkeypatch):
        monkeypatch.setattr(enumeration, "LISTED", 0)
        monkeypatch.setattr(enumeration, "MAX_LEVELS", 1)
        assert self.refusal(joint(chain(2, 9, 9), line(4)), ENUMERATION) == (
            "its polyhedron would have 2 dimensions, its limit is 1; try alternating"
        )

    def test_many_sites(self):
        graph = joint(chain(6, 9, 9), ring(64))
        assert self.refusal(graph, CP_SAT) == (
            "its model of 64 leaves on 64 sites would have 2,359,296 clauses, its limit is 600,000; "
            "try joint-enumeration or alternating"
        )

    def test_products_beyond_64_bits(self):
        graph = joint(chain(2, 2**30, 2**30), line(4), {"hop-bytes": Fraction(1, 3)})
        assert self.refusal(graph, CP_SAT) == (
            "bytes times weights do not fit 64 bits; try joint-enumeration or alternating"
        )
        assert solved(ENUMERATION, graph).bound == brute_force(graph)

    def test_many_arcs(self, monkeypatch):
        monkeypatch.setattr(network, "too_many_arcs", lambda graph: "its model would have 5 arcs; try joint-dp")
        assert self.refusal(joint(chain(2, 9, 9), line(4)), CP_SAT) == (
            "the strategies' model is too large: its model would have 5 arcs; try joint-dp, or alternating"
        )
