"""Functions of the user that return a model: `MODULE:FUNCTION`, the only code of others that is ever run."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def function_of(named: str) -> Callable[[], Any]:
    """Return a function by its module and its name; modules are looked for in the working directory, too.

    Raises
    ------
    InputError
        If there is no such module or function, or the module cannot be imported.
    """
    module_name, colon, name = named.partition(":")
    if not colon or not module_name or not name:
        raise InputError(f"expected MODULE:FUNCTION, as in models:small, got '{named}'", field="MODEL")
    with _working_directory():
        try:
            module = import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name is None or not module_name.startswith(error.name):
                raise InputError(f"cannot be imported: {error}", file=module_name) from error
            raise InputError(f"no module is called '{module_name}', here or installed", field="MODEL") from None
        except Exception as error:
            raise InputError(f"cannot be imported: {told(error)}", file=module_name) from error
    found = getattr(module, name, None)
    if not callable(found):
        known = [one for one, value in vars(module).items() if callable(value) and not one.startswith("_")]
        raise InputError(f"has no function '{name}'{did_you_mean(name, known)}", file=module_name)
    made: Callable[[], Any] = found
    return made


def called(named: str, expected: str) -> tuple[Any, ...]:
    """Return what a function of the user returns: two things or more.

    Parameters
    ----------
    expected
        What these are, in words.

    Raises
    ------
    InputError
        If it raises anything, or returns something else.
    """
    function = function_of(named)
    try:
        with _working_directory():
            made = function()
    except Exception as error:
        raise InputError(f"raised {told(error)}", field=named) from error
    if not isinstance(made, tuple) or len(made) != 2 or not isinstance(made[1], tuple | list | dict):
        raise InputError(f"expected {expected} of it, got a {type(made).__name__}", field=named)
    return made


def told(error: BaseException) -> str:
    """Return what an error says, in a line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"


@contextmanager
def _working_directory() -> Iterator[None]:
    """Have modules of the working directory found, and leave the list of places as it was."""
    before = list(sys.path)
    sys.path.insert(0, str(Path.cwd()))
    try:
        yield
    finally:
        sys.path[:] = before
