"""A worker that leaves signals to its parent ends when the parent says so."""

import os
import signal
from multiprocessing import get_context

from hypar_opt.util.processes import leave_signals


def wait_forever(ready, end):
    leave_signals(end)
    ready.send(os.getpid())
    signal.pause()


def test_a_worker_that_leaves_signals_alone_ends_when_the_pipe_to_it_is_closed():
    context = get_context("spawn")
    hears, ready = context.Pipe(duplex=False)
    held, end = context.Pipe(duplex=False)
    worker = context.Process(target=wait_forever, args=(ready, held), daemon=True)
    worker.start()
    try:
        assert hears.recv() == worker.pid
        worker.terminate()
        worker.join(0.1)
        assert worker.is_alive()
        end.close()
        worker.join(30)
        assert worker.exitcode == 1
    finally:
        worker.kill()
