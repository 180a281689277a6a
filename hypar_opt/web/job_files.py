"""Reading the files of a job's folder back: whatever stands in them by now is input, and nothing else is opened."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import ValidationError

from hypar_opt.instance.faults import first_fault
from hypar_opt.instance.fields import Spec
from hypar_opt.instance.text import dotted, shown
from hypar_opt.util.errors import InputError
from hypar_opt.web.settings import MIB

if TYPE_CHECKING:
    from pathlib import Path


S = TypeVar("S", bound=Spec)
MOST_STORED: Final = 64 * MIB
"""Bytes of a file that the server reads as a whole."""


def is_regular(path: Path) -> bool:
    """Return whether a path is a file itself: no folder, no pipe, no link to what is elsewhere."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def is_there(path: Path) -> bool:
    """Return whether a name is taken, be it by a link that leads nowhere."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def read_stored(path: Path, kind: type[S], **given: Any) -> S:
    """Read a JSON file of a job's folder.

    Parameters
    ----------
    given
        Fields that are not in the file.

    Raises
    ------
    InputError
        If it is missing, no regular file, too large, no JSON or not what it should be; names the file and the field.
    """
    data = parsed(_content(path), path.name)
    return checked(data | given if isinstance(data, dict) else data, kind, path.name)


def parsed(content: bytes, name: str, line: int | None = None) -> Any:
    """Return what JSON says, in which all numbers are finite.

    Raises
    ------
    InputError
        If it is none.
    """
    try:
        data = json.loads(content, parse_constant=_refuse)
        if b"\\ud" in content.lower():
            json.dumps(data, ensure_ascii=False).encode()  # an escape alone may be half a character
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", file=name, line=line) from None
    return data


def checked(data: object, kind: type[S], name: str | None = None, line: int | None = None) -> S:
    """Return data as what they should be.

    Parameters
    ----------
    name, line
        Of the file that they come from, where they come from one.

    Raises
    ------
    InputError
        If they are something else.
    """
    if not isinstance(data, dict):
        raise InputError(f"expected a mapping, got {shown(data)}", file=name, line=line)
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        fault = first_fault(error, kind, data)
        raise InputError(fault.message, file=name, line=line, field=dotted(fault.path) or None) from None


def _content(path: Path) -> bytes:
    if not is_there(path):
        raise InputError("missing", file=path.name)
    if not is_regular(path):
        raise InputError("expected a regular file", file=path.name)
    try:
        size = path.stat().st_size
        if size > MOST_STORED:
            raise InputError(f"expected at most {MOST_STORED // MIB} MiB, got {size / MIB:,.1f} MiB", file=path.name)
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path.name) from None


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a finite number")


INSTANCE: Final = "instance.yaml"
"""What the client gave, or a shipped instance's text."""
START: Final = "start.json"
"""A plan to start from, where there is one."""
JOB: Final = "job.json"
"""What is wanted, and the limits."""
EVENTS: Final = "events.jsonl"
"""What the worker tells on the way."""
OUTCOME: Final = "outcome.json"
"""What came of it so far; written last, and before by a worker that goes on to say more of its plan."""
PICTURE: Final = "picture.json"
"""The plan's figure."""
PLAN: Final = "plan.json"
CERTIFICATE: Final = "plan.cert"
REPORT: Final = "report"
"""A folder."""
ERRORS: Final = "errors.txt"
"""The worker's standard error."""


def plan_of(position: int) -> str:
    """Return the file of one formulation's plan, where several are compared."""
    return f"plan-{position + 1}.json"
