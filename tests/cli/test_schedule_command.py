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


def test_batches_of_several_sizes(run, three, tmp_path):
    ran = run("schedule", *three, "--microbatches", "6,1-2", "-o", tmp_path / "t.csv")
    assert (ran.code, ran.err) == (0, "")
    rows = [" ".join(row.split()) for row in ran.out.splitlines()]
    assert rows[:2] == ["three: 3 stages on 3 devices", "microbatches gpipe 1f1b pipedream"]
    assert rows[4].startswith("6 24 s, 25 %, 0.25/s, does not fit 24 s, 25 %, 0.25/s 18 s, 0 %, 0.3333/s")
    assert "zero-bubble: needs the seconds in which gradients" in ran.out
    assert "the slowest device (1) does: 0.3333/s" in ran.out
    lines = (tmp_path / "t.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "microbatches,schedule,seconds,bubble,samples_per_s,fits"
    assert lines[1:3] == ["1,gpipe,9,2/3,1/9,yes", "1,1f1b,9,2/3,1/9,yes"]
    document = json.loads(run("schedule", *three, "--microbatches", "6,1-2", "--json").out)
    assert (document["most_per_s"], len(document["batches"])) == ("1/3", 15)


def test_they_are_drawn(run, three, tmp_path):
    assert run("schedule", *three, "--microbatches", "1-3", "-o", tmp_path / "t.svg", "--quiet").code == 0
    assert "1 / slowest" in (tmp_path / "t.svg").read_text(encoding="utf-8")


def test_schedules_as_a_table(run, three, tmp_path):
    assert run("schedule", *three, "--microbatches", 6, "-o", tmp_path / "t.csv", "--quiet").code == 0
    rows = (tmp_path / "t.csv").read_text(encoding="utf-8").splitlines()
    assert rows[1:3] == ["gpipe,24,0.25,12,no,,,", "1f1b,24,0.25,6,yes,,,"]


def test_on_links(run, three, tmp_path):
    path, plan = tmp_path / "wide.yaml", tmp_path / "wide.json"
    path.write_text(THREE.replace("memory: 10", "memory: 10, bandwidth: 2"), encoding="utf-8")
    assert run("solve", path, "-o", plan, "--quiet").code == 0
    ran = run("schedule", path, plan, "--microbatches", 2, "--links", "--draw", "gpipe", "--trace", tmp_path / "t.json")
    assert (ran.code, ran.err) == (0, "")
    rows = [" ".join(row.split()) for row in ran.out.splitlines()]
    assert rows[2] == "gpipe 15 s 13 s 7.69 % gpu 1 -> network 7.69 %"
    events = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))["traceEvents"]
    assert "gpu 2 -> network" in {one["args"].get("name") for one in events if one["ph"] == "M"}
    traces = ("--draw", "1f1b", "--chakra", tmp_path / "traces", "--quiet")
    assert run("schedule", path, plan, "--microbatches", 2, "--links", *traces).code == 0
    assert {one.name for one in (tmp_path / "traces").glob("*.et")} == {f"workload.{rank}.et" for rank in range(3)}
    given = run("schedule", path, plan, "--microbatches", 2, "--array", "torus-16", "--json")
    assert [one["name"] for one in json.loads(given.out)["schedules"]] == ["gpipe", "1f1b"]


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
        (["--links"], "devices: no device of the plan has a bandwidth, expected bytes a second, or --array"),
        (["--chakra", "traces"], "--chakra: is of schedules on links; expected --links or --array, too"),
        (["--links", "-o", "s.svg"], "--output: is of schedules without links; --trace has those on links"),
        (["--links", "--draw", "pipedream", "--array", "torus-16"], "no schedule here is called 'pipedream'"),
        (["--array", "taurus-16"], "did you mean 'torus-16'?"),
        (["--microbatches", "4-2"], "the range 4-2 is empty"),
        (["--microbatches", "0-3"], "expected numbers from 1 to 10,000, got '0-3'"),
        (["--microbatches", "4;2"], "expected a number as 8, several as 1,2,4 or a range as 1-64, got '4;2'"),
        (["--microbatches", "1-8", "--best"], "--best: is of one batch, expected one number of --microbatches"),
        (["--microbatches", "1-900"], "are 1,216,350 to put in order by every schedule, and at most 40,000 are"),
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
    assert (ran.code, "schedule is of plans that have stages" in ran.err) == (2, True)


