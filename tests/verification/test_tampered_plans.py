"""Plan files with one thing changed: every one is caught, and for the right reason."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product

import pytest
from helpers import document, each, linear_chain, problem_of
from verification.plans import priced, solved, worse

from hypar_opt.solver.plan import plan_document
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact
from hypar_opt.verification import read_claim, verify

SEEDS = range(20)


def verdict_of(problem, document, folder):
    path = folder / "plan.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return verify(problem, read_claim(path))


def plus(value, amount=1):
    """Add to an exact number as a plan file has it."""
    return exact(Fraction(value) + amount)


def first_layer(document):
    return next(iter(document["plan"]))


def _cost(by):
    def tamper(_, document):
        return document | {"cost": {"communication_bytes": plus(document["cost"]["communication_bytes"], by)}}

    return tamper


def _number(name, by):
    return lambda _, document: document | {name: plus(document[name], by)}


def _all_numbers(by):
    def tamper(problem, document):
        return _number("objective", by)(problem, _number("bound", by)(problem, _cost(by)(problem, document)))

    return tamper


def _flipped(problem, document):
    """Flip one choice so that the plan costs more, and keep the claimed cost."""
    return document | {"plan": worse(problem, document["plan"], 1)}


def _worse(problem, document):
    """A worse plan with its true cost, said to be optimal."""
    return priced(problem, document, worse(problem, document["plan"], 2))


def _bound_too_high(problem, document):
    """A worse plan that claims not to be optimal, with a bound that is not one."""
    return _worse(problem, document) | {"status": "FEASIBLE", "bound": plus(document["objective"])}


def _word(change):
    def tamper(_, document):
        name = first_layer(document)
        return document | {"plan": document["plan"] | {name: change(document["plan"][name])}}

    return tamper


def _missing(_, document):
    plan = dict(document["plan"])
    del plan[first_layer(document)]
    return document | {"plan": plan}


REFUTED = {
    "a byte more": (_cost(1), "communication"),
    "a byte less": (_cost(-1), "communication"),
    "half a byte": (_cost(Fraction(1, 2)), "communication"),
    "beyond 64 bits": (_cost(2**70), "communication"),
    "objective more": (_number("objective", 1), "objective"),
    "objective less": (_number("objective", -1), "objective"),
    "bound more": (_number("bound", 1), "bound"),
    "bound less": (_number("bound", -1), "bound"),
    "no bound": (lambda _, document: document | {"bound": None}, "bound"),
    "a bound above a feasible plan": (
        lambda _, document: document | {"status": "FEASIBLE", "bound": plus(document["bound"])},
        "bound",
    ),
    "all numbers": (_all_numbers(1), "communication"),
    "a choice flipped": (_flipped, "communication"),
    "a worse plan": (_worse, "optimality"),
    "a bound that is none": (_bound_too_high, "lower bound"),
    "a letter too many": (_word(lambda word: word + "d"), "strategies"),
    "a letter too few": (_word(lambda word: word[1:]), "strategies"),
    "an unknown letter": (_word(lambda word: "x" + word[1:]), "strategies"),
    "a layer missing": (_missing, "plan"),
    "a layer too many": (lambda _, document: document | {"plan": {**document["plan"], "other": "d"}}, "plan"),
    "no plan": (
        lambda _, d: d | {"status": "INFEASIBLE", "plan": None, "cost": None, "objective": None, "bound": None},
        "infeasibility",
    ),
}


@each("seed", SEEDS)
def test_the_plan_itself_is_confirmed(seed, tmp_path):
    problem, document = solved(seed)
    verdict = verdict_of(problem, document, tmp_path)
    assert (verdict.outcome, verdict.reason) == ("confirmed", "")
    assert [check.name for check in verdict.checks] == [
        "plan", "strategies", "communication", "objective", "bound", "optimality",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", REFUTED)
@each("seed", SEEDS, quick=6)
def test_a_tampered_plan_is_refuted_for_the_right_reason(seed, kind, tmp_path):
    problem, document = solved(seed)
    tamper, reason = REFUTED[kind]
    verdict = verdict_of(problem, tamper(problem, document), tmp_path)
    assert (verdict.outcome, verdict.reason) == ("refuted", reason)
    if reason in ("optimality", "lower bound", "infeasibility"):
        assert verdict.better.objective == Fraction(document["objective"])
        assert problem.bytes_of(verdict.better.strategies).total == verdict.better.communication_bytes


def _other_hash(document):
    digest = document["instance_sha256"]
    return document | {"instance_sha256": digest[::-1] if digest != digest[::-1] else "0" * 64}


BAD_INPUT = {
    "a swapped hash": (_other_hash, "instance_sha256"),
    "another instance": (lambda document: document | {"instance": "vgg-a"}, "instance"),
    "an older schema": (lambda document: document | {"schema": "hypar-opt/plan/0"}, "schema"),
    "no schema": (lambda document: {k: v for k, v in document.items() if k != "schema"}, "schema"),
    "an unknown field": (lambda document: document | {"objectiv": 1}, "objectiv"),
    "a choice that is no text": (lambda document: document | {"plan": {**document["plan"], "x": 1}}, "plan.x"),
    "a cost that is no number": (
        lambda document: document | {"cost": {"communication_bytes": True}},
        "cost.communication_bytes",
    ),
    "an unknown status": (lambda document: document | {"status": "PROVEN"}, "status"),
    "a claim of nothing": (lambda document: document | {"status": "NO_SOLUTION"}, "status"),
    "infeasible with a plan": (lambda document: document | {"status": "INFEASIBLE"}, "plan"),
    "optimal without a plan": (lambda document: document | {"plan": None}, "plan"),
    "other overrides": (lambda document: document | {"overrides": {"batch": 3}}, "overrides"),
    "an unknown override": (lambda document: document | {"overrides": {"levls": 3}}, "overrides.levls"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD_INPUT)
@each("seed", range(8))
def test_what_is_no_plan_of_this_instance_is_an_error_of_its_field(seed, kind, tmp_path):
    problem, document = solved(seed)
    tamper, name = BAD_INPUT[kind]
    with pytest.raises(InputError) as error:
        verdict_of(problem, tamper(document), tmp_path)
    assert error.value.field == name
    assert str(error.value.file).endswith("plan.json")


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.999])
@each("seed", range(4))
def test_a_truncated_file_is_an_error(seed, part, tmp_path):
    _, document = solved(seed)
    text = json.dumps(document)
    path = tmp_path / "plan.json"
    path.write_text(text[: int(len(text) * part)], encoding="utf-8")
    with pytest.raises(InputError, match=r"plan\.json:1: (not JSON|the file is empty)"):
        read_claim(path)


@pytest.mark.parametrize(("weight", "gap"), [(1, 2), (0.5, 1)])
def test_a_plan_a_hair_above_the_optimum_is_not_optimal(weight, gap, tmp_path):
    """Both in the objective's unit; plans of so small a chain differ by 2 bytes at the least."""
    whole = document(
        linear_chain(1, 1),
        [1],
        batch=1,
        accounting="receiver",
        bytes_per_element=2,
        objective={"communication": weight},
    )
    problem = problem_of(whole)
    best = solve(problem, "brute-force")
    every = [dict(zip(("fc1", "fc2"), pair, strict=True)) for pair in product("dm", repeat=2)]
    strategies = next(x for x in every if problem.objective_of(problem.bytes_of(x)) == best.objective + gap)
    verdict = verdict_of(problem, priced(problem, plan_document(best), strategies), tmp_path)
    assert (verdict.outcome, verdict.reason) == ("refuted", "optimality")
    assert verdict.better.objective == best.objective
