"""What plans are exported to, a record each."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.export.planned import PlannedStep


@dataclass(frozen=True)
class Target:
    """What a plan is exported to.

    Parameters
    ----------
    name
        As `--to` has it.
    about
        What it is.
    ending
        Of the file's name.
    text
        From a planned step and the file's name to its text.
    """

    name: str
    about: str
    ending: str
    text: Callable[[PlannedStep, str], str]


def _jax(step: PlannedStep, file: str) -> str:
    from hypar_opt.export.jax.program import jax_program

    return jax_program(step, file).text


_EVERY: Final = (
    Target("jax", "a Python file with a training step in which every conversion is a collective", ".py", _jax),
)
TARGETS: Final[Mapping[str, Target]] = MappingProxyType({one.name: one for one in _EVERY})
"""By name."""
