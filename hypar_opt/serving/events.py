"""A job's events on their way to whoever watches: from the file that its worker writes, as long as somebody reads."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.serving.lines import Lines

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from hypar_opt.serving.store import Store

PAUSE_S: Final = 0.25
"""Between two looks at a job's file."""
SILENCE_S: Final = 15.0
"""After which a sign of life is sent."""


async def events_of(
    store: Store, job: str, path: Path, closing: Callable[[], bool], after: int = 0
) -> AsyncIterator[tuple[int, dict[str, Any] | None]]:
    """Yield a job's events with their numbers, and its states as they change; the last is its end.

    Parameters
    ----------
    path
        The worker's file.
    closing
        Says when the server stops.
    after
        The number of the last event that is known already.

    Yields
    ------
    Number and event; None as the event is a sign of life.
    """
    reader = Lines(path)
    told: dict[str, Any] | None = None
    silent = 0.0
    while not closing():
        found = store.get(job)
        if found is None:
            return
        over = found.is_over  # looked at before the file, which is complete by then
        state = {"event": "state", "state": found.state, "position": store.position(job), "error": found.error}
        silent += PAUSE_S
        if state != told and not over:
            told, silent = state, 0.0
            yield reader.number, state
        for number, event in reader.more():
            if number > after:
                silent = 0.0
                yield number, event
        if over and reader.is_done:
            yield reader.number, {**state, "event": "end", "headline": found.headline}
            return
        if silent >= SILENCE_S:
            silent = 0.0
            yield reader.number, None
        await asyncio.sleep(0 if not reader.is_done else PAUSE_S)


def as_stream(number: int, event: dict[str, Any] | None) -> str:
    """Return an event as browsers' event streams have it."""
    return ": still here\n\n" if event is None else f"id: {number}\ndata: {json.dumps(event)}\n\n"


def as_line(_: int, event: dict[str, Any] | None) -> str:
    """Return an event as a JSON line."""
    return "" if event is None else json.dumps(event) + "\n"
