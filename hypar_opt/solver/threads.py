"""Work beside the main thread, which stays free for signals while a solver is in native code; and callbacks from it.

What a user's callback raises ends the run and reaches the user.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from threading import Event as Flag
from threading import RLock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from hypar_opt.formulation.run import EitherFlag
from hypar_opt.util.errors import readable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypar_opt.formulation.run import Event, Limits, Listener, Run

T = TypeVar("T")
E = TypeVar("E", bound=Exception)
GRACE_S = 10.0
"""How long work that was told to stop may take before it is left behind."""


def in_thread(work: Callable[[Run], T], run: Run, otherwise: Callable[[str], T]) -> T:
    """Do work in a thread of its own; wait for its end, or for the grace after a stop.

    Being interrupted while it is waited for stops the work too. What is left behind tells nobody any more: whoever
    listens then may belong to what came after.

    Parameters
    ----------
    work
        Given the run, whose listeners hear it as long as it is waited for.
    run
        Has the thread's name and the limits of the work.
    otherwise
        Called with the reason where the work is left behind.
    """
    from concurrent.futures import Future, wait

    future: Future[T] = Future()
    limits, door = run.limits, Door()
    inside = replace(run, listener=door.guarded(run.listener), proof=door.guarded(run.proof))

    def done() -> None:
        try:
            future.set_result(work(inside))
        except BaseException as error:  # noqa: BLE001 - handed to the waiting thread, which judges it
            future.set_exception(error)

    Thread(target=done, name=run.source, daemon=True).start()
    try:
        while not limits.over and not wait([future], timeout=0.1).done:
            continue
    except BaseException:
        limits.stop.set()
        raise
    finally:
        wait([future], timeout=GRACE_S if limits.over else None)
        door.close()
    return future.result() if future.done() else otherwise(f"did not stop within {GRACE_S:.0f} s")


class Door:
    """What callbacks go through until it is closed; nothing is told behind it then, not even what is on its way."""

    def __init__(self) -> None:
        self._closed = Flag()
        self._passing = RLock()

    def guarded(self, told: Callable[[Any], None] | None) -> Callable[[Any], None] | None:
        """Return what tells somebody as long as the door is open."""
        if told is None:
            return None

        def tell(what: Any) -> None:
            with self._passing:
                if not self._closed.is_set():
                    told(what)

        return tell

    def close(self) -> None:
        """Let nothing through any more, and wait a while for who is being told something."""
        self._closed.set()
        if self._passing.acquire(timeout=GRACE_S):
            self._passing.release()


def until_it_fails(listener: Callable[[Event], object], error: type[E], told: Callable[[E], object]) -> Listener:
    """Return what calls a listener until that raises an error of a kind, which is told then."""
    hearing = [listener]

    def hear(event: Event) -> None:
        for one in tuple(hearing):
            try:
                one(event)
            except error as raised:
                hearing.clear()
                told(raised)

    return hear


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
        raise TypeError(f"callback: expected a function of an event or None, got {readable(repr(callback))}")
    stop = EitherFlag(limits.stop)
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
