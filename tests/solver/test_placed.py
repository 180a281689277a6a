"""Problems whose objective depends on where in the array the groups stand: solved, given, decided in part."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import pytest
from helpers import document, linear_chain, problem_of

from hypar_opt import explain, load, solve
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import Start
from hypar_opt.util.errors import InputError, Refusal

LINK = {"bandwidth": 8, "energy": 2}


def chain(array, objective, features=(6, 4), **changes):
    """Return a problem of a linear chain of two layers on an array."""
    whole = document(linear_chain(*features), [5], batch=4, objective=objective, **changes)
    return problem_of(whole | {"array": {"link": LINK} | array})


def least(problem, sites):
    """Return the least objective over every plan and the given placements, by the verifier's evaluator."""
    words = ["".join(letters) for letters in product("dm", repeat=problem.instance.levels)]
    names = [layer.name for layer in problem.work.layers]
    plans = [dict(zip(names, pair, strict=True)) for pair in product(words, repeat=len(names))]
    breakdowns = [problem.bytes_of(plan) for plan in plans]
    return min(problem.objective_of(one, placed) for one in breakdowns for placed in sites)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("topology", ["ring", "binary-tree", "mesh", "hmc-chain"])
@pytest.mark.parametrize("objective", [{"communication": 0.5, "comm-energy": 3}, {"hop-bytes": 1}, {"comm-time": 1}])
def test_the_optimum_of_both_is_that_of_every_pair(topology, objective):
    problem = chain({"topology": topology, "levels": 2}, objective)
    best = least(problem, list(permutations(range(4))))
    for name in ("joint-enumeration", "joint-cp-sat"):
        plan = solve(problem, name)
        assert (plan.status, plan.objective, plan.bound, plan.decided) == (Status.OPTIMAL, best, best, "both")
    assert solve(problem).formulation == "joint-enumeration"
    heuristic = solve(problem, "alternating")
    assert heuristic.bound <= best <= heuristic.objective


SLOW, FAST = 25, 300


def servers(count, each, levels):
    """Return an array of servers behind slow links; the accelerators of each are behind a switch with fast ones."""
    below = [f"s{server}a{one}" for server in range(count) for one in range(each)]
    switches = [f"s{server}" for server in range(count)]
    links = [{"ends": [name, name.split("a")[0]], "bandwidth": FAST} for name in below]
    links += [{"ends": [one, "core"], "bandwidth": SLOW} for one in switches]
    nodes = [{"name": name} for name in below] + [{"name": name, "kind": "switch"} for name in [*switches, "core"]]
    return {"topology": "custom", "levels": levels, "graph": {"nodes": nodes, "links": links}}


def test_three_servers_of_eight_are_proven_though_every_one_can_stay_empty():
    problem = chain(servers(3, 8, 4), {"comm-time": 1}, (64, 64), splits="any")
    plan = solve(problem)
    identity = solve(chain(servers(3, 8, 4) | {"placement": "identity"}, {"comm-time": 1}, (64, 64), splits="any"))
    assert (plan.status, plan.objective) == (Status.OPTIMAL, identity.objective)
    assert "--placement identity" not in plan.note


@pytest.mark.slow
def test_four_servers_of_six_are_better_off_with_four_leaves_each():
    problem = chain(servers(4, 6, 4), {"comm-time": 1}, (64, 64), splits="any")
    plan = solve(problem)
    identity = solve(chain(servers(4, 6, 4) | {"placement": "identity"}, {"comm-time": 1}, (64, 64), splits="any"))
    assert plan.status is Status.OPTIMAL
    assert plan.objective < identity.objective
    held = {name.split("a")[0]: 0 for name in plan.placement}
    for name in plan.placement:
        held[name.split("a")[0]] += 1
    assert set(held.values()) <= {4, 2}


