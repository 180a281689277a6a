"""What a byte more costs, by the evaluator alone."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest
from helpers import document, each, instance_of, linear_chain
from machines import random_array

import hypar_opt.cost.weights
from hypar_opt.cost.weights import charges_of
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.claims.claims import Settled
from hypar_opt.studies.claims.judge_peaks import peaks
from hypar_opt.studies.claims.plans import byte_cost
from hypar_opt.studies.sweep import space_of
from hypar_opt.util.errors import RecomputationError

COMPONENTS = ("communication", "hop-bytes", "comm-time", "comm-energy", "dram-energy", "time", "energy")
WORDS = {"fc1": "dm", "fc2": "mm"}


def of_machine(seed):
    whole = document(linear_chain(8, 8), [8], levels=2, choices=["dp", "mp"])
    problem = NetworkProblem(instance_of({**whole, "array": random_array(seed, 2)}))
    return SimpleNamespace(instance=problem.instance, label="of a test"), problem


def weights(case, component):
    byte = charges_of(case.instance, {component: Fraction(1)}, {}).byte
    return {Fraction(one) for one in (byte if isinstance(byte, tuple) else (byte,))}


@pytest.mark.parametrize("component", COMPONENTS)
@each("seed", range(8))
def test_it_is_what_the_compiled_costs_charge(seed, component):
    case, problem = of_machine(seed)
    charged = weights(case, component)
    if len(charged) == 1:
        assert byte_cost(case, WORDS, component, problem) == charged.pop()
        return
    with pytest.raises(Settled) as settled:
        byte_cost(case, WORDS, component, problem)
    assert "a byte of one level costs more" in settled.value.judgement.why


def test_nothing_of_the_compiled_costs_is_asked(monkeypatch):
    """Were the weights that plans are found by wrong, a claim would not be judged by them."""
    instance = load("lenet-c", array="hypar-16")
    case, problem = SimpleNamespace(instance=instance, label=""), NetworkProblem(instance)
    words = dict.fromkeys(problem.instance.network.decision_names, "dddd")
    before = byte_cost(case, words, "time", problem)
    monkeypatch.setattr(hypar_opt.cost.weights, "level_weights", lambda *_: (Fraction(7),) * 4)
    monkeypatch.setattr(hypar_opt.cost.weights, "EXCHANGED", {"dram-energy": lambda _: Fraction(7)})
    assert byte_cost(case, words, "time", NetworkProblem(instance)) == before > 0


def test_peaks_are_recomputed(monkeypatch):
    problem = NetworkProblem(instance_of(document(linear_chain(8, 8), [8], levels=2, choices=["dp", "mp"])))
    space = space_of(problem, problem.choices(WORDS), ["fc1"])
    assert peaks(space, "communication").count == 4
    honest = problem.weighing
    monkeypatch.setitem(
        problem.__dict__, "weighing", lambda costs: honest({name: 2 * one for name, one in costs.items()})
    )
    with pytest.raises(RecomputationError, match=r"a peak costs \d+ communication, and the search says"):
        peaks(space, "communication")
