"""Progress: on terminals wide and narrow, in logs, for machines, and not at all."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction

import pytest
from helpers import document, linear_chain
from screen import Screen

from hypar_opt import load
from hypar_opt.cli.json_lines import event_document
from hypar_opt.cli.progress.display import leaving, logged, may_be_drawn
from hypar_opt.cli.progress.lines import ProgressLines, in_a_line, left_in_words
from hypar_opt.cli.progress.state import State
from hypar_opt.formulation.progress import Estimate, Left, Progress
from hypar_opt.formulation.run import Event, Limits
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.report.numbers import clock, duration
from hypar_opt.studies.compare import compare

MOVES = '''
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status


class Moves:
    """Finds a plan and a bound below it, then waits; the deaf one is not to be stopped."""

    summary = "for a test"
    capabilities = Capabilities(exact=True)

    def __init__(self, name):
        self.name = name

    def accepts(self, graph, run):
        return None

    def solve(self, graph, run):
        choices = (0,) * len(graph.variables)
        run.phase("searching")
        value = graph.value(choices)
        run.incumbent(value, choices)
        run.bound(value // 2)
        run.limits.stop.wait(run.limits.remaining_s())
        if self.name == "moves-deaf":
            import time
            time.sleep(600)
        return Solution(Status.FEASIBLE, choices, value // 2, "told to stop")


WILLING, DEAF = Moves("moves"), Moves("moves-deaf")
'''
BYTES = ObjectiveFunction("sum", {"communication": Fraction(1)})
TO_ANOTHER_THREAD = """
import os, signal, sys, threading
from hypar_opt.cli.signals import stopping

def send():
    signal.pthread_kill(threading.get_ident(), int(sys.argv[1]))

reading, _ = os.pipe()
with stopping(None):
    threading.Timer(0.5, send).start()
    os.read(reading, 1)
