"""hypar-opt explore as a user meets it."""

from __future__ import annotations

import csv
import json
import signal
from dataclasses import replace

import pytest
from pypdf import PdfReader

from hypar_opt.formulation.solution import Status
from hypar_opt.studies import cell_pieces
from hypar_opt.studies.sweep import exploration as recomputing

PAPER = ("--array", "hypar-16", "--accounting", "as-evaluated")
FIGURE_9 = ("explore", "lenet-c", *PAPER, "--levels-free", "1,4")


def pictures_of(path):
    """Check that there are pictures with their fonts inside, as wide as a page of a paper."""
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    assert "@font-face" in path.with_suffix(".svg").read_text()
    assert float(PdfReader(path.with_suffix(".pdf")).pages[0].mediabox.width) == pytest.approx(7.16 * 72, abs=0.5)


def test_figure_9_on_the_terminal(run):
    ran = run(*FIGURE_9, "--top", 2)
    assert ran.code == 0
    assert [" ".join(line.split()) for line in ran.out.splitlines()] == [
        "lenet-c: 256 combinations of conv1, conv2, fc1, fc2 at levels 1, 4; the rest as in the base plan, hypar-dp's "
        "for the least communication",
        "gains are over data parallelism",
        "best time 69.29 ms, gain 3.055",
        "the base plan is the best",
        "rank conv1 conv2 fc1 fc2 time gain",
        "*1 dddd dddd mmdm mddm 69.29 ms 3.055",
        "2 dddd dddd mmdm dddm 69.77 ms 3.034",
        "* the base plan; equal costs share a rank",
    ]


def test_a_base_plan_that_is_not_the_best_is_shown_behind_the_best(run):
    ran = run("explore", "vgg-a", *PAPER, "--layers", "fc1", "-f", "data-parallel", "--top", 1)
    assert "the base plan has rank " in ran.out
    rows = [line for line in ran.out.splitlines() if "dddd" in line]
    assert rows[-1].split()[0].startswith("*")
    assert "data-parallel's for the objective communication" in ran.out


def test_files(run, tmp_path):
    ran = run(*FIGURE_9, "--components", "time,communication", "-o", tmp_path / "new", "--json")
    assert ran.code == 0
    document = json.loads(ran.out)
    assert document["best"]["plan"] == {"conv1": "dddd", "conv2": "dddd", "fc1": "mmdm", "fc2": "mddm"}
    assert (document["combinations"], document["ties"], document["base"]["rank"]) == (256, 1, 1)
    assert document["best"]["gain"]["time"] == 3.054626
    assert json.loads((tmp_path / "new" / "explore.json").read_text()) == document
    with (tmp_path / "new" / "explore.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 256
    best = max(rows, key=lambda row: float(row["time_gain"]))
    assert {name: best[name] for name in ("fc1", "fc2")} == {"fc1": "mmdm", "fc2": "mddm"}
    assert (best["communication_B"], best["allowed"]) == ("16067040", "1")
    assert best["time_s"] == document["best"]["cost"]["time"]
    assert "| \\*1" not in (tmp_path / "new" / "explore.md").read_text()
    assert "\n| *1     |" in (tmp_path / "new" / "explore.md").read_text()
    pictures_of(tmp_path / "new" / "explore")


def test_a_picture_without_a_map(run, tmp_path):
    assert run("explore", "lenet-c", "--levels-free", "1", "-o", tmp_path, "-q").code == 0
    pictures_of(tmp_path / "explore")


def test_a_plan_file_as_the_base(run, tmp_path):
    plan = tmp_path / "plan.json"
    assert run("solve", "lenet-c", *PAPER, "-f", "data-parallel", "-o", plan).code == 0
    document = json.loads(
        run("explore", "lenet-c", *PAPER, "--layers", "fc1", "--plan", plan, "--against", "plan", "--json").out
    )
    assert document["base"]["plan"]["fc1"] == "dddd"
    assert document["base"]["gain"] == {"time": 1.0}
    assert (document["base_from"], document["gains_over"]) == ("the plan given", "the base plan")
    written = json.loads(plan.read_text())
    del written["plan"]["fc2"]
    plan.write_text(json.dumps(written))
    ran = run("explore", "lenet-c", "--plan", plan)
    assert (ran.code, ran.err) == (2, f"error: {plan}: plan: the plan has no strategy for layer 'fc2'\n")


def edited(path, **changes):
    """Change fields of a plan file."""
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return path


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"instance": "vgg-a"}, "instance: is a plan of 'vgg-a', not of 'lenet-c'"),
        ({"instance_sha256": "0" * 64}, "instance_sha256: is a plan of another version of 'lenet-c': its hash is 0000"),
        (
            {"status": "INFEASIBLE", "plan": None, "cost": None, "objective": None, "bound": None},
            "plan: has status INFEASIBLE and no plan, expected a base plan",
        ),
        ({"schema": "hypar-opt/plan/2"}, "schema: "),
    ],
)
def test_a_plan_of_something_else_is_refused(run, tmp_path, changes, message):
    plan = tmp_path / "plan.json"
    assert run("solve", "lenet-c", "-f", "data-parallel", "-o", plan).code == 0
    ran = run("explore", "lenet-c", "--layers", "fc1", "--plan", edited(plan, **changes))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {plan}:")
    assert message in ran.err


