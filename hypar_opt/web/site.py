"""What all handlers of requests share, and how what goes wrong is answered."""

from __future__ import annotations

import errno
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from hypar_opt.util.errors import InputError, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from jinja2 import Environment
    from starlette.requests import Request

    from hypar_opt.web.checker_client import CheckerClient
    from hypar_opt.web.form import FormField, Offer
    from hypar_opt.web.outcome import Records
    from hypar_opt.web.pool import JobPool
    from hypar_opt.web.settings import Settings
    from hypar_opt.web.store import Job, JobStore


@dataclass(frozen=True)
class Site:
    """A running page.

    Parameters
    ----------
    closing
        Says when the server stops.
    assets
        Scripts and styles by name.
    fields, offers
        What the form is made of.
    """

    settings: Settings
    store: JobStore
    records: Records
    pool: JobPool
    checker: CheckerClient
    templates: Environment
    closing: Callable[[], bool]
    assets: Mapping[str, bytes]
    fields: tuple[FormField, ...]
    offers: tuple[Offer, ...]

    def page(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """Return a page made of a template, in which all values are text."""
        text = self.templates.get_template(template).render(assets="/static", **values)
        return HTMLResponse(text, status, headers={"cache-control": "no-store"})

    def job(self, request: Request) -> Job:
        """Return the job whose token is in the address.

        Raises
        ------
        HTTPException
            404 if there is none.
        """
        found = self.store.get(request.path_params["job"])
        if found is None:
            raise HTTPException(404, "there is no such job, or it is no longer kept")
        return found


def site_of(request: Request) -> Site:
    """Return the page that a request is for."""
    site: Site = request.app.state.site
    return site


async def gone(_: Request, __: Exception) -> Response:
    """Answer a client that went away while it was sending; nobody reads it, and nothing went wrong here."""
    return Response(status_code=400)


async def refused(request: Request, error: Exception) -> Response:
    """Answer a request that something is wrong with: scripts get JSON, people a page."""
    status, text, field, headers = 500, "something went wrong in the server; its log says what", None, None
    if isinstance(error, InputError):
        status, text, field = 400, error.message, error.field
    elif _is_full(error):
        status, text = 507, "the disk that jobs are kept on is full"
    elif isinstance(error, HTTPException):
        status, text, headers = error.status_code, error.detail, error.headers
    text = printable(text)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": text, "field": field}, status, headers)
    page = site_of(request).page("refused.html", status, said=text, field=field)
    page.headers.update(headers or {})
    return page


def _is_full(error: Exception) -> bool:
    if isinstance(error, sqlite3.OperationalError):
        return error.sqlite_errorcode == sqlite3.SQLITE_FULL
    return isinstance(error, OSError) and error.errno == errno.ENOSPC


VEGA: Final = "vega.js"
TYPES: Final = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
PLACES: Final = (
    ("hypar_opt.web", "assets"),
    ("hypar_opt.report.pages", "assets"),
    ("hypar_opt.report.pages", "vendor"),
)
_WRITE: Final = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle().encode())"


def assets(folder: Path) -> dict[str, bytes]:
    """Return all files that pages may ask for.

    Parameters
    ----------
    folder
        Where the bundle of Vega is kept once it was made.
    """
    found: dict[str, bytes] = {VEGA: _vega(folder)}
    for package, part in PLACES:
        for one in (files(package) / part).iterdir():
            if one.name.endswith(tuple(TYPES)):
                found.setdefault(one.name, one.read_bytes())
    return found


def _vega(folder: Path) -> bytes:
    """Return the bundle, made once for each version, in a process of its own: making it takes 150 MB of memory."""
    from importlib.metadata import version

    from hypar_opt.util.files import atomically

    path = folder / f"vega-{version('vl-convert-python')}.js"
    if not path.is_file():
        made = subprocess.run([sys.executable, "-P", "-c", _WRITE], capture_output=True, check=True).stdout
        with atomically(path) as stream:
            stream.write(made)
    return path.read_bytes()
