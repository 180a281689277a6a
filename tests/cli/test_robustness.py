"""What users do that nobody plans for: pipes, links, odd names, narrow terminals, broken plug-ins."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from helpers import document, each, linear_chain

from hypar_opt.report.compare.table import write_files
from hypar_opt.util.files import write_atomically

ODD_NAMES = ["x[/a]", "block[a]", ":smile:", "naïve layer", "a.b"]


def written(tmp_path, whole, name="instance.json"):
    path = tmp_path / name
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


def test_a_pipe_stays_a_pipe(run, tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_text(encoding="utf-8")))
    reader.start()
    ran = run("solve", "sfc", "-o", path, "--quiet")
    reader.join(timeout=600)
    assert (ran.code, path.is_fifo()) == (0, True)
    assert json.loads(read[0])["status"] == "OPTIMAL"


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before", encoding="utf-8")
    link.symlink_to(target)
    write_atomically(link, "after")
    assert (link.is_symlink(), target.read_text(encoding="utf-8")) == (True, "after")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "target"]


@pytest.mark.slow
def test_a_plan_is_written_though_the_reader_of_events_goes_away(start_program, tmp_path):
    path = tmp_path / "plan.json"
    process = start_program("solve", "resnet-18", "-f", "cp-sat", "--json-lines", "-o", path)
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=600) == 0
    assert process.stderr.read() == ""
    assert json.loads(path.read_text(encoding="utf-8"))["status"] == "OPTIMAL"


def test_a_log_that_fills_up_is_warned_of_and_the_search_goes_on(run):
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system")
    ran = run("solve", "sfc", "--log", "/dev/full", "--quiet")
    assert ran.code == 0
    assert ran.err.startswith("warning: the log cannot be written any more: ")


def test_an_output_that_cannot_be_written_is_an_error_and_no_verdict():
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this system")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = ["sh", "-c", "hypar-opt list formulations --json > /dev/full"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "error: the output cannot be written: No space left on device\n")


@pytest.mark.slow
def test_without_a_standard_output_there_is_no_traceback(tmp_path):
    path = tmp_path / "plan.json"
    command = f"hypar-opt solve sfc -o {path} >&-"
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    ran = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert path.exists()


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_are_shown_as_they_are(run, tmp_path, name):
    layers = [{"name": name, "linear": {"features": 4}}, {"name": "last", "linear": {"features": 2}}]
    ran = run("solve", written(tmp_path, document(layers, [8]) | {"name": f"instance {name}"}))
    assert (ran.code, ran.err) == (0, "")
    assert f"instance {name}: OPTIMAL" in ran.out
    assert any(line.startswith(f"{name} ") for line in ran.out.splitlines())


def test_regrets_are_bytes_whatever_the_weight(run, tmp_path):
    whole = document(linear_chain(40, 6), [16], levels=2)
    plain = run("solve", written(tmp_path, whole), "-f", "data-parallel").out.splitlines()
    weighed = whole | {"objective": {"communication": 0.1}}
    tenth = run("solve", written(tmp_path, weighed), "-f", "data-parallel").out.splitlines()
    assert any("saves" in line for line in plain)
    assert plain[1:] == tenth[1:]


def test_two_files_of_one_name_have_a_row_each(run, tmp_path):
    whole = document(linear_chain(4), [8])
    folder = tmp_path / "both"
    folder.mkdir()
    written(folder, whole, "a.json")
    written(folder, whole | {"fix": {"fc1": "m"}}, "b.json")
    ran = run("compare", folder, "-f", "joint-dp", "-o", tmp_path / "out")
    assert ran.code == 0
    table = (tmp_path / "out" / "comparison.md").read_text(encoding="utf-8")
    assert f"{whole['name']} #1" in table
    assert f"{whole['name']} #2" in table


def test_nothing_solved_writes_nothing(tmp_path):
    assert write_files([], tmp_path / "out") == []
    assert not (tmp_path / "out").exists()


def test_a_start_that_does_not_fit_names_its_file(run, tmp_path):
    run("solve", "sfc", "-o", tmp_path / "plan.json")
    ran = run("solve", "sfc", "--levels", "2", "--start", tmp_path / "plan.json")
    assert ran.code == 2
    assert ran.err.startswith(f"error: {tmp_path / 'plan.json'}: plan.fc1: expected 2 letters of 'dm', got ")


def broken(tmp_path):
    """Return an environment with a formulation whose package cannot be imported."""
    information = tmp_path / "plug-in" / "broken-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text("[hypar_opt.formulations]\nbroken = not_there:X\n", encoding="utf-8")
    return os.environ | {"PYTHONPATH": str(tmp_path / "plug-in")}


@pytest.mark.slow
def test_a_plug_in_that_cannot_be_imported_is_told_and_stops_nothing_else(program, tmp_path):
    environment = broken(tmp_path)
    asked = program("solve", "sfc", "-f", "broken", env=environment)
    assert (asked.code, asked.err.count("\n")) == (2, 1)
    assert "broken (not_there:X) cannot be loaded: ModuleNotFoundError" in asked.err
    rows = {row["name"]: row for row in json.loads(program("list", "formulations", "--json", env=environment).out)}
    assert "cannot be loaded" in rows["broken"]["summary"]
    compared = json.loads(program("compare", "sconv", "--json", env=environment).out)["rows"]
    assert {row["status"] for row in compared if row["formulation"] == "broken"} == {"DECLINED"}


def on_a_terminal(arguments, env, columns):
    """Run the program with a terminal for its output; return what it wrote there."""
    ours, theirs = pty.openpty()
    program = Path(sys.executable).with_name("hypar-opt")
    child = subprocess.Popen(
        [program, *arguments],
        stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL,
        env=env | {"COLUMNS": str(columns), "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            chunk = os.read(ours, 4096)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
    os.close(ours)
    assert child.wait(timeout=600) == 0
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())


@pytest.mark.slow
def test_progress_is_shown_on_a_terminal_after_a_while(terminal, plug_in_environment):
    ran = terminal("solve", "lenet-c", "-f", "waits-with-a-plan", env=plug_in_environment)
    ran.read_until("waits-with-a-plan: waiting")
    assert ran.end(signal.SIGINT)[0] == 130


@pytest.mark.slow
def test_no_progress_is_shown_to_who_wants_quiet(plug_in_environment):
    arguments = ["solve", "lenet-c", "-f", "waits-with-a-plan", "--time-limit", "4", "--quiet"]
    assert "waiting" not in on_a_terminal(arguments, plug_in_environment, 100)


@pytest.mark.slow
@pytest.mark.sampled(1)
@pytest.mark.parametrize("columns", [60, 80])
def test_a_narrow_terminal_cuts_no_number_and_no_proof(columns):
    names = "joint-dp,hypar-dp,brute-force,data-parallel,model-parallel,one-weird-trick"
    shown = on_a_terminal(["compare", "sfc", "-f", names], dict(os.environ), columns)
    assert shown.count("0.7731*") == 2
    assert "…" not in shown


def test_a_wide_plan_is_folded_and_not_cut():
    shown = on_a_terminal(["solve", "lenet-c", "--levels", "14"], dict(os.environ), 80)
    assert "…" not in shown


def test_links_in_a_circle_are_refused(run, tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    ran = run("solve", "sfc", "-o", tmp_path / "loop")
    assert ran.code == 2
    assert "cannot be written" in ran.err


def test_a_link_to_nowhere_names_the_folder_that_is_missing(run, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "missing" / "plan.json")
    ran = run("solve", "sfc", "-o", tmp_path / "link")
    assert ran.code == 2
    assert f"there is no folder '{tmp_path / 'missing'}'" in ran.err


def test_the_longest_name_that_a_file_can_have(run, tmp_path):
    longest, longer = tmp_path / ("a" * 255), tmp_path / ("a" * 256)
    assert run("solve", "sfc", "-q", "-o", longest).code == 0
    assert json.loads(longest.read_text(encoding="utf-8"))["status"] == "OPTIMAL"
    assert "too long" in run("solve", "sfc", "-o", longer).err


def test_numbers_in_the_csv_are_exact(run, tmp_path):
    run("compare", "resnet-18", "-f", "joint-dp,hypar-dp,data-parallel", "-o", tmp_path)
    rows = (tmp_path / "comparison.csv").read_text(encoding="utf-8").splitlines()
    assert [row.split(",")[6:9] for row in rows[1:]] == [
        ["1188592128", "1188592128", "1188592128"],
        ["", "", ""],
        ["1401469440", "1401469440", ""],
    ]


def test_a_stroke_in_a_name_does_not_break_the_table(run, tmp_path):
    path = written(tmp_path, document(linear_chain(4), [8]) | {"name": "a|b"})
    run("compare", path, "-f", "joint-dp", "-o", tmp_path / "out")
    assert "| a\\|b" in (tmp_path / "out" / "comparison.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.sampled(1)
@pytest.mark.parametrize(("columns", "gone"), [(40, "kind"), (60, "inter before"), (80, "")])
def test_a_narrow_terminal_loses_whole_columns_and_says_which(columns, gone):
    shown = on_a_terminal(["solve", "lenet-c"], dict(os.environ), columns)
    assert "d m m m" in shown
    assert ("too narrow for:" in shown) == bool(gone)
    assert gone in shown.partition("too narrow for:")[2]
    assert "alexnet-full" in on_a_terminal(["list", "instances"], dict(os.environ), columns)


@pytest.mark.parametrize(
    ("kind", "columns", "gone"),
    [
        ("formulations", 80, "takes, warm start"),
        ("formulations", 50, "takes, warm start, summary"),
        ("topologies", 80, "routes"),
    ],
)
def test_a_summary_stays_where_it_has_room(kind, columns, gone):
    shown = on_a_terminal(["list", kind], dict(os.environ), columns)
    assert gone == " ".join(shown.partition("too narrow for: ")[2].partition(";")[0].split())
    lines = shown.splitlines()
    assert ("summary" in lines[0]) is ("summary" not in gone)
    if "summary" not in gone:
        words = [line[lines[0].index("summary") :].split() for line in lines[1:]]
        assert max(map(len, words)) > 4  # several words a line, and no column of single ones


def _until_heeded(process):
    """Wait until a process has its own handlers: Python has one of SIGINT alone, and a busy machine starts it late."""
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        caught = next(line for line in status.read_text().splitlines() if line.startswith("SigCgt"))
        if int(caught.split()[1], 16) & 1 << (signal.SIGTERM - 1):
            return
        time.sleep(0.005)


@each("wait_s", [0.08 * i for first in range(3) for i in range(first, 12, 3)], quick=4)
def test_a_signal_at_any_time_of_the_start_ends_it_with_its_code(start_program, tmp_path, wait_s):
    process = start_program("solve", "vgg-e", "--levels", "18", "-o", tmp_path / "plan.json", "--quiet")
    _until_heeded(process)
    time.sleep(wait_s)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert (process.returncode, err) in ((130, ""), (0, ""))
    assert {path.name for path in tmp_path.iterdir()} <= {"plan.json"}
