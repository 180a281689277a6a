"""Task graphs and what their schedules take, in words."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.numbers import in_component

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from hypar_opt.evaluation.tasks.chain import ChainStep

GOALS: Final[Mapping[str, str]] = MappingProxyType(
    {"makespan": "the last end", "completion-times": "the weighted sum of ends", "period": "the period"}
)
"""By what is to be least, what that is of."""


def in_seconds(value: int | Fraction) -> str:
    """Return exact seconds as people read them, with a prefix."""
    return in_component(TIME, value)


_BECAUSE: Final[Mapping[str, Callable[[ChainStep], str]]] = MappingProxyType(
    {
        "task": lambda one: f"waits for {one.behind}",
        "resource": lambda one: f"gets {one.what} from {one.behind}",
        "memory": lambda one: f"gets its place in {one.what} when {one.behind} ends",
        "release": lambda one: "is released then",
        "begin": lambda one: "begins first of all",
        "nothing": lambda one: "waits for nothing, and could begin earlier",
    }
)


def because(one: ChainStep) -> str:
    """Return why a task does not begin earlier."""
    return _BECAUSE[one.reason](one)
