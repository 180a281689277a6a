"""What the form begins with: nothing, or what a job was asked for, to be changed and asked again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hypar_opt.util.errors import InputError
from hypar_opt.web.form import instance_text
from hypar_opt.web.job_files import INSTANCE, JOB, START, is_regular, read_stored
from hypar_opt.web.job_request import Asked, Order, offered_instances
from hypar_opt.web.settings import MIB

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.web.store import Job

MOST_EDITED: Final = MIB
"""Bytes of a text that the form shows; a browser can hardly edit more."""


@dataclass(frozen=True)
class Draft:
    """What stands in the form.

    Parameters
    ----------
    asked
        The formulations, overrides and limits; its texts stand in the other fields.
    text, start
        Of the instance, and of the plan to start from.
    shipped
        The name of the shipped instance that the text is, where it is one.
    of
        The job that it was asked for, where it was one.
    missing
        What of the job cannot be shown, and why, in sentences.
    """

    asked: Asked
    text: str = ""
    start: str = ""
    shipped: str = ""
    of: Job | None = None
    missing: tuple[str, ...] = ()


def empty_draft() -> Draft:
    """Return what stands in the form of a new job."""
    return Draft(Asked(instance="", report=True))


def asked_of(folder: Path) -> Asked:
    """Return what the job of a folder was asked for, but for its texts.

    Raises
    ------
    InputError
        If what is stored of it is damaged; names the file and the field.
    """
    if not is_regular(folder / INSTANCE):
        raise InputError("expected a regular file", file=INSTANCE)
    return read_stored(folder / JOB, Order).asked


def draft_of(job: Job, folder: Path) -> Draft:
    """Return what a job was asked for.

    Parameters
    ----------
    folder
        The job's.

    Raises
    ------
    InputError
        If what is stored of it is damaged; names the file and the field.
    """
    asked = asked_of(folder)
    missing = []
    text, start = _text(folder / INSTANCE), _text(folder / START) if is_regular(folder / START) else ""
    if text is None:
        missing.append("Its instance is too large to be edited here: choose its file again.")
    if start is None:
        missing.append("The plan that it started from is too large to be edited here: choose its file again.")
    is_shipped = job.label in offered_instances() and text == instance_text(job.label)
    return Draft(asked, text or "", start or "", job.label if is_shipped else "", job, tuple(missing))


def _text(path: Path) -> str | None:
    """Return a file's text, or None where it is too large; what is no text in it is replaced."""
    with path.open("rb") as stream:
        content = stream.read(MOST_EDITED + 1)
    return None if len(content) > MOST_EDITED else content.decode(errors="replace").replace("\r\n", "\n")
