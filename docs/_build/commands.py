"""Every command with its options, from the help that the program prints: an overview, and a page each."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.with_others import WithOthers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File

OVERVIEW = "commands.md"
FOLDER = "commands"
"""Where a command has a page of its own, with what it is for and an example; others are given one of their help."""


def overview() -> str:
    """Return a table of the commands, then what the program itself says."""
    from hypar_opt.cli.group import SUMMARIES, cli

    rows = [f"| [`{name}`]({FOLDER}/{name}.md) | {_plain(text)} |" for name, text in SUMMARIES.items()]
    table = "\n".join(["| command | what it does |", "| --- | --- |", *rows])
    return "\n\n".join([table, "## Help", _section("hypar-opt", cli)])


def of(name: str) -> str:
    """Return what `hypar-opt NAME --help` says, as Markdown.

    Raises
    ------
    KeyError
        If there is no such command.
    """
    from hypar_opt.cli.group import cli

    with click.Context(cli, info_name="hypar-opt") as context:
        command = cli.get_command(context, name)
    if command is None:
        raise KeyError(name)
    return "\n\n".join([_section(f"hypar-opt {name}", command), *_below(f"hypar-opt {name}", command)])


def _below(name: str, command: click.Command) -> Iterator[str]:
    """Yield a section for every command of a group, or of one that is the way to others."""
    if isinstance(command, click.Group | WithOthers):
        with click.Context(command, info_name=name) as context:
            for below in command.list_commands(context):
                found = command.get_command(context, below)
                assert found is not None  # it is listed
                yield f"### {below}\n\n{_section(f'{name} {below}', found)}"


def files(config: MkDocsConfig) -> Iterator[File]:
    """Yield a page for every command that has none of its own."""
    from mkdocs.structure.files import File

    for name, content in without_page(Path(config.docs_dir)).items():
        yield File.generated(config, f"{FOLDER}/{name}.md", content=content)


def without_page(folder: Path) -> dict[str, str]:
    """Return the pages of commands that have none below a folder, by command."""
    from hypar_opt.cli.group import SUMMARIES

    missing = [name for name in SUMMARIES if not (folder / FOLDER / f"{name}.md").exists()]
    return {name: f"# {name}\n\n<!-- generated: command {name} -->\n" for name in missing}


def navigation(nav: list[Any]) -> list[Any]:
    """Return a navigation in which the entry of the overview has the commands' pages below it."""
    return [_expanded(one) for one in nav]


def _expanded(entry: Any) -> Any:
    from hypar_opt.cli.group import SUMMARIES

    ((title, below),) = entry.items()
    if below == OVERVIEW:
        return {title: [{"All commands": OVERVIEW}, *({name: f"{FOLDER}/{name}.md"} for name in SUMMARIES)]}
    return {title: navigation(below)} if isinstance(below, list) else entry


def _section(name: str, command: click.Command) -> str:
    with click.Context(command, info_name=name) as context:
        pieces = " ".join(command.collect_usage_pieces(context))
        parts = [_unwrapped(command.help or ""), f"```text\n{name} {pieces}\n```", _options(command, context)]
    return "\n\n".join(part for part in [*parts, _unwrapped(command.epilog or "")] if part)


def _unwrapped(text: str) -> str:
    """Return help as Markdown; click marks what is not to be wrapped with a backspace."""
    paragraphs = inspect.cleandoc(text.replace("\f", "")).split("\n\n")
    return "\n\n".join(
        f"```text\n{one.replace(chr(8), '').strip(chr(10))}\n```" if "\b" in one else one for one in paragraphs
    )


def _options(command: click.Command, context: click.Context) -> str:
    options = [one for one in command.get_params(context) if one.param_type_name == "option"]  # not arguments
    records = [one.get_help_record(context) for one in options]
    rows = [f"| `{_flat(names)}` | {_plain(text)} |" for names, text in filter(None, records)]
    return "\n".join(["| option | what it does |", "| --- | --- |", *rows]) if rows else ""


def _flat(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """Return text that is no markup in a cell."""
    return _flat(text).replace("<", "&lt;").replace("|", "&#124;").replace("*", "\\*")
