"""Bounds on components of a plan's cost: every formulation that takes them against trying all plans."""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from helpers import each, linear_chain

from hypar_opt.costgraph import Capacity, CostGraph, Edge, Objective, TableEdge, TableUnary, Variable
from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.formulation.registry import formulations, load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import Instance, load, load_instance
from hypar_opt.report.plan import headline, uniqueness
from hypar_opt.solver.export import strategy_graph_of
from hypar_opt.solver.infeasibility.bounds import BoundConflict, bound_conflicts
from hypar_opt.solver.network_costs import NetworkCosts
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.solve import solve
from hypar_opt.studies.reasons import reasons_of
from hypar_opt.studies.sensitivity import explain
from hypar_opt.studies.sweep import explore
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification import verify
from hypar_opt.verification.verdict import CheckOutcome
from tests.solver.test_memory import kept_by_all, with_capacity
from tests.solver.test_objectives import all_plans, reached, small_problem

COMPONENTS = ("communication", "time", "energy", "compute-time", "comm-time", "dram-energy", "hop-bytes")
OBJECTIVES = (
    "communication",
    "energy",
    "time=2,energy=0.125",
    "hop-bytes",
    "product:time,energy",
    "lexicographic:energy,time",
)
CP_SAT = load_formulation("cp-sat")
TAKES = [name for name, able in formulations().items() if able.pairwise_capacities and able.exact]


def bounded(problem, **bounds):
    """The same problem with bounds, by the names of components with underscores."""
    named = {name.replace("_", "-"): exact(most) for name, most in bounds.items()}
    return NetworkProblem(problem.instance.changed(subject_to=named))


