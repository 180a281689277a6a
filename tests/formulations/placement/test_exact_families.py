"""Every family of constraints alone: variables fixed so that it can hold, and one more so that it cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest
from small_graphs import least, path, placements, problem, ring

from formulations.placement.assignment.cuts import Cut, cuts_of
from formulations.placement.assignment.programme import Programme, Scale, followers
from formulations.placement.cp_sat import model as cp_sat
from formulations.placement.milp import model as milp
from formulations.placement.symmetry import Symmetry
from hypar_opt.formulation.run import Run

HOPS, TIME = {"hop-bytes": 1}, {"comm-time": 1}


class Case(NamedTuple):
    """A family, a programme, and fixings ((kind, *where), value): together the first hold, not with the last one."""

    family: str
    programme: Programme
    holds: tuple
    breaks: tuple


def four(weights=HOPS, **others):
    """Return four accelerators in a row and their four leaves: at level 0 leaf p exchanges with p XOR 2."""
    return Programme.of(problem(path(4), (1, 1), weights), **others)


def spare():
    return Programme.of(problem(path(5), (1, 1)))


def no_crossing(*pairs):
    return tuple((("y", 0, pair), 0) for pair in pairs)


def one_hot(leaf, site):
    return tuple((("x", leaf, other), int(other == site)) for other in range(4))


NO_PRICE = tuple((("y", h, pair), 0) for h in (0, 1) for pair in ((0, 2), (0, 3), (1, 3)))
HALF = Cut(frozenset({0, 1}), (1, 0), 1)
ORDERED = replace(Symmetry.none(problem(path(4), (1, 1))), swapped=((2, 1),))
CASES = (
    Case("one_site", four(), ((("x", 0, 0), 1),), (("x", 0, 1), 1)),
    Case("one_site", four(), tuple((("x", 0, i), 0) for i in range(3)), (("x", 0, 3), 0)),
    Case("one_leaf", four(), ((("x", 0, 2), 1),), (("x", 3, 2), 1)),
    Case("one_leaf", four(), tuple((("x", p, 2), 0) for p in range(3)), (("x", 3, 2), 0)),
    Case("one_leaf", spare(), ((("x", 0, 2), 1),), (("x", 3, 2), 1)),
    Case("partner", four(), ((("y", 1, (0, 1)), 1),), (("y", 1, (0, 2)), 1)),
    Case("partner", four(), no_crossing((0, 1), (0, 2)), (("y", 0, (0, 3)), 0)),
    Case("partner", spare(), ((("y", 1, (0, 1)), 1), *(((("x", p, 0), 0)) for p in range(3))), (("x", 3, 0), 0)),
    Case("one_level", four(), ((("y", 0, (0, 1)), 1),), (("y", 1, (0, 1)), 1)),
    Case("follows", four(), ((("x", 0, 0), 1), (("y", 0, (0, 1)), 1)), (("x", 2, 1), 0)),
    Case("follows", four(), ((("x", 2, 0), 1), (("y", 0, (0, 1)), 1)), (("x", 0, 1), 0)),
    Case("busiest", four(TIME), ((("y", 0, (0, 3)), 1), (("y", 0, (1, 2)), 1)), (("ticks", 0), 1)),
    Case("crossing", four(cuts=[HALF]), no_crossing((0, 2), (0, 3), (1, 2)), (("y", 0, (1, 3)), 0)),
    Case("proven", replace(four(), least=1), NO_PRICE[1:], NO_PRICE[0]),
    Case("first_key", four(symmetry=ORDERED), one_hot(2, 2) + one_hot(1, 3)[:3], (("x", 1, 3), 0)),
)
back_ends = pytest.mark.parametrize("back_end", [cp_sat, milp], ids=["cp-sat", "milp"])


def variable(built, kind, *where):
    found = getattr(built, kind)
    for one in where:
        found = found[one]
    return found


def cp_sat_status(built, fixings):
    from ortools.sat.python.cp_model import CpSolver

    for where, value in fixings:
        built.model.add(variable(built, *where) == value)
    solver = CpSolver()
    return solver.status_name(solver.solve(built.model)).capitalize()


def milp_status(built, fixings):
    import pulp

    for where, value in fixings:
        one = variable(built, *where)
        one.lowBound = one.upBound = value
    built.problem.solve(pulp.HiGHS(msg=False))
    return pulp.LpStatus[built.problem.status]


STATUS = {cp_sat: cp_sat_status, milp: milp_status}


@back_ends
@pytest.mark.parametrize("case", CASES, ids=[f"{i}-{case.family}" for i, case in enumerate(CASES)])
def test_each_family_alone_can_hold_and_can_be_broken(back_end, case):
    families = [getattr(back_end, case.family)]
    for fixings, status in ((case.holds, "Optimal"), ((*case.holds, case.breaks), "Infeasible")):
        assert STATUS[back_end](back_end.build(case.programme, families), fixings) == status


@back_ends
def test_no_family_is_left_out_of_the_cases(back_end):
    assert {family.__name__ for family in back_end.FAMILIES} == {case.family for case in CASES}
    assert [family.__name__ for family in back_end.FAMILIES] == [family.__name__ for family in cp_sat.FAMILIES]


@back_ends
@pytest.mark.parametrize("weights", [HOPS, TIME], ids=["hops", "time"])
def test_every_placement_is_a_solution_that_costs_what_it_costs(back_end, weights):
    graph = problem(path(4), (2, 3), weights)
    programme = Programme.of(graph, cuts=cuts_of(graph))
    for placed in placements(graph):
        built = back_end.build(programme)
        fixings = [(("x", leaf, site), 1) for leaf, site in enumerate(placed)]
        assert STATUS[back_end](built, fixings) == "Optimal"
        found = {h: [pair for pair, y in own.items() if _value(back_end, built, y)] for h, own in enumerate(built.y)}
        for h, pairs in found.items():
            assert sorted(tuple(sorted((placed[p], placed[q]))) for p, q in graph.pairs(h)) == sorted(pairs)


def _value(back_end, built, y):
    import pulp
    from ortools.sat.python.cp_model import CpSolver

    if back_end is milp:
        return round(pulp.value(y))
    solver = CpSolver()
    solver.solve(built.model)
    return solver.value(y)


@pytest.mark.parametrize("weights", [HOPS, TIME, {"hop-bytes": 3, "comm-time": "2/7", "communication": 5}])
def test_the_scaled_cost_is_the_cost(weights):
    graph = problem(path(4), (6, 9), weights)
    programme, scale = Programme.of(graph), Scale.of(graph)
    for placed in placements(graph):
        scaled = 0
        for h in range(2):
            pairs = [tuple(sorted((placed[p], placed[q]))) for p, q in graph.pairs(h)]
            scaled += sum(programme.prices[h][pair] for pair in pairs)
            ticks = max((sum(load.get(pair, 0) for pair in pairs) for load in programme.loads), default=0)
            scaled += programme.time_prices[h] * ticks
            assert programme.least_ticks <= ticks <= programme.most_ticks
        assert programme.constant + programme.unit * scaled == graph.value(placed)
        assert 0 <= scaled <= scale.most


def test_a_bound_is_scaled_upwards():
    graph = problem(path(4), (6, 9))
    programme = Programme.of(graph)
    for above in range(3 * programme.unit):
        expected = -(-above // programme.unit)
        assert Programme.of(graph, programme.constant + above).least == expected
    assert Programme.of(graph, programme.constant - 5).least == 0


@pytest.mark.slow
@pytest.mark.parametrize("sites", [8, 9])
@pytest.mark.parametrize("weights", [HOPS, TIME], ids=["hops", "time"])
def test_every_placement_keeps_every_cut_and_some_meet_it(sites, weights):
    graph = problem(ring(sites), (1, 2, 4), weights)
    cuts = cuts_of(graph)
    assert cuts
    reached = dict.fromkeys(cuts, 10**9)
    for placed in list(placements(graph))[::97]:
        by_level = [[tuple(sorted((placed[p], placed[q]))) for p, q in graph.pairs(h)] for h in range(3)]
        for cut in cuts:
            crossed = sum(w * len(cut.separated(pairs)) for w, pairs in zip(cut.weights, by_level, strict=True))
            reached[cut] = min(reached[cut], crossed)
    assert all(cut.least <= found for cut, found in reached.items())
    assert sum(cut.least == found for cut, found in reached.items()) > len(cuts) // 2


def test_cuts_separate_pairs_with_one_end_inside():
    cut = Cut(frozenset({0, 2}), (1,), 1)
    assert cut.separated([(0, 1), (0, 2), (1, 2), (1, 3)]) == [(0, 1), (1, 2)]


def test_without_levels_sites_or_differences_there_are_no_cuts():
    assert cuts_of(problem(path(1), ())) == ()
    assert cuts_of(problem(path(3), ())) == ()
    assert cuts_of(problem(path(4), (1, 1), {"communication": 1})) == ()


def test_followers_name_each_exchange_both_ways():
    programme = four()
    found = list(followers(programme))
    assert len(found) == 4 * 2 * 4 * 3
    assert (0, (0, 1), (0, 0), (2, 1)) in found
    assert (0, (0, 1), (2, 1), (0, 0)) in found
    assert (1, (0, 3), (0, 3), (1, 0)) in found
    trimmed = Programme.of(problem(path(4), (1, 1)), symmetry=Symmetry.of(problem(path(4), (1, 1)), Run("test")))
    assert all(other is not None for *_, other in found)
    assert any(other is None for *_, other in followers(trimmed))


def test_the_optimum_of_a_row_of_four_by_hand():
    # leaves 0, 1, 3, 2 in a row: two exchanges one hop away at one level, one hop and three at the other
    graph = problem(path(4), (1, 1))
    assert graph.value((0, 1, 3, 2)) == least(graph) == 2 * (1 + 1 + 1 + 3)
