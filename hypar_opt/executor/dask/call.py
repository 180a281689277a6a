"""A call that is sent to a worker of Dask, and what comes of it."""

from __future__ import annotations

import asyncio
import pickle
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.executor.dask.workers import Worker


@dataclass(eq=False)
class Call:
    """A call that waits or runs.

    Parameters
    ----------
    number
        From 1.
    payload
        Function and arguments, pickled.
    hear
        Takes what it tells.
    future
        Of its result.
    deaths
        How many workers died while they ran it.
    worker
        That has it now.
    is_cancelled
        Whether it is not to be run again.
    """

    number: int
    payload: bytes
    hear: Callable[[bytes], None] | None
    future: Future[Any] = field(default_factory=Future)
    deaths: int = 0
    worker: Worker | None = None
    is_cancelled: bool = False


async def ended_first(work: Any, worker: Worker) -> bool:
    """Return whether work ended before its worker went away."""
    task = asyncio.ensure_future(work)
    await asyncio.wait({task, worker.gone}, return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        task.cancel()
        return False
    return True


def settled(future: Future[Any], result: asyncio.Future[bytes]) -> bool:
    """Pass on what came of a call; return whether anything did."""
    error = CancelledError() if result.cancelled() else result.exception()
    if isinstance(error, CancelledError):
        return False
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(pickle.loads(result.result()))
    return True