def exact(most):
    """A decimal of twelve digits behind the point, rounded up: bounds are decimals, and costs need not be."""
    scaled = Fraction(most) * 10**12
    return Decimal(-(-scaled.numerator // scaled.denominator)).scaleb(-12)


def drawn(seed):
    """A small problem with bounds that some plan just keeps, or not quite, and the plans that keep them."""
    rng = Random(seed)
    problem = small_problem(seed, rng.choice(OBJECTIVES))
    if rng.random() < 0.3:
        problem = with_capacity(problem, rng.choice(kept_by_all(problem)))
    plans = [(words, costs) for words, costs in all_plans(problem) if problem.overflow(words) is None]
    names, every = rng.sample(COMPONENTS, rng.choice([1, 1, 2, 3])), [costs for _, costs in plans]
    # a bound near the least of a component that the best plan has more of, where there is one
    value = least_of(problem, every)
    best = next(costs for costs in every if least_of(problem, [costs]) == value)
    more = [name for name in COMPONENTS if best[name] > min(costs[name] for costs in every)]
    names = list(dict.fromkeys([*rng.sample(more, min(1, len(more))), *names]))
    some, bounds = sorted(every, key=lambda costs: costs[names[0]])[rng.randrange(1 + len(every) // 8)], {}
    share = Fraction(rng.choice([100, 100, 100, 97]), 100)
    for name in names:
        bounds[name] = exact(some[name] * share)
    limited = NetworkProblem(problem.instance.changed(subject_to=bounds))
    kept = [one for one in plans if all(one[1][name] <= Fraction(most) for name, most in bounds.items())]
    return limited, kept


def agrees(seed, *names):
    """Check the plans of formulations, which are made for one drawing: it takes longer than they do."""
    problem, kept = drawn(seed)
    return [found(problem, kept, name) for name in names]


def found(problem, kept, name):
    """Return what is proven by a formulation, as the plans that keep the bounds have it; None if it declines."""
    try:
        plan = solve(problem, name)
    except Refusal as error:
        assert any(text in str(error) for text in ("cycles", "64 bits", "floating point")), error
        return None
    if not kept:
        assert plan.status is Status.INFEASIBLE, (plan.status, plan.native_status)
        assert plan.note
        return plan.status
    assert plan.status is Status.OPTIMAL, (plan.status, plan.native_status)
    costs = {tuple(words.items()): costs for words, costs in kept}[tuple(plan.strategies.items())]
    assert problem.excess(plan.strategies) is None
    assert reached(problem, plan) == least_of(problem, [costs for _, costs in kept])
    assert {name: costs[name] for name in plan.costs} == plan.costs
    return plan.status


def least_of(problem, every):
    """The least objective of some plans' costs, by its definition."""
    names = problem.objective.components
    if problem.objective.kind == "lexicographic":
        return min(tuple(costs[name] for name in names) for costs in every)
    return min(problem.combined(costs) for costs in every)


@each("seed", range(1000, 1070), quick=8)
def test_every_formulation_finds_the_best_plan_that_keeps_them(seed):
    agrees(seed, *TAKES)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(3000, 3100, 50))
@each("seed", range(50))
def test_many_problems(first, seed):
    agrees(first + seed, "joint-dp", "cp-sat")


@pytest.mark.slow
def test_the_problems_drawn_are_of_all_kinds():
    statuses = [status for seed in range(30) for status in agrees(1000 + seed, "joint-dp")]
    assert set(statuses) >= {Status.OPTIMAL, Status.INFEASIBLE}
    assert statuses.count(None) < 15
    binding = 0
    for seed in range(1000, 1060):
        problem, kept = drawn(seed)
        free = NetworkProblem(problem.instance.changed(subject_to={}))
        best = reached(free, solve(free, "joint-dp"))
        binding += bool(kept) and best != least_of(problem, [costs for _, costs in kept])
    assert binding > 3


@pytest.mark.parametrize("name", ["joint-dp", "cp-sat"])
def test_bounds_from_point_to_point_give_the_front(name):
    instance = load("lenet-c", array="hypar-row-stationary-16")
    front, found, most = [point.values for point in pareto_front(instance).points], [], Decimal(10**6)
    while (plan := within(instance, name, "energy", time=most)).status is Status.OPTIMAL:
        # of several plans of the least energy one need not be the fastest
        time = within(instance, name, "time", energy=exact(plan.objective))
        found.append((time.objective, plan.objective))
        most = exact(time.objective) - Decimal("1e-9")
    assert plan.status is Status.INFEASIBLE
    assert found[::-1] == front


def within(instance, name, objective, **bounds):
    return solve(NetworkProblem(instance.changed(objective={objective: Decimal(1)}, subject_to=bounds)), name)


@pytest.mark.parametrize("name", ["joint-dp", "cp-sat", "brute-force"])
@each("seed", range(6), quick=2)
def test_a_front_within_bounds_is_what_trying_gives(seed, name):
    problem = small_problem(700 + seed, "communication")
    every = [costs for _, costs in all_plans(problem)]
    most = sorted(costs["hop-bytes"] for costs in every)[len(every) // 3]
    kept = {(c["time"], c["energy"]) for c in every if c["hop-bytes"] <= most}
    points = sorted(a for a in kept if not any(b != a and b[0] <= a[0] and b[1] <= a[1] for b in kept))
    found = pareto_front(bounded(problem, hop_bytes=most), ("time", "energy"), name)
    assert found.complete and [point.values for point in found.points] == points


def test_a_front_that_nothing_keeps_says_why():
    found = pareto_front(load("lenet-c", array="hypar-16", at_most="energy=0.01"))
    assert found.complete and not found.points
    assert found.note.startswith("energy is at least 0.0") and found.note.endswith(" J, at most 0.01 J was asked for")


def test_explored_plans_keep_them():
    problem = NetworkProblem(load("lenet-c", array="hypar-16", objective="energy"))
    free = explore(problem, levels=[4], components=["energy", "time"])
    most = sorted(free.values["time"])[3]
    time = free.value("time", [*free.values["time"]].index(most))
    with pytest.raises(Refusal, match="it exceeds the bound on time"):
        explore(bounded(problem, time=time), levels=[4], components=["energy", "time"])
    plan = solve(bounded(problem, time=time), "joint-dp")
    within = explore(bounded(problem, time=time), levels=[4], components=["energy", "time"], plan=plan, against="plan")
    assert not within.fault and free.allowed.all()
    assert [*within.allowed] == [value <= most for value in free.values["time"]]


TIGHT = {"array": "hypar-16", "objective": "energy"}


def test_one_bound_too_low():
    plan = solve(load("vgg-a", **TIGHT, at_most={"time": 14.5}))
    assert plan.status is Status.INFEASIBLE
    assert plan.note == "time is at least 14.795384832 s, at most 14.5 s was asked for"


def test_that_there_is_no_plan_is_not_said_with_what_some_plan_splits():
    plan = solve(load("vgg-a", array="hypar-16", batch=4, at_most={"communication": 1}))
    assert solve(load("vgg-a", array="hypar-16", batch=4)).unbuildable
    assert plan.note == "communication is at least 301,808,896 B, at most 1 B was asked for"


@pytest.mark.parametrize(
    ("kept", "others", "where"),
    [
        ((), (), ""),
        (("with the given strategies",), (), " with the given strategies"),
        (("within the memory",), ("energy", "time"), " within the memory and with energy and time within bounds"),
    ],
)
def test_what_the_least_rests_on_is_said(kept, others, where):
    said = BoundConflict("hop-bytes", Fraction(2), Fraction(1), others, kept).text
    assert said == f"hop-bytes{where} is at least 2 B x hops, at most 1 B x hops was asked for"


def test_bounds_that_only_contradict_each_other():
    plan = solve(load("vgg-a", **TIGHT, at_most="time=14.8,energy=31.05"))
    assert plan.note == (
        "time with energy within bounds is at least 14.807967744 s, at most 14.8 s was asked for; "
        "energy with time within bounds is at least 31.0710186246144 J, at most 31.05 J was asked for"
    )


def test_at_the_least_itself_there_is_a_plan_and_a_digit_below_there_is_none():
    assert solve(load("vgg-a", **TIGHT, at_most="time=14.795384832")).status is Status.OPTIMAL
    assert solve(load("vgg-a", **TIGHT, at_most="time=14.795384831999999")).status is Status.INFEASIBLE


def test_a_refusal_that_is_wrong_is_refuted(monkeypatch):
    # a cost model that takes every capacity for less than it is
    whole = NetworkCosts.bounds.func
    halved = property(lambda self: tuple(replace(one, limit=one.limit // 2) for one in whole(self)))
    monkeypatch.setattr(NetworkCosts, "bounds", halved)
    plan = solve(load("vgg-a", **TIGHT, at_most="time=20"))
    assert plan.status is Status.ERROR
    assert plan.native_status.endswith("and there is a plan within all bounds, of joint-dp")


def test_a_cost_model_that_forgets_them_is_found_out(monkeypatch):
    monkeypatch.setattr(NetworkCosts, "bounds", ())
    plan = solve(load("vgg-a", **TIGHT, at_most="time=14.8"))
    assert (plan.status, plan.native_status) == (Status.ERROR, "the plan's time is 14.807967744 s, above 14.8")


def test_what_was_left_out_by_the_explanation_is_said():
    problem = NetworkProblem(load("vgg-a", **TIGHT, at_most="time=14.5"))
    assert bound_conflicts(problem, lambda _: None) == ((), None)


def test_the_verifier_recounts_them():
    instance = load("vgg-a", **TIGHT, at_most="time=14.8")
    plan = solve(instance)
    assert verify(instance, plan).outcome is CheckOutcome.CONFIRMED
    free = solve(load("vgg-a", **TIGHT))
    beyond = replace(free, overrides=plan.overrides)
    (check,) = [one for one in verify(instance, beyond).checks if one.name == "bounds"]
    assert (check.outcome, check.text) == (CheckOutcome.REFUTED, "time is 14.807967744 s, above 14.8 s")


@pytest.mark.parametrize("most", [14.5, 14.8])
def test_a_claim_that_there_is_no_plan(most):
    instance = load("vgg-a", **TIGHT, at_most={"time": most})
    claim = replace(solve(instance), status=Status.INFEASIBLE, strategies=None, objective=None, bound=None, costs={},
                    communication_bytes=None, placement=None)  # fmt: skip
    expected = CheckOutcome.CONFIRMED if most == 14.5 else CheckOutcome.REFUTED
    assert verify(instance, claim).outcome is expected


def test_what_a_plan_costs_can_be_asked_for_again():
    plan = solve(load("vgg-a", **TIGHT))
    limited = load("vgg-a", array="hypar-16", objective="energy", at_most={"time": plan.costs["time"]})
    assert limited.bounds == {"time": plan.costs["time"]} == {"time": Fraction("14.807967744")}
    assert limited.changed(subject_to={"time": exact(1)}).bounds == {"time": 1}
    again = Instance(limited.network, "hypar-16", 256, subject_to={"time": plan.costs["time"]})
    assert again.bounds == limited.bounds


@pytest.mark.parametrize("most", ["8794/109375", Fraction(8794, 109375)])
def test_a_cost_that_is_no_decimal_is_refused_with_the_next_one(most):
    with pytest.raises(InputError) as raised:
        load("lenet-c", array="hypar-16", at_most={"time": most})
    said = "expected a number of seconds behind '=', for example time=20, got '8794/109375', which is no decimal"
    assert str(raised.value) == f"--at-most time: {said}; the next one is 0.08040228572"


def test_a_least_that_is_no_decimal_is_said_as_one_that_can_be_asked_for():
    instance = load("lenet-c", array="hypar-row-stationary-16", objective="energy", at_most="time=0.01")
    note = solve(instance).note
    found = re.fullmatch(
        r"time is at least (\S+) s \(rounded up, exactly (\d+/\d+)\), at most 0.01 s was asked for", note
    )
    up, exactly = found.groups()
    assert Fraction(up) >= Fraction(exactly)
    assert solve(instance.replace(at_most=f"time={up}")).status is Status.OPTIMAL


def test_what_is_beyond_a_bound_is_no_better_plan():
    instance = load("vgg-a", array="hypar-row-stationary-16", objective="energy", at_most="time=20")
    plan, problem = solve(instance), NetworkProblem(instance)
    changes = [other for reason in reasons_of(problem, plan) for other in reason.others]
    cheaper = [one for one in changes if one.more.objective < 0]
    assert cheaper and all(one.fault.startswith("the plan's time is ") for one in cheaper)
    assert "or is not allowed" in uniqueness(problem, explain(problem, plan)) or explain(problem, plan).missing


def test_rules_say_which_bound_they_break():
    plan = solve(load("vgg-a", **TIGHT, at_most="energy=31.05"), "model-parallel")
    assert (
        plan.note == "the rule's plan breaks a split or capacity rule of this instance: it exceeds the bound on energy"
    )


def test_no_bounds_again():
    limited = load("vgg-a", **TIGHT, at_most="time=14.8")
    assert limited.replace(at_most="").bounds == limited.replace(at_most={}).bounds == {}


def test_an_array_that_lacks_what_a_bound_needs_is_replaced_with_it(tmp_path):
    path = tmp_path / "asks.yaml"
    path.write_text(load("lenet-c").to_yaml() + "subject_to: {time: 1}\n")
    with pytest.raises(InputError, match=r"asks.yaml:\d+: array.accelerator: missing, and time needs it"):
        load_instance(path)
    with pytest.raises(InputError, match=r"asks.yaml:\d+: array.accelerator: missing, and time needs it"):
        load_instance(path, batch=4)
    assert load_instance(path, array="hypar-16").bounds == {"time": 1}
    assert load_instance(path, at_most="").bounds == {}


def test_files_hashes_and_overrides(tmp_path):
    plain = load("vgg-a", **TIGHT)
    limited = plain.changed(subject_to={"time": exact(20)})
    assert plain.sha256 == load("vgg-a").sha256
    path = tmp_path / "limited.yaml"
    path.write_text(limited.to_yaml())
    assert "subject_to: {time: 20" in path.read_text()
    read = load_instance(path)
    assert read.bounds == {"time": 20} and read.sha256 != plain.sha256
    assert load_instance(path, at_most="energy=40").bounds == {"energy": 40}
    assert load_instance(path, at_most={"time": 3e1, "energy": 1}).overrides == {"at_most": "time=30.0,energy=1"}
    assert linear_chain(3, 3) and read.replace(objective="time").bounds == {"time": 20}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("tim=2", r"--at-most: expected communication, .*, got 'tim'; did you mean 'time'\?"),
        ("time", r"--at-most time: expected a number of seconds behind '=', for example time=20, got ''"),
        ("time=x", r"--at-most time: expected a number of seconds behind '=', for example time=20, got 'x'"),
        ("hop-bytes=x", r"--at-most hop-bytes: expected a number of bytes x hops behind '='"),
        ("time=-1", r"--at-most: expected a number of at least 0, got -1"),
        ("time=inf", r"--at-most"),
        ("time=1,time=2", r"--at-most: 'time' comes twice"),
        (7, r"--at-most: expected a number by component, for example {'time': 20}, got 7"),
    ],
)
def test_bounds_that_are_none(given, message):
    with pytest.raises(InputError, match=message):
        load("vgg-a", **TIGHT, at_most=given)


def test_what_the_array_does_not_say():
    with pytest.raises(InputError, match="missing, and time needs it"):
        load("vgg-a", at_most="time=2")
    with pytest.raises(InputError, match="weighs the bytes of each level, and accounting 'leaf-exact' counts all"):
        load("lenet-c", array="hypar-16", accounting="leaf-exact", at_most="time=2")


def test_a_placement_that_is_to_be_decided():
    problem = load("lenet-c", array="hypar-16", placement="free", at_most="time=2")
    with pytest.raises(Refusal, match="placements are decided without capacities only; give one: --placement identity"):
        solve(problem)
    assert Evaluator(problem).excess(solve(load("lenet-c", array="hypar-16")).strategies) == (
        "time is bounded, and it depends on a placement that is not given"
    )
    # bytes do not depend on where the groups stand
    assert solve(problem.replace(at_most="communication=1e9")).status is Status.OPTIMAL


def test_the_terminal_says_what_was_asked_for():
    instance = load("vgg-a", **TIGHT, at_most="time=14.8")
    line = "objective 31.07 J: energy; with time at most 14.8 s"
    assert line in headline(NetworkProblem(instance), solve(instance)).splitlines()


def test_bounds_that_nothing_reaches_may_be_of_any_size_in_cp_sat_and_others_are_refused():
    nothing = {"cost": TableUnary(np.zeros(2, dtype=object))}
    edge = Edge(0, 1, {"cost": TableEdge(np.eye(2, dtype=object))})
    variables = (Variable("a", 2), Variable("b", 2))
    graph = CostGraph(variables, (nothing, nothing), (edge,), Objective({"cost": Fraction(1)}))
    usages = {0: TableUnary(np.array([0, 10**30 + 1], dtype=object)), 1: TableUnary(np.array([0, 1], dtype=object))}
    for limit, fits in ((10**40, True), (10**30, False)):
        limited = graph.replace(capacities=(Capacity("bound on time", limit, usages),))
        for ask in (lambda one: CP_SAT.solve(one, Run("cp-sat")), lambda one: CP_SAT.front([one, one], Run("cp-sat"))):
            with nullcontext() if fits else pytest.raises(Refusal, match="cp-sat declines: the usages, divided by"):
                ask(limited)


def test_a_front_of_what_is_to_be_placed_is_refused_before_the_search():
    instance = load("lenet-c", array="hypar-16", placement="free", at_most="hop-bytes=1000")
    with pytest.raises(Refusal, match="which is to be decided; try --placement identity"):
        pareto_front(instance, ("communication", "compute-time"))


def test_greedy_methods_say_that_they_take_none():
    with pytest.raises(Refusal, match="hypar-dp takes no capacity constraints; try joint-dp, cp-sat or milp-highs"):
        solve(load("vgg-a", **TIGHT, at_most="time=20"), "hypar-dp")
    with pytest.raises(Refusal, match="a strategy graph has one cost and a memory, and no bounds on components"):
        strategy_graph_of(NetworkProblem(load("vgg-a", levels=2, at_most="communication=1e12")))
    with pytest.raises(Refusal, match="certificates know no bounds on what plans cost"):
        solve(load("vgg-a", at_most="communication=1e12"), proof=lambda _: None)
