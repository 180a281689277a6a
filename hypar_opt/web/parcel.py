"""What travels between the server and a job that runs elsewhere."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import AfterValidator, Field, model_validator

from hypar_opt.instance.fields import Spec, refusal
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError
from hypar_opt.web.job_files import (
    CERTIFICATE,
    ERRORS,
    EVENTS,
    INSTANCE,
    JOB,
    MOST_STORED,
    OUTCOME,
    PICTURE,
    PLAN,
    REPORT,
    START,
    checked,
    parsed,
    plan_of,
)  # fmt: skip
from hypar_opt.web.job_request import MOST_FORMULATIONS
from hypar_opt.web.settings import GIB, MIB

if TYPE_CHECKING:
    from pathlib import Path

MOST_RETURNED: Final = GIB
"""Bytes of all that a job brings back."""
MOST_FILES: Final = 10_000
"""Files that a job brings back."""
MOST_TOLD: Final = MIB
"""Bytes of what is told at once."""
MOST_HEAD: Final = 1024
"""Bytes of the first line of what is told."""
PLANS: Final = tuple(plan_of(position) for position in range(MOST_FORMULATIONS))
TOLD: Final = (PLAN, PICTURE, CERTIFICATE, *PLANS, OUTCOME)
"""Files that are shown before a job's end, the outcome last: it stands only where the others do."""
LEFT: Final = (OUTCOME, EVENTS, ERRORS, PLAN, PICTURE, CERTIFICATE, *PLANS)
"""Files that a job leaves beside its report, the weightiest first."""
_REPORTED: Final = re.compile(rf"{REPORT}(/[A-Za-z0-9_][A-Za-z0-9_.+-]{{0,199}}){{1,4}}")


def _known(name: str) -> str:
    """Return a name in a job's folder, or refuse."""
    if name not in LEFT and not _REPORTED.fullmatch(name):
        raise refusal(f"expected a file that a job leaves, got {shown(name)}")
    return name


def is_known(name: str) -> bool:
    """Return whether a job may leave a file of a name."""
    return name in LEFT or _REPORTED.fullmatch(name) is not None


LeftName = Annotated[str, AfterValidator(_known)]
Attempt = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8}$")]


@dataclass(frozen=True)
class JobParcel:
    """A job on its way out: all that its outcome depends on.

    Parameters
    ----------
    time_s
        That it may take.
    files
        What stands in its folder, by name.
    """

    time_s: float
    files: dict[str, bytes]

    @classmethod
    def of(cls, folder: Path, time_s: float) -> JobParcel:
        """Return the job of a folder.

        Raises
        ------
        OSError
            If it cannot be read.
        """
        names = (INSTANCE, START, JOB)
        return cls(time_s, {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()})

    def unpack(self, folder: Path) -> None:
        """Put it into an empty folder."""
        for name, content in self.files.items():
            (folder / name).write_bytes(content)


class JobAnswer(Spec):
    """A job on its way back."""

    attempt: Attempt = Field(description="a random name of this run of the job")
    said: str = Field(max_length=10_000, description="how its process ended")
    files: dict[LeftName, bytes] = Field(max_length=MOST_FILES, description="what it left, by names in its folder")
    lost: bool = Field(False, description="whether some of it was too much")

    @model_validator(mode="after")
    def _is_small(self) -> JobAnswer:
        size = sum(map(len, self.files.values()))
        if size > MOST_RETURNED:
            raise refusal(f"expected at most {MOST_RETURNED // MIB:,} MiB, got {size / MIB:,.1f} MiB", "files")
        for name in (OUTCOME, PICTURE):
            if len(self.files.get(name, b"")) > MOST_STORED:
                raise refusal(f"expected at most {MOST_STORED // MIB} MiB of {name}", "files")
        return self


class ToldHead(Spec):
    """Of what a job tells on the way."""

    attempt: Attempt = Field(description="a random name of this run of the job")
    name: LeftName = Field(description="the file that it belongs to")
    at: int = Field(0, ge=0, description="of events: behind how many bytes")


def message(head: ToldHead, content: bytes) -> bytes:
    """Return what is told: a line of JSON, and what stands in the file."""
    return head.model_dump_json().encode() + b"\n" + content


def read_message(told: object) -> tuple[ToldHead, bytes]:
    """Return what was told.

    Raises
    ------
    InputError
        If it is too large or no such thing.
    """
    if type(told) is not bytes:
        raise InputError(f"expected bytes, got {type(told).__name__}")
    line, _, content = told.partition(b"\n")
    if len(line) > MOST_HEAD or len(content) > MOST_TOLD:
        raise InputError(f"expected at most {MOST_TOLD // MIB} MiB, got {len(told) / MIB:,.1f} MiB")
    return checked(parsed(line, "what was told"), ToldHead), content


def event_line(text: str) -> bytes:
    """Return a step of the server's own as a line of a job's events."""
    return json.dumps({"event": "phase", "time_s": 0.0, "source": "server", "text": text}).encode() + b"\n"
