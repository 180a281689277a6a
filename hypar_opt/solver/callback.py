"""A user's callback: it hears the events of a run, and what it raises ends the run and reaches the user."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from threading import Event as Flag
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.formulation.run import Event, Limits, Listener


class _Flag(Flag):
    """Set by itself, or where another flag is."""

    def __init__(self, other: Flag) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        return super().is_set() or self._other.is_set()


@contextmanager
def heard(
    callback: Listener | None, listener: Listener | None, limits: Limits
) -> Iterator[tuple[Listener | None, Limits]]:
    """Give a listener that calls both, and limits that end the run where the callback raises; then raise that.

    It is called from whichever thread a solver calls back on, through which nothing may be raised.

    Parameters
    ----------
    callback
        None where there is none: nothing is changed then.
    listener
        Its failures are warnings.

    Raises
    ------
    TypeError
        If the callback cannot be called.
    """
    if callback is None:
        yield listener, limits
        return
    if not callable(callback):
        raise TypeError(f"callback: expected a function of an event or None, got {callback!r}")
    stop = _Flag(limits.stop)
    raised: list[BaseException] = []

    def hear(event: Event) -> None:
        if not raised:
            try:
                callback(event)
            except BaseException as error:  # noqa: BLE001 - raised again below
                raised.append(error)
                stop.set()
        if listener is not None:
            listener(event)

    try:
        yield hear, replace(limits, stop=stop)
    finally:
        if raised:
            raise raised[0]
