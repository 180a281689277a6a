"""What people look at."""

from __future__ import annotations

import time
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, RedirectResponse, Response

from hypar_opt.formulation.registry import defaults
from hypar_opt.instance.choices import CHOICES
from hypar_opt.instance.formats import EXPECTED, TEXTS
from hypar_opt.instance.overrides import OVERRIDES
from hypar_opt.report.charts.quantities import quantity
from hypar_opt.util.errors import InputError
from hypar_opt.web import form
from hypar_opt.web.api import FILES, cancel, delete, links_of
from hypar_opt.web.draft import Draft, asked_of, draft_of, empty_draft
from hypar_opt.web.job_files import REPORT, is_regular
from hypar_opt.web.job_request import offered_arrays
from hypar_opt.web.outcome import JobOutcome, edition, read_picture
from hypar_opt.web.site import TYPES, Site, site_of
from hypar_opt.web.submission import submit
from hypar_opt.web.words import STATES, STATUSES

if TYPE_CHECKING:
    from starlette.requests import Request

    from hypar_opt.formulation.protocol import Use
    from hypar_opt.instance.choices import Choice
    from hypar_opt.web.store import Job

SANDBOX: Final = (
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""A report is shown as a page of no origin: nothing in it can ask this server for anything but files of its own."""
OF_NO_ORIGIN: Final = MappingProxyType(
    {"content-security-policy": SANDBOX, "cross-origin-resource-policy": "cross-origin", "cache-control": "no-store"}
)
LATEST: Final = 8


async def new_job(request: Request) -> Response:
    """Show the form."""
    return _form(site_of(request), empty_draft())


async def ask_again(request: Request) -> Response:
    """Show the form with what a job was asked for, to be changed."""
    site = site_of(request)
    job = site.job(request)
    return _form(site, draft_of(job, site.pool.folder(job.id)))


def _form(site: Site, draft: Draft) -> Response:
    endings = [ending for one in TEXTS for ending in one.endings]
    media = sorted({kind for one in TEXTS for kind in one.media})
    uses: tuple[Use, ...] = ("network", "joint")
    return site.page(
        "new.html", here="" if draft.of else "new", draft=draft, fields=site.fields, groups=form.instance_groups(),
        offers=[one for one in site.offers if one.takes_networks], defaults={use: defaults(use) for use in uses},
        overrides=tuple(OVERRIDES.values()), arrays=tuple(offered_arrays()), settings=site.settings,
        jobs=site.records.all(LATEST), expected=EXPECTED, accepted=",".join([*endings, *media]),
    )  # fmt: skip


async def list_jobs(request: Request) -> Response:
    """Show all jobs."""
    site = site_of(request)
    return site.page("jobs.html", here="jobs", jobs=site.records.all(), settings=site.settings)


async def submit_job(request: Request) -> Response:
    """Queue a job, and lead to its page."""
    job = await submit(request, site_of(request).pool)
    return RedirectResponse(f"/jobs/{job.id}", 303)


def _choices(outcome: JobOutcome | None) -> list[Choice]:
    """Return the choices that the letters of a plan may stand for: those of any array, and others that are in it."""
    rows = () if outcome is None else outcome.rows
    return [one for one in CHOICES.values() if not one.idles or any(one.letter in row.word for row in rows)]


async def show_job(request: Request) -> Response:
    """Show a job: how it goes, or what came of it."""
    site = site_of(request)
    job = site.job(request)
    folder = site.pool.folder(job.id)
    shown = edition(folder)  # looked at before the outcome, so that what is written in between is shown anew
    job, outcome = site.records.read(job)
    picture, unpictured = None, ""
    try:
        picture = read_picture(folder) if job.is_over or outcome else None
    except InputError as error:
        unpictured = str(error)
    links = links_of(site, job) if job.is_over or outcome else {}
    return site.page(
        "job.html", here="job", job=job, outcome=outcome or JobOutcome(), edition=shown,
        position=site.store.position(job.id),
        links=links, watched=not job.is_over or "log.jsonl" in links, picture=picture, unpictured=unpictured,
        states=STATES, statuses=STATUSES, choices=_choices(outcome), can_be_asked_again=_can_be_asked_again(site, job),
        age=round(time.time() - (job.began or job.created), 1),
        label_of_cost=quantity("datum.value", "unit", "datum.label"),
    )  # fmt: skip


def _can_be_asked_again(site: Site, job: Job) -> bool:
    try:
        asked_of(site.pool.folder(job.id))
    except InputError:
        return False
    return True


async def cancel_job(request: Request) -> Response:
    """End a job, and lead back to its page."""
    return RedirectResponse(f"/jobs/{cancel(request).id}", 303)


async def delete_job(request: Request) -> Response:
    """Forget a job, and lead to those that are left."""
    delete(request)
    return RedirectResponse("/jobs", 303)


async def get_file(request: Request) -> Response:
    """Return one of the files that a job left; the names that there are stand in a table."""
    site = site_of(request)
    job = site.job(request)
    name = request.path_params["name"]
    file, kind = FILES.get(name, ("", ""))
    path = site.pool.folder(job.id) / file
    if not file or not is_regular(path):
        raise HTTPException(404, "this job has no such file")
    return FileResponse(path, media_type=kind, filename=name, headers={"cache-control": "no-store"})


async def get_report(request: Request) -> Response:
    """Return a file of a job's report: one of those that are there, looked up, not joined to a path."""
    site = site_of(request)
    folder = site.pool.folder(site.job(request).id) / REPORT
    known = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if is_regular(path)}
    path = known.get(request.path_params["path"])
    if path is None:
        raise HTTPException(404, "this report has no such page")
    kind = {**TYPES, ".html": "text/html; charset=utf-8"}.get(PurePosixPath(path.name).suffix)
    return FileResponse(path, media_type=kind, headers=OF_NO_ORIGIN)


async def get_nothing(_: Request) -> Response:
    """Answer browsers that look for a picture of their own accord."""
    return Response(status_code=204, headers=OF_NO_ORIGIN)


async def get_asset(request: Request) -> Response:
    """Return a script or a style."""
    name = request.path_params["name"]
    content = site_of(request).assets.get(name)
    if content is None:
        raise HTTPException(404, "there is no such file")
    kind = TYPES[PurePosixPath(name).suffix]
    return Response(content, media_type=kind, headers={"cache-control": "no-cache"})
