"""The command line: one file a command, imported only when it is called."""

from __future__ import annotations

import os
import sys

import click

from hypar_opt.cli.group import cli
from hypar_opt.errors import HyparError

__all__ = ["cli", "main"]


def main() -> None:
    """Run the command line and exit with its code: 2 for anything wrong with the input."""
    try:
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # whoever read the output has enough; nothing may be flushed to it at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    """Invoke a command without click's own last resorts, whose exit codes are others than ours."""
    try:
        with cli.make_context("hypar-opt", arguments) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except (KeyboardInterrupt, click.exceptions.Abort):
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
