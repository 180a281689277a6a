"""A command that runs by itself, and is the way to others by their names."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping


class WithOthers(click.Command):
    """A command whose first word may be the name of another one, which is then run instead.

    Parameters
    ----------
    summaries
        By name of the others, what they do.
    module
        Where such a command stands, `{}` being its name.
    """

    def __init__(self, *args: Any, summaries: Mapping[str, str], module: str, **others: Any) -> None:
        super().__init__(*args, **others)
        self.summaries, self._module = summaries, module

    def list_commands(self, _: click.Context) -> list[str]:
        """Return the names of the others."""
        return list(self.summaries)

    def get_command(self, _: click.Context | None, name: str) -> click.Command:
        """Return another command by its name, and this one for whatever is none."""
        if name not in self.summaries:
            return self
        found: click.Command = import_module(self._module.format(name)).command
        return found

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read what was typed as the command does that is named."""
        if args and args[0] in self.summaries:
            named = self.get_command(parent, args[0])
            return named.make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        try:
            context = super().make_context(info_name, [*args], parent, **extra)
        except click.NoSuchOption:
            raise
        except click.UsageError as error:
            raise self._sorted_out(args, error, error.ctx) from None
        taken = [context.params.get(one.name or "") for one in self.params if isinstance(one, click.Argument)]
        if any(one in self.summaries for one in taken):
            raise self._sorted_out(args, click.UsageError(""), context)
        return context

    def _sorted_out(self, args: list[str], error: click.UsageError, context: click.Context | None) -> click.UsageError:
        """Return an error that says where another command's name stands, if it is what was in the way."""
        named = next((one for one in args if one in self.summaries), None)
        if named is None or (error.message and "extra argument" not in error.message):
            return error
        path = "" if context is None else f": {context.command_path} {named} ..."
        return click.UsageError(f"'{named}' is a command of its own, which stands first{path}", context)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the others below the options."""
        super().format_options(ctx, formatter)
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))
