"""From arguments to an exit code."""

from __future__ import annotations

import os
import sys
from typing import TextIO

import click

from hypar_opt.cli.group import cli
from hypar_opt.errors import HyparError


def invoke(arguments: list[str]) -> int:
    """Run a command; whoever reads its output may go away early."""
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


def _forget(stream: TextIO) -> None:
    """Send what is left in a stream's buffer nowhere, so that its flush at exit cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(arguments: list[str]) -> int:
    """Invoke a command without click's own last resorts, whose exit codes are others than ours."""
    try:
        with cli.make_context("hypar-opt", arguments) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.Abort:
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except HyparError as error:
        click.echo(f"error: {error}", err=True)
        return 2
    except MemoryError:
        click.echo("error: out of memory; try fewer levels or another formulation", err=True)
        return 2
    return code if isinstance(code, int) else 0
