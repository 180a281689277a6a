"""A call of a function by a worker of Dask, and how it is sent."""

from __future__ import annotations

import uuid
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hypar_opt.executor.dask import inside
from hypar_opt.executor.workers import DEATHS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


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
    cuts
        How many workers ran it that left, as those do whose time is up.
    """

    number: int
    payload: bytes
    hear: Callable[[bytes], None] | None
    future: Future[Any] = field(default_factory=Future)
    sent: Any = None
    cuts: int = 0


def cut_by(said: Mapping[str, Any], calls: Iterable[Call]) -> list[Call]:
    """Count the calls that a worker ran which left, as Dask does not, and return those not to be run once more.

    Parameters
    ----------
    said
        The scheduler's event of a worker that goes.
    """
    keys = said.get("processing-tasks", ()) if said.get("expected") else ()
    found = [one for one in calls if one.sent is not None and one.sent.key in keys]
    for one in found:
        one.cuts += 1
    return [one for one in found if one.cuts == DEATHS]


def sent(client: Any, arguments: tuple[object, ...]) -> Any:
    """Return Dask's future of a call.

    `_data_producer` has the scheduler keep the call in its queue until a worker has room, as it does with tasks that
    load data; without it some are put in line at workers, and blamed for the death of one that they stand behind.
    """
    from dask.task_spec import Task

    key = f"hypar-opt-{uuid.uuid4().hex}"
    return client.get({key: Task(key, inside.call, *arguments, _data_producer=True)}, key, sync=False)


async def waiting(client: Any, calls: Iterable[Call], *, has_workers: bool) -> list[Call]:
    """Return the calls that were sent, and that no worker has, nor has done."""
    had = {key for keys in (await client.processing()).values() for key in keys} if has_workers else ()
    # Dask raises an error where one was cancelled before
    found = [one for one in calls if one.sent is not None and one.sent.key not in had and not one.sent.cancelled()]
    done = await client.who_has([one.sent for one in found]) if found else {}
    return [one for one in found if not done.get(one.sent.key)]
