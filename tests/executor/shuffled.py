"""Workers in a thread of this process, in whatever order: what comes of pieces must not depend on it."""

from __future__ import annotations

import pickle
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from threading import Lock

from hypar_opt.executor.workers import KilledWorkers, Workers

KILLED = "3 processes died while they ran it"


class ShuffledWorkers(Workers):
    """Runs any of the calls that wait; some of their pieces kill it."""

    def __init__(self, seed, kills=lambda piece: False):
        self._random, self._kills = Random(seed), kills
        self._waiting, self._lock, self._thread = [], Lock(), ThreadPoolExecutor(1)

    @property
    def count(self):
        return 3

    @property
    def text(self):
        return "3 shuffled workers"

    def stop(self):
        pass

    def cancel(self, future):
        future.cancel()

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        with self._lock:
            self._waiting.append((future, pickle.dumps((fn, args))))
        self._thread.submit(self._run_one)
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._thread.shutdown(wait, cancel_futures=cancel_futures)

    def _run_one(self):
        with self._lock:
            future, call = self._waiting.pop(self._random.randrange(len(self._waiting)))
        if not future.set_running_or_notify_cancel():
            return
        fn, (function, batch, limits) = pickle.loads(call)
        if any(map(self._kills, batch)):
            future.set_exception(KilledWorkers(KILLED))
            return
        try:
            future.set_result(pickle.loads(pickle.dumps(fn(function, batch, limits))))
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)