def test_a_plan_of_the_same_instance_on_another_array_is_weighed_and_told(run, tmp_path):
    plan = tmp_path / "plan.json"
    assert run("solve", "lenet-c", "-f", "data-parallel", "-o", plan).code == 0
    ran = run("explore", "lenet-c", *PAPER, "--layers", "fc1", "--plan", plan)
    assert ran.code == 0
    assert "best time " in ran.out
    assert ran.err == f"{plan} was made with another accounting and another array; it is weighed as given here\n"
    assert run("explore", "lenet-c", *PAPER, "--layers", "fc1", "--plan", plan, "-q").err == ""
    assert run("explore", "lenet-c", "--layers", "fc1", "--plan", plan).err == ""


def test_one_accelerator_has_one_plan(run):
    ran = run("explore", "lenet-c", "--levels", 0)
    assert ran.code == 0
    assert " ".join(ran.out.splitlines()[0].split()) == (
        "lenet-c: 1 combination, one accelerator having no levels to choose at; the base plan, "
        "hypar-dp's for the least communication"
    )


def test_a_plan_that_the_time_limit_cut_off_exits_with_3(run, monkeypatch):
    honest = cell_pieces.solve

    def cut_off(problem, name, **given):
        plan = honest(problem, name, **given)
        if name != "joint-dp":
            return plan
        return replace(plan, status=Status.NO_SOLUTION, strategies=None, native_status="stopped before the last layer")

    assert run("explore", "lenet-c", "--scale", "0-1").code == 0
    monkeypatch.setattr(cell_pieces, "solve", cut_off)
    ran = run("explore", "lenet-c", "--scale", "0-1")
    assert ran.code == 3
    assert "joint-dp: stopped before the last layer" in ran.out


@pytest.mark.slow
def test_scale_on_the_terminal_and_in_files(run, tmp_path):
    ran = run("explore", "lenet-c", *PAPER, "--scale", "0-2", "-o", tmp_path)
    assert ran.code == 0
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert lines[0] == "accelerators plan time time: gain communication in all"
    assert [line.split()[:2] for line in lines[1:10]] == [
        [count, name] for count in "124" for name in ("hypar-dp", "data-parallel", "joint-dp")
    ]
    rows = json.loads((tmp_path / "scale.json").read_text())
    assert [row["time_gain"] for row in rows[:3]] == [1.0] * 3
    assert (rows[0]["communication"], rows[0]["communication_gain"]) == (0, None)
    assert rows[8]["status"] == "OPTIMAL"
    pictures_of(tmp_path / "scale")
    assert (tmp_path / "scale.md").read_text().startswith("# lenet-c on arrays of several sizes\n")
    with (tmp_path / "scale.csv").open() as stream:
        assert len(list(csv.DictReader(stream))) == 9


