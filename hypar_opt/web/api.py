"""What scripts ask for, and the pages' own scripts with them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError
from hypar_opt.web import form
from hypar_opt.web.checker_client import Busy
from hypar_opt.web.events import as_line, as_stream, events_of
from hypar_opt.web.job_files import CERTIFICATE, ERRORS, EVENTS, INSTANCE, PLAN, REPORT, is_regular, plan_of
from hypar_opt.web.job_request import MOST_FORMULATIONS, read_asked
from hypar_opt.web.site import Site, site_of
from hypar_opt.web.submission import RETRY_S, read_json, submit

if TYPE_CHECKING:
    from starlette.requests import Request

    from hypar_opt.web.store import Job

CHECKED = {"text", "overrides", "edit"}

FILES: Final = {
    "instance.yaml": (INSTANCE, "text/plain; charset=utf-8"),
    "plan.json": (PLAN, "application/json"),
    "plan.cert": (CERTIFICATE, "application/octet-stream"),
    "log.jsonl": (EVENTS, "text/plain; charset=utf-8"),
    "errors.txt": (ERRORS, "text/plain; charset=utf-8"),
    **{plan_of(position): (plan_of(position), "application/json") for position in range(MOST_FORMULATIONS)},
}
"""What can be had of a job, by its name in the address: its file, and what that is sent as."""


async def list_instances(_: Request) -> Response:
    """Return the shipped instances by folder."""
    return JSONResponse(form.instances())


async def get_instance(request: Request) -> Response:
    """Return a shipped instance as text."""
    try:
        return PlainTextResponse(form.instance_text(request.path_params["name"]))
    except InputError as error:
        raise HTTPException(404, error.message) from None


async def list_formulations(request: Request) -> Response:
    """Return the formulations and what each proves."""
    return JSONResponse([vars(one) for one in site_of(request).offers])


async def check(request: Request) -> Response:
    """Return what a text comes to."""
    data = await read_json(request)
    if not isinstance(data, dict) or not isinstance(data.get("text"), str) or not data.keys() <= CHECKED:
        raise InputError("expected a mapping with text, and maybe overrides and edit")
    edit = data.get("edit")
    if edit is not None and not isinstance(edit, dict):
        raise InputError(f"expected a mapping, got {shown(edit)}", field="edit")
    asked = read_asked({"instance": "", "overrides": data.get("overrides", {})})
    try:
        answer = await site_of(request).checker.check(data["text"], asked.overrides.model_dump(), edit)
    except Busy:
        headers = {"retry-after": str(RETRY_S)}
        raise HTTPException(503, "too many texts wait to be checked", headers=headers) from None
    # the text comes back as it is, halves of characters included, which only ASCII can spell
    return Response(json.dumps(answer), media_type="application/json")


async def submit_job(request: Request) -> Response:
    """Queue a job."""
    site = site_of(request)
    job = await submit(request, site.pool)
    return JSONResponse(described(site, job), 201, headers={"location": f"/api/jobs/{job.id}"})


async def list_jobs(request: Request) -> Response:
    """Return all jobs, the newest first."""
    return JSONResponse([job.model_dump() for job in site_of(request).records.all()])


async def get_job(request: Request) -> Response:
    """Return one job, with what came of it."""
    site = site_of(request)
    return JSONResponse(described(site, site.job(request)))


async def cancel_job(request: Request) -> Response:
    """End one job."""
    cancel(request)
    return await get_job(request)


def cancel(request: Request) -> Job:
    """End the job in the address."""
    site = site_of(request)
    job = site.job(request)
    site.pool.cancel(job.id)
    return job


async def delete_job(request: Request) -> Response:
    """Forget one job that is over."""
    return JSONResponse({"deleted": delete(request).id})


def delete(request: Request) -> Job:
    """Forget the job in the address.

    Raises
    ------
    HTTPException
        404 if there is none, 409 if it is not over.
    """
    site = site_of(request)
    job = site.job(request)
    if not job.is_over:
        raise HTTPException(409, f"this job is {job.state}; cancel it before you delete it")
    site.pool.delete(job.id)
    return job


async def job_events(request: Request) -> Response:
    """Return a job's events as they come: an event stream, or JSON lines for whoever asks for those."""
    site, job = site_of(request), site_of(request).job(request)
    lines = request.query_params.get("as") == "lines" or "ndjson" in request.headers.get("accept", "")
    known = request.headers.get("last-event-id") or request.query_params.get("after", "0")
    after = int(known) if known.isdecimal() and len(known) < 10 else 0
    kind = "application/x-ndjson" if lines else "text/event-stream"
    events = events_of(site.store, job.id, site.pool.folder(job.id) / EVENTS, site.closing, after)
    texts = ((as_line if lines else as_stream)(number, event) async for number, event in events)
    told = (text async for text in texts if text)
    return StreamingResponse(told, media_type=kind, headers={"cache-control": "no-store"})


def described(site: Site, job: Job) -> dict[str, Any]:
    """Return a job for machines: its state, its place in the queue, and what came of it."""
    job, outcome = site.records.read(job)
    document = job.model_dump() | {"position": site.store.position(job.id)}
    if not job.is_over:
        return document
    links = {name: f"/jobs/{job.id}/{place}" for name, place in links_of(site, job).items()}
    return document | {"outcome": None if outcome is None else outcome.document(), "links": links}


def links_of(site: Site, job: Job) -> dict[str, str]:
    """Return what a job left, by name, and where below its page that is."""
    folder = site.pool.folder(job.id)
    files = {name: folder / file for name, (file, _) in FILES.items()}
    found = {name: f"files/{name}" for name, path in files.items() if is_regular(path) and path.stat().st_size > 0}
    reported = job.is_over and is_regular(folder / REPORT / "index.html")  # its other pages may be missing until then
    return found | ({"report": "report/index.html"} if reported else {})
