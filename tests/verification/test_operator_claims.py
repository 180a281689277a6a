"""Claims about instances of operators, from Python."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import hypar_opt
from hypar_opt.cost.operators.components import CompiledComponents
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver import operator_costs
from hypar_opt.verification import verify

BLOCK = Path(__file__).parents[1] / "instance" / "operators" / "block.yaml"


@pytest.fixture(scope="module")
def instance():
    return hypar_opt.load(BLOCK)


@pytest.fixture(scope="module")
def plan(instance):
    return hypar_opt.solve(instance)


@pytest.fixture(scope="module")
def chain():
    layers = [{"name": "up", "linear": {"features": 64}}, {"name": "down", "linear": {"features": 4}}]
    return OperatorInstance.from_dict(
        {
            "schema": "hypar-opt/instance/1", "name": "chain", "batch": 4,
            "network": {"input": {"features": 16}, "layers": layers},
            "array": {"axes": [{"name": "gpu", "size": 2}]},
        }
    )  # fmt: skip


def outcomes(verdict):
    return {check.name: check.outcome.value for check in verdict.checks}


def test_an_optimum_is_confirmed(chain):
    verdict = verify(chain, hypar_opt.solve(chain))
    assert verdict.outcome.value == "confirmed"
    assert list(outcomes(verdict)) == ["plan", "strategies", "communication", "objective", "bound", "optimality"]


def test_a_plan_that_costs_more_is_no_optimum(chain):
    worse, best = hypar_opt.solve(chain.replace(choices="batch")), hypar_opt.solve(chain)
    claim = replace(worse, overrides={})
    verdict = verify(chain, claim)
    assert outcomes(verdict)["optimality"] == "refuted"
    assert verdict.better.objective == best.objective < worse.objective
    only = replace(claim, status=Status.FEASIBLE, bound=best.objective)
    assert verify(chain, only).outcome.value == "confirmed"


@pytest.mark.parametrize(
    ("changed", "check"),
    [
        ({"q": "batch batch"}, "communication"),
        ({"attend": "heads"}, "plan"),
        ({"attend": "head head"}, "plan"),
        ({"q": "none none"}, "strategies"),
        ({"add1:forward": "partial whole"}, "plan"),
    ],
)
def test_a_word_that_is_changed_is_found(instance, plan, changed, check):
    verdict = verify(instance, replace(plan, strategies={**plan.strategies, **changed}))
    assert outcomes(verdict)[check] == "refuted"
    assert list(outcomes(verdict))[-1] == check


def test_parameters_are_kept_as_the_instance_offers(instance, plan):
    """The bytes are the same, the memory is less: nothing but the storage is wrong."""
    verdict = verify(instance, replace(plan, strategies={**plan.strategies, "q:storage": "zero-1"}))
    assert verdict.checks[-1].text == "'q' stores its parameters 'zero-1', expected one of replicated"


def test_words_are_of_the_instance_s_axes(instance, plan):
    verdict = verify(instance, replace(plan, axes=plan.axes[::-1]))
    assert [check.outcome.value for check in verdict.checks] == ["refuted"]
    assert verdict.checks[0].text.startswith(f"words are of the axes {plan.axes[1]}, {plan.axes[0]}, the instance has")


def test_a_plan_has_to_keep_what_is_given(instance, plan):
    given = instance.replace(fix={"q": "batch ."})
    verdict = verify(given, replace(plan, overrides=given.overrides))
    assert verdict.checks[-1].text == "'q' is given 'batch .', the plan has 'out out'"


def test_memory_is_recounted(instance, plan):
    for capacity, outcome in ((10**6, "confirmed"), (98_304, "refuted")):
        limited = instance.replace(array={**instance.to_dict()["array"], "accelerator": accelerator(capacity)})
        claim = replace(plan, overrides=limited.overrides, status=Status.FEASIBLE, bound=None)
        assert outcomes(verify(limited, claim))["memory"] == outcome


def accelerator(capacity):
    return {"model": "as-evaluated", "rate": 10**12, "memory": {"capacity": capacity}}


def test_blocks_that_are_folded_are_proven_by_a_certificate():
    instance = hypar_opt.load("gpt2-small", axes="node=2,gpu=4")
    verdict = verify(instance, hypar_opt.solve(instance, "joint-dp"))
    assert verdict.outcome.value == "confirmed"
    assert "a certificate by joint-dp, checked in exact integers" in verdict.checks[-1].text


def test_where_there_is_no_certificate_they_are_proven_by_reduced_tables():
    axes = [{"name": name, "size": size, "link": {"bandwidth": 10**9}} for name, size in (("node", 2), ("gpu", 4))]
    instance = hypar_opt.load("gpt2-block", array={"axes": axes}, objective={"comm-time": 1})
    verdict = verify(instance, hypar_opt.solve(instance, "joint-dp"))
    assert verdict.outcome.value == "confirmed"
    assert "a proof by portfolio" in verdict.checks[-1].text


def test_operators_are_compiled_once_whoever_is_asked(chain, monkeypatch):
    made, plan = [], hypar_opt.solve(chain)

    def counted(*given, **named):
        made.append(given)
        return CompiledComponents(*given, **named)

    monkeypatch.setattr(operator_costs, "CompiledComponents", counted)
    assert verify(chain, plan).outcome.value == "confirmed"
    assert len(made) == 1
