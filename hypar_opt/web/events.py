"""A job's events on their way to whoever watches: from the file that its worker writes, as long as somebody reads."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import Field, model_validator

from hypar_opt.instance.fields import Spec, refusal
from hypar_opt.util.errors import InputError
from hypar_opt.web.job_files import checked, is_regular, parsed
from hypar_opt.web.outcome import edition

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from hypar_opt.web.store import JobStore


MOST_READ: Final = 2**20
"""Bytes of the file a look, and of a line."""


class JobEvent(Spec):
    """What a worker tells."""

    event: Literal["phase", "progress", "incumbent", "bound"] = Field(description="its kind")
    time_s: float = Field(allow_inf_nan=False, description="since the worker began")
    source: str = Field(description="who tells it")
    text: str = Field("", description="in words")
    value: int | str | None = Field(None, description="exact")
    near: float | None = Field(None, allow_inf_nan=False, description="the value, for drawing: in its unit")
    unit: str = Field("", description="of that; none where an objective weighs several components")
    shown: str | None = Field(None, description="the value, for reading")

    @model_validator(mode="after")
    def _has_value(self) -> JobEvent:
        if self.event in ("incumbent", "bound") and None in (self.value, self.near, self.shown):
            raise refusal(f"expected value, near and shown of the {self.event}")
        return self


class Lines:
    """The complete lines of a file that grows; what is no event is told as a fault, once for a damaged file."""

    def __init__(self, path: Path) -> None:
        self._path, self._at, self._rest = path, 0, b""
        self._is_damaged = False
        self.number = 0
        self.is_done = True

    def more(self) -> list[tuple[int, dict[str, Any]]]:
        """Return what has come since the last look."""
        if self._is_damaged or not is_regular(self._path):
            return []
        try:
            with self._path.open("rb") as stream:
                stream.seek(self._at)
                chunk = stream.read(MOST_READ)
        except OSError:
            return []
        self._at += len(chunk)
        self.is_done = len(chunk) < MOST_READ
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        found = []
        for line in lines:
            self.number += 1
            found.append((self.number, self._event(line)))
            if self._is_damaged:
                break
        if len(self._rest) > MOST_READ and not self._is_damaged:
            self.number += 1
            found.append((self.number, self._fault(f"{self._path.name}:{self.number}: longer than a line can be")))
        self.is_done = self.is_done or self._is_damaged
        return found

    def _event(self, line: bytes) -> dict[str, Any]:
        name = self._path.name
        try:
            event = checked(parsed(line, name, self.number), JobEvent, name, self.number)
        except InputError as error:
            return self._fault(str(error))
        return event.model_dump(exclude_unset=True)

    def _fault(self, said: str) -> dict[str, Any]:
        self._is_damaged, self._rest = True, b""
        return {"event": "phase", "time_s": 0.0, "source": "server", "text": f"the log is damaged: {said}"}


PAUSE_S: Final = 0.25
"""Between two looks at a job's file."""
SILENCE_S: Final = 15.0
"""After which a sign of life is sent."""


async def events_of(
    store: JobStore, job: str, path: Path, closing: Callable[[], bool], after: int = 0
) -> AsyncIterator[tuple[int, dict[str, Any] | None]]:
    """Yield a job's events with their numbers, and its states as they change; the last is its end.

    A state has an `outcome` once more of the job can be seen than its events, and another each time that more can.

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
        shown = "" if over else edition(path.parent)
        silent += PAUSE_S
        if not over and (now := state | ({"outcome": shown} if shown else {})) != told:
            told, silent = now, 0.0
            yield reader.number, now
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
