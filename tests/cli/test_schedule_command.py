"""hypar-opt schedule as a user runs it."""

from __future__ import annotations

import json

import pytest

THREE = """\
schema: hypar-opt/pipeline/1
name: three
devices: [{kind: gpu, count: 3, memory: 10}]
operators:
  - {name: a, seconds: 1, backward: 2, output: 1, activations: 2}
  - {name: b, seconds: 1, backward: 2, output: 1, activations: 2, reads: [a]}
  - {name: c, seconds: 1, backward: 2, output: 1, activations: 2, reads: [b]}
"""


@pytest.fixture
def three(run, tmp_path):
    """Return a pipeline of three equal stages, and its plan."""
    path, plan = tmp_path / "three.yaml", tmp_path / "plan.json"
    path.write_text(THREE, encoding="utf-8")
    assert run("solve", path, "-o", plan, "--quiet").code == 0
    return path, plan


def test_schedules_side_by_side(run, three):
    ran = run("schedule", *three, "--microbatches", 6, "--gradient-share", "1/2", "--best")
    assert (ran.code, ran.err) == (0, "")
    rows = [" ".join(row.split()) for row in ran.out.splitlines()]
    assert rows[:7] == [
        "three: 3 stages on 3 devices, 6 microbatches",
        "schedule batch bubble most kept by device said",
        "gpipe 24 s 25 % 12 B 12 B, 12 B, 12 B does not fit into the memories",
        "1f1b 24 s 25 % 6 B 6 B, 4 B, 2 B",
        "pipedream 18 s 0 % 6 B 6 B, 4 B, 2 B",
        "interleaved a device has several stages",
        "zero-bubble 20 s 10 % 6 B 6 B, 6 B, 6 B",
    ]
    assert rows[7].startswith("best 24 s 25 %")
    assert rows[8].startswith("best, backward split 20 s 10 %")
    assert all(row.endswith("OPTIMAL") for row in rows[7:9])


def test_the_same_for_machines(run, three):
    document = json.loads(run("schedule", *three, "--microbatches", 2, "--json").out)
    gpipe, *_ = document["schedules"]
    assert (gpipe["name"], gpipe["seconds"], gpipe["bubble"], gpipe["fits"]) == ("gpipe", 12, "0.5", True)
    assert len(gpipe["operations"]) == 12
    assert gpipe["operations"][0] == {
        "phase": "forward", "device": 0, "stage": 0, "microbatch": 0, "begin_s": 0, "end_s": 1,
    }  # fmt: skip


def test_one_is_drawn(run, three, tmp_path):
    ran = run("schedule", *three, "--microbatches", 4, "--draw", "1f1b", "-o", tmp_path / "s.svg", "--quiet")
    assert (ran.code, ran.out) == (0, "")
    assert "1f1b: 18 s, 33.3 % bubbles" in (tmp_path / "s.svg").read_text(encoding="utf-8")


def test_a_trace_has_every_operation(run, three, tmp_path):
    ran = run("schedule", *three, "--microbatches", 2, "--draw", "gpipe", "--trace", tmp_path / "t.json", "--quiet")
    assert (ran.code, ran.out) == (0, "")
    events = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))["traceEvents"]
    done = [one for one in events if one["ph"] == "X"]
    assert len(done) == 12
    assert done[0] == {
        "name": "forward 1", "cat": "forward", "ph": "X", "pid": 1, "tid": 1, "ts": 0.0, "dur": 1e6,
        "args": {"stage": 1, "microbatch": 1},
    }  # fmt: skip
    kept = [one["args"]["bytes"] for one in events if one["ph"] == "C" and one["name"] == "kept by device 1"]
    assert max(kept) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--devices", 2], "--devices: expected a number that divides the 3 stages, got 2"),
        (["--gradient-share", "3/2"], "--gradient-share: expected a share from 0 to 1, as 1/2, got '3/2'"),
        (["--gradient-share", "half"], "--gradient-share: expected a share from 0 to 1, as 1/2, got 'half'"),
        (
            ["--draw", "1b1f", "-o", "s.svg"],
            "--draw: no schedule here is called '1b1f'; there are gpipe, 1f1b, pipedream",
        ),
        (["-o", "s.txt"], "--output"),
    ],
)
def test_bad_input(run, three, arguments, message, tmp_path):
    given = [tmp_path / one if str(one).startswith("s.") else one for one in arguments]
    ran = run("schedule", *three, "--microbatches", 4, *given)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert not list(tmp_path.glob("s.*"))


def test_what_has_no_backward_phase_has_no_schedule(run, three, tmp_path):
    path = tmp_path / "forward.yaml"
    path.write_text(THREE.replace(" backward: 2,", ""), encoding="utf-8")
    plan = tmp_path / "forward.json"
    assert run("solve", path, "-o", plan, "--quiet").code == 0
    ran = run("schedule", path, plan, "--microbatches", 4)
    assert ran.code == 2
    assert "no operator has a backward phase" in ran.err


def test_a_network_has_none(run, tmp_path):
    plan = tmp_path / "plan.json"
    assert run("solve", "sfc", "-o", plan, "--quiet", "--no-explain").code == 0
    ran = run("schedule", "sfc", plan, "--microbatches", 4)
    assert (ran.code, "schedule is of pipelines" in ran.err) == (2, True)
