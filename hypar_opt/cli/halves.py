"""Commands that are about layers split in equal halves, and what serves instead for operators and unlike halves."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


def of_halves(why: str, kinds: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a command that declines operators, and accelerators of several kinds, say why, and what takes its place.

    Parameters
    ----------
    why
        What the command does that is of halves, and behind a semicolon what to use for operators.
    kinds
        The same for accelerators of several kinds, where halves are unequal.
    """

    def declining(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def command(*given: P.args, **named: P.kwargs) -> T:
            from hypar_opt.instance.read import OfOperators
            from hypar_opt.solver.kinds import OfKinds

            try:
                return function(*given, **named)
            except OfOperators as error:
                said = error.message.partition(";")[0]
                raise InputError(f"{said}, and {why}", file=error.file) from None
            except OfKinds as error:
                raise InputError(f"{error.message}: {kinds}", file=error.file, field=error.field) from None

        return command

    return declining
