"""Running the page: its socket, its server, its end."""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.util.errors import InputError
from hypar_opt.web.guard import Address

if TYPE_CHECKING:
    from collections.abc import Callable

    import uvicorn

    from hypar_opt.web.connections import Patience
    from hypar_opt.web.runner import JobRunner
    from hypar_opt.web.settings import Settings

MOST_CONNECTIONS: Final = 1000
WAITING: Final = 0.75
"""The share of the connections that may wait for their clients; the others are for those that are answered."""
MOST_ACCEPTED: Final = 64
"""Connections that are taken in at once; those that wait are counted in between."""
GRACE_S: Final = 3
"""For answers that are on their way when the server is ended."""


def bound(host: str, port: int) -> tuple[socket.socket, Address]:
    """Return a socket that listens, and where.

    Raises
    ------
    InputError
        If the address cannot be had.
    """
    try:
        kind, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(kind, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(place)
    except socket.gaierror as error:
        raise InputError(f"no address of this machine: {error.strerror}", field="--host") from None
    except OSError as error:
        advice = "; try another port, or --port 0 for any" if error.errno == 98 else ""
        raise InputError(f"{host}:{port} cannot be had: {error.strerror}{advice}", field="--port") from None
    return made, Address(host, made.getsockname()[1])


def run(
    settings: Settings,
    listening: socket.socket,
    address: Address,
    ready: Callable[[], None],
    runner: JobRunner | None = None,
) -> None:
    """Serve until a signal comes.

    Parameters
    ----------
    ready
        Called once requests are answered.
    runner
        Runs the jobs; None for processes of the server's own.
    """
    import uvicorn

    from hypar_opt.web.app import application

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if not self.should_exit:
                ready()

    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    server = Server(configuration(application(settings, address, lambda: server.should_exit, runner)))
    asyncio.run(server.serve([listening]))


def configuration(app: Any, patience: Patience | None = None, connections: int | None = None) -> uvicorn.Config:
    """Return how the page is served.

    Parameters
    ----------
    app
        The page.
    patience
        With clients; the usual one unless given.
    connections
        At most; as many as there are files for unless given.
    """
    import uvicorn

    from hypar_opt.web.connections import Connection, Patience, WaitingConnections

    most = connections or min(MOST_CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
    connection: Any = partial(Connection, WaitingConnections(int(WAITING * most)), patience or Patience())
    return uvicorn.Config(
        app=app, log_config=None, access_log=False, server_header=False, limit_concurrency=most, backlog=MOST_ACCEPTED,
        timeout_graceful_shutdown=GRACE_S, lifespan="on", http=connection, proxy_headers=False, ws="none",
        loop="asyncio",
    )  # fmt: skip
