"""From arguments to an exit code."""

from __future__ import annotations

import os
import shlex
import sys
from codecs import lookup
from io import TextIOWrapper
from typing import Any, Final, TextIO

import click

from hypar_opt.cli.completion import VARIABLE
from hypar_opt.cli.group import cli
from hypar_opt.util.errors import HyparError

TYPED: Final = "hypar_opt.typed"
"""Where a command finds the words that it was called with."""


def invoke(arguments: list[str]) -> int:
    """Run a command; whoever reads its output may go away early, and may not know every sign of a name."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            _spell(stream)
    try:
        code = _run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _forget(sys.stdout)
        return 0
    except OSError as error:
        if error.filename is not None:
            raise
        _forget(sys.stdout)  # a full disk behind the standard output: streams have no file name
        click.echo(f"error: the output cannot be written: {error.strerror}", err=True)
        return 2
    return code


def _spell(stream: TextIOWrapper) -> None:
    """Let a stream take every name: with escapes for what it lacks; ASCII, the C locale's, is taken for UTF-8.

    So does click where it writes by itself.
    """
    ascii_only = lookup(stream.encoding).name == "ascii"
    stream.reconfigure(encoding="utf-8" if ascii_only else None, errors="backslashreplace")


def _forget(stream: TextIO) -> None:
    """Send what is left in a stream's buffer nowhere, so that its flush at exit cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def typed() -> str:
    """Return the command line that the command which runs now was called with, or nothing where a program calls it."""
    context = click.get_current_context(silent=True)
    words = None if context is None else context.meta.get(TYPED)
    return "" if words is None else shlex.join(["hypar-opt", *words])


def _run(arguments: list[str]) -> int:
    """Invoke a command without click's own last resorts, whose exit codes are others than ours."""
    asked = os.environ.get(VARIABLE)
    if asked:
        from hypar_opt.cli.completion.shells import answer

        return answer(cli, asked)
    meta: dict[str, Any] = {}
    try:
        with cli.make_context("hypar-opt", [*arguments]) as context:
            meta = context.meta
            meta[TYPED] = arguments
            code = cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.Abort:
        return 130
    except click.ClickException as error:
        if isinstance(error, click.NoSuchOption):
            from hypar_opt.cli.errors import helped

            error = helped(error, cli)
        error.show()
        return error.exit_code
    except HyparError as error:
        from hypar_opt.cli.errors import tell

        tell(error, meta)
        return 2
    except MemoryError:
        click.echo("error: out of memory; try fewer levels or another formulation", err=True)
        return 2
    return code if isinstance(code, int) else 0
