"""Where devices of axes stand: decided for given words, and with words in turn; against all placements there are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from hypar_opt import solve, verify
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver.operator_busiest import BusiestLinks
from hypar_opt.solver.operator_placement import OperatorPlacementTask
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.problem import Start
from hypar_opt.util.errors import InputError, Refusal
from tests.helpers import each

LAYERS = [
    {"name": "c", "conv": {"filters": 6, "kernel": 3, "pad": 1}},
    {"name": "flat", "flatten": {}},
    {"name": "f", "linear": {"features": 12}},
    {"name": "loss", "loss": {}},
]
FACTORISATIONS = ((2, 3), (3, 2), (6,), (2, 2), (5,))
GRAPH_FIELDS = ("placement", "link", "dims", "routing", "graph")
LARGER = ((4, 6), (2, 2, 3), (12,))


def instance(sizes, topology="ring", layers=LAYERS, **more):
    """Return a small network on axes of some sizes, on a topology."""
    array = {"topology": topology, "axes": [{"name": f"axis{n}", "size": size} for n, size in enumerate(sizes)]}
    fields = {"objective": {"hop-bytes": 1}, **{name: one for name, one in more.items() if name not in GRAPH_FIELDS}}
    return OperatorInstance.from_dict(
        {
            "schema": "hypar-opt/instance/1",
            "name": "small",
            "batch": 12,
            "network": {"input": [4, 12, 12], "layers": layers},
            "array": array | {name: more[name] for name in GRAPH_FIELDS if name in more},
            "cost": {"splits": "any"},
            **fields,
        }
    )


def words(problem, seed):
    """Return random words of all operators."""
    random = Random(seed)
    domains = problem.compiled.domains
    return {one.name: one.values[random.randrange(len(one.values))].text for one in domains}


@each("seed", range(40), quick=3)
def test_no_placement_of_the_same_words_is_better(seed):
    sizes = FACTORISATIONS[seed % len(FACTORISATIONS)]
    problem = OperatorProblem(instance(sizes, ("ring", "star", "mesh")[seed % 3]))
    given = words(problem, seed)
    plan = solve(problem, "placement-traffic", start=given)
    task = OperatorPlacementTask(problem, given)
    least = min(map(task.value, permutations(range(problem.instance.devices))))
    assert plan.status is Status.OPTIMAL
    assert plan.objective == plan.bound == Fraction(least + task.shift, task.unit)
    assert plan.strategies == given
    assert plan.decided == "placement"


@each("seed", range(30), quick=6)
def test_traffic_costs_what_walked_routes_say(seed):
    random, sizes = Random(seed), (*FACTORISATIONS, *LARGER)[seed % 8]
    link, weights = {"bandwidth": 3, "energy": 2}, {"hop-bytes": 1, "comm-energy": 3, "communication": 2}
    made = instance(sizes, ("ring", "mesh")[seed % 2], link=link, objective=weights)
    problem = OperatorProblem(made)
    task = OperatorPlacementTask(problem, words(problem, seed))
    sites = random.sample(range(made.devices), made.devices)
    there = problem.at(task.names(sites))
    assert Fraction(task.value(sites) + task.shift, task.unit) == there.combined(there.costs(task.plan))


@each("seed", range(60), quick=6)
def test_the_busiest_links_take_what_walked_routes_say(seed):
    random, sizes = Random(seed), (*FACTORISATIONS, *LARGER)[seed % 8]
    routing = random.choice(["own", "split"])
    link, weights = {"bandwidth": 3, "energy": 2}, {"hop-bytes": 1, "comm-time": 3, "communication": 2}
    made = instance(sizes, ("ring", "mesh")[seed % 2], link=link, objective=weights, routing=routing)
    problem = OperatorProblem(made)
    links = BusiestLinks(problem, words(problem, seed))
    sites = random.sample(range(made.devices), made.devices)
    there = problem.at([problem.instance.machine.accelerators[site] for site in sites])
    assert links.value(sites) == there.combined(there.costs(problem.plan_of(links.strategies)))


def test_devices_are_exchanged_until_no_exchange_takes_less_time():
    problem = OperatorProblem(instance((2, 2, 2), "ring", link={"bandwidth": 3}, objective={"comm-time": 1}))
    links = BusiestLinks(problem, words(problem, 1))
    sites, value, tried = links.best([range(8)], Limits())
    swapped = (
        [*sites[:a], sites[b], *sites[a + 1 : b], sites[a], *sites[b + 1 :]] for a in range(8) for b in range(a + 1, 8)
    )
    assert value == links.value(sites) <= min(map(links.value, [*swapped, range(8)]))
    assert not tried
    _, at_once, _ = links.best([range(8)], Limits(deadline=0.0))
    assert at_once == links.value(range(8))


@pytest.mark.parametrize("topology", ["ring", "star", "h-tree"])
@pytest.mark.parametrize("component", ["hop-bytes", "comm-time"])
def test_words_and_placement_in_turn_are_between_the_bound_and_the_best_of_all_pairs(topology, component):
    problem = OperatorProblem(instance((2, 2), topology, link={"bandwidth": 3}, objective={component: 1}))
    plan = solve(problem)
    names = problem.instance.machine.accelerators
    least = min(solve(problem.at(one)).objective for one in permutations(names))
    assert plan.bound <= least <= plan.objective
    assert plan.decided == "both"
    assert (plan.status is Status.OPTIMAL) == (plan.bound == plan.objective)
    assert verify(problem, plan).outcome == "confirmed"


def test_a_star_s_plan_is_proven_of_words_and_placement():
    plan = solve(instance((2, 3), "star"))
    assert plan.status is Status.OPTIMAL
    assert plan.objective == 2 * plan.communication_bytes


def test_what_is_proven_of_each_is_said():
    plan = solve(instance((6,), "ring"))  # a group of six that exchange: some of them are not neighbours
    assert plan.status is Status.FEASIBLE
    said = "the placement is proven best for these words; the words are proven best for this placement; both together"
    assert said in plan.note


def test_devices_in_turn_stand_as_the_start_says_at_first():
    problem = OperatorProblem(instance((2, 2), "ring"))
    start = Start(solve(problem.in_order).strategies, ("a1", "a0", "a3", "a2"))
    assert solve(problem, start=start).objective <= solve(problem.at(start.placement)).objective
    with pytest.raises(InputError, match="the array has no accelerator 'a9'"):
        solve(problem, start=Start(None, ("a1", "a0", "a3", "a9")))
    with pytest.raises(InputError, match="expected 4 accelerators, one for every device, got 2"):
        solve(problem, start=Start(None, ("a1", "a0")))


@pytest.mark.parametrize(
    ("more", "formulation", "said"),
    [
        ({}, "placement-cp-sat", "placement-cp-sat places levels of halves.*try placement-traffic"),
        ({}, "alternating", "weighs levels of halves; try joint-dp"),
        ({}, "data-parallel", "the placement, which is to be decided too; try joint-dp"),
        ({"placement": "identity"}, "placement-traffic", "the placement is given, .* or --placement free"),
        ({"objective": {"communication": 1}}, "placement-traffic", "nothing depends on a placement"),
        (
            {"objective": {"comm-time": 1}, "link": {"bandwidth": 1}},
            "placement-traffic",
            "time is no sum over pairs of devices.*try joint-dp",
        ),
        ({"subject_to": {"hop-bytes": 10}}, None, "decided without bounds only; give a placement"),
    ],
)
def test_what_cannot_be_placed_is_said(more, formulation, said):
    with pytest.raises(Refusal, match=said):
        solve(instance((2, 2), **more), formulation)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"placement": ("a0", "a1", "a2", "a2")}, "both stand on 'a2'"),
        ({"placement": ("a0", "a1", "a2", "a7")}, "no accelerator 'a7'"),
        ({"placement": None}, "depends on the placement, and the plan has none"),
        ({"decided": "strategies"}, "the placement is to be decided, and the plan says that 'strategies' was decided"),
    ],
)
def test_claims_of_placements_that_cannot_be_are_refuted(changed, said):
    one = instance((2, 2))
    verdict = verify(one, replace(solve(one), **changed))
    assert verdict.outcome == "refuted"
    assert any(said in check.text for check in verdict.checks)


def test_a_placement_claimed_too_good_is_refuted():
    one = instance((2, 3), "ring")
    given = words(OperatorProblem(one), 3)
    plan = solve(OperatorProblem(one), "placement-traffic", start=given)
    verdict = verify(one, replace(plan, objective=plan.objective - 1, bound=plan.objective - 1))
    assert verdict.outcome == "refuted"


def test_a_given_placement_is_kept():
    one = instance((2, 2), placement=["a3", "a1", "a0", "a2"])
    plan = solve(one)
    assert plan.placement == ("a3", "a1", "a0", "a2")
    assert verify(one, plan).outcome == "confirmed"
    other = replace(plan, placement=("a0", "a1", "a2", "a3"))
    assert "elsewhere than the instance says" in str([check.text for check in verify(one, other).checks])


@pytest.mark.parametrize("component", ["hop-bytes", "comm-time", "comm-energy"])
def test_rows_of_blocks_that_run_once_more_cross_links_again(component):
    layers = [
        LAYERS[0],
        {"name": "blocks", "repeat": {"times": 2, "layers": [LAYERS[0], {"name": "relu", "activation": {}}]}},
        *LAYERS[1:],
    ]
    link, fix = {"bandwidth": 3, "energy": 2}, {"blocks.*": "height height", "c": "height height"}
    once, again = (
        solve(
            instance(
                (2, 3), "mesh", placement="identity", link=link, layers=layers, fix=fix, objective={component: 1},
                cost={"splits": "any", "recompute": how},
            )
        )
        for how in ("none", "blocks")
    )  # fmt: skip
    assert once.status is again.status is Status.OPTIMAL  # the compiled costs are those of the walked routes
    assert again.objective > once.objective


def tight(component, sizes, layers, capacity, **cost):
    """Return two equal blocks on three devices of so much memory, anywhere on a star."""
    document = instance((3,), "star", objective={component: 1}, link={"bandwidth": 1000}).to_dict()
    document["batch"], document["cost"] = 6, {"splits": "padded", "storage": ["replicated", "zero-3"], **cost}
    document["network"] = {"input": dict(zip(("sequence", "features"), sizes, strict=True)), "layers": layers}
    document["array"]["accelerator"] = {"model": "roofline", "rate": 1, "memory": {"capacity": capacity}}
    return OperatorInstance.from_dict(document)


def test_where_the_memory_binds_words_and_placement_are_found_in_turn():
    """Words are looked for in tables that presolve has reduced; what is found is not among these."""
    block = [{"name": "a", "activation": {}}, {"name": "b", "inputs": ["a", "a"], "multiply": {}}]
    layers = [{"name": "h", "repeat": {"times": 2, "layers": block}}]
    plan = solve(tight("hop-bytes", (4, 2), layers, 300, choices=["batch", "none"]))
    assert (plan.status, plan.objective) == ("OPTIMAL", 0)


def test_what_never_fits_is_infeasible_wherever_devices_may_stand():
    """No operator alone says that, so that all that is decided is looked at, by bytes."""
    layers = [{"name": n, "linear": {"features": 4}} for n in ("first", "a", "b")]
    layers[1:] = [{"name": "h", "repeat": {"times": 2, "layers": layers[1:2]}}]
    assert solve(tight("comm-time", (2, 4), layers, 511, choices=["batch"], recompute="blocks")).status == "INFEASIBLE"


def test_a_bound_of_all_placements_is_not_rounded_to_what_costs_at_one_are_multiples_of():
    """The fewest bytes by all 24 ends of 12 links are no multiple of 256 bytes over one of them."""
    layers = [
        {"name": "embed", "embedding": {"vocabulary": 64, "features": 32}},
        {"name": "q", "linear": {"features": 64}},
        {"name": "r", "linear": {"features": 32}},
        {"name": "loss", "loss": {}},
    ]
    array = {"topology": "torus", "dims": [2, 4], "link": {"bandwidth": 25 * 10**9}}
    array["axes"] = [{"name": "node", "size": 2}, {"name": "gpu", "size": 4}]
    network = {"input": {"sequence": 16}, "layers": layers}
    whole = {"schema": "hypar-opt/instance/1", "name": "torus", "batch": 8, "network": network, "array": array}
    made = OperatorInstance.from_dict({**whole, "objective": {"comm-time": 1}})
    plan = solve(made)
    assert plan.status is Status.FEASIBLE
    assert plan.bound == Fraction(188_416, 24 * 25 * 10**9)
    assert verify(made, plan).outcome.value == "confirmed"
