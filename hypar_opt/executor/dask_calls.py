"""What is run in a worker of Dask: calls, with the flag that ends those of one run, and what the worker is."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from threading import Event as Flag
from typing import TYPE_CHECKING, Any

from hypar_opt.executor.local import CURRENT
from hypar_opt.util.extras import counted_versions

if TYPE_CHECKING:
    from collections.abc import Mapping

_FLAGS: dict[str, Flag] = {}
"""By run: a worker of a scheduler that is there outlives many."""


@dataclass(frozen=True)
class Facts:
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


def facts(dask_worker: Any) -> Facts:
    """Return what this worker is; Dask passes the worker."""
    state = dask_worker.state
    memory = dask_worker.memory_manager.memory_limit or 0
    return Facts(counted_versions(), state.nthreads, dict(state.total_resources), memory)


def call(run: str, stopped: bool, payload: bytes) -> bytes:
    """Call a function, and return what it returns, both pickled: Dask would look into all that they hold."""
    flag = _FLAGS.setdefault(run, Flag())
    if stopped:
        flag.set()
    before = CURRENT.set(flag)
    try:
        fn, args, kwargs = pickle.loads(payload)
        return pickle.dumps(fn(*args, **kwargs))
    finally:
        CURRENT.reset(before)


def end_calls(run: str) -> None:
    """Set the flag of a run's calls."""
    _FLAGS.setdefault(run, Flag()).set()
