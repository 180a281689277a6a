"""Bits beside words: by hand, beside all plans, by every exact formulation, with packing, bounds and fronts."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from hypar_opt.formulation.solution import Status
from hypar_opt.instance import Instance
from hypar_opt.instance.objective.function import weights_of
from hypar_opt.instance.read import load
from hypar_opt.instance.sent_words import SentWord
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.precision_problem import PrecisionProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification import verify
from hypar_opt.verification.verdict import CheckOutcome
from tests.helpers import document, each, exact_names, instance_of, linear_chain
from tests.precision_brute_force import drawn, every_plan


@each("seed", range(500), quick=10)
def test_beside_all_plans(seed):
    problem = PrecisionProblem(drawn(seed))
    weights, most = problem.objective.weights, problem.instance.bounds["rounding-error"]
    costs = [
        weights["communication"] * sent + weights.get("rounding-error", 0) * error
        for sent, error in every_plan(problem)
        if error <= most
    ]
    plan = solve(problem, "joint-dp")
    if not costs:
        assert plan.status is Status.INFEASIBLE
        return
    assert plan.status is Status.OPTIMAL, plan.native_status
    assert plan.objective == min(costs)


@pytest.mark.slow
@each("seed", range(2))
def test_by_every_exact_formulation(seed):
    problem = PrecisionProblem(drawn(seed))
    found = set()
    for name in exact_names():
        try:
            plan = solve(problem, name)
        except Refusal:
            continue
        found.add((plan.status, plan.objective))
    assert len(found) == 1


@each("seed", range(30), quick=3)
def test_fronts_beside_all_plans(seed):
    problem = PrecisionProblem(drawn(seed))
    most = problem.instance.bounds["rounding-error"]
    plans = {(sent, error) for sent, error in every_plan(problem) if error <= most}
    best = {one for one in plans if not any(a <= one[0] and b <= one[1] and (a, b) != one for a, b in plans)}
    front = pareto_front(problem, ("communication", "rounding-error"))
    assert front.complete
    assert {point.values for point in front.points} == best


def one_layer(**precision):
    """Return one linear layer of 4 x 6 weights, batch 8, on two accelerators, and bits of its gradient."""
    whole = document(linear_chain(6), [4], batch=8)
    errors = {"bits": [8, 16, 32], "sensitivities": {"fc1": {"gradient": [5, 2, 0]}}}
    return whole | {"precision": errors | precision}


@pytest.mark.parametrize(
    ("budget", "text", "sent"),
    [(9, "d gradient:8", 48), (5, "d gradient:8", 48), (4, "d gradient:16", 96), (0, "d gradient:32", 192)],
)
def test_one_layer_by_hand(budget, text, sent):
    plan = solve(instance_of(one_layer() | {"subject_to": {"rounding-error": budget}}))
    assert plan.strategies == {"fc1": text}  # 24 weights of 4 bytes, both ways: 192 bytes in full
    assert plan.communication_bytes == plan.objective == sent


def test_the_least_bytes_then_the_least_error():
    """Of what is not sent no bits are spared: with `m` there is no gradient to send."""
    whole = one_layer() | {"fix": {"fc1": "m"}, "objective": {"lexicographic": ["communication", "rounding-error"]}}
    plan = solve(instance_of(whole))
    assert plan.strategies == {"fc1": "m gradient:32"}
    assert plan.costs["rounding-error"] == 0


def test_a_limit_of_a_layer():
    assert solve(instance_of(one_layer(limits={"fc1": 4}))).strategies == {"fc1": "d gradient:16"}


def test_errors_under_a_bound_on_bytes():
    whole = one_layer() | {"objective": {"rounding-error": 1}, "subject_to": {"communication": 100}}
    plan = solve(instance_of(whole))
    assert (plan.objective, plan.communication_bytes) == (2, 96)


def packed(seconds, bandwidth=10**9):
    """Return the layer on an array that takes time to send, compute and pack."""
    array = {
        "topology": "h-tree",
        "levels": 1,
        "placement": "identity",
        "link": {"bandwidth": bandwidth},
        "accelerator": {
            "model": "as-evaluated",
            "grid": [12, 14],
            "clock": 250000000,
            "buffer": 108000,
            "utilisation": 1,
            "memory": {"bandwidth": 320000000000},
        },
    }
    return one_layer(packing=seconds) | {"array": array, "objective": {"time": 1}, "fix": {"fc1": "d"}}


def test_packing_pays_where_links_are_slow_enough():
    """Each of two accelerators packs its 96 bytes and unpacks as many: 2 p 96 s; 3/4 of 96 bytes are not sent.

    A link carries 96 bytes each way, so that 8 bits pay where 2 p < (1 - 8/32) / B.
    """
    bandwidth = 10**9
    cross = Fraction(1 - Fraction(8, 32), 2 * bandwidth)
    for seconds, text in ((cross * Fraction(9, 10), "d gradient:8"), (cross * Fraction(11, 10), "d gradient:32")):
        plan = solve(instance_of(packed(float(seconds), bandwidth)))
        assert plan.strategies == {"fc1": text}, seconds
    without = solve(instance_of(packed(0))).costs
    within = solve(instance_of(packed(2e-10))).costs
    assert within["compute-time"] - without["compute-time"] == 2 * Fraction(2, 10**10) * 96
    assert within["time"] - without["time"] == 2 * Fraction(2, 10**10) * 96


def test_no_plan_keeps_two_bounds():
    whole = one_layer() | {"subject_to": {"communication": 90, "rounding-error": 4}, "fix": {"fc1": "d"}}
    plan = solve(instance_of(whole))
    assert plan.status is Status.INFEASIBLE
    assert "communication" in plan.note


def test_a_given_word_and_a_start():
    instance = instance_of(one_layer() | {"fix": {"fc1": "m"}})
    assert solve(instance).strategies["fc1"].startswith("m ")
    problem = problem_of(instance)
    assert problem.strategies(problem.choices({"fc1": "m gradient:16"})) == {"fc1": "m gradient:16"}
    with pytest.raises(InputError, match="is no choice of this layer"):
        problem.choices({"fc1": "d gradient:16"})


def test_all_tensors_in_one_number_of_bits():
    whole = one_layer(sensitivities={"fc1": {"all": [1, 1, 0]}}) | {"subject_to": {"rounding-error": 1}}
    plan = solve(instance_of(whole))
    assert plan.strategies == {"fc1": "d all:8"}


@pytest.mark.parametrize("text", ["dm", "d gradient:8", "md error:16 gradient:8", "ddmm all:24", " gradient:8"])
def test_entries_are_read_as_they_are_written(text):
    assert str(SentWord.read(text)) == text


@pytest.mark.parametrize("text", ["d 8", "d grad:8", "d all:x", "d all:8 all:8", "d  all:8", "d all:", "d all:-1", 3])
def test_anything_else_is_no_entry(text):
    assert SentWord.read(text) is None


def test_what_decides_placements_is_refused():
    with pytest.raises(Refusal, match="words and bits are"):
        solve(instance_of(one_layer()), "identity")


@each("seed", range(30), quick=3)
def test_the_least_error_within_bytes_beside_all_plans(seed):
    """Bytes are bounded by pairs of choices, errors by single ones."""
    drawn_one = drawn(seed)
    plans = list(every_plan(PrecisionProblem(drawn_one)))
    if not plans:
        return
    least, most = min(plans)[0], max(plans)[0]
    bound = least + (most - least) * Fraction(seed % 5, 4)
    bounds = {"communication": Decimal(bound.numerator) / Decimal(bound.denominator)}
    problem = PrecisionProblem(drawn_one.changed(objective={"rounding-error": Decimal(1)}, subject_to=bounds))
    plan = solve(problem)
    assert plan.status is Status.OPTIMAL, plan.native_status
    assert plan.objective == min(error for sent, error in plans if sent <= bound)


@pytest.mark.parametrize("objective", ["comm-time", "time", "energy", "time=3,rounding-error=0.001"])
def test_on_links_by_two_encodings(objective):
    """Every byte weighs what its level's links take, read from and written to memories included."""
    whole = load("lenet-c", array="hypar-16", levels=2, at_most="energy=100").to_dict()
    whole["objective"] = weights_of(objective)
    errors = [Decimal(one) for one in ("0.5", "0.003", "0")]
    whole["precision"] = {
        "bits": [8, 16, 32],
        "packing": Decimal("1e-11"),
        "sensitivities": {"conv2": {"all": errors}, "fc1": {"gradient": errors, "error": errors}},
        "limits": {"fc1": Decimal("0.01")},
    }
    problem = problem_of(Instance.from_dict(whole))
    plans = [solve(problem, name) for name in ("joint-dp", "brute-force")]
    assert {plan.status for plan in plans} == {Status.OPTIMAL}
    assert len({plan.objective for plan in plans}) == 1
    assert plans[0].placement is not None
    assert verify(problem, plans[0]).outcome is CheckOutcome.CONFIRMED
