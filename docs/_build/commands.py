"""Every command with its options, from the help that the program prints."""

from __future__ import annotations

import inspect

import click


def as_markdown() -> str:
    """Return a section for the program and one for each of its commands."""
    from hypar_opt.cli.group import SUMMARIES, cli

    with click.Context(cli, info_name="hypar-opt") as context:
        commands = [(name, cli.get_command(context, name)) for name in SUMMARIES]
        parts = [_section("hypar-opt", cli, "## `hypar-opt`")]
        parts += [_section(f"hypar-opt {name}", one, f"## `{name}`") for name, one in commands if one is not None]
    return "\n\n".join(parts)


def _section(name: str, command: click.Command, heading: str) -> str:
    with click.Context(command, info_name=name) as context:
        pieces = " ".join(command.collect_usage_pieces(context))
        parts = [heading, _unwrapped(command.help or ""), f"```text\n{name} {pieces}\n```", _options(command, context)]
    return "\n\n".join(part for part in [*parts, _unwrapped(command.epilog or "")] if part)


def _unwrapped(text: str) -> str:
    """Return help as Markdown; click marks what is not to be wrapped with a backspace."""
    paragraphs = inspect.cleandoc(text.replace("\f", "")).split("\n\n")
    return "\n\n".join(
        f"```text\n{one.replace(chr(8), '').strip(chr(10))}\n```" if "\b" in one else one for one in paragraphs
    )


def _options(command: click.Command, context: click.Context) -> str:
    records = [one.get_help_record(context) for one in command.get_params(context)]
    rows = [f"| `{_flat(names)}` | {_plain(text)} |" for names, text in filter(None, records)]
    return "\n".join(["| option | what it does |", "| --- | --- |", *rows]) if rows else ""


def _flat(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """Return text that is no markup in a cell."""
    return _flat(text).replace("<", "&lt;").replace("|", "&#124;").replace("*", "\\*")