@pytest.mark.parametrize("name", ["joint-enumeration", "joint-cp-sat", "alternating"])
def test_a_plan_that_is_not_proven_costs_no_more_than_the_identity_and_says_what_would_be(name):
    array = {"topology": "ring", "levels": 3}
    identity = solve(chain(array | {"placement": "identity"}, {"comm-time": 1, "hop-bytes": 1}))
    for limit in (0.01, 0.2, 1.0):
        plan = solve(chain(array, {"comm-time": 1, "hop-bytes": 1}), name, time_limit=limit)
        if plan.objective is not None:
            assert plan.objective <= identity.objective
        assert ("--placement identity" in plan.note) == (plan.status is Status.FEASIBLE)


@pytest.mark.parametrize("name", ["joint-dp", "cp-sat", "milp-highs", "milp-cbc", "brute-force"])
def test_a_given_placement_leaves_the_strategies(name):
    given = ["a0", "a2", "a1", "a3"]
    problem = chain({"topology": "ring", "levels": 2, "placement": given}, {"hop-bytes": 1, "comm-time": 3})
    plan = solve(problem, name)
    best = least(problem, [(0, 2, 1, 3)])
    assert (plan.status, plan.objective, plan.decided) == (Status.OPTIMAL, best, "strategies")
    assert plan.placement == tuple(given)
    with pytest.raises(Refusal, match=r"^the placement is given, so that there is none to decide; try joint-dp"):
        solve(problem, "joint-enumeration")


@pytest.mark.parametrize("name", ["placement-cp-sat", "placement-milp"])
def test_a_placement_of_given_strategies(name):
    problem = chain({"topology": "ring", "levels": 2}, {"hop-bytes": 1})
    words = {"fc1": "dm", "fc2": "md"}
    plan = solve(problem, name, start=words)
    breakdown = problem.bytes_of(words)
    best = min(problem.objective_of(breakdown, placed) for placed in permutations(range(4)))
    assert (plan.status, plan.objective, plan.strategies, plan.decided) == (Status.OPTIMAL, best, words, "placement")
    assert plan.note.startswith("the strategies are those of the start")


def test_a_placement_alone_takes_the_strategies_of_least_communication():
    problem = chain({"topology": "ring", "levels": 2}, {"hop-bytes": 1})
    plan = solve(problem, "placement-cp-sat")
    assert plan.strategies == solve(problem.by_communication).strategies
    assert plan.note.startswith("the strategies are those of least communication (joint-dp, proven)")


def test_strategies_alone_want_a_placement():
    problem = chain({"topology": "ring", "levels": 2}, {"hop-bytes": 1})
    message = (
        "the objective depends on the placement, which is to be decided too; try joint-enumeration or alternating, "
        "or give it: --placement identity"
    )
    with pytest.raises(Refusal) as caught:
        solve(problem, "joint-dp")
    assert str(caught.value) == message


def test_nothing_to_place():
    with pytest.raises(Refusal, match=r"^nothing depends on the placement, so that there is none to decide"):
        solve(load("sfc"), "placement-cp-sat")


def test_the_components_of_a_plan_are_those_of_its_routes():
    problem = chain({"topology": "ring", "levels": 2, "placement": "identity"}, {"comm-time": 1})
    plan = solve(problem)
    # around a ring of four 0 and 2, 1 and 3 are two hops apart: level 1 crosses two links, level 2 one
    first, second = (problem.bytes_of(plan.strategies).level(h) for h in range(2))
    assert plan.costs == {
        "communication": first + second,
        "hop-bytes": 2 * first + second,
        "comm-time": Fraction(2 * first + second, 4 * 8),
        "comm-energy": 2 * (2 * first + second),
    }
    assert plan.objective == plan.costs["comm-time"]


def test_an_array_with_more_accelerators_than_leaves():
    """Four leaves in a row of six: a path of four is as good as any, and the two at the ends may stay free."""
    problem = chain({"topology": "mesh", "levels": 2, "dims": [6, 1]}, {"hop-bytes": 1})
    best = least(problem, list(permutations(range(6), 4)))
    assert solve(problem, "joint-enumeration").objective == best


def test_one_accelerator():
    plan = solve(chain({"topology": "ring", "levels": 0}, {"hop-bytes": 1}), "joint-enumeration")
    assert (plan.status, plan.objective, plan.placement) == (Status.OPTIMAL, 0, ("a0",))


