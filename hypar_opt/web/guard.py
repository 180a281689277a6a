"""Who may ask for what: the page answers its own address only, changes come from its own pages, sizes are limited."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse

from hypar_opt.util.errors import printable

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Own scripts only, none in the page; styles may stand in it because charts are styled so."""
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
DRAINED: Final = 2**20
"""Bytes of a refused upload that are still read, so that whoever sends it gets to read why."""


_NO_HOST: Final = frozenset("/?#@")


@dataclass(frozen=True)
class Address:
    """Where the page answers.

    Parameters
    ----------
    host
        As bound.
    port
        As bound.
    """

    host: str
    port: int

    def knows(self, host: str) -> bool:
        """Return whether a Host header means this server.

        A name that only resolves to it does not: a foreign page could have bound that name to us (DNS rebinding).
        Where all of the machine's addresses are bound, any of them will do, and the machine's own name.
        """
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if port != self.port or set(host) & _NO_HOST:
            return False
        if name == self.host.lower() or (name in LOOPBACK and is_loopback(self.host)):
            return True
        ours = (*LOOPBACK, socket.gethostname().lower())
        return self.host in ("0.0.0.0", "::") and (_is_number(name) or name in ours)


def is_loopback(host: str) -> bool:
    """Return whether an address is of this machine only."""
    return host in LOOPBACK or (_is_number(host) and ipaddress.ip_address(host).is_loopback)


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class Guard:
    """Refuses what comes from elsewhere or is too large, before any of it is read, and puts headers on all answers."""

    def __init__(self, app: ASGIApp, address: Address, upload_limit: int) -> None:
        self._app, self._address, self._limit = app, address, upload_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sending = _with_headers(send)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope["method"], headers)
        if refusal is not None:
            if refusal.status_code == 413:
                await _drain(receive)
            await refusal(scope, receive, sending)
            return
        await self._app(scope, _counting(receive, self._limit), sending)

    def _refusal(self, method: str, headers: dict[str, str]) -> PlainTextResponse | None:
        host = headers.get("host", "")
        if not self._address.knows(host):
            return _plain(f"this server is not called '{host}'; open {url_of(self._address)}", 421)
        if method in ("GET", "HEAD"):
            return None
        if method != "POST":
            return _plain(f"{method} is not answered here; changes are made with POST", 405)
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        if (origin is not None and origin != f"http://{host}") or site not in ("none", "same-origin"):
            return _plain("a page of another origin may change nothing here", 403)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 18 or int(length) > self._limit:
            return _plain(too_large(self._limit), 413)
        return None


def url_of(address: Address) -> str:
    """Return where to open the page."""
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"http://{host}:{address.port}/"


def too_large(limit: int) -> str:
    """Return what is said of an upload that is too large."""
    return f"larger than {limit / 2**20:.3g} MiB, the limit for an upload"


def _plain(text: str, status: int) -> PlainTextResponse:
    return PlainTextResponse(f"{printable(text[:300])}\n", status, headers={"connection": "close"})


def _counting(receive: Receive, limit: int) -> Receive:
    """Count what comes in, however it was announced, and stop at the limit."""
    seen = 0

    async def counted() -> MutableMapping[str, Any]:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            if message.get("more_body", False):
                await _drain(receive)
            raise HTTPException(413, too_large(limit), headers={"connection": "close"})
        return message

    return counted


async def _drain(receive: Receive) -> None:
    """Read a little of what is sent still."""
    seen = 0
    while seen < DRAINED:
        message = await receive()
        seen += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body", False):
            return


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(one for one in HEADERS if one[0] not in own)]
        await send(message)

    return sending
