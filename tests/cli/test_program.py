"""The installed program as a process of its own: plug-ins, limits, signals, pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143}
HEAVY = ("numpy", "pandas", "ortools", "pulp", "highspy", "networkx", "pydantic", "rich.console")


def started_waiting(start_program, env, formulation, *options):
    """Start a solve that waits, and return the process once it does."""
    process = start_program("solve", "lenet-c", "-f", formulation, "--json-lines", *options, env=env)
    for line in process.stdout:
        if json.loads(line)["event"] == "phase":
            return process
    raise AssertionError(process.stderr.read())


@pytest.mark.slow
def test_a_plan_on_standard_output(program):
    ran = program("solve", "lenet-c", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["objective"] == 17_603_040


def test_bad_input_exits_2(program):
    ran = program("solve", "lenet-d")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1


def test_a_third_partys_formulation_is_found(program, plug_in_environment):
    rows = json.loads(program("list", "formulations", "--json", env=plug_in_environment).out)
    assert "waits-with-a-plan" in {row["name"] for row in rows}


def test_a_limit_that_is_over_at_once_exits_3_without_a_file(program, tmp_path):
    path = tmp_path / "plan.json"
    ran = program("solve", "resnet-18", "--time-limit", "0.000001", "-o", path)
    assert ran.code == 3
    assert "NO_SOLUTION" in ran.out
    assert list(tmp_path.iterdir()) == []


def test_a_limit_with_a_plan_exits_0_with_a_file(program, tmp_path, plug_in_environment):
    path = tmp_path / "plan.json"
    options = ["-f", "waits-with-a-plan", "--time-limit", "2", "-o", path]
    ran = program("solve", "lenet-c", *options, env=plug_in_environment)
    assert ran.code == 0
    assert json.loads(path.read_text(encoding="utf-8"))["status"] == "FEASIBLE"


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_stops_the_run_and_the_best_plan_is_written(start_program, tmp_path, plug_in_environment, number):
    path = tmp_path / "plan.json"
    process = started_waiting(start_program, plug_in_environment, "waits-with-a-plan", "-o", path)
    process.send_signal(number)
    out, err = process.communicate(timeout=600)
    assert (process.returncode, err) == (SIGNALS[number], "")
    written = json.loads(path.read_text(encoding="utf-8"))
    assert (written["status"], written["native_status"]) == ("FEASIBLE", "told to stop")
    assert json.loads(out.splitlines()[-1])["plan"] == written["plan"]


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_before_any_plan_leaves_no_file(start_program, tmp_path, plug_in_environment, number):
    path = tmp_path / "plan.json"
    process = started_waiting(start_program, plug_in_environment, "waits-without-a-plan", "-o", path)
    process.send_signal(number)
    process.communicate(timeout=600)
    assert process.returncode == SIGNALS[number]
    assert not path.exists()


@pytest.mark.slow
def test_the_second_signal_ends_a_formulation_that_does_not_listen(start_program, plug_in_environment):
    process = started_waiting(start_program, plug_in_environment, "waits-deaf")
    process.send_signal(signal.SIGTERM)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=5) == 143


@pytest.mark.sampled(1)
@pytest.mark.parametrize("formulation", ["cp-sat", "milp-cbc", "milp-highs"])
@pytest.mark.slow
def test_a_signal_stops_a_solver_in_its_search(start_program, tmp_path, formulation):
    path = tmp_path / "plan.json"
    options = ["--levels", "5", "-f", formulation, "--json-lines", "-o", path]
    process = start_program("solve", "resnet-50", *options)
    for line in process.stdout:
        if json.loads(line).get("text") == "searching":
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    result = json.loads(out.splitlines()[-1])
    assert (process.returncode, err) == (130, "")
    assert result["event"] == "result"
    assert path.exists() is (result["plan"] is not None)


TORUS = "{topology: torus, dims: [4, 6], axes: [{name: node, size: 4}, {name: gpu, size: 6}], link: {bandwidth: 25e9}}"


@pytest.mark.slow
def test_a_signal_stops_words_and_placement_of_operators_with_the_best_so_far(start_program, tmp_path):
    path, options = tmp_path / "plan.json", ["--array", TORUS, "--objective", "comm-time", "--splits", "any"]
    process = start_program("solve", "gpt2-small", "--batch", "24", *options, "--json-lines", "--explain", "-o", path)
    for line in process.stdout:
        if json.loads(line)["event"] == "incumbent":
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    result = json.loads(out.splitlines()[-1])
    assert (process.returncode, err) == (130, "")
    assert result["explanation"]["missing"].startswith("stopped")
    assert json.loads(path.read_text(encoding="utf-8"))["status"] == "FEASIBLE"


@pytest.mark.slow
def test_a_formulation_that_does_not_listen_is_left_after_a_grace(start_program, tmp_path, plug_in_environment):
    path = tmp_path / "plan.json"
    process = started_waiting(start_program, plug_in_environment, "waits-deaf", "-o", path)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=600) == 130
    assert json.loads(path.read_text(encoding="utf-8"))["status"] == "FEASIBLE"


@pytest.mark.slow
def test_a_signal_stops_a_comparison_with_what_it_has(start_program, tmp_path, plug_in_environment):
    out = tmp_path / "out"
    names = "hypar-dp,waits-with-a-plan,joint-dp"
    process = start_program("compare", "lenet-c", "-f", names, "-o", out, "--json-lines", env=plug_in_environment)
    for line in process.stdout:
        if json.loads(line).get("text") == "waiting":
            break
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=600)
    rows = json.loads((out / "comparison.json").read_text(encoding="utf-8"))
    assert process.returncode == 130
    assert [row["formulation"] for row in rows] == ["hypar-dp", "waits-with-a-plan"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("options", [["--json"], ["--json-lines"], []], ids=["json", "json-lines", "text"])
def test_a_reader_that_goes_away_hears_no_complaint(start_program, options):
    process = start_program("solve", "vgg-e", *options)
    process.stdout.close()
    process.wait(timeout=600)
    assert process.stderr.read() == ""


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "options",
    [["--json"], ["--json-lines"], []],
    ids=["json", "json-lines", "text"],
)
@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error(start_program, options):
    process = start_program("solve", "vgg-e", *options)
    process.stdout.close()
    assert process.wait(timeout=600) == 0


def test_help_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['hypar-opt', '--help']\n"
        "from hypar_opt.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


LEFT_BEHIND = """
import atexit, sys, threading, time
from hypar_opt.cli import main
if sys.argv.pop() == "left":
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    atexit.register(time.sleep, 60)
atexit.register(print, "in the ordinary way")
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("left", [True, False])
def test_a_search_that_was_left_behind_keeps_no_process(left):
    command = [sys.executable, "-c", LEFT_BEHIND, "list", "formulations", "--json", "left" if left else "nothing"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    listed = ran.stdout.removesuffix("in the ordinary way\n")
    assert (listed != ran.stdout) is not left
    assert "joint-dp" in {row["name"] for row in json.loads(listed)}


COMPILED = """
import threading, time
from hypar_opt.cli import main
from numba import njit
from numba.core.event import Listener, register

begun = threading.Event()

class Slowly(Listener):
    def on_start(self, event):
        begun.set()
        time.sleep(3)

    def on_end(self, event):
        pass

@njit(cache=True)
def total(numbers):
    found = 0
    for number in numbers:
        found += number
    return found

register("numba:compile", Slowly())
threading.Thread(target=total, args=((1, 2, 3),), daemon=True).start()
begun.wait()
main()
"""


def test_what_a_search_left_behind_compiles_is_kept_for_later_commands(tmp_path):
    (tmp_path / "compiles.py").write_text(COMPILED, encoding="utf-8")
    command = [sys.executable, "compiles.py", "list", "topologies"]
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept")}
    subprocess.run(command, capture_output=True, check=True, timeout=600, cwd=tmp_path, env=env)
    assert len(list(tmp_path.glob("kept/**/*.nbc"))) == 1


ENDED = """
import atexit, gc
from hypar_opt.cli import main

atexit.register(lambda: print("looked through" if gc.get_freeze_count() == 0 else "left alone"))
main()
"""


def test_the_end_of_a_command_looks_for_no_cycles(tmp_path):
    """They would be looked for among all objects: of a graph of millions of costs as long as a search takes."""
    command = [sys.executable, "-c", ENDED, "list", "topologies", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600, cwd=tmp_path)
    assert ran.stdout.endswith("left alone\n")