class Places:
    """A formulation that answers what it is told to."""

    summary = "of a test"
    capabilities = Capabilities(exact=True, decides="placement")

    def __init__(self, solution, name="places"):
        self.solution, self.name = solution, name

    def accepts(self, graph, run):
        return None

    def solve(self, graph, run):
        return self.solution


@pytest.mark.parametrize(
    ("solution", "fault"),
    [
        (Solution(Status.FEASIBLE, (0, 1, 2, 2)), "leaves 2 and 3 both stand on 'a2'"),
        (Solution(Status.FEASIBLE, (0, 1, 2)), "ValueError: 3 choices for 4 variables"),
        (Solution(Status.FEASIBLE, (0, 1, 2, 4)), "ValueError: leaf 3 has 4 values, 4 is none of them"),
        (Solution(Status.OPTIMAL, (0, 1, 2, 3), bound=1), r"claims OPTIMAL with cost \d+ and bound 1"),
        (Solution(Status.FEASIBLE, (0, 1, 2, 3), bound=10**9), r"the bound 1000000000 is above the plan's cost \d+"),
    ],
)
def test_claims_of_a_placement_that_do_not_hold(plug_in, solution, fault):
    import re

    plan = solve(chain({"topology": "ring", "levels": 2}, {"hop-bytes": 1}), plug_in(Places(solution)))
    assert plan.status is Status.ERROR
    assert re.fullmatch(fault, plan.native_status)


def test_a_cost_that_the_routes_do_not_give(monkeypatch):
    """The weights that strategies are found by are not those that they are judged by."""
    monkeypatch.setattr("hypar_opt.cost.weights.level_weights", lambda *_: (Fraction(1), Fraction(1)))
    plan = solve(chain({"topology": "ring", "levels": 2, "placement": "identity"}, {"hop-bytes": 1}))
    assert plan.status is Status.ERROR
    assert plan.native_status.startswith("the boxes and routes give")


def test_strategies_that_there_are_none_of():
    problem = chain(
        {"topology": "ring", "levels": 2}, {"hop-bytes": 1}, features=(3, 3), choices=["mp"], splits="divisible"
    )
    plan = solve(problem, "local-search")
    assert (plan.status, plan.native_status) == (
        Status.INFEASIBLE,
        "no strategies to place: INFEASIBLE by joint-dp",
    )


def test_an_array_that_is_too_large_to_place():
    problem = NetworkProblem(
        load("sfc", array={"topology": "torus", "dims": [1000, 1000], "levels": 19}, objective="hop-bytes")
    )
    message = (
        "the array has 1,000,000 accelerators, and placements are decided on at most 1,024; "
        "give one: --placement identity"
    )
    for name in ("placement-cp-sat", "placement-milp", "joint-cp-sat", "joint-enumeration", None):
        with pytest.raises(Refusal) as caught:
            solve(problem, name)
        assert str(caught.value) == message


def test_a_start_that_stands_nowhere():
    problem = chain({"topology": "ring", "levels": 2}, {"hop-bytes": 1})
    words = {"fc1": "dd", "fc2": "dd"}
    with pytest.raises(InputError, match="the array has no accelerator 'b'"):
        solve(problem, "local-search", start=Start(words, ["a0", "a1", "a2", "b"]))
    with pytest.raises(InputError, match="expected 4 accelerators, one for every leaf, got 1"):
        solve(problem, "alternating", start=Start(words, ["a0"]))


def test_parallelism_first_is_not_best():
    """docs/counterexamples.md: no tie of the first phase helps, and the second is solved to the end."""
    problem = NetworkProblem(load("parallelism-first"))
    first = solve(problem.by_communication)
    assert explain(problem.by_communication, first).unique
    assert (first.strategies, first.communication_bytes) == ({"fc1": "dm", "fc2": "mm"}, 896)
    second = solve(problem, "placement-cp-sat")
    assert (second.status, second.strategies, second.objective) == (Status.OPTIMAL, first.strategies, 1344)
    together = solve(problem)
    assert (together.status, together.strategies) == (Status.OPTIMAL, {"fc1": "md", "fc2": "mm"})
    assert (together.communication_bytes, together.objective) == (928, 1248)
