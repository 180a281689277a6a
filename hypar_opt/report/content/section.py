"""A section of an instance's page that takes long: what finds it, and what that needs of files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hypar_opt.formulation.run import Limits, Listener, Stopped
from hypar_opt.util.errors import InputError, MachineError, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.report.content.content import Subject

    T = TypeVar("T")

NOT_ASKED: Final = "not asked for"
STOPPED: Final = "stopped by the limit"


def _nothing(subject: Subject) -> None:
    """Read no file."""


@dataclass(frozen=True)
class Section:
    """How one section is found; it depends on nothing but what is given.

    Parameters
    ----------
    find
        Called with a subject that has its problem and its best plan, where it has any, with what was read, the limits
        and a listener; returns what the field of the section's name holds. Where there is none it raises `InputError`,
        `MachineError` or `Refusal`, which say why, or `Stopped`.
    read
        Called with the subject where the report is made; returns what `find` needs of files. Raises the same.
    """

    find: Callable[[Subject, Any, Limits, Listener | None], Any]
    read: Callable[[Subject], Any] = _nothing


def tried(ask: Callable[[], T]) -> tuple[T | None, str]:
    """Return what can be had, or why it cannot."""
    try:
        return ask(), ""
    except (InputError, MachineError, Refusal) as error:  # links may have no energy, or no bandwidth
        return None, str(error)
    except Stopped:
        return None, STOPPED
