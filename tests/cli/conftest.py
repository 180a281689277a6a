"""Commands in this process, commands in their own, and a formulation that another package brings."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest
from screen import OnTerminal

from hypar_opt.cli import main

PROGRAM = str(Path(sysconfig.get_path("scripts")) / "hypar-opt")
WAITING = '''
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status


class Waiting:
    """Waits until it is told to stop; with or without a plan by then, or deaf to being told."""

    summary = "for a test"
    capabilities = Capabilities(exact=False)

    def __init__(self, name):
        self.name = name

    def accepts(self, graph, run):
        return None

    def solve(self, graph, run):
        choices = (0,) * len(graph.variables)
        if self.name != "waits-without-a-plan":
            run.incumbent(graph.value(choices), choices)
        run.phase("waiting")
        run.limits.stop.wait(run.limits.remaining_s())
        if self.name == "waits-deaf":
            import time
            time.sleep(600)
        if self.name == "waits-without-a-plan":
            return Solution(Status.NO_SOLUTION, native_status="told to stop")
        return Solution(Status.FEASIBLE, choices, 0, "told to stop")


WITH, WITHOUT = Waiting("waits-with-a-plan"), Waiting("waits-without-a-plan")
DEAF = Waiting("waits-deaf")
'''
ENTRY_POINTS = """
[hypar_opt.formulations]
waits-with-a-plan = waiting_plug_in:WITH
waits-without-a-plan = waiting_plug_in:WITHOUT
waits-deaf = waiting_plug_in:DEAF
"""


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys, monkeypatch):
    """Return a function that runs a command in this process, as the installed program does."""

    def run_command(*arguments):
        monkeypatch.setattr(sys, "argv", ["hypar-opt", *map(str, arguments)])
        monkeypatch.setattr("hypar_opt.cli._end", sys.exit)  # not at once, which would end the tests with success
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        return Ran(end.value.code or 0, out, err)

    return run_command


@pytest.fixture
def plug_in_environment(tmp_path):
    """An environment with a third party's formulations installed."""
    folder = tmp_path / "plug-in"
    information = folder / "waiting_plug_in-1.0.dist-info"
    information.mkdir(parents=True)
    (folder / "waiting_plug_in.py").write_text(WAITING, encoding="utf-8")
    (information / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: waiting-plug-in\nVersion: 1.0\n", encoding="utf-8"
    )
    (information / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(folder)}


@pytest.fixture
def program():
    """Return a function that runs the installed program to its end."""

    def run_program(*arguments, env=None):
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600, env=env, check=False
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run_program


@pytest.fixture
def start_program():
    """Return a function that starts the installed program; what still runs at the end is ended."""
    started = []

    def start(*arguments, env=None):
        process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=env,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def terminal():
    """Return a function that starts the program on a terminal."""
    started = []

    def start(*arguments, env, columns=80, **settings):
        started.append(OnTerminal(arguments, env, columns, settings))
        return started[-1]

    yield start
    for one in started:
        one.close()
