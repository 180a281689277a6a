"""Work that is told to stop before it has anything to show: long loops ask whether they have to."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hypar_opt.util.errors import HyparError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")


class Interrupted(HyparError):
    """Work that was told to stop; there is no half a result."""


def never() -> bool:
    """Say that there is nothing to stop for."""
    return False


def asking(items: Iterable[T], over: Callable[[], bool], doing: str, every: int = 16) -> Iterator[T]:
    """Yield items as long as nobody wants to stop.

    Parameters
    ----------
    over
        Asked before the first item, and again after so many.
    doing
        What it is at, to follow `stopped`.

    Raises
    ------
    Interrupted
        If it has to stop.
    """
    for number, item in enumerate(items):
        if not number % every and over():
            raise Interrupted(f"stopped {doing}")
        yield item
