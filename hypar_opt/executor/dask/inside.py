"""What is run in a worker of Dask: calls, with the flag that ends those of one run, and what the worker is."""

from __future__ import annotations

import pickle
from contextlib import nullcontext
from functools import cache, partial
from threading import Event as Flag
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.executor.dask.admission import facts
from hypar_opt.executor.process import CURRENT
from hypar_opt.executor.telling import telling

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.executor.dask.admission import WorkerDemand

CallId: TypeAlias = "tuple[str, int]"
"""A run, and the number of a call in it, from 1."""
_RUNNING: dict[CallId, Flag] = {}
_ENDED: set[CallId] = set()
"""What was told to end: a call, or number 0 for all of a run; a worker of a scheduler that is there outlives many."""
_LOCK = Lock()


def call(of: CallId, demand: WorkerDemand, tells: bool, payload: bytes) -> bytes:
    """Call a function, and return what it returns, both pickled: Dask would look into all that they hold.

    Raises
    ------
    InputError
        If this worker, which may have come after the client looked at all, is not what a call demands.
    """
    _check(demand)
    flag = Flag()
    with _LOCK:
        _RUNNING[of] = flag
        if not _ENDED.isdisjoint((of, (of[0], 0))):
            flag.set()
    before = CURRENT.set(flag)
    try:
        fn, args, kwargs = pickle.loads(payload)
        with telling(partial(_tell, of)) if tells else nullcontext():
            return pickle.dumps(fn(*args, **kwargs))
    finally:
        CURRENT.reset(before)
        with _LOCK:
            # the same call may have been sent once more, after a connection was lost
            if _RUNNING.get(of) is flag:
                del _RUNNING[of]


def end_calls(ended: Iterable[CallId]) -> None:
    """Set the flags of calls, or of all of a run, and of those that come later."""
    with _LOCK:
        _ENDED.update(ended)
        for one, flag in _RUNNING.items():
            if not _ENDED.isdisjoint((one, (one[0], 0))):
                flag.set()


@cache
def _check(demand: WorkerDemand) -> None:
    from distributed import get_worker

    worker = get_worker()
    demand.check(worker.address, facts(worker))


def _tell(of: CallId, message: bytes) -> None:
    from distributed import get_worker

    get_worker().log_event(topic(of[0]), (of[1], message))


def topic(run: str) -> str:
    """Return the topic under which a run's calls tell."""
    return f"hypar-opt-{run}"
