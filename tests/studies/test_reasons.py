"""reasons_of(): the numbers of every sentence are the evaluator's, for any accounting, choice and objective."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from bank.random_networks import random_document
from helpers import document, each, instance_of, linear_chain, problem_of

from hypar_opt.evaluation.communication import by_phase
from hypar_opt.evaluation.legality import illegal
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.reasons import reasons_document, why_lines
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.reasons import reasons_of
from tests.solver.test_memory import kept_by_all, with_capacity
from tests.solver.test_objectives import small_problem
from tests.studies.test_compare_plans import COSTS, random_plans

PHASES = {"weight": "gradient", "written": "forward", "read": "backward"}
"""In which a tensor's partial sums are added up."""


def exchanged(problem, strategies, name):
    """Return what a layer adds up by phase, and what its boundaries carry, from the whole plan recomputed."""
    breakdown = problem.bytes_of(strategies)
    parts = [one for one in by_phase(problem.work, strategies, breakdown) if name in one.name.split(" -> ")]
    sums = {one.phase: sum(one.levels) for one in parts if one.kind == "layer"}
    return sums, sum(sum(one.levels) for one in parts if one.kind == "boundary")


def check_exchange(problem, strategies, name, exchange):
    sums, boundaries = exchanged(problem, strategies, name)
    assert {PHASES[operand]: count for operand, count in exchange.sums.items()} == sums
    assert exchange.boundaries == boundaries


def check_reasons(problem, plan):
    strategies, rules = plan.strategies, problem.rules
    breakdown = problem.bytes_of(strategies)
    objective = problem.objective_of(breakdown)
    found = reasons_of(problem, plan)
    assert [one.layer for one in found] == list(strategies)
    for one in found:
        word = strategies[one.layer]
        assert one.exchange.word == word
        assert one.given == (one.layer in rules.fix)
        check_exchange(problem, strategies, one.layer, one.exchange)
        for other in one.others:
            inside = range(other.first - 1, other.last)
            assert {word[h] for h in inside} != {other.letter}
            changed = "".join(other.letter if h in inside else letter for h, letter in enumerate(word))
            assert other.exchange.word == changed
            alone = {**strategies, one.layer: changed}
            check_exchange(problem, alone, one.layer, other.exchange)
            anew = problem.bytes_of(alone)
            assert other.more.bytes == anew.total - breakdown.total == other.exchange.total - one.exchange.total
            assert other.more.objective == problem.objective_of(anew) - objective
            allowed = illegal(problem.work, alone, rules) is None and problem.overflow(alone) is None
            assert allowed == (not other.fault)
    check_sentences(problem, found)


def check_sentences(problem, found):
    documents = reasons_document(problem, found)
    for one, said in zip(found, documents, strict=True):
        assert said["text"] in why_lines(problem, found)
        exchanges = (one.exchange, *(other.exchange for other in one.others))
        for exchange in exchanges:
            assert all(in_bytes(count) in said["text"] for count in (*exchange.sums.values(), exchange.boundaries))


@each("seed", range(8000, 8030))
def test_the_numbers_are_the_evaluators(seed):
    problem = problem_of(random_document(seed, most_layers=5))
    plans = random_plans(problem, Random(seed), count=1)
    if plans is not None:
        check_reasons(problem, plans[0])


@pytest.mark.parametrize("cost", COSTS, ids=str)
def test_they_are_in_any_objective(cost):
    instance = instance_of(document(linear_chain(8, 6, 4), [16], batch=16, levels=3))
    problem = NetworkProblem(instance.replace(array="hypar-16", **cost))
    for plan in (*random_plans(problem, Random(1)), solve(problem)):
        check_reasons(problem, plan)


def test_under_a_memory_limit():
    roomy = small_problem(202, "time")
    problem = with_capacity(roomy, kept_by_all(roomy)[3])
    check_reasons(problem, solve(problem, "cp-sat"))


