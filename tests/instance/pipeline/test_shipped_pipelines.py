"""Pipelines that come with the package: what is proven of them, and what the JSON Schema says of them."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
import yaml
from jsonschema import Draft202012Validator

from hypar_opt import load, solve
from hypar_opt.instance.operators.json_schema import any_instance_json_schema
from hypar_opt.instance.shipped import shipped_pipelines
from hypar_opt.solver.pipeline_problem import PipelineProblem

SHIPPED = shipped_pipelines()


@pytest.fixture(scope="module")
def validator():
    return Draft202012Validator(any_instance_json_schema())


@pytest.mark.parametrize("name", SHIPPED)
def test_names_are_those_of_files_and_schemas_allow_them(name, validator):
    assert load(name).name == name
    document = yaml.safe_load(SHIPPED[name].read_text())
    assert validator.is_valid(document)
    assert validator.is_valid(json.loads(json.dumps(document)))
    assert not validator.is_valid({**document, "device": []})


def test_five_devices_are_given_layers_neither_by_bandwidth_nor_equally():
    problem = PipelineProblem(load("five-devices"))
    plan = solve(problem)
    assert plan.proven
    assert plan.objective == Fraction(10, 344)
    sizes = {stage.devices.kind: len(stage.operators) for stage in problem.judged(plan.strategies).stages}
    assert sizes == {"machine-1": 7, "machine-2": 10, "machine-3": 8, "machine-4": 10, "machine-5": 5}

    def time_of(*counts):
        machines = [f"machine-{number} 1" for number, count in enumerate(counts, start=1) for _ in range(count)]
        names = [one.name for one in problem.instance.operators]
        return problem.judged(dict(zip(names, machines, strict=True))).objective

    in_proportion, equal = time_of(7, 9, 9, 10, 5), time_of(8, 8, 8, 8, 8)
    assert plan.objective < in_proportion < equal
    assert [round(float(one) * 1e3, 2) for one in (plan.objective, in_proportion, equal)] == [29.07, 29.15, 45.05]


def test_a_training_step_is_divided_for_eight_microbatches():
    plan = solve("branched-training")
    assert (plan.proven, plan.objective) == (True, Fraction("0.3848"))
    assert all(plan.strategies[name] == plan.strategies[f"{name}-back"] for name in ("text", "image", "joined", "loss"))


def test_replicas_share_samples_and_add_up_gradients():
    plan = solve("replicated-convolutions")
    adding_up = Fraction(4 * 2, 3) * 22_000_000 / 10**9  # 4 (m - 1) / m bytes by parameter byte, on 1 GB/s
    assert (plan.proven, plan.objective) == (True, (Fraction("0.27") + adding_up) / 3)
    assert set(plan.strategies.values()) == {"gpu 1-3", "gpu 4"}
