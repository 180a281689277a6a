"""The lines of a worker's file of events, as it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import Field, model_validator

from hypar_opt.errors import InputError
from hypar_opt.instance.fields import Spec, refusal
from hypar_opt.serving.stored import checked, is_regular, parsed

if TYPE_CHECKING:
    from pathlib import Path

MOST_READ: Final = 2**20
"""Bytes of the file a look, and of a line."""


class Event(Spec):
    """What a worker tells."""

    event: Literal["phase", "progress", "incumbent", "bound"] = Field(description="its kind")
    time_s: float = Field(allow_inf_nan=False, description="since the worker began")
    source: str = Field(description="who tells it")
    text: str = Field("", description="in words")
    value: int | str | None = Field(None, description="exact")
    near: float | None = Field(None, allow_inf_nan=False, description="the value, for drawing")
    shown: str | None = Field(None, description="the value, for reading")

    @model_validator(mode="after")
    def _has_value(self) -> Event:
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
                self.is_done = True
                break
        if len(self._rest) > MOST_READ and not self._is_damaged:
            self.number += 1
            found.append((self.number, self._fault(f"{self._path.name}:{self.number}: longer than a line can be")))
            self.is_done = True
        return found

    def _event(self, line: bytes) -> dict[str, Any]:
        name = self._path.name
        try:
            event = checked(parsed(line, name, self.number), Event, name, self.number)
        except InputError as error:
            return self._fault(str(error))
        return event.model_dump(exclude_unset=True)

    def _fault(self, said: str) -> dict[str, Any]:
        self._is_damaged, self._rest = True, b""
        return {"event": "phase", "time_s": 0.0, "source": "server", "text": f"the log is damaged: {said}"}
