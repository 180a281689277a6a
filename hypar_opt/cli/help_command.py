"""hypar-opt help."""

from __future__ import annotations

import click

from hypar_opt.cli.completion.words import commands
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.group import cli

EPILOG = epilog(
    "hypar-opt help",
    "hypar-opt help solve                      # hypar-opt solve --help",
    codes={0: "shown", 2: "no command of that name"},
)


@click.command("help", epilog=EPILOG)
@click.argument("command_name", required=False, metavar="[COMMAND]", shell_complete=commands)
@click.pass_context
def command(context: click.Context, command_name: str | None) -> None:
    """Say what COMMAND does, as --help behind it would; without COMMAND, which commands there are."""
    above = context.find_root()
    asked = above
    if command_name is not None:
        name, found, _ = cli.resolve_command(above, [command_name])
        assert found is not None  # a name that is none is refused
        asked = click.Context(found, above, name, **found.context_settings)
    click.echo(asked.get_help())
