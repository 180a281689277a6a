"""A call of a function by a worker of Dask, and how it is sent."""

from __future__ import annotations

import uuid
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hypar_opt.executor.dask import inside

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(eq=False)
class Call:
    """A call that waits or runs.

    Parameters
    ----------
    number
        From 1.
    payload
        Function and arguments, pickled.
    hear
        Takes what it tells.
    future
        Of its result.
    sent
        Dask's future of it, once it is sent.
    """

    number: int
    payload: bytes
    hear: Callable[[bytes], None] | None
    future: Future[Any] = field(default_factory=Future)
    sent: Any = None


def sent(client: Any, arguments: tuple[object, ...]) -> Any:
    """Return Dask's future of a call.

    `_data_producer` has the scheduler keep the call in its queue until a worker has room, as it does with tasks that
    load data; without it some are put in line at workers, and blamed for the death of one that they stand behind.
    """
    from dask.task_spec import Task

    key = f"hypar-opt-{uuid.uuid4().hex}"
    return client.get({key: Task(key, inside.call, *arguments, _data_producer=True)}, key, sync=False)
