"""hypar-opt simulate of collectives."""

from __future__ import annotations

import json

import pytest

LINE = """\
schema: hypar-opt/collective/1
name: line
array: {topology: mesh, dims: [3], link: {bandwidth: 100, latency: 1}}
collective: all-gather
bytes: 600
"""


@pytest.fixture
def line(run, tmp_path):
    """Return an all-gather on a line of three, and MultiTree's plan of two steps."""
    path, plan = tmp_path / "line.yaml", tmp_path / "plan.json"
    path.write_text(LINE, encoding="utf-8")
    assert run("solve", path, "-f", "multitree", "-o", plan, "--quiet").code == 0
    return path, plan


def test_lockstep_by_hand(run, line):
    # 200 bytes are 2 s, and a latency of 1 s; twice
    ran = run("simulate", *line)
    assert (ran.code, ran.err) == (0, "")
    assert [row.rstrip() for row in ran.out.splitlines()] == [
        "line: 6 sends take 6 s simulated (lockstep, contention)",
        "in lockstep, 2 steps by sums: 6 s; simulated is the same exactly",
        "a chunk is 200 B, without heads",
        "no order of these sends takes less than 4 s, the most that one link has to carry",
        "no send waited for a link",
        "",
        "link directions  used  busy at least  mean  at most",
        "4                4     33.3 %         50 %  66.7 %",
        "",
        "busiest   chunks  busy  of the time",
        "a1 -> a0  2       4 s   66.7 %",
        "a1 -> a2  2       4 s   66.7 %",
        "a0 -> a1  1       2 s   33.3 %",
        "a2 -> a1  1       2 s   33.3 %",
        "its 2 tasks waited: 1 for data, 1 for nothing",
    ]


def test_heads_and_cycles(run, line):
    # 13 flits of 16 bytes, one head each four: 17 of them, 272 bytes; latency of 5 cycles of 0.1 s
    given = ("--flit", 16, "--message-flits", 4, "--clock", 10, "--latency-cycles", 5)
    ran = run("simulate", *line, "--quiet", *given)
    assert ran.out.splitlines()[:3] == [
        "line: 6 sends take 6.44 s (64.4 cycles) simulated (lockstep, contention)",
        "in lockstep, 2 steps by sums: 6.44 s (64.4 cycles); simulated is the same exactly",
        "a chunk is 200 B in 17 flits of 16 bytes: messages of 4 flits, heads of 1, 36 % more",
    ]
    found = json.loads(run("simulate", *line, "--json", *given).out)
    assert (found["time_s"], found["time_cycles"], found["bytes_on_link"]) == ("6.44", "64.4", 272)
    one = json.loads(run("simulate", *line, "--json", "--flit", 16).out)
    assert (one["bytes_on_link"], one["message_flits"], one["head_flits"]) == (224, None, 1)


def test_as_soon_as_can_be_with_a_trace(run, line, tmp_path):
    trace = tmp_path / "trace.json"
    ran = run("simulate", *line, "--sends", "greedy", "--json", "--trace", trace)
    found = json.loads(ran.out)
    assert (found["sends"], found["time_s"], found["steps"]) == ("greedy", 6, 2)
    assert [one["send"].split(",")[1] for one in found["critical_path"]][-1].strip().startswith("a1 to")
    events = json.loads(trace.read_text())["traceEvents"]
    links = [one for one in events if one["ph"] == "X" and one["pid"] == 3]
    assert (len(links), {one["cat"] for one in links}) == (6, {"copy"})


@pytest.mark.slow
def test_a_picture(run, line, tmp_path):
    gantt = tmp_path / "gantt.svg"
    assert run("simulate", *line, "--sends", "in-order", "--gantt", gantt).code == 0
    assert all(one in gantt.read_text() for one in ("<svg", "copy", "6 sends take 6 s simulated"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--overlap", "full"], "--overlap cannot be given with a collective"),
        (["--array", "hypar-16"], "--array cannot be given with a collective"),
        (["--head-flits", "2"], "--head-flits counts flits; say how many bytes one has with --flit"),
        (["--latency-cycles", "2"], "--latency-cycles counts cycles; say how many there are a second with --clock"),
        (["--clock", "0"], "expected cycles a second above 0, as in 1e9, got '0'"),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_options_that_say_nothing(run, line, tmp_path, given, said):
    trace = tmp_path / "trace.json"
    ran = run("simulate", *line, "--trace", trace, *given)
    assert (ran.code, said in " ".join(ran.err.split()), trace.exists()) == (2, True, False), ran.err


def test_options_of_collectives_say_nothing_of_a_step(run, tmp_path):
    plan = tmp_path / "plan.json"
    run("solve", "lenet-c", "--array", "hypar-16", "-o", plan, "--quiet", "--no-explain")
    ran = run("simulate", "lenet-c", plan, "--flit", 16)
    assert (ran.code, "--flit cannot be given with a training step" in ran.err) == (2, True)


def test_plans_that_do_not_fit(run, line, tmp_path):
    path, plan = line
    other = tmp_path / "other.yaml"
    other.write_text(LINE.replace("name: line", "name: other"), encoding="utf-8")
    assert "is a plan of 'line', not of 'other'" in " ".join(run("simulate", other, plan).err.split())
    other.write_text(LINE.replace("dims: [3]", "dims: [2, 2]"), encoding="utf-8")
    assert "is a plan of another version of 'line'" in " ".join(run("simulate", other, plan).err.split())
    data = json.loads(plan.read_text())
    chunk = next(iter(data["plan"]))
    for text, said in (
        ("", "has nothing of it"),
        ("a0>a2@1", "there is no link a0 -> a2"),
        ("a0>b@1", "no node is called"),
    ):
        broken = tmp_path / "broken.json"
        broken.write_text(json.dumps({**data, "plan": {**data["plan"], chunk: text}}), encoding="utf-8")
        ran = run("simulate", path, broken, "--trace", tmp_path / "trace.json")
        assert (ran.code, said in " ".join(ran.err.split()), "broken.json: plan" in ran.err) == (2, True, True), ran.err
    assert not (tmp_path / "trace.json").exists()


def test_plans_in_seconds_have_no_steps(run, tmp_path):
    path, plan = tmp_path / "line.yaml", tmp_path / "plan.json"
    path.write_text(LINE + "objective: time\n", encoding="utf-8")
    run("solve", path, "-f", "multitree", "-o", plan, "--quiet")
    assert "(in-order, contention)\nthe schedule's own: 6 s; simulated " in run("simulate", path, plan, "--quiet").out
    ran = run("simulate", path, plan, "--sends", "lockstep")
    assert (ran.code, "no steps to keep in lockstep" in " ".join(ran.err.split())) == (2, True)


def test_nothing_is_written_once_time_is_over_or_over_what_is_read(run, line, tmp_path):
    trace = tmp_path / "trace.json"
    ran = run("simulate", *line, "--time-limit", "0.000001", "--trace", trace)
    assert (ran.code, ran.out, trace.exists()) == (3, "", False)
    before = line[1].read_bytes()
    assert run("simulate", *line, "--trace", line[1]).code == 2
    assert line[1].read_bytes() == before
