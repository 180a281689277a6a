"""From a request to a job in the queue."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException

from hypar_opt.instance.fix import entries_of
from hypar_opt.instance.overrides import OVERRIDES
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, printable
from hypar_opt.web.form import TRUTHS, instance_text
from hypar_opt.web.guard import too_large
from hypar_opt.web.job_request import Asked, read_asked
from hypar_opt.web.pool import JobPool, QueueFull
from hypar_opt.web.settings import MOST_JSON

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.requests import Request

    from hypar_opt.web.store import Job

RETRY_S: Final = 5
LONGEST_LABEL: Final = 100
LOOKED_AT: Final = 4000
"""Characters of a text in which its name is looked for, for the list of jobs until it is read."""
_NAME: Final = re.compile(r"""^\s*"?name"?:\s*["']?([^"'\n#]*[^"'\n#\s,])""", re.MULTILINE)


def _truth(text: str) -> bool:
    return TRUTHS[text]


def _words(text: str) -> dict[str, str]:
    """Return words by name; several with commas between them, and where none has blanks inside, with blanks."""
    parts = [part.split() if part.count("=") > 1 else [part.strip()] for part in text.split(",")]
    return entries_of([one for part in parts for one in part if one])


READERS: Final[Mapping[str, Callable[[str], Any]]] = {"integer": int, "truth": _truth, "fix": _words}
"""Of what is entered for a replacement, by its kind; all others are text."""
LIMITS: Final[Mapping[str, Callable[[str], Any]]] = {"time_s": float, "seed": int, "workers": int, "memory_gib": float}


async def submit(request: Request, pool: JobPool) -> Job:
    """Read what a client asks for, JSON or a form with files, and queue it.

    Raises
    ------
    HTTPException
        413 if it is too large; 415 if it is neither; 503 if as many jobs wait as may.
    InputError
        If something in it is wrong.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/json":
        asked = read_asked(await read_json(request))
        return _queued(pool, *_of_shipped(asked), None)
    if kind == "multipart/form-data":
        async with request.form(max_files=2, max_fields=200, max_part_size=MOST_JSON) as form:
            return await _submit_form(form, pool)
    raise HTTPException(415, "expected application/json or multipart/form-data")


async def read_json(request: Request) -> Any:
    """Read a request's JSON.

    Raises
    ------
    HTTPException
        413 if it is too large, 400 if it is none.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_JSON:
            raise HTTPException(413, f"as JSON: {too_large(MOST_JSON)}; send the file as multipart/form-data")
    try:
        return json.loads(bytes(body))
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"not JSON: {error}") from None


async def _submit_form(form: FormData, pool: JobPool) -> Job:
    file = _file(form, "file")
    text = str(form.get("instance", "")).replace("\r\n", "\n")
    data = _asked_by_form(form)
    if file is not None:
        data["instance"] = ""
    elif text.strip():
        data["instance"] = text
    else:
        data["shipped"] = str(form.get("shipped", "")) or None
    start = _file(form, "start_file")
    if start is not None:
        content = await start.read(MOST_JSON + 1)
        if len(content) > MOST_JSON:
            raise HTTPException(413, f"the start plan: {too_large(MOST_JSON)}")
        data["start"] = content.decode("utf-8", errors="replace")
    asked, label = _of_shipped(read_asked(data))
    if file is None:
        return _queued(pool, asked, label, None)
    with tempfile.TemporaryDirectory(prefix="hypar-opt-upload-") as folder:
        put = Path(folder) / "upload"
        file.file.seek(0)
        with put.open("wb") as stream:
            await asyncio.to_thread(shutil.copyfileobj, file.file, stream)
        return _queued(pool, asked, str(file.filename), put)


def _queued(pool: JobPool, asked: Asked, label: str, put: Path | None) -> Job:
    try:
        return pool.submit(asked, printable(label)[:LONGEST_LABEL], put)
    except QueueFull:
        headers = {"retry-after": str(RETRY_S)}
        raise HTTPException(503, "as many jobs wait as may; try again in a few seconds", headers=headers) from None


def _of_shipped(asked: Asked) -> tuple[Asked, str]:
    """Return what is asked for, with the text of the instance that is named, and what to call the job."""
    if asked.shipped is None:
        named = _NAME.search((asked.instance or "")[:LOOKED_AT])
        return asked, named[1] if named else "pasted text"
    return asked.model_copy(update={"instance": instance_text(asked.shipped)}), asked.shipped


def _file(form: FormData, name: str) -> UploadFile | None:
    found = form.get(name)
    return found if isinstance(found, UploadFile) and found.filename else None


def _asked_by_form(form: FormData) -> dict[str, Any]:
    kinds = {name: READERS.get(one.kind, str) for name, one in OVERRIDES.items()}
    return {
        "formulations": [str(name) for name in form.getlist("formulations") if name],
        "overrides": _entered(form, kinds, "overrides"),
        "limits": _entered(form, LIMITS, "limits"),
        "start": str(form.get("start", "")).strip() or None,
        "certificate": form.get("certificate") == "yes",
        "report": form.get("report") == "yes",
    }


def _entered(form: FormData, readers: Mapping[str, Callable[[str], Any]], part: str) -> dict[str, Any]:
    """Return what was entered for a part, by name; nothing of what was left empty."""
    found = {}
    for name, text in ((name, str(form.get(name))) for name in readers if form.get(name)):
        try:
            found[name] = readers[name](text)
        except (ValueError, KeyError):
            expected = {int: "an integer", _truth: "true or false"}.get(readers[name], "a number")
            raise InputError(f"expected {expected}, got {shown(text)}", field=f"{part}.{name}") from None
        except InputError as error:
            raise InputError(error.message, field=f"{part}.{name}") from None
    return found
