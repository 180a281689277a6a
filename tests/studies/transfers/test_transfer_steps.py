"""Data-parallel steps of networks, pipelines and profiles."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.instance.faults import field_error
from hypar_opt.instance.pipeline import read_pipeline
from hypar_opt.instance.read import load_instance
from hypar_opt.studies.transfers.layers import DataParallelStep, StepLayer
from hypar_opt.studies.transfers.sources import load_step, step_of_pipeline
from hypar_opt.util.errors import InputError

PROFILE = """\
node1 -- Input0 -- forward_compute_time=0, backward_compute_time=0, activation_size=0, parameter_size=0
node2 -- Linear(1, 1) -- forward_compute_time=1, backward_compute_time=2, activation_size=4, parameter_size=4000000
node3 -- ReLU() -- forward_compute_time=3, backward_compute_time=4, activation_size=4, parameter_size=0
node4 -- Linear(1, 1) -- forward_compute_time=5, backward_compute_time=6, activation_size=4, parameter_size=8000000
\tnode1 -- node2
\tnode2 -- node3
\tnode3 -- node4
"""
MILLI = Fraction(1, 1000)


def step_of(*layers, workers=2):
    each = tuple(StepLayer(f"l{place}", *map(Fraction, one)) for place, one in enumerate(layers))
    return DataParallelStep("step", each, workers, None)


def test_layers_without_gradients_count_to_those_ahead():
    problem = step_of((1, 2, 0), (3, 4, 10), (5, 6, 0), (7, 8, 20)).problem(Fraction(10))
    assert (problem.lead, problem.backward) == (1, 20)
    assert [(one.name, one.ready, one.seconds, one.forward) for one in problem.gradients] == [
        ("l1", 18, 1, 8),
        ("l3", 8, 2, 7),
    ]


def test_a_ring_sends_gradients_nearly_twice():
    step = step_of((1, 2, 10), workers=4)
    assert step.sent == 15
    assert step.problem(Fraction(5)).gradients[0].seconds == 3
    assert step_of((1, 2, 10), workers=1).sent == 0


def test_a_network_is_timed_as_the_evaluator_does():
    step = load_step("lenet-c", array="hypar-16")
    assert (step.workers, step.bandwidth) == (16, 15_625_000)
    instance = load_instance("lenet-c", array="hypar-16")
    words = dict.fromkeys((layer.name for layer in step.layers), "dddd")
    evaluator = Evaluator(instance)
    recounted = evaluator.step(evaluator.bytes_of(words))
    assert step.computing == recounted.compute_time
    assert sum(one.size for one in step.layers) == 4 * 430_500


def test_a_profile_of_others(tmp_path):
    path = tmp_path / "profile.txt"
    path.write_text(PROFILE, encoding="utf-8")
    problem = load_step(str(path), 2).problem(Fraction(10**9), MILLI)
    assert [(one.name, one.ready, one.seconds, one.forward) for one in problem.gradients] == [
        ("node2 Linear", 12 * MILLI, 4 * MILLI, 4 * MILLI),
        ("node4 Linear", 6 * MILLI, 8 * MILLI, 5 * MILLI),
    ]


def test_operators_in_any_order():
    step = step_of_pipeline(_pipeline({"name": "b", "seconds": 1, "reads": ["a"]}, {"name": "a", "seconds": 1}))
    assert [one.name for one in step.layers] == ["a", "b"]


def _pipeline(*operators, devices=None):
    each = devices or [{"kind": "gpu", "count": 2}]
    fields = {"schema": "hypar-opt/pipeline/1", "name": "p", "devices": each, "operators": list(operators)}
    return read_pipeline(fields, field_error)


def test_a_backward_phase_that_stands_by_itself():
    each = (
        {"name": "a", "seconds": 1, "together": "x"},
        {"name": "b", "seconds": 1, "phase": "backward", "together": "x"},
    )
    with pytest.raises(InputError, match="operators: the backward computing of b is an operator of its own"):
        step_of_pipeline(_pipeline(*each))


def test_devices_of_several_kinds():
    kinds = [{"kind": "gpu", "count": 1}, {"kind": "cpu", "count": 1}]
    one = {"name": "a", "seconds": {"gpu": 1, "cpu": 2}}
    with pytest.raises(InputError, match="devices: expected devices that are alike, got 2 kinds"):
        step_of_pipeline(_pipeline(one, devices=kinds))
