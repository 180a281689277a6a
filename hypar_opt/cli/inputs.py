"""What a command reads, so that nothing that it writes takes the place of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from hypar_opt.cli.fixed import FILES
from hypar_opt.instance.read import files_of_input
from hypar_opt.instance.shipped import (
    find_file,
    is_there,
    shipped_arrays,
    shipped_graphs,
    shipped_instances,
    shipped_operators,
)
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence


def check_apart(written: Mapping[str, Path | Sequence[Path] | None], *named: str | Path | None) -> None:
    """Find out before the work whether a file that would be written is one that is read, by whatever name.

    Parameters
    ----------
    written
        By the option that says where.
    named
        What arguments and options name: instances and arrays, also shipped ones, plans and points of fronts, claims.
        The plans of `--fix` are known.

    Raises
    ------
    InputError
        If it is, since what was read would be lost.
    """
    places = {option: [path] if isinstance(path, Path) else path or () for option, path in written.items()}
    there = [(option, path) for option, paths in places.items() for path in paths if is_there(path)]
    if not there:  # nothing is lost, so that nothing has to be read twice
        return
    read = list(read_files(*named))
    for option, path in there:
        if any(one.samefile(path) for one in read):
            message = f"expected a place of its own; '{path}' is read, and would be lost"
            raise InputError(message, field=option)


def check_outside(output: Path, store: Path | None) -> None:
    """Find out before the work whether reports would be written into a store, which has to have rows alone.

    Raises
    ------
    InputError
        If they would.
    """
    place = output.resolve()
    if store is not None and store.resolve() in (place, *place.parents):
        raise InputError(f"expected a folder outside the store '{store}', got '{output}'", field="--output")


def read_files(*named: str | Path | None) -> Iterable[Path]:
    """Return the files that names stand for, as `check_apart` takes them, and those that these refer to."""
    shipped = {**shipped_arrays(), **shipped_graphs(), **shipped_instances(), **shipped_operators()}
    for name in [*filter(None, named), *click.get_current_context().meta.get(FILES, ())]:
        try:
            path = find_file(_without_point(str(name)), shipped, "what is read")
            if not path.is_file():
                continue
            yield path
            yield from filter(is_there, files_of_input(path))
        except InputError:  # which whoever reads it says better
            continue


def _without_point(name: str) -> str:
    """Return the name of a front's file for that of one of its points, as in `front.json#6`."""
    file, mark, _ = name.rpartition("#")
    return file if mark and not is_there(Path(name)) else name


def check_not_given(names: Collection[str], beside: str) -> None:
    """Refuse options that say nothing beside something else.

    Parameters
    ----------
    names
        Of the command's parameters.
    beside
        What they say nothing of.

    Raises
    ------
    UsageError
        At the first that was given.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "") is not ParameterSource.DEFAULT
        if parameter.name in names and given:
            raise click.UsageError(f"{parameter.opts[0]} cannot be given with {beside}")
