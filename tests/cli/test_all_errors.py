"""--all-errors: a line each for people, a list for machines; without it the first alone, as ever."""

from __future__ import annotations

import json

import pytest

WRONG = """\
schema: hypar-opt/instance/1
name: wrong
batches: 4
network: {input: [3], layers: [{name: fc1, linear: {features: 0}}]}
array: {topology: h-tree, levels: 3}
"""


@pytest.fixture
def wrong(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG, encoding="utf-8")
    return path


def expected(path):
    return [
        f"{path}:1: batch: missing (samples in a training step)",
        f"{path}:3: batches: unknown field 'batches'; did you mean 'batch'?",
        f"{path}:4: network.layers[0].linear.features: expected an integer of at least 1, got 0",
    ]


@pytest.mark.parametrize("command", ["solve {}", "compare {}", "show {}", "verify {} plan.json", "pareto {}"])
def test_all_errors_a_line_each(run, wrong, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert run("solve", "sfc", "-o", "plan.json", "-q").code == 0
    words = command.format(wrong).split()
    first, every = run(*words), run(*words, "--all-errors")
    assert (first.code, first.out, every.code, every.out) == (2, "", 2, "")
    *lines, last = every.err.splitlines()
    assert lines == [f"error: {line}" for line in expected(wrong)]
    assert last.startswith("3 errors; looked at when there are none of these: names and shapes of layers")
    assert first.err.startswith(lines[-1] + "; batch: missing") and first.err.count("\n") == 1
    assert first.err.endswith("; did you mean 'batch'?; --all-errors says all 3, a line each\n")


def test_all_errors_are_a_list_for_machines(run, wrong):
    whole = json.loads(run("solve", wrong, "--all-errors", "--json").out)
    *lines, last = map(json.loads, run("solve", wrong, "--all-errors", "--json-lines").out.splitlines())
    said = [f"{one['file']}:{one['line']}: {one['field']}: {one['message']}" for one in whole["errors"]]
    assert said == expected(wrong)
    assert lines == [{"event": "error", **one} for one in whole["errors"]]
    assert last == {"event": "errors", "count": 3, "note": whole["note"]}
    assert whole["note"].startswith("looked at when there are none of these: ")


def test_without_the_option_machines_are_told_nothing_new(run, wrong):
    assert run("solve", wrong, "--json").out == ""


def test_a_single_error_is_the_only_one(run):
    ran = run("solve", "sfc", "--levels", "25", "--all-errors")
    assert ran.code == 2
    assert ran.err.splitlines()[0] == run("solve", "sfc", "--levels", "25").err.rstrip("\n")
    assert ran.err.splitlines()[1:] == ["1 error"]


def test_what_is_no_fault_of_the_input_is_said_once(run):
    ran = run("solve", "resnet-18", "-f", "hypar-dp", "--all-errors")
    assert (ran.code, ran.err) == (2, run("solve", "resnet-18", "-f", "hypar-dp").err)


def test_errors_that_are_not_said_are_counted(run, tmp_path):
    layers = "\n".join(f"    - {{name: l{i}, inputs: [nowhere{i}], activation: {{}}}}" for i in range(3))
    path = tmp_path / "names.yaml"
    head, array = "schema: hypar-opt/instance/1\nname: it\nbatch: 4\n", "array: {topology: h-tree, levels: 3}\n"
    path.write_text(f"{head}network:\n  input: [3]\n  layers:\n{layers}\n{array}", encoding="utf-8")
    first = run("solve", path).err
    assert "nowhere0" in first and "nowhere1" not in first
    assert first.endswith("; --all-errors says all 3, a line each\n")
    *lines, last = run("solve", path, "--all-errors").err.splitlines()
    assert len(lines) == 3 and last.startswith("3 errors")
    assert [int(line.split(".yaml:")[1].split(":")[0]) for line in lines] == [7, 8, 9]


def test_very_many_errors_are_counted(run, tmp_path):
    path = tmp_path / "many.yaml"
    path.write_text(WRONG + "".join(f"unknown-{i}: 0\n" for i in range(150)), encoding="utf-8")
    ran = run("solve", path, "--all-errors", "--json")
    assert len(json.loads(ran.out)["errors"]) == 100
    assert ran.err.splitlines()[-1].startswith("153 errors; 53 of them are not listed; looked at")


def test_errors_of_an_array_that_an_option_gives_are_named_alike_in_one_line(run, tmp_path):
    path = tmp_path / "array.yaml"
    path.write_text("topology: h-tree\nlevels: 2\nlink: {bandwith: 3, latencies: 2}\n")
    result = run("solve", "lenet-c", "--array", str(path))
    assert result.code == 2 and result.err.startswith(f"error: {path}:3: link.bandwith: ")
    assert "; link.latencies: unknown field" in result.err and "array.link" not in result.err
