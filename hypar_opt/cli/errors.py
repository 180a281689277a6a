"""Saying what is wrong: the first error, or with `--all-errors` all that are known."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeGuard

import click

from hypar_opt.cli.options import WANTED
from hypar_opt.util.errors import HyparError, InputError, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.cli.options import Wanted

ELSEWHERE: Final[Mapping[str, str]] = MappingProxyType({"--on": "runs one piece"})
"""By options that many commands share, why the others lack them."""
MOST_LISTED: Final = 100
"""Errors that are listed; a file with more has one cause for most of them."""


def helped(error: click.NoSuchOption, group: click.Group) -> click.UsageError:
    """Return an error that says which commands have an option that this one lacks, if some that share it do.

    Parameters
    ----------
    error
        As it was raised.
    group
        Of all commands: those that have the option are looked for in it.
    """
    context, option = error.ctx, error.option_name
    if context is None or option not in ELSEWHERE:
        return error
    having = [name for name, one in _commands(group, context) if _takes(one, option)]
    if not having:
        return error
    command = context.command_path.partition(" ")[2]
    return click.UsageError(f"{command} {ELSEWHERE[option]}; {option} is for {', '.join(having)}", context)


def _commands(group: click.Group, context: click.Context, above: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield all commands of a group by the names that users type, those of groups inside it too."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None:
            yield f"{above}{name}", command
        if isinstance(command, click.Group):
            yield from _commands(command, context, f"{above}{name} ")


def _takes(command: click.Command, option: str) -> bool:
    return any(option in one.opts for one in command.params)


def tell(error: HyparError, meta: Mapping[str, Any]) -> None:
    """Print an error to the standard error, and for machines that want all of them a document to the standard output.

    Parameters
    ----------
    meta
        Of the command's context.
    """
    wanted: Wanted | None = meta.get(WANTED)
    if wanted is None or not wanted.all_errors or not isinstance(error, InputError):
        hint = f"; --all-errors says all {error.count:,}, a line each" if _has_more(error, wanted) else ""
        click.echo(f"error: {error}{hint}", err=True)
        return
    errors = _by_line([_alone(error), *error.others])
    later = _later(error, len(errors))
    for one in errors[:MOST_LISTED]:
        click.echo(f"error: {one}", err=True)
    click.echo(f"{len(errors):,} {'error' if len(errors) == 1 else 'errors'}{later and f'; {later}'}", err=True)
    listed = list(map(_document, errors[:MOST_LISTED]))
    if wanted.as_json:
        click.echo(json.dumps({"errors": listed, "note": later}, indent=1))
    elif wanted.json_lines:
        _echo_lines(listed, later)


def _has_more(error: HyparError, wanted: Wanted | None) -> TypeGuard[InputError]:
    """Return whether an error knows others that the command can be asked for."""
    return wanted is not None and isinstance(error, InputError) and error.count > 1


def _by_line(errors: Sequence[InputError]) -> list[InputError]:
    """Return errors as a reader of the files meets them: file by file, and in each from the top."""
    files = list(dict.fromkeys(one.file for one in errors))
    places = {file: at for at, file in enumerate(files)}
    return sorted(errors, key=lambda one: (places[one.file], one.line or 0))


def _echo_lines(listed: Sequence[Mapping[str, object]], later: str) -> None:
    for one in listed:
        click.echo(json.dumps({"event": "error", **one}))
    click.echo(json.dumps({"event": "errors", "count": len(listed), "note": later}))


def _alone(error: InputError) -> InputError:
    return InputError(error.alone, file=error.file, line=error.line, field=error.field)


def _later(error: InputError, count: int) -> str:
    """Return what is not said: errors beyond those that are listed, and what was not looked at."""
    left = f"{count - MOST_LISTED:,} of them are not listed" if count > MOST_LISTED else ""
    unseen = f"looked at when there are none of these: {error.later}" if error.later else ""
    return "; ".join(filter(None, [left, unseen]))


def _document(error: InputError) -> dict[str, object]:
    """Return an error for machines."""
    file = None if error.file is None else str(error.file)
    return {"file": file, "line": error.line, "field": error.field, "message": printable(error.message)}
