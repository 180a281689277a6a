"""Connections to the page: a client that neither sends nor reads is not waited for without end, nor by itself only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from asyncio import TimerHandle, Transport

HEAD, BODY, READING = "head", "body", "reading"
_REASONS: Final = {400: b"Bad Request", 408: b"Request Timeout", 503: b"Service Unavailable"}


@dataclass(frozen=True)
class Patience:
    """How long a connection waits for its client.

    Parameters
    ----------
    head_s
        Seconds for the head of a request, from the connection or the last answer on.
    body_s
        Seconds for its body.
    rate
        Bytes a second: every so many bytes that come give the body a second more.
    reading_s
        Seconds in which some of what is sent has to be read.
    """

    head_s: float = 15.0
    body_s: float = 20.0
    rate: float = 2.0**15
    reading_s: float = 60.0


class WaitingConnections:
    """The connections that wait for their clients, so many at most: beyond that the one that was quiet longest ends.

    So half of a request never keeps anybody out: it makes room for whoever comes next.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._quiet: dict[Connection, None] = {}  # in the order in which they were last heard of

    def put(self, one: Connection) -> None:
        """Take in a connection that has just been heard of."""
        self._quiet.pop(one, None)
        self._quiet[one] = None
        if len(self._quiet) > self._most:
            next(iter(self._quiet)).dismiss(503, "too many requests are sent at once, and this one was quiet longest")

    def remove(self, one: Connection) -> None:
        """Let go of a connection that waits no more."""
        self._quiet.pop(one, None)


class Connection(H11Protocol):
    """One connection of uvicorn's, which ends when its client lets it wait for too long."""

    def __init__(self, waiting: WaitingConnections, patience: Patience, **given: Any) -> None:
        super().__init__(**given)
        self._waiting, self._patience = waiting, patience
        self._awaited: str | None = None
        self._due = 0.0
        self._timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Wait for a request."""
        super().connection_made(transport)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing."""
        self._wait_for(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        super().data_received(data)
        self._look()
        if self._awaited == BODY:
            self._due += len(data) / self._patience.rate

    def eof_received(self) -> None:
        """Answer nobody who has left."""
        self._abandon()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._look()

    def resume_writing(self) -> None:
        """Go on writing."""
        super().resume_writing()
        self._look()

    def shutdown(self) -> None:
        """End with the server: what is half there will not be waited for."""
        if self._awaited is None:
            super().shutdown()
        else:
            self.dismiss(503, "the server ends")

    def dismiss(self, status: int, why: str) -> None:
        """End the connection; whoever has begun a request and got no answer yet is told why."""
        # something has come that is no whole request
        is_begun = self.conn.their_state in (h11.SEND_BODY, h11.ERROR) or bool(self.conn.trailing_data[0])
        if is_begun and self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            text = f"{why}\n".encode()
            head = b"HTTP/1.1 %d %s\r\ncontent-type: text/plain; charset=utf-8\r\n" % (status, _REASONS[status])
            self.transport.write(head + b"connection: close\r\ncontent-length: %d\r\n\r\n%s" % (len(text), text))
        self._abandon()
        self.connections.discard(self)
        self._wait_for(None)
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """End a connection on which something else than a request came, be it in the middle of one."""
        self.dismiss(400, msg)

    def _abandon(self) -> None:
        """Let whoever answers a request know that nobody waits for it."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _look(self) -> None:
        """Find out what is waited for now."""
        if self.transport.is_closing() or self.flow.write_paused:
            self._wait_for(READING)
        else:
            self._wait_for({h11.IDLE: HEAD, h11.SEND_BODY: BODY}.get(self.conn.their_state))

    def _wait_for(self, what: str | None) -> None:
        changed, self._awaited = what != self._awaited, what
        if changed and self._timer is not None:
            self._timer.cancel()
        if what is None:
            self._waiting.remove(self)
            return
        self._waiting.put(self)
        if changed:
            seconds = {HEAD: self._patience.head_s, BODY: self._patience.body_s, READING: self._patience.reading_s}
            self._due = self.loop.time() + seconds[what]
            self._timer = self.loop.call_at(self._due, self._end)

    def _end(self) -> None:
        """End the connection, unless its client has earned more time, or it is we who did not read."""
        if self._awaited == BODY and self.flow.read_paused:
            self._due = max(self._due, self.loop.time() + self._patience.body_s)
        if self._due > self.loop.time():
            self._timer = self.loop.call_at(self._due, self._end)
        else:
            self.dismiss(408, f"the {self._awaited} of a request did not come in time")
