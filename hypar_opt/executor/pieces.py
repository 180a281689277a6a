"""Handing pieces to workers: in batches that last long enough, never many ahead, and each alone once one kills."""

from __future__ import annotations

import pickle
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from hypar_opt.executor.process import CURRENT
from hypar_opt.executor.workers import KilledWorkers, LostWorkers, Workers
from hypar_opt.formulation.run import Limits
from hypar_opt.util.errors import HyparError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from hypar_opt.formulation.progress.tracker import Tracker

P = TypeVar("P")
R = TypeVar("R")
BATCH_S: Final = 0.25
"""Pieces are handed out in batches that take about as long: what handing out costs is then below a hundredth of it."""
BATCH_S_A_WORKER: Final = 0.002
"""Batches of many workers take so much longer, as whoever hands them out does so one after the other: a scheduler that
spends a millisecond on each is busy half of its time (reports/benchmarks/handing_out.md)."""
MOST: Final = 1024
"""Pieces in a batch."""
AHEAD: Final = 2
"""Batches given out for every worker, so that none waits."""
LOOK_S: Final = 0.1
"""How often it is looked whether all is to stop."""


@dataclass(frozen=True)
class PieceResult(Generic[P, R]):
    """What came of a piece.

    Parameters
    ----------
    index
        Of the piece, from 0.
    piece
        As it was given.
    result
        What the function returned; None where the piece was set aside.
    killed
        Why the piece was set aside: it killed its workers. Nothing otherwise.
    running
        How many pieces were given out and not done when this one came.
    seconds
        How long the function took.
    """

    index: int
    piece: P
    result: R | None
    killed: str = ""
    running: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class _SentLimits:
    """Limits without what belongs to one process; times on the clock of `time.time`, which machines share roughly."""

    until: float | None
    seed: int
    workers: int
    memory_bytes: int

    @classmethod
    def of(cls, limits: Limits) -> _SentLimits:
        left = limits.remaining_s()
        return cls(None if left is None else time.time() + left, limits.seed, limits.workers, limits.memory_bytes)

    def here(self) -> Limits:
        until = None if self.until is None else time.monotonic() + self.until - time.time()
        return Limits(until, self.seed, self.workers, self.memory_bytes, CURRENT.get())


_Numbered: TypeAlias = "tuple[int, P]"


def run_pieces(
    workers: Workers | None,
    function: Callable[[P, Limits], R],
    pieces: Iterable[P],
    limits: Limits,
    tracker: Tracker | None = None,
    *,
    most: int = MOST,
) -> Iterator[PieceResult[P, R]]:
    """Yield what comes of pieces, in the order in which it comes, until all are done or the limits are over.

    Pieces are drawn as they are needed, some batches ahead of what is done. When the limits are over nothing more is
    given out, calls that run are told to stop, and what they return is yielded.

    Parameters
    ----------
    workers
        Who runs them; None for this process, one after the other.
    function
        Called with a piece and the limits of the call; a module's function, and the same result whoever calls it.
    pieces
        Values that can be pickled.
    limits
        Of all: deadline, seed, threads and memory of a call, and the flag that stops the run.
    tracker
        Told of every piece, as one unit: how many are done, running and set aside, and how long each took. Its kinds,
        if it has some, are in the order of the pieces. Whoever gives it counts nothing by hand. One whose units are
        no pieces is not given, and counted by `add`.
    most
        Pieces in a batch; 1 where one may take far longer than the last, so that nobody waits behind it.

    Raises
    ------
    LostWorkers
        If nobody can run the pieces that are left; where `Workers.hear_fault` is told instead, the run is stopped by
        its limits' flag.
    Exception
        Whatever the function raises: the pieces that wait are cancelled then.
    RuntimeError
        If an earlier run was over before its end and had to stop the workers.
    """
    numbered = enumerate(pieces)
    if workers is None:
        for index, piece in numbered:
            if limits.over:
                return
            began = time.perf_counter()
            result = function(piece, limits)
            seconds = time.perf_counter() - began
            if tracker is not None:
                tracker.add()
            yield PieceResult(index, piece, result, seconds=seconds)
        return
    yield from _Handing(workers, function, numbered, limits, tracker, most).results()


def batch_s(count: int) -> float:
    """Return how many seconds a batch is to take where so many workers are given some."""
    return max(BATCH_S, BATCH_S_A_WORKER * count)


