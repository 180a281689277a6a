"""The components that are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.components import COMMUNICATION, TIME
from hypar_opt.errors import InputError
from hypar_opt.instance import check_known, unknown_needs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.problem import Problem


def counted(count: int, what: str) -> str:
    """Return how many there are, in words."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def usual_component(problem: Problem) -> str:
    """Return time where the array says enough for it, else communication."""
    known = problem.instance.placement is not None and unknown_needs(problem.instance.spec, (TIME,)) is None
    return TIME if known else COMMUNICATION


def checked_components(names: Sequence[str]) -> tuple[str, ...]:
    """Return components as given, each once.

    Raises
    ------
    InputError
        If one is unknown, comes twice, or there is none.
    """
    if not names:
        raise InputError("names none; leave it out for time", field="--components")
    check_known(names, "--components")
    twice = next((name for name in names if list(names).count(name) > 1), None)
    if twice is not None:
        raise InputError(f"'{twice}' comes twice", field="--components")
    return tuple(names)
