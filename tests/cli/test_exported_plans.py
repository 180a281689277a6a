"""`hypar-opt export --to`, and what it refuses; what `count` and `verify --in jax` say."""

from __future__ import annotations

import json

import pytest

from hypar_opt.export.targets import TARGETS
from hypar_opt.util.extras import installed

NETWORK = """\
schema: hypar-opt/instance/1
name: two
batch: 8
network:
  input: [16]
  layers:
    - {name: fc1, linear: {features: 16}}
    - {name: fc2, linear: {features: 16}}
array: {axes: [{name: gpu, size: 2}]}
"""


@pytest.fixture
def files(run, tmp_path):
    """Return the files of an instance and of a plan of it."""
    instance, plan = tmp_path / "two.yaml", tmp_path / "plan.json"
    instance.write_text(NETWORK)
    assert run("solve", instance, "-q", "-o", plan).code == 0
    return instance, plan


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_export(run, files, tmp_path, target):
    output = tmp_path / f"out{target.ending}"
    ran = run("export", *files, "--to", target.name, "-o", output, "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["to"] == target.name
    assert output.read_text().count("\n") == json.loads(ran.out)["lines"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("-o", "step.json", "--to", "jax"), "expected a name that ends in .py"),
        (("-o", "step.json"), "--to: a plan is exported to one of jax"),
        (("-o", "step.py", "--to", "jax", "--levels", "2"), "--levels: the plan's file says"),
    ],
)
def test_refused(run, files, tmp_path, more, said, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run("export", *files, *more)
    assert ran.code == 2
    assert said in ran.err
    assert not list(tmp_path.glob("step.*"))


def test_a_plan_is_needed(run, files, tmp_path):
    ran = run("export", files[0], "--to", "jax", "-o", tmp_path / "step.py")
    assert (ran.code, "expected PLAN.json, too" in ran.err) == (2, True)


def test_a_plan_is_not_overwritten(run, files):
    before = files[1].read_text()
    ran = run("export", *files, "--to", "placements", "-o", files[1])
    assert (ran.code, files[1].read_text()) == (2, before)


@pytest.mark.slow
@pytest.mark.skipif(not installed("jax"), reason="JAX is not installed: pip install 'hypar-opt[jax]'")
def test_count_and_verify(run, files):
    ran = run("count", *files, "--json")
    found = json.loads(ran.out)
    assert (ran.code, found["equal"]) == (0, True)
    assert max(found["run"]["off"].values()) < 1e-12
    ran = run("verify", *files, "--in", "jax")
    assert ran.code == 0
    assert "ok  program" in ran.out and "ok  numbers" in ran.out
