"""What all handlers of requests share, and how what goes wrong is answered."""

from __future__ import annotations

import errno
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from hypar_opt.errors import InputError, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jinja2 import Environment
    from starlette.requests import Request

    from hypar_opt.serving.asking import Checker
    from hypar_opt.serving.form import Field
    from hypar_opt.serving.offered import Offer
    from hypar_opt.serving.pool import Pool
    from hypar_opt.serving.records import Records
    from hypar_opt.serving.settings import Settings
    from hypar_opt.serving.states import Job
    from hypar_opt.serving.store import Store


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
    store: Store
    records: Records
    pool: Pool
    checker: Checker
    templates: Environment
    closing: Callable[[], bool]
    assets: Mapping[str, bytes]
    fields: tuple[Field, ...]
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
