"""The command line: one file a command, imported only when it is called."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code: 2 for anything wrong with the input."""
    try:
        from hypar_opt.cli.invoke import invoke

        code = invoke(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)
