"""Names that are imported when they are asked for, and records that a package's modules add to a table."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from os import scandir
from typing import Any


def lazy_names(
    package: str, names: Mapping[str, tuple[str, ...]], renamed: Mapping[str, str] | None = None
) -> Callable[[str], object]:
    """Return the `__getattr__` of a package: every name is found in its module.

    Parameters
    ----------
    package
        Where the modules are, as in ``hypar_opt.instance``.
    names
        By module, relative to the package, those that are found in it.
    renamed
        What names of the last release are called now; asking for one is a DeprecationWarning.
    """
    new_names = renamed or {}
    homes = {name: module for module, found in names.items() for name in found}

    def find(name: str) -> object:
        if name in new_names:
            told = f"{package}.{name} is {new_names[name]} now, and goes with the next release"
            warnings.warn(told, DeprecationWarning, stacklevel=2)
            name = new_names[name]
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return find


def deferred(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports what it stands for when it is called.

    A table by kinds of problems needs all of them, a command that starts one.

    Parameters
    ----------
    module, name
        Where the function is.
    """

    def called(*given: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*given, **named)

    return called


def records_of(package: str, folders: Iterable[str], table: str) -> list[Any]:
    """Return what the modules of a package add to a table: a new module is in it without being named anywhere.

    Parameters
    ----------
    package, folders
        Its name and its `__path__`.
    table
        The name of the tuple of records in each module; a record has a rank, by which they are sorted, and a name.
    """
    files = {file.name for folder in folders for file in scandir(folder) if file.name.endswith(".py")}
    modules = [import_module(f"{package}.{file.removesuffix('.py')}") for file in sorted(files - {"__init__.py"})]
    return sorted((record for module in modules for record in getattr(module, table, ())), key=_place)


def _place(record: Any) -> tuple[int, str]:
    return record.rank, record.name
