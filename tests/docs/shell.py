"""Commands of shell blocks: in this process where that is all they need, which saves the start of a program."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.docs.blocks import ROOT

PROGRAMS = ("hypar-opt", ".venv/bin/hypar-opt")
OF_A_SHELL = set("|<>&;`$*?()\"'\\")
OWN_PROCESS = ("campaign", "serve", "--time-limit")
"""Words of commands that start processes from their main module, or count from the start of the process."""
LIMIT_S = 1800


@dataclass(frozen=True)
class Shown:
    """A command and the output that is shown beneath it."""

    command: str
    output: str = ""


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


def commands(body: str) -> list[Shown]:
    """Return the commands of an `sh` block: a line each, a backslash goes on, comments fall away."""
    lines = re.sub(r"\\\n\s*", "", body)
    return [Shown(line) for line in map(_bare, _whole(lines)) if line]


def session(body: str) -> list[Shown]:
    """Return the commands of a `console` block, each behind a `$`, with what stands beneath them."""
    found: list[Shown] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append(Shown(_bare(line[2:])))
        else:
            assert found, f"a console block begins with `$ COMMAND`, not with {line!r}"
            found[-1] = Shown(found[-1].command, f"{found[-1].output}{line}\n")
    return found


def run(command: str, folder: Path, environment: dict[str, str]) -> Ran:
    """Run one command in a folder; a make target is only asked what it would do."""
    words = shlex.split(command)
    if words[0] == "make":
        return _in_a_shell(f"make -n {command.removeprefix('make')}", ROOT, environment)
    alone = words[0] in PROGRAMS and not OF_A_SHELL & set(command) and not set(OWN_PROCESS) & set(words)
    if alone and "PYTHONPATH" not in environment:
        return _here(words[1:], folder)
    return _in_a_shell(command, folder, environment)


def _whole(body: str) -> list[str]:
    """Join lines of which a quotation goes on in the next."""
    found: list[str] = []
    for line in body.splitlines():
        if found and found[-1].count('"') % 2:
            found[-1] += f"\n{line}"
        else:
            found.append(line)
    return found


def _bare(line: str) -> str:
    return re.sub(r"(^|\s+)#\s.*$", "", line).strip()


def _here(arguments: list[str], folder: Path) -> Ran:
    from hypar_opt.cli.invoke import invoke

    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["hypar-opt", *arguments]
    try:
        with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = invoke(arguments)
    finally:
        sys.argv = before
    return Ran(code, out.getvalue(), err.getvalue())


def _in_a_shell(command: str, folder: Path, environment: dict[str, str]) -> Ran:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path, **environment},
        capture_output=True, text=True, timeout=LIMIT_S, check=False,
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)