def test_a_sentence_names_tensors_and_bytes():
    problem = problem_of(document(linear_chain(2), [4], batch=16))
    (only,) = reasons_document(problem, reasons_of(problem, solve(problem, "joint-dp")))
    assert only["text"] == (
        "fc1 is d at level 1: its gradient, 64 B, is added up, and its boundaries carry 0; "
        "under m its output, 256 B, would be added up, and its boundaries would carry 0: +192 B in all"
    )


def test_every_choice_has_its_own_tensor():
    problem = problem_of(document(linear_chain(2, 2), [4], batch=16, choices=["dp", "mp", "op"]))
    words = {"fc1": "o", "fc2": "m"}
    plan = replace(solve(problem, "joint-dp"), strategies=words, status=Status.FEASIBLE)
    first, second = (one["text"] for one in reasons_document(problem, reasons_of(problem, plan)))
    assert "fc1 is o at level 1: its input's error, 512 B, is added up" in first
    assert "under d its gradient, " in first
    assert "under m its output, " in first
    assert "under o its input's error, " in second


def test_a_plan_that_can_be_improved_says_so():
    problem = problem_of(document(linear_chain(2), [4], batch=16))
    plan = solve(problem, "model-parallel")
    *_, last = why_lines(problem, reasons_of(problem, plan))
    assert last == "a change that is allowed and costs less: the plan is not optimal"
    best = solve(problem, "joint-dp")
    assert last not in why_lines(problem, reasons_of(problem, best))


def test_a_given_layer_has_no_alternatives():
    problem = problem_of(document(linear_chain(2), [4], batch=16, fix={"fc1": "m"}))
    (only,) = reasons_document(problem, reasons_of(problem, solve(problem, "joint-dp")))
    assert only["text"].startswith("fc1 is m at level 1, as the instance gives it: its output, 256 B, is added up")
    assert only["others"] == []


@pytest.mark.parametrize(
    ("objective", "said"),
    [
        ("product:time,energy", "a product, which no layer has a share of"),
        ("lexicographic:energy,time", "decided by the first that differs"),
        ("time=1,energy=0.1", "of which bytes are a part only"),
    ],
)
def test_where_bytes_do_not_decide_it_says_so(objective, said):
    instance = instance_of(document(linear_chain(8, 6), [16], batch=16, levels=4))
    problem = NetworkProblem(instance.replace(array="hypar-16", objective=objective))
    lines = why_lines(problem, reasons_of(problem, solve(problem)))
    assert said in lines[1]


def test_one_accelerator_leaves_nothing_to_choose():
    problem = problem_of(document(linear_chain(2), [4], batch=16, levels=0))
    (only,) = reasons_document(problem, reasons_of(problem, solve(problem, "joint-dp")))
    assert only["text"] == "fc1 has nothing to choose: the array is one accelerator"


def test_it_stops_when_told_and_says_so():
    problem = problem_of(document(linear_chain(2, 2), [4], batch=16))
    reasons = reasons_of(problem, solve(problem, "joint-dp"), lambda: True)
    assert reasons == ()
    assert why_lines(problem, reasons)[-1] == "stopped by the limit, 2 layers before the end"


def test_without_strategies_there_is_nothing_to_give_reasons_of():
    problem = problem_of(document(linear_chain(2), [4], batch=16))
    plan = replace(solve(problem, "joint-dp"), status=Status.NO_SOLUTION, strategies=None)
    with pytest.raises(ValueError, match="a plan with status NO_SOLUTION has no layers"):
        reasons_of(problem, plan)


def test_open_levels_are_the_plans_own_choice():
    instance = load("lenet-c", fix={"fc*": "d.m."})
    problem = NetworkProblem(instance)
    reason = next(one for one in reasons_of(problem, solve(instance)) if one.layer == "fc1")
    assert not reason.given and {(other.first, other.last) for other in reason.others} == {(2, 2), (4, 4)}
