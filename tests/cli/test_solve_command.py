"""hypar-opt solve, in this process."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from helpers import document, linear_chain

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance import load
from hypar_opt.solver.solve import solve

PLAN_FIELDS = {
    "schema", "instance", "instance_sha256", "formulation", "status", "native_status", "note", "cost", "objective",
    "bound", "plan", "runtime_s", "statistics", "versions", "seed", "overrides",
}  # fmt: skip


@pytest.fixture
def write(tmp_path):
    def write_document(whole, name="instance.json"):
        path = tmp_path / name
        path.write_text(json.dumps(whole), encoding="utf-8")
        return path

    return write_document


def without_time(plan):
    return {name: value for name, value in plan.items() if name != "runtime_s"}


def test_text_says_what_was_found_and_proven(run):
    ran = run("solve", "sfc", "--accounting", "receiver")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("sfc: OPTIMAL by joint-dp in ")
    assert "(991,211,520 bytes)" in ran.out
    rows = {line.split()[0]: line.split() for line in ran.out.splitlines()}
    assert rows["fc1"][:6] == ["fc1", "linear", "d", "m", "m", "m"]
    assert ran.out.rstrip().splitlines()[-1].startswith("by joint-dp's regrets ")


def test_quiet_leaves_out_what_is_not_the_result(run):
    plain, quiet = run("solve", "sfc"), run("solve", "sfc", "--quiet")
    assert "its regret" in plain.out
    assert "its regret" not in quiet.out
    assert quiet.out.startswith("sfc: OPTIMAL")


def test_json_is_what_the_plan_file_holds(run, tmp_path):
    path = tmp_path / "plan.json"
    ran = run("solve", "lenet-c", "--json", "-o", path)
    printed, written = json.loads(ran.out), json.loads(path.read_text(encoding="utf-8"))
    assert set(printed) == set(written) == PLAN_FIELDS
    assert printed == written


def test_a_plan_file_says_what_the_library_says(run):
    printed = json.loads(run("solve", "lenet-c", "--accounting", "receiver", "--seed", "5", "--json").out)
    plan = solve(load("lenet-c", accounting="receiver"), "joint-dp")
    assert printed["schema"] == "hypar-opt/plan/1"
    assert printed["instance_sha256"] == plan.instance_sha256
    assert printed["plan"] == dict(plan.strategies)
    assert printed["cost"] == {"communication_bytes": plan.communication_bytes}
    assert printed["objective"] == printed["bound"] == plan.communication_bytes
    assert (printed["status"], printed["seed"]) == ("OPTIMAL", 5)
    assert printed["overrides"] == {"accounting": "receiver"}


def test_weights_that_are_not_whole_are_written_exactly(run, write):
    path = write(document(linear_chain(2), [4], batch=16, objective={"communication": 0.1}))
    printed = json.loads(run("solve", path, "--json").out)
    assert printed["cost"] == {"communication_bytes": 64}
    assert Fraction(printed["objective"]) == Fraction(printed["bound"]) == Fraction(64, 10)


def test_explanations_are_there_for_machines_that_ask(run):
    explanation = json.loads(run("solve", "lenet-c", "--json", "--explain").out)["explanation"]
    parts = [sum(row) for row in explanation["intra_bytes"].values()]
    parts += [sum(boundary["bytes"]) for boundary in explanation["inter_bytes"]]
    assert sum(parts) == sum(explanation["level_bytes"]) == 17_603_040
    assert set(explanation["regrets"]) == {"conv1", "conv2", "fc1", "fc2"}
    assert explanation["unique"] is False


def test_no_explanation_for_people_who_do_not_want_one(run):
    assert "regret" not in run("solve", "lenet-c", "--no-explain").out


def test_json_lines_are_events_and_then_the_result(run):
    lines = [json.loads(line) for line in run("solve", "lenet-c", "--json-lines").out.splitlines()]
    assert [line["event"] for line in lines] == ["phase", "incumbent", "result"]
    assert lines[1]["value"] == lines[2]["objective"] == 17_603_040
    assert set(lines[2]) == PLAN_FIELDS | {"event"}


def test_a_log_has_the_events(run, tmp_path):
    log = tmp_path / "events.jsonl"
    ran = run("solve", "lenet-c", "--log", log)
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert ran.code == 0
    assert [event["event"] for event in events] == ["phase", "incumbent"]
    assert {event["source"] for event in events} == {"joint-dp"}


def test_a_line_of_a_log_has_the_best_so_far(run, tmp_path):
    log = tmp_path / "events.jsonl"
    run("solve", "lenet-c", "-f", "cp-sat", "--log", log)
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    told = [event for event in events if event["event"] in ("incumbent", "bound")]
    costs = [event["cost"] for event in told if event["cost"] is not None]
    bounds = [event["bound"] for event in told if event["bound"] is not None]
    assert costs == sorted(costs, reverse=True) and bounds == sorted(bounds)
    assert costs[-1] == min(event["value"] for event in told if event["event"] == "incumbent")


def test_overrides_replace_fields(run):
    options = ["--batch", "64", "--levels", "2", "--accounting", "as-evaluated"]
    printed = json.loads(run("solve", "lenet-c", *options, "-f", "hypar-dp", "--json").out)
    expected = solve(load("lenet-c", batch=64, levels=2, accounting="as-evaluated"), "hypar-dp")
    assert printed["overrides"] == {"accounting": "as-evaluated", "batch": 64, "levels": 2}
    assert printed["objective"] == expected.objective


def test_infeasible_is_a_result_with_a_file(run, write, tmp_path):
    path = write(document(linear_chain(3), [3], batch=3, splits="divisible"))
    ran = run("solve", path, "-o", tmp_path / "plan.json")
    written = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    assert ran.code == 0
    assert (written["status"], written["plan"], written["cost"]) == ("INFEASIBLE", None, None)


def test_a_search_that_finds_nothing_exits_3_without_a_file(run, write, tmp_path):
    path = write(document(linear_chain(3), [3], batch=3, splits="divisible"))
    ran = run("solve", path, "-f", "data-parallel", "-o", tmp_path / "plan.json")
    assert ran.code == 3
    assert not (tmp_path / "plan.json").exists()


def test_a_result_that_does_not_stand_up_exits_1_without_a_file(run, plug_in, tmp_path):
    class Wrong:
        name, summary = "wrong", "for a test"
        capabilities = Capabilities(exact=True)

        def accepts(self, graph, run):
            return None

        def solve(self, graph, run):
            return Solution(Status.OPTIMAL, (0,) * len(graph.variables), 1)

    ran = run("solve", "lenet-c", "-f", plug_in(Wrong()), "-o", tmp_path / "plan.json")
    assert ran.code == 1
    assert "lenet-c: ERROR by wrong" in ran.out
    assert not (tmp_path / "plan.json").exists()


def test_a_plan_file_is_replaced_in_one_step(run, tmp_path, monkeypatch):
    path = tmp_path / "plan.json"
    path.write_text("what was there before", encoding="utf-8")

    def fail(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    ran = run("solve", "lenet-c", "-o", path)
    assert (ran.code, ran.err) == (2, f"error: {path}: cannot be written: No space left on device\n")
    assert path.read_text(encoding="utf-8") == "what was there before"
    assert [file.name for file in tmp_path.iterdir()] == ["plan.json"]


def test_a_replaced_plan_file_keeps_its_permissions(run, tmp_path):
    path = tmp_path / "plan.json"
    path.write_text("{}", encoding="utf-8")
    path.chmod(0o640)
    run("solve", "lenet-c", "-o", path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_plan_file_can_be_a_start(run, tmp_path):
    path = tmp_path / "plan.json"
    run("solve", "lenet-c", "-f", "data-parallel", "-o", path)
    assert json.loads(run("solve", "lenet-c", "--start", path, "--json").out)["objective"] == 17_603_040


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"schema": "hypar-opt/plan/2"}, "schema: expected 'hypar-opt/plan/1', got 'hypar-opt/plan/2'"),
        ({"schema": "hypar-opt/plan/1", "plan": None}, "plan: expected a strategy for every layer"),
        ({"schema": "hypar-opt/plan/1", "plan": {"fc1": 3}}, "plan: expected a strategy for every layer"),
    ],
)
def test_a_start_that_is_no_plan_file_is_named(run, write, content, message):
    path = write(content, "start.json")
    ran = run("solve", "lenet-c", "--start", path)
    assert (ran.code, ran.err) == (2, f"error: {path}: {message}\n")


def test_a_start_for_another_network_is_named(run, write):
    path = write({"schema": "hypar-opt/plan/1", "plan": {"fc3": "dddd"}}, "start.json")
    ran = run("solve", "lenet-c", "--start", path)
    assert ran.code == 2
    assert "the plan has a layer 'fc3', the instance has none; did you mean 'fc2'?" in ran.err


def test_the_same_command_gives_the_same_plan(run):
    one, other = (json.loads(run("solve", "vgg-a", "--json").out) for _ in range(2))
    assert without_time(one) == without_time(other)
