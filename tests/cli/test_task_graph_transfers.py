"""hypar-opt task-graph transfers as a user runs it."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
import yaml

PROFILE = """\
node2 -- Linear(1, 1) -- forward_compute_time=1, backward_compute_time=2, activation_size=4, parameter_size=4000000
node3 -- Linear(1, 1) -- forward_compute_time=5, backward_compute_time=6, activation_size=4, parameter_size=8000000
\tnode2 -- node3
"""
PIPELINE = """\
schema: hypar-opt/pipeline/1
name: two
devices: [{kind: gpu, count: 2, replicas: 2}]
operators:
  - {name: a, seconds: 1, backward: 2, parameters: 3}
  - {name: b, seconds: 1, backward: 2, parameters: 3, reads: [a]}
"""


@pytest.fixture
def profile(tmp_path):
    """Return a profile of PipeDream."""
    path = tmp_path / "profile.txt"
    path.write_text(PROFILE, encoding="utf-8")
    return path


@pytest.fixture
def pipeline(tmp_path):
    """Return a pipeline whose links take no time."""
    path = tmp_path / "two.yaml"
    path.write_text(PIPELINE, encoding="utf-8")
    return path


def test_a_network_is_written(run, tmp_path):
    ran = run("task-graph", "transfers", "lenet-c", "--array", "hypar-16", "-o", tmp_path / "tasks.yaml")
    assert (ran.code, ran.err) == (0, "")
    text = (tmp_path / "tasks.yaml").read_text(encoding="utf-8")
    assert text.startswith(
        "# Gradients of lenet-c on 16 workers: 3,228,750 bytes around a ring, at 15,625,000 bytes/s, between about "
        "0.005025142857 s of computing.\nschema: hypar-opt/task-graph/1\nname: lenet-c\n"
    )
    assert len(yaml.safe_load(text)["tasks"]) == 14


def test_a_profile_with_chunks_and_start_ups(run, profile):
    options = ("--workers", 2, "--bandwidth", "2e9", "--start-up", "0.001", "--chunks", 2, "--json")
    made = json.loads(run("task-graph", "transfers", profile, *options).out)
    sent = {one["name"]: Fraction(one["seconds"]) for one in made["tasks"] if one["on"] == ["link"]}
    assert sent == {
        "gradient node2 Linear 1/2": Fraction(2, 1000),
        "gradient node2 Linear 2/2": Fraction(2, 1000),
        "gradient node3 Linear 1/2": Fraction(3, 1000),
        "gradient node3 Linear 2/2": Fraction(3, 1000),
    }


def test_a_pipeline_on_more_workers_than_it_has(run, pipeline):
    made = json.loads(run("task-graph", "transfers", pipeline, "--workers", 3, "--bandwidth", 1, "--json").out)
    assert {one["name"]: one["seconds"] for one in made["tasks"]}["gradient a"] == 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["vgg-a"], "array: the array does not say what an accelerator computes"),
        (["vgg-a", "--array", "hypar-16", "--levels", "0"], "--levels: nothing is sent"),
        (["vgg-a", "--array", "hypar-16", "--workers", "2"], "--workers: is of pipelines and profiles"),
        (["mixed-vgg-11"], "array: expected accelerators that are alike"),
        (["dgx-1"], "dgx-1: is a collective, whose steps no gradients are known of"),
        (["PROFILE"], "workers: the file does not say how many workers there are; expected --workers N"),
        (["PROFILE", "--workers", "2", "--levels", "2"], "--levels: is of instances"),
        (["PIPELINE"], "--bandwidth: it is not said how fast links are; expected --bandwidth B"),
        (["PIPELINE", "--bandwidth", "0"], "expected a number above 0, as in 1e9, got '0'"),
        (["PIPELINE", "--start-up", "-1"], "expected seconds above 0"),
        (["PROFILE", "--workers", "2", "-o", "tasks.txt"], "--output: expected a name that ends in .yaml or .json"),
    ],
)
def test_what_is_refused(run, profile, pipeline, options, said):
    named = {"PROFILE": profile, "PIPELINE": pipeline}
    ran = run("task-graph", "transfers", *(named.get(one, one) for one in options))
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
