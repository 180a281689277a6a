"""Work beside the main thread, which stays free for signals while a solver is in native code."""

from __future__ import annotations

from concurrent.futures import Future, wait
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.formulation.run import Limits

T = TypeVar("T")
GRACE_S = 10.0
"""How long work that was told to stop may take before it is left behind."""


def started(work: Callable[[], T], name: str) -> Future[T]:
    """Begin the work in a thread of its own, and return what it will come to.

    Parameters
    ----------
    name
        The thread's.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001 - handed to the waiting thread, which judges it
            future.set_exception(error)

    Thread(target=run, name=name, daemon=True).start()
    return future


def wait_for(future: Future[T], limits: Limits) -> None:
    """Wait for the end, or for the grace after a stop; being interrupted stops the run too."""
    try:
        while not limits.over and not wait([future], timeout=0.1).done:
            continue
    except BaseException:
        limits.stop.set()
        raise
    finally:
        wait([future], timeout=GRACE_S if limits.over else None)
