"""What is run in a worker of Dask: calls, with the flag that ends those of one run, and what the worker is."""

from __future__ import annotations

import pickle
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from threading import Event as Flag
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

from hypar_opt.executor.process import CURRENT
from hypar_opt.executor.telling import telling
from hypar_opt.util.extras import counted_versions

if TYPE_CHECKING:
    from collections.abc import Mapping

CallId: TypeAlias = "tuple[str, int]"
"""A run, and the number of a call in it, from 1."""
_RUNNING: dict[CallId, Flag] = {}
_ENDED: set[CallId] = set()
"""What was told to end: a call, or number 0 for all of a run; a worker of a scheduler that is there outlives many."""
_LOCK = Lock()


@dataclass(frozen=True)
class WorkerFacts:
    """What a worker is.

    Parameters
    ----------
    versions
        Of packages, by name.
    threads
        How many calls it would run at a time.
    resources
        That it announces.
    memory_bytes
        At which it is ended, or 0 for no limit.
    """

    versions: Mapping[str, str]
    threads: int
    resources: Mapping[str, float]
    memory_bytes: int


def facts(dask_worker: Any) -> WorkerFacts:
    """Return what this worker is; Dask passes the worker."""
    state = dask_worker.state
    memory = dask_worker.memory_manager.memory_limit or 0
    return WorkerFacts(counted_versions(), state.nthreads, dict(state.total_resources), memory)


def call(of: CallId, is_stopped: bool, tells: bool, payload: bytes) -> bytes:
    """Call a function, and return what it returns, both pickled: Dask would look into all that they hold."""
    flag = Flag()
    with _LOCK:
        _RUNNING[of] = flag
        if is_stopped or not _ENDED.isdisjoint((of, (of[0], 0))):
            flag.set()
    before = CURRENT.set(flag)
    try:
        fn, args, kwargs = pickle.loads(payload)
        with telling(partial(_tell, of)) if tells else nullcontext():
            return pickle.dumps(fn(*args, **kwargs))
    finally:
        CURRENT.reset(before)
        with _LOCK:
            del _RUNNING[of]


def end_calls(of: CallId) -> None:
    """Set the flag of a call, or of all of a run."""
    with _LOCK:
        _ENDED.add(of)
        for one, flag in _RUNNING.items():
            if of in (one, (one[0], 0)):
                flag.set()


def _tell(of: CallId, message: bytes) -> None:
    from distributed import get_worker

    get_worker().log_event(topic(of[0]), (of[1], message))


def topic(run: str) -> str:
    """Return the topic under which a run's calls tell."""
    return f"hypar-opt-{run}"
