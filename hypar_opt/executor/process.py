"""A process of this machine in a pool of its own, and the pipe by which it is stopped and tells."""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import suppress
from contextvars import ContextVar
from threading import Event as Flag
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hypar_opt.executor.telling import telling
from hypar_opt.util.processes import leave_signals, signals_held_back

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnContext

R = TypeVar("R")
LISTEN_S: Final = 0.1
"""Between two looks at what a call has told."""
STOP = Flag()
"""In a worker: set when what runs in it is to end with what it has; a process that was stopped runs nothing else."""
CURRENT: Final[ContextVar[Flag]] = ContextVar("hypar_opt_flag", default=STOP)
"""In a worker: the flag of the call that runs here; one of its own where workers outlive those who submit."""
_PIPES: list[Connection] = []
"""In a worker: the one to its parent."""


class WorkerProcess:
    """A process that runs one call at a time; it is begun with the first.

    Parameters
    ----------
    context
        In which it is made.
    """

    def __init__(self, context: SpawnContext) -> None:
        self._pipe, self._other = context.Pipe()
        self._pool = ProcessPoolExecutor(1, context, _begin, (self._other,))
        self.is_stopped = False

    def call(self, hear: Callable[[bytes], None] | None, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> R:
        """Return what a function returns in the process, and pass on what it tells.

        Raises
        ------
        BrokenProcessPool
            If the process dies of it.
        """
        if hear is None:
            return self._submit(fn, *args, **kwargs).result()
        future: Future[R] = self._submit(_call_telling, fn, *args, **kwargs)
        while not wait((future,), LISTEN_S).done:
            self._pass_on(hear)
        self._pass_on(hear)
        return future.result()

    def stop(self) -> None:
        """Set the flag of what runs, or will run, in the process."""
        if not self.is_stopped:
            self.is_stopped = True
            with suppress(OSError):  # it has ended
                self._pipe.send_bytes(b"stop")

    def shutdown(self) -> None:
        """End the process, once what it runs is done."""
        self._pool.shutdown()
        self._pipe.close()

    def _submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        with signals_held_back():
            future = self._pool.submit(fn, *args, **kwargs)
        self._other.close()  # the process has it by now, and its end is the pipe's
        return future

    def _pass_on(self, hear: Callable[[bytes], None]) -> None:
        with suppress(EOFError, OSError):
            while self._pipe.poll():
                hear(self._pipe.recv_bytes())


def _begin(pipe: Connection) -> None:
    """Leave signals to the parent, and listen to its pipe instead."""
    leave_signals()
    _PIPES.append(pipe)
    Thread(target=_hear, args=(pipe,), daemon=True).start()


def _hear(pipe: Connection) -> None:
    with suppress(EOFError, OSError):
        pipe.recv_bytes()
    STOP.set()


def _call_telling(fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> R:
    with telling(_PIPES[0].send_bytes):
        return fn(*args, **kwargs)
