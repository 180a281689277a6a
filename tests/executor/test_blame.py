"""What is set aside where a death is blamed on all calls that stood in line: the piece that kills, and no other."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

from executor.fruits import squared
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.executor import KilledWorkers, Workers, run_pieces
from hypar_opt.formulation.run import Limits


class BlamingWorkers(Workers):
    """A thread that runs all calls that wait as one: a piece that kills takes the others along.

    Parameters
    ----------
    kills
        The pieces that kill.
    blames_one
        What they say of themselves.
    least
        How many calls it waits for.
    """

    def __init__(self, kills, blames_one=False, least=1):
        self._kills, self._blames_one, self._least = kills, blames_one, least
        self._line, self._lock, self._thread = [], Lock(), ThreadPoolExecutor(1)

    @property
    def count(self):
        return 2

    @property
    def text(self):
        return "workers that blame"

    @property
    def blames_one(self):
        return self._blames_one

    def stop(self):
        pass

    def cancel(self, future):
        future.cancel()

    def submit(self, fn, /, *arguments):
        future = Future()
        with self._lock:
            self._line.append((future, fn, arguments))
        self._thread.submit(self._run)
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._thread.shutdown(wait, cancel_futures=cancel_futures)

    def _run(self):
        while 0 < len(self._line) < self._least:
            time.sleep(0.001)
        with self._lock:
            line, self._line = self._line, []
        is_killed = any(one in self._kills for _, _, (_, batch, _) in line for one in batch)
        for future, fn, arguments in line:
            if is_killed:
                future.set_exception(KilledWorkers("4 workers died"))
            else:
                future.set_result(fn(*arguments))


@given(st.sets(st.integers(0, 29), max_size=4))
def test_what_kills_is_set_aside_and_all_else_is_done_once(kills):
    with BlamingWorkers(kills) as workers:
        found = sorted(
            (one.index, one.result, bool(one.killed)) for one in run_pieces(workers, squared, range(30), Limits())
        )
    assert found == [(one, None if one in kills else one * one, one in kills) for one in range(30)]


def test_who_says_to_blame_one_is_believed():
    """Which is why those whose scheduler may put calls in line behind others do not say it."""
    with BlamingWorkers({1}, blames_one=True, least=2) as workers:
        assert [one.killed for one in run_pieces(workers, squared, [0, 1], Limits())] == ["4 workers died"] * 2