def test_scale_as_json_lines(run):
    lines = run("explore", "lenet-c", "--scale", "0,2", "--json-lines").out.splitlines()
    events = [json.loads(line) for line in lines]
    own = [event for event in events if event.get("source") == "scale"]
    assert [event["text"] for event in own if event["event"] == "phase"] == ["1 accelerator", "4 accelerators"]
    assert [event["done"] for event in own if event["event"] == "progress"] == list(range(7))
    assert events[-1]["event"] == "result"
    assert [point["accelerators"] for point in events[-1]["points"]] == [1, 1, 1, 4, 4, 4]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("vgg-e",), "error: 19 layers at 4 levels are about 10^22 combinations, and at most 1,000,000 are explored"),
        (("lenet-c", "--layers", "fc9"), "error: --layers: the network decides no layer 'fc9'; did you mean 'fc2'?"),
        (("lenet-c", "--levels-free", "5"), "error: --levels-free: expected levels from 1 to 4, got 5"),
        (("lenet-c", "--levels", "0", "--levels-free", "1"), "--levels-free: one accelerator has no levels, got 1"),
        (("lenet-c", "--levels-free", "1,x"), "expected numbers as in 1,4 or a range as in 0-6, got '1,x'"),
        (("lenet-c", "--scale", "3-1"), "the range 3-1 is empty; the smaller number comes first"),
        (("lenet-c", "--scale", "0-25"), "--scale: expected levels up to 24, got 25"),
        (
            ("lenet-c", "--scale", "0-2", "--layers", "fc1"),
            "--layers has no meaning with --scale, which puts whole plans",
        ),
        (("lenet-c", "--scale", "0-2", "--levels", "3"), "--levels has no meaning with --scale"),
        (("lenet-c", "--components", "tme"), "got 'tme'; did you mean 'time'?"),
        (
            ("lenet-c", "--plan", "x.json", "-f", "joint-dp"),
            "--plan and --formulation both give the base plan; choose one",
        ),
        (
            ("resnet-18", "--layers", "fc", "-f", "hypar-dp"),
            "error: hypar-dp is for chains and this network has joins or branches; try joint-dp or cp-sat",
        ),
        (("lenet-c", "--json", "--json-lines"), "--json and --json-lines are two ways to print the result; choose one"),
        (("lenet-c", "--array", "torus-16", "--components", "hop-bytes"), "try --placement identity"),
    ],
)
def test_bad_usage(run, arguments, message):
    ran = run("explore", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in " ".join(ran.err.split())


def test_a_result_that_does_not_stand_up_exits_with_1(run, monkeypatch):
    honest = recomputing.recomputed_costs
    monkeypatch.setattr(
        recomputing, "recomputed_costs", lambda *given: {name: cost + 1 for name, cost in honest(*given).items()}
    )
    ran = run("explore", "lenet-c", "--levels-free", "1")
    assert ran.code == 1
    assert "ERROR: the reference: boxes and routes give " in ran.out


def test_a_time_limit_that_is_over(run):
    ran = run("explore", "lenet-c", "--levels-free", "1", "--time-limit", "0.0001", "-f", "data-parallel")
    assert ran.code == 3
    assert ran.err == "stopped before all combinations were weighed\n"
    assert run("explore", "lenet-c", "--scale", "0-2", "--time-limit", "0.0001").code == 3


def test_sigint_ends_it(start_program, plug_in_environment):
    process = start_program(
        "explore", "lenet-c", "--levels-free", "1", "-f", "waits-with-a-plan", "--json-lines", env=plug_in_environment
    )
    for line in process.stdout:
        if json.loads(line).get("text") == "waiting":
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert err == "stopped before all combinations were weighed\n"


def test_on_is_for_several_sizes(run):
    ran = run("explore", "lenet-c", "--levels-free", "1", "--on", "local:2")
    assert (ran.code, ran.out) == (2, "")
    assert "--on is for --scale: all combinations together are weighed in one pass" in ran.err


@pytest.mark.slow
def test_processes_find_the_same_sizes(program):
    alone, ran = (program("explore", "sfc", "--scale", "0-3", "--json", *on) for on in ((), ("--on", "local:2")))
    assert (ran.code, ran.err) == (0, "")
    points = [[without_times(one) for one in json.loads(each.out)["points"]] for each in (alone, ran)]
    assert points[0] == points[1]
    assert len(points[0]) == 12


def without_times(point):
    return {name: value for name, value in point.items() if name != "time_s"}