def test_stages_of_a_network_are_put_in_order(run, tmp_path):
    plan = tmp_path / "plan.json"
    given = ("--array", "hypar-16", "--objective", "time", "--levels", 2, "--microbatches", 8)
    assert run("solve", "sfc", *given, "-o", plan, "--quiet").code == 0
    ran = run("schedule", "sfc", plan, "--draw", "1f1b", "--trace", tmp_path / "t.json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("sfc: 2 stages on 2 devices, 8 microbatches; a device is all accelerators of a stage")
    assert "zero-bubble" in ran.out
    events = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))["traceEvents"]
    assert len([one for one in events if one["ph"] == "X"]) == 2 * 2 * 8
    wrong = {
        ("--microbatches", 4): "--microbatches: expected 8, into how many the plan's batch is cut",
        ("--links",): "--links: expected a pipeline",
        ("--devices", 1): "would be on one of 1, and the plan has them on devices that are not alike: accelerators 1 ",
        ("--gradient-share", "1/2"): "--gradient-share: is known of a network's stages",
    }
    for more, message in wrong.items():
        ran = run("schedule", "sfc", plan, *more)
        assert (ran.code, ran.out, message in ran.err) == (2, "", True)


def test_a_batch_is_as_the_file_has_it(run, three):
    path, plan = three
    ran = run("schedule", path, plan)
    assert (ran.code, "--microbatches: expected how many a batch has" in ran.err) == (2, True)


def plan_of(run, tmp_path, text):
    path, plan = tmp_path / "given.yaml", tmp_path / "given.json"
    path.write_text(text, encoding="utf-8")
    assert run("solve", path, "-o", plan, "--quiet").code == 0
    return path, plan


BACK = """\
schema: hypar-opt/pipeline/1
name: back
devices: [{kind: gpu, count: 2, memory: 4}]
operators:
  - {name: f1, seconds: 1, together: x, memory: 2}
  - {name: f2, seconds: 1, together: y, memory: 2}
  - {name: b2, phase: backward, seconds: 1, reads: [f2], together: y, memory: 2}
  - {name: b1, phase: backward, seconds: 1, reads: [f1, b2], together: x, memory: 2}
"""


def gpipe_of(run, tmp_path, text):
    ran = run("schedule", *plan_of(run, tmp_path, text), "--microbatches", 2, "--json")
    assert (ran.code, ran.err) == (0, "")
    document = json.loads(ran.out)
    return document["of"], document["schedules"][0]["seconds"]


def test_a_backward_phase_may_wait_for_a_stage_that_its_forward_one_does_not_lead_to(run, tmp_path):
    assert gpipe_of(run, tmp_path, BACK)[1] == 5  # forward at once, b2 of both after 2, the second b1 from 4 on
    free = BACK.replace("reads: [f1, b2]", "reads: [f1]")
    assert gpipe_of(run, tmp_path, free)[1] == 4
    other = BACK.replace("reads: [f1, b2]", "reads: [f1, f2]").replace(
        "seconds: 1, together: y", "seconds: 2, together: y"
    )
    assert gpipe_of(run, tmp_path, other)[1] == 6  # b1 of the second microbatch reads f2 of it, which ends at 4


def test_backward_operators_that_all_lead_on_with_forward_ones_are_turned_around(run, tmp_path):
    text = BACK.replace("{name: f2, ", "{name: f2, reads: [f1], ").replace("reads: [f2], ", "reads: [f2, b0], ")
    mate = "  - {name: b0, phase: backward, seconds: 1, reads: [f1], together: x}\n"
    said, seconds = gpipe_of(run, tmp_path, text.replace("reads: [f1, b2]", "reads: [f1]") + mate)
    assert "backward operators lead on with forward ones; gradients go back" in said
    assert seconds == 8  # 2 + 1 forward, 1 + 2 x 2 backward


def test_backward_phases_that_wait_for_each_other_are_refused(run, tmp_path):
    more = "  - {name: b0, phase: backward, seconds: 1, reads: [f1], together: x}\n"
    text = BACK.replace("reads: [f2], ", "reads: [f2, b0], ") + more
    ran = run("schedule", *plan_of(run, tmp_path, text), "--microbatches", 2, "--best")
    assert (ran.code, ran.out) == (2, "")
    assert "operators: phases of stages wait for each other in a circle, each the one before: backward at" in ran.err


def test_stages_of_unlike_devices_are_not_put_on_one(run, tmp_path):
    text = """\
schema: hypar-opt/pipeline/1
name: unlike
devices: [{kind: gpu, count: 1}, {kind: cpu, count: 1}]
operators:
  - {name: a, seconds: {gpu: 1}, backward: {gpu: 2}}
  - {name: b, seconds: {cpu: 1}, backward: {cpu: 2}, reads: [a]}
"""
    ran = run("schedule", *plan_of(run, tmp_path, text), "--microbatches", 2, "--devices", 1)
    assert ran.code == 2
    assert "error: --devices: stages 1 and 2 would be on one of 1, and the plan has them" in ran.err
    assert "gpu 1 and cpu 1" in ran.err
