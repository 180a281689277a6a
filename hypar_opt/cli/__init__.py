"""The command line: one file a command, imported only when it is called."""

from __future__ import annotations

import sys

from hypar_opt.cli.group import cli

__all__ = ["cli", "main"]


def main() -> None:
    """Run the command line and exit with its code: 2 for anything wrong with the input."""
    import click

    from hypar_opt.errors import HyparError

    try:
        code = cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except HyparError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    except MemoryError:
        click.echo("error: out of memory; try fewer levels or another formulation", err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)
