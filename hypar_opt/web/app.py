"""The page as an ASGI application."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Route

from hypar_opt.util.errors import InputError
from hypar_opt.util.files import make_folder
from hypar_opt.web import api, pages
from hypar_opt.web.checker_client import CheckerClient
from hypar_opt.web.form import form_fields, formulations
from hypar_opt.web.guard import Address, Guard
from hypar_opt.web.outcome import Records
from hypar_opt.web.pool import JobPool
from hypar_opt.web.runner import JobRunner, OwnProcesses
from hypar_opt.web.site import Site, assets, gone, refused
from hypar_opt.web.store import NAME, JobStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from jinja2 import Environment

    from hypar_opt.web.settings import Settings


def application(
    settings: Settings,
    address: Address,
    closing: Callable[[], bool] = lambda: False,
    runner: JobRunner | None = None,
) -> Guard:
    """Return the page.

    Parameters
    ----------
    settings
        Its limits, and where its state is; the folder exists.
    address
        Where it answers; anything that asks for another is refused.
    closing
        Says when the server stops, so that streams end.
    runner
        Runs the jobs; None for processes of the server's own.

    Raises
    ------
    InputError
        If another server uses the folder, or what is in it is no state of this program.
    """
    _make_private(settings.jobs)
    scripts = assets(settings.folder)
    store = JobStore(settings.folder / NAME)
    pool = JobPool(settings, store, runner or OwnProcesses(settings))
    checker, records = CheckerClient(), Records(store, settings.jobs)
    pool.recover()
    records.check()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.site = Site(
            settings, store, records, pool, checker, _templates(), closing, scripts, form_fields(),
            formulations(),
        )  # fmt: skip
        running = asyncio.create_task(pool.run())
        try:
            yield
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            await checker.close()
            store.close()

    handlers = {InputError: refused, HTTPException: refused, ClientDisconnect: gone, Exception: refused}
    app = Starlette(routes=_routes(), exception_handlers=handlers, lifespan=lifespan)
    app.router.redirect_slashes = False
    return Guard(app, address, settings.upload_limit)


def _make_private(folder: Path) -> None:
    make_folder(folder)
    try:
        folder.chmod(0o700)
    except OSError as error:
        raise InputError(f"cannot be kept from others: {error.strerror}", file=folder) from None


def _routes() -> list[Route]:
    return [
        Route("/", pages.new_job),
        Route("/jobs", pages.list_jobs),
        Route("/jobs", pages.submit_job, methods=["POST"]),
        Route("/jobs/{job}", pages.show_job),
        Route("/jobs/{job}/again", pages.ask_again),
        Route("/jobs/{job}/cancel", pages.cancel_job, methods=["POST"]),
        Route("/jobs/{job}/delete", pages.delete_job, methods=["POST"]),
        Route("/jobs/{job}/files/{name}", pages.get_file),
        Route("/jobs/{job}/report/{path:path}", pages.get_report),
        Route("/favicon.ico", pages.get_nothing),
        Route("/static/{name}", pages.get_asset),
        Route("/api/instances", api.list_instances),
        Route("/api/instances/{name}", api.get_instance),
        Route("/api/formulations", api.list_formulations),
        Route("/api/check", api.check, methods=["POST"]),
        Route("/api/jobs", api.list_jobs),
        Route("/api/jobs", api.submit_job, methods=["POST"]),
        Route("/api/jobs/{job}", api.get_job),
        Route("/api/jobs/{job}/events", api.job_events),
        Route("/api/jobs/{job}/cancel", api.cancel_job, methods=["POST"]),
        Route("/api/jobs/{job}/delete", api.delete_job, methods=["POST"]),
    ]


def _templates() -> Environment:
    from jinja2 import ChoiceLoader, PackageLoader

    from hypar_opt.report.pages.environment import environment

    made = environment()
    assert made.loader is not None
    made = made.overlay(loader=ChoiceLoader([PackageLoader("hypar_opt.web"), made.loader]))
    made.filters["moment"] = _moment
    return made


def _moment(seconds: float | None) -> str:
    return "at an unknown time" if not seconds else time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