"""
HOSTILE = "a[red]b\x1b[31m\nc:smile:"
SHOWN = "a[red]b\\x1b[31m\\nc:smile:"


@pytest.fixture
def moving(tmp_path):
    """An environment with formulations that tell an incumbent and a bound, and wait."""
    information = tmp_path / "plug-in" / "moves-1.0.dist-info"
    information.mkdir(parents=True)
    (tmp_path / "plug-in" / "moves_plug_in.py").write_text(MOVES, encoding="utf-8")
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: moves\nVersion: 1.0\n", encoding="utf-8")
    lines = "[hypar_opt.formulations]\nmoves = moves_plug_in:WILLING\nmoves-deaf = moves_plug_in:DEAF\n"
    (information / "entry_points.txt").write_text(lines, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(tmp_path / "plug-in")}


class Clock:
    """Stands still until it is turned."""

    def __init__(self):
        self.now = 50.0

    def __call__(self):
        return self.now


def event(kind, value=None, text="", source="cp-sat", instance="vgg-e", objective=BYTES):
    return Event(kind, 0.0, source, value, text=text, instance=instance, weights=objective and objective.linear)


def told(done, total, unit="solves", source="compare", **options):
    return Event("progress", 0.0, source, progress=Progress(done, total, unit, **options))


def state_of(*events, title="comparing", limits=None):
    turned = Clock()
    state = State(title, limits, clock=turned)
    for one in events:
        state.hear(one)
    return state, turned


@pytest.mark.parametrize(
    ("seconds", "down", "up"),
    [
        (0, "0 s", "1 s"), (0.4, "0 s", "1 s"), (7.2, "7 s", "8 s"), (19.5, "19 s", "20 s"), (23, "20 s", "25 s"),
        (58, "55 s", "1 min"), (60, "1 min", "1 min"), (61, "1 min", "2 min"), (3599, "59 min", "1 h"),
        (3600, "1 h", "1 h"), (5000, "1.3 h", "1.4 h"),
        (47.95 * 3600, "47.9 h", "2 days"), (10**6, "11 days", "12 days"),
    ],
)  # fmt: skip
def test_times_are_told_as_coarsely_as_they_are_known(seconds, down, up):
    assert (duration(seconds), duration(seconds, up=True)) == (down, up)


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (None, ""),
        (Left(26, 30, 34), "25-35 s left"),
        (Left(50, 70, 90), "50 s-2 min left"),
        (Left(4, 4, 4), "about 4 s left"),
        (Left(0, 0.2, 0.4), "about 1 s left"),
        (Left(0, None, 130), "at most 3 min left"),
        (Left(3, None, 130), "at most 3 min left"),
        (Left(95, None, None), "at least 1 min left"),
        (Left(0.5, None, None), ""),
    ],
)
def test_what_is_left_in_words(left, words):
    assert left_in_words(left) == words


@pytest.mark.parametrize(("seconds", "shown"), [(0, "0:00"), (67.9, "1:07"), (3600 + 125, "1:02:05")])
def test_a_time_since_the_beginning(seconds, shown):
    assert clock(seconds) == shown


def test_a_solver_is_shown_with_its_incumbent_bound_and_gap():
    events = [event("phase", text="searching"), event("incumbent", 3 * 10**9), event("bound", 2 * 10**9)]
    state, turned = state_of(told(1, 4), *events)
    turned.now += 65
    expected = "comparing: 1 of 4 solves, 1:05 so far; vgg-e, cp-sat: searching, "
    assert in_a_line(state.seen()) == expected + "incumbent 3 GB, bound 2 GB, gap 1 GB (33 %)"


@pytest.mark.parametrize(
    ("objective", "shown"),
    [
        (ObjectiveFunction("sum", {"time": Fraction(1)}), "incumbent 3 s, bound 2 s, gap 1 s (33 %)"),
        (ObjectiveFunction("sum", {"energy": Fraction(1, 2)}), "incumbent 6 J, bound 4 J, gap 2 J (33 %)"),
        (ObjectiveFunction("sum", {"time": Fraction(1), "energy": Fraction(1)}), "incumbent 3, bound 2, gap 1 (33 %)"),
        (None, "incumbent 3, bound 2, gap 1 (33 %)"),
    ],
)
def test_values_have_the_unit_of_what_is_weighed(objective, shown):
    state, _ = state_of(event("incumbent", 3, objective=objective), event("bound", 2, objective=objective))
    assert in_a_line(state.seen()).endswith(f"vgg-e, cp-sat, {shown}")


def test_a_bound_that_was_reached_leaves_no_gap():
    state, _ = state_of(event("incumbent", 0), event("bound", 0))
    assert in_a_line(state.seen()).endswith("incumbent 0, bound 0, gap 0")


def test_another_solver_begins_with_nothing():
    state, _ = state_of(event("incumbent", 3), event("phase", text="searching", source="milp-cbc"))
    assert in_a_line(state.seen()).endswith("; vgg-e, milp-cbc: searching")


def test_what_counted_within_a_unit_ends_with_it():
    inner = [event("phase", text="labels", source="joint-dp"), told(2, 7, "layers", "joint-dp")]
    state, _ = state_of(told(0, 4), *inner)
    assert in_a_line(state.seen()).startswith("comparing: 0 of 4 solves, 2 of 7 layers, 0:00 so far; vgg-e, joint-dp")
    state.hear(told(1, 4))
    assert in_a_line(state.seen()) == "comparing: 1 of 4 solves, 0:00 so far"
    state.hear(told(4, 4))
    assert in_a_line(state.seen()) == "comparing: 0:00 so far"


def test_what_is_left_goes_down_as_time_goes_by():
    state, turned = state_of(told(2, 5, estimate=Estimate(30, 4, 10, 12)))
    assert state.seen().left == Left(26, 30, 34)
    turned.now += 6
    assert state.seen().left == Left(20, 24, 28)
    turned.now += 60
    assert state.seen().left == Left(16, None, None)


def test_a_deadline_is_the_most_that_can_be_left():
    state, _ = state_of(limits=Limits(deadline=time.monotonic() + 1000))
    found = state.seen().left
    assert (found.least_s, found.likely_s) == (0, None)
    assert 0 < found.most_s <= 1000


def test_being_stopped_is_shown():
    limits = Limits()
    state, _ = state_of(told(1, 4), limits=limits)
    limits.stop.set()
    assert in_a_line(state.seen()) == "comparing: 1 of 4 solves, 0:00 so far, stopping"


def drawn(state, columns):
    """Return the lines that are drawn on a terminal so wide."""
    from rich.console import Console

    console = Console(width=columns, height=24, file=io.StringIO(), force_terminal=True, color_system=None, _environ={})
    console.print(ProgressLines(state), end="")
    return console.file.getvalue().removesuffix("\n").split("\n")


def everything(title="comparing", name="vgg-e"):
    events = [event("phase", text="searching", instance=name), event("incumbent", 3 * 10**9, instance=name)]
    found = told(37, 80, estimate=Estimate(100, 40, 1, 2))
    return state_of(found, *events, event("bound", 2 * 10**9, instance=name), title=title)[0]


def test_a_wide_terminal_has_the_whole_in_a_line():
    first, second, third = drawn(everything(), 80)
    assert re.fullmatch(r". comparing ━{9} {12}37 of 80 solves 0:00 1-3 min left *", first)
    assert second.rstrip() == "  vgg-e, cp-sat: searching"
    assert third.rstrip() == "  incumbent 3 GB, bound 2 GB, gap 1 GB (33 %)"


def test_a_narrow_terminal_has_a_line_for_everything():
    assert [line.rstrip()[2:] for line in drawn(everything(), 40)] == [
        "comparing 37 of 80 solves", "0:00, 1-3 min left", "vgg-e, cp-sat: searching",
        "incumbent 3 GB", "bound 2 GB", "gap 1 GB (33 %)",
    ]  # fmt: skip


def several_at_once():
    found = told(1037, 9999, "chains", "campaign", estimate=Estimate(100, 10, 1, 2), running=4, failed=2)
    return state_of(found, title="campaign")[0]


def test_what_workers_run_and_what_killed_them_stands_beside_the_time_left():
    assert in_a_line(several_at_once().seen()) == (
        "campaign: 1,037 of 9,999 chains, 4 running, 2 failed, 0:00 so far, 1-2 min left"
    )
    (wide,) = drawn(several_at_once(), 100)
    assert wide[2:].startswith("campaign ━━")
    assert wide.rstrip().endswith("1,037 of 9,999 chains 4 running, 2 failed 0:00 1-2 min left")
    assert [line.rstrip()[2:] for line in drawn(several_at_once(), 44)] == [
        "campaign 1,037 of 9,999 chains", "4 running, 2 failed, 0:00, 1-2 min left",
    ]  # fmt: skip


def test_machines_are_told_what_runs_and_what_failed_where_there_is_any():
    alone, several = (event_document(told(1, 9, **beside)) for beside in ({}, {"running": 4, "failed": 2}))
    assert several == {**alone, "running": 4, "failed": 2}
    assert list(several) == [
        "event", "time_s", "source", "unit", "done", "total", "running", "failed", "elapsed_s", "eta_s",
        "eta_least_s", "eta_most_s",
    ]  # fmt: skip


@pytest.mark.parametrize("columns", [1, 8, 20, 40, 71, 72, 80, 200])
def test_no_line_is_wider_than_the_terminal(columns):
    for title, name in (
        ("comparing", "vgg-e"),
        ("comparing" * 30, "x" * 300),
        (HOSTILE * 9, HOSTILE * 9),
        ("图" * 99, "网络" * 99),
    ):
        state = everything(title, name)
        lines = drawn(state, columns)
        from rich.cells import cell_len

        assert max(map(cell_len, lines)) <= columns
        assert len(lines) == (3 if columns >= 72 else 6)


def test_long_names_are_cut_and_numbers_are_not():
    lines = drawn(everything("t" * 300, "n" * 300), 80)
    assert "…" in lines[0]
    assert "37 of 80 solves 0:00 1-3 min left" in lines[0]
    assert lines[1].endswith("…")
    assert "incumbent 3 GB, bound 2 GB, gap 1 GB (33 %)" in lines[2]


@pytest.mark.parametrize("columns", [40, 200])
def test_hostile_names_are_text(columns):
    shown = "".join(drawn(everything(HOSTILE, HOSTILE), columns))
    assert SHOWN in shown
    assert "\x1b" not in shown
    assert SHOWN in in_a_line(everything(HOSTILE, HOSTILE).seen())


def test_the_picture_is_as_high_as_it_says():
    for columns in (40, 80):
        from rich.console import Console

        picture = ProgressLines(everything())
        console = Console(width=columns, file=io.StringIO(), force_terminal=True, _environ={})
        console.print(picture, end="")
        assert picture.height == console.file.getvalue().removesuffix("\n").count("\n") + 1


def test_leaving_takes_every_line_away_and_shows_the_cursor():
    screen = Screen(80).feed("before\n\x1b[?25lone\ntwo\nthree")
    assert not screen.cursor_shown
    screen.feed(leaving(3))
    assert (screen.text, screen.cursor_shown, screen.row) == ("before", True, 1)


class Stream(io.StringIO):
    """May be a terminal."""

    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "environment", "expected"),
    [
        (True, {"TERM": "xterm"}, True),
        (True, {"TERM": "xterm", "NO_COLOR": ""}, True),
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (True, {"TERM": "xterm", "TTY_INTERACTIVE": "0"}, False),
        (True, {"TERM": "dumb"}, False),
        (True, {}, False),
        (False, {"TERM": "xterm"}, False),
        (False, {"TERM": "xterm", "FORCE_COLOR": "1", "TTY_COMPATIBLE": "1"}, False),
    ],
)
def test_where_it_may_be_drawn(monkeypatch, terminal, environment, expected):
    monkeypatch.setattr(sys, "stderr", Stream(terminal))
    assert may_be_drawn(environment) is expected


def test_without_a_standard_error_nothing_is_drawn(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert not may_be_drawn({"TERM": "xterm"})


def test_a_log_has_a_line_now_and_then_until_the_end():
    lines, enough = [], threading.Event()

    def write(line):
        lines.append(line)
        if len(lines) == 2:
            enough.set()

    state, _ = state_of(told(1, 4))
    with logged(state, write, every_s=0.001):
        assert enough.wait(60)
    count = len(lines)
    assert set(lines) == {"comparing: 1 of 4 solves, 0:00 so far"}
    assert "progress" not in {thread.name for thread in threading.enumerate()}
    assert len(lines) == count


def test_a_log_that_nobody_reads_ends_by_itself():
    calls, closed = [], threading.Event()

    def write(line):
        calls.append(line)
        closed.set()
        raise BrokenPipeError

    with logged(state_of()[0], write, every_s=0.001):
        assert closed.wait(60)
    assert len(calls) == 1


def test_events_say_of_which_instance_they_are_and_how_much_is_done():
    heard = []
    compare([load("lenet-c"), load("sfc")], ["hypar-dp", "joint-dp"], listener=heard.append)
    counts = [one.progress for one in heard if one.kind == "progress"]
    assert [(one.done, one.total, one.unit) for one in counts] == [(done, 4, "solves") for done in range(5)]
    others = [(one.source, one.instance) for one in heard if one.kind == "incumbent"]
    assert others == [(name, of) for of in ("lenet-c", "sfc") for name in ("hypar-dp", "joint-dp")]
    assert all(one.weights == BYTES.linear for one in heard if one.kind == "incumbent")
    assert len(set(heard)) == len(heard)


def test_machines_get_the_same_as_events(run):
    ran = run("compare", "lenet-c", "sfc", "-f", "hypar-dp,joint-dp", "--json-lines", "--time-limit", "100")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    first, *_, last = (line for line in lines if line["event"] == "progress")
    assert {key: first[key] for key in first if not key.endswith("_s")} == {
        "event": "progress", "source": "compare", "unit": "solves", "done": 0, "total": 4
    }  # fmt: skip
    assert (first["eta_s"], first["eta_least_s"], first["eta_most_s"]) == (None, 0, 400)
    assert (last["done"], last["eta_s"], last["eta_most_s"]) == (4, None, None)
    assert last["elapsed_s"] == last["time_s"] > first["elapsed_s"]
    assert {line["instance"] for line in lines if line["event"] == "incumbent"} == {"lenet-c", "sfc"}
    assert ran.err == ""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("columns", [80, 40])
def test_incumbent_bound_and_time_left_are_shown_on_a_terminal(terminal, moving, columns):
    ran = terminal("compare", "lenet-c", "-f", "moves,hypar-dp", "--time-limit", 600, env=moving, columns=columns)
    picture = ran.read_until("0 of 2 solves", "lenet-c, moves: searching", "incumbent ", "bound ", "gap ")
    assert "at most 20 min left" in picture
    code, out, screen = ran.end(signal.SIGINT)
    assert code == 130
    assert "lenet-c" in out
    assert "\x1b" not in out
    assert (screen.text, screen.cursor_shown) == ("", True)
    assert screen.widest <= columns


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_it_at_once_and_leaves_the_terminal_as_it_was(terminal, moving, number):
    ran = terminal("solve", "lenet-c", "-f", "moves-deaf", env=moving)
    ran.read_until("lenet-c, moves-deaf: searching", "gap ")
    ran.process.send_signal(number)
    ran.read_until("stopping")
    code, out, screen = ran.end(number)
    assert (code, out) == (128 + number, "")
    assert (screen.text, screen.cursor_shown) == ("", True)


@pytest.mark.slow
@pytest.mark.sampled(1)
@pytest.mark.parametrize("formulation", ["moves", "moves-deaf"])
def test_a_second_signal_ends_it_at_once_on_a_terminal_that_takes_no_text(terminal, moving, formulation):
    ran = terminal("solve", "lenet-c", "-f", formulation, env=moving)
    ran.read_until(f"lenet-c, {formulation}: searching", "gap ")
    ran.pause()
    time.sleep(0.5)  # by now what draws waits
    while ran.process.poll() is None:  # of two that come before the first is heeded there is one
        ran.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
    assert ran.process.returncode == 143


@pytest.mark.slow
def test_an_error_on_the_way_is_left_alone_on_the_screen(terminal, moving):
    ran = terminal("solve", "lenet-c", "-f", "moves", "--certificate", "x.cert", env=moving)
    code, _, screen = ran.end()
    assert code == 2
    assert screen.text.startswith("error: moves writes no certificates")
    assert screen.cursor_shown


@pytest.mark.slow
def test_a_hostile_name_is_shown_as_text(terminal, moving, tmp_path):
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(document(linear_chain(4), [8]) | {"name": "[red]a:smile:[/]"}), encoding="utf-8")
    ran = terminal("solve", path, "-f", "moves", env=moving)
    assert "[red]a:smile:[/], moves: searching" in ran.read_until("searching", "gap ")
    assert ran.end(signal.SIGINT)[2].text == ""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (["--quiet"], {}),
        (["--json-lines"], {}),
        ([], {"NO_COLOR": "1"}),
        ([], {"TERM": "dumb"}),
    ],
    ids=["quiet", "json lines", "NO_COLOR", "dumb"],
)
@pytest.mark.sampled(1)
def test_nothing_is_drawn_for_who_does_not_want_it(terminal, moving, options, settings):
    limit = ["--time-limit", "2.5"]
    ran = terminal("solve", "lenet-c", "-f", "moves", "--no-explain", *limit, *options, env=moving, **settings)
    code, out, _ = ran.end()
    assert (code, ran.written) == (0, "")
    assert out


def test_nothing_is_drawn_into_a_pipe(program, moving):
    environment = moving | {"FORCE_COLOR": "1", "TERM": "xterm"}
    ran = program("solve", "lenet-c", "-f", "moves", "--time-limit", "2.5", env=environment)
    assert (ran.code, ran.err) == (0, "")
    assert "0:0" not in ran.out


@pytest.mark.slow
def test_a_document_for_machines_may_be_waited_for_on_a_terminal(terminal, moving):
    ran = terminal("solve", "lenet-c", "-f", "moves", "--json", env=moving)
    ran.read_until("lenet-c, moves: searching", "gap ")
    code, out, screen = ran.end(signal.SIGTERM)
    assert (code, json.loads(out)["status"]) == (143, "FEASIBLE")
    assert screen.text == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_another_thread_gets_ends_what_waits_in_the_kernel(number):
    done = subprocess.run([sys.executable, "-c", TO_ANOTHER_THREAD, str(int(number))], timeout=600, check=False)
    assert done.returncode == 128 + number


@pytest.mark.slow
@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_cannot_be_stopped_with_a_result_ends_at_the_first_signal(terminal, tmp_path, number):
    pipe = tmp_path / "plan.json"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)  # who never writes, so that reading takes long
    ran = terminal("show", "vgg-e", "--plan", pipe, env=dict(os.environ))
    ran.read_until("measuring vgg-e", "0:03")  # by now it does read
    code, out, screen = ran.end(number)
    os.close(writer)
    assert (code, out) == (128 + number, "")
    assert (screen.text, screen.cursor_shown) == ("", True)
