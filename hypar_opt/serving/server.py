"""Running the page: its socket, its server, its end."""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import TYPE_CHECKING

from hypar_opt.errors import InputError
from hypar_opt.serving.guard import Address

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.serving.settings import Settings

MOST_CONNECTIONS = 1000
GRACE_S = 3
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


def run(settings: Settings, listening: socket.socket, address: Address, ready: Callable[[], None]) -> None:
    """Serve until a signal comes.

    Parameters
    ----------
    ready
        Called once requests are answered.
    """
    import uvicorn

    from hypar_opt.serving.app import application

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if not self.should_exit:
                ready()

    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    config = uvicorn.Config(
        app=application(settings, address, lambda: server.should_exit), log_config=None, access_log=False,
        server_header=False, limit_concurrency=MOST_CONNECTIONS, timeout_graceful_shutdown=GRACE_S, lifespan="on",
        http="h11", proxy_headers=False, ws="none", loop="asyncio",
    )  # fmt: skip
    server = Server(config)
    asyncio.run(server.serve([listening]))
