"""Workers that are none: what is handed to them is run here, at once."""

from __future__ import annotations

import pickle
from concurrent.futures import Future

from hypar_opt.executor import KilledWorkers, LostWorkers, Workers


class Here(Workers):
    """Calls in this process, through pickle as if they were sent.

    Parameters
    ----------
    change
        From a result to what comes back of it; may raise `KilledWorkers` and `LostWorkers`.
    """

    count = 2
    text = "this process"

    def __init__(self, change=lambda result: result):
        self.change = change

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        sent = pickle.loads(pickle.dumps((fn, args, kwargs)))
        try:
            found = sent[0](*sent[1], **sent[2])
            future.set_result(self.change(pickle.loads(pickle.dumps(found))))
        except (KilledWorkers, LostWorkers) as error:
            future.set_exception(error)
        return future

    def stop(self):
        pass

    def cancel(self, future):
        future.cancel()
