"""Workers that run calls in this process, as they are submitted: what tests hand pieces to without starting any."""

from __future__ import annotations

import pickle
from concurrent.futures import Future

from hypar_opt.executor import KilledWorkers, Workers


class Here(Workers):
    """Runs calls on copies, as processes do; those with a fatal piece kill all workers that run them.

    Parameters
    ----------
    fatal
        Whether a piece is.
    """

    count, text = 2, "this process"

    def __init__(self, fatal=lambda piece: False):
        self.fatal, self.batches = fatal, []

    def submit(self, fn, /, function, batch, *sent):
        future = Future()
        self.batches.append(batch)
        if any(self.fatal(piece) for piece in batch):
            future.set_exception(KilledWorkers("3 processes died while they ran it"))
        else:
            future.set_result(copied(fn(*copied((function, batch, *sent)))))
        return future

    def stop(self):
        pass

    def cancel(self, future):
        future.cancel()


def copied(value):
    """Return what another process gets of a value."""
    return pickle.loads(pickle.dumps(value))