class _Handing(Generic[P, R]):
    """The batches that are given out, and how large the next is."""

    def __init__(
        self,
        workers: Workers,
        function: Callable[[P, Limits], R],
        left: Iterator[_Numbered[P]],
        limits: Limits,
        tracker: Tracker | None,
        most: int,
    ) -> None:
        self._workers, self._function, self._left, self._limits = workers, function, left, limits
        self._tracker, self._most = tracker, most
        self._alone: deque[_Numbered[P]] = deque()
        """Pieces of batches that killed their workers: one of them does, and is found by itself. Those as well that a
        worker left whose clock says that the time is over, where this one's does not."""
        self._suspects: deque[_Numbered[P]] = deque()
        """Pieces whose workers died, where others may be to blame: each is tried at the end, by itself."""
        self._tried: _Numbered[P] | None = None
        self._running: dict[Future[tuple[list[R], list[float]]], list[_Numbered[P]]] = {}
        self._size = 1

    def results(self) -> Iterator[PieceResult[P, R]]:
        """Yield what comes of all."""
        if self._workers.is_stopped and not self._limits.over:
            raise RuntimeError("these workers were stopped, and would end all that they are given at once: open others")
        try:
            while not self._limits.over:
                while len(self._running) < AHEAD * self._workers.count and (batch := self._next()):
                    self._submit(batch)
                if self._tracker is not None:
                    self._tracker.begin(self._at_once(), self._workers.count)
                if not self._running:
                    return
                yield from self._ended(wait(self._running, LOOK_S, FIRST_COMPLETED).done)
            for future in [one for one in self._running if one.cancel()]:
                del self._running[future]
            if self._running:
                self._stop()
            while self._running:
                yield from self._ended(wait(self._running, None, FIRST_COMPLETED).done)
        finally:
            # after an error, or once nobody takes what comes: what runs ends soon, and nothing waits for it
            if [future for future in self._running if not (future.cancel() or future.done())]:
                self._stop()

    def _stop(self) -> None:
        self._workers.is_stopped = True
        self._workers.stop()

    def _at_once(self) -> int:
        """Return how many pieces are run now: of a batch one after the other."""
        return min(len(self._running), self._workers.count)

    def _next(self) -> list[_Numbered[P]]:
        if self._alone:
            return [self._alone.popleft()]
        batch = [*islice(self._left, self._size)]
        if not batch and self._suspects and not self._running:
            self._tried = self._suspects.popleft()
            return [self._tried]
        return batch

    def _submit(self, batch: list[_Numbered[P]]) -> None:
        sent = _SentLimits.of(self._limits)
        future = self._workers.submit(run_batch, self._function, [piece for _, piece in batch], sent)
        self._running[future] = batch

    def _ended(self, futures: Iterable[Future[tuple[list[R], list[float]]]]) -> Iterator[PieceResult[P, R]]:
        for future in futures:
            batch = self._running.pop(future)
            running = sum(map(len, self._running.values()))
            try:
                found, seconds = future.result()
            except CancelledError as error:
                if not self._limits.over:
                    raise HyparError(f"pieces were cancelled that are not done: {error}") from error
                # its worker went away when all was to stop
                continue
            except KilledWorkers as error:
                yield from self._killed(batch, str(error), running)
                continue
            except LostWorkers as error:
                self._workers.end_lost(error, self._limits)
                continue
            self._alone.extend(batch[len(found) :])
            took = sum(seconds)
            wanted = int(batch_s(self._workers.count) * len(batch) / took) if took else MOST
            self._size = max(1, min(self._most, wanted, 4 * self._size))
            self._tell({index: one for (index, _), one in zip(batch, seconds, strict=False)}, [])
            for (index, piece), result, one in zip(batch, found, seconds, strict=False):
                yield PieceResult(index, piece, result, running=running, seconds=one)

    def _killed(self, batch: list[_Numbered[P]], why: str, running: int) -> Iterator[PieceResult[P, R]]:
        """Set the piece aside that is to blame, or have those tried of which one is."""
        is_sure = self._workers.blames_one
        if len(batch) == 1 and (is_sure or batch[0] is self._tried):
            self._tell({}, [index for index, _ in batch])
            yield PieceResult(*batch[0], None, why, running)
        else:
            (self._alone if is_sure else self._suspects).extend(batch)

    def _tell(self, ended: Mapping[int, float], failed: Collection[int]) -> None:
        if self._tracker is not None:
            self._tracker.end(ended, self._at_once(), failed)


def submit_piece(
    workers: Workers,
    function: Callable[[P, Limits], R],
    piece: P,
    limits: Limits,
    hear: Callable[[bytes], None] | None = None,
) -> Future[tuple[list[R], list[float]]]:
    """Hand one piece to workers, by itself, for who wants to cancel it or to hear what it tells.

    Returns
    -------
    What `run_batch` returns of it.
    """
    sent = _SentLimits.of(limits)
    if hear is None:
        return workers.submit(run_batch, function, [piece], sent)
    return workers.submit_heard(hear, run_batch, function, [piece], sent)


def run_batch(function: Callable[[P, Limits], R], batch: Sequence[P], sent: _SentLimits) -> tuple[list[R], list[float]]:
    """Run pieces one after the other, in a worker, until all are done or the limits are over.

    Returns
    -------
    Results, of the first pieces if it was stopped, and the seconds that each took.

    Raises
    ------
    Exception
        What the function raises, or an error with its text where it would not survive its way.
    """
    limits, began = sent.here(), time.perf_counter()
    found: list[R] = []
    seconds: list[float] = []
    for piece in batch:
        if limits.over and found:
            break
        found.append(_called(function, piece, limits))
        ended = time.perf_counter()
        seconds.append(ended - began)
        began = ended
    return found, seconds


def _called(function: Callable[[P, Limits], R], piece: P, limits: Limits) -> R:
    """Return what a function returns, or raise what it raises in a form that travels.

    An error that pickle does not bring back would look like a death to some engines. It does not stand behind the one
    that is raised instead, either: Dask sends that along.
    """
    try:
        return function(piece, limits)
    except Exception as error:  # noqa: BLE001 - raised again
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # noqa: BLE001 - whatever the error's class does
            said = str(error) if isinstance(error, HyparError) else f"{type(error).__name__}: {error}"
        else:
            raise
    raise HyparError(said)
