"""Clients that send half of a request, or do not read: they are ended, and keep nobody out. No second is asserted."""

import asyncio
import contextlib
import logging
import select
import socket
import threading
import time

import httpx2 as httpx
import pytest
import uvicorn

from hypar_opt.web.connections import Patience
from hypar_opt.web.server import configuration
from hypar_opt.web.settings import MIB

FOREVER = 3600.0
HEAD = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n"
BODY = b"POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 10\r\n\r\n12345"
ENDED_S = 60
"""Until a test gives up."""


async def application(scope, receive, send):
    """Read a request, and answer with what came; `/much` is more than any buffer holds."""
    if scope["type"] == "lifespan":
        while (message := await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    content, message = b"", {"more_body": True}
    while message.get("more_body") and scope["path"] != "/at-once":
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        content += message["body"]
    if scope["path"] == "/waits":
        await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(64 if scope["path"] == "/much" else 0):
        await send({"type": "http.response.body", "body": bytes(MIB), "more_body": True})
    await send({"type": "http.response.body", "body": content})


@pytest.fixture
def serving():
    """Return a function that serves, with some patience and so many connections, and returns the address."""
    with contextlib.ExitStack() as stack:

        def serve(connections=100, patience=None, **seconds):
            given = {"head_s": FOREVER, "body_s": FOREVER, "reading_s": FOREVER} | seconds
            listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            patience = patience or Patience(**given)
            server = serve.server = uvicorn.Server(configuration(application, patience, connections))
            ready = threading.Event()
            startup = server.startup

            async def started(sockets=None):
                await startup(sockets)
                ready.set()

            server.startup = started
            thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
            thread.start()
            stack.callback(thread.join)
            stack.callback(setattr, server, "should_exit", True)
            assert ready.wait(ENDED_S)
            return listening.getsockname()

        yield serve


def connected(address, content=b""):
    made = socket.create_connection(address, ENDED_S)
    made.sendall(content)
    return made


def rest(connection):
    """Return what comes until the server ends the connection."""
    found = b""
    with connection, contextlib.suppress(ConnectionResetError):
        while chunk := connection.recv(MIB):
            found += chunk
    return found


def answered(address, path="/"):
    return httpx.get(f"http://127.0.0.1:{address[1]}{path}", timeout=ENDED_S).status_code


@pytest.mark.parametrize("content", [b"", b"G", HEAD], ids=["nothing", "a letter", "a head"])
def test_a_head_that_does_not_come_is_not_waited_for(content, serving):
    said = rest(connected(serving(head_s=0.05), content))
    assert said == b"" or said.endswith(b"\r\n\r\nthe head of a request did not come in time\n")


class FirstHeadOnly:
    """All the time that there is for the first head, and next to none for those behind it."""

    body_s = reading_s = FOREVER
    rate = 1.0

    def __init__(self):
        self._heads = iter([FOREVER])

    @property
    def head_s(self):
        return next(self._heads, 0.05)


def test_the_next_head_on_a_connection_is_not_waited_for_either(serving):
    said = rest(connected(serving(patience=FirstHeadOnly()), HEAD + b"\r\n" + HEAD))
    assert said.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 408 " in said


def test_bytes_now_and_then_do_not_make_a_head(serving):
    one = connected(serving(head_s=0.2), HEAD)
    with contextlib.suppress(OSError):
        while True:
            one.sendall(b"x-more: 1\r\n")
            one.settimeout(0.01)
            with contextlib.suppress(TimeoutError):
                if not one.recv(100):
                    break
    one.close()


def test_a_body_that_does_not_come_is_not_waited_for(serving):
    said = rest(connected(serving(body_s=0.05), BODY))
    assert said.startswith(b"HTTP/1.1 408 ")
    assert said.endswith(b"\r\n\r\nthe body of a request did not come in time\n")


def test_bytes_that_come_earn_time(serving):
    address = serving(body_s=0.05, rate=1e4)
    head, half = BODY.replace(b" 10\r\n", b" 2000000\r\n").removesuffix(b"12345"), bytes(1_000_000)
    one = connected(address, head + half)  # each of its parts earns seconds
    assert rest(connected(address, head)).startswith(b"HTTP/1.1 408 ")
    one.sendall(half)
    assert one.recv(15).startswith(b"HTTP/1.1 200")
    one.close()


def test_a_client_that_does_not_read_is_not_waited_for(serving):
    address = serving(reading_s=0.05)
    one = connected(address, HEAD.replace(b"/ ", b"/much ") + b"\r\n")
    assert one.recv(10) == b"HTTP/1.1 2"
    while serving.server.server_state.connections:
        time.sleep(0.01)
    assert len(rest(one)) < 64 * MIB


CHUNKS = BODY.replace(b"content-length: 10", b"transfer-encoding: chunked").replace(b"12345", b"5\r\n12345\r\nzz\r\n")
BROKEN = {
    "no request": b"x\r\n\r\n",
    "a broken body": CHUNKS,
    "a broken body that nobody reads": CHUNKS.replace(b" / ", b" /at-once "),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_what_is_no_request_ends_its_connection_and_nothing_else(content, serving, caplog):
    with caplog.at_level(logging.ERROR):
        address = serving()
        said = rest(connected(address, content))
        assert said.count(b"HTTP/1.1 ") <= 1
        assert answered(address) == 200
    assert caplog.text == ""


@pytest.mark.parametrize("content", [b"", HEAD, BODY], ids=["nothing", "half a head", "half a body"])
def test_half_requests_keep_nobody_out(content, serving):
    address = serving(connections=20)
    halves = [connected(address, content) for _ in range(100)]
    for _ in range(3):
        assert answered(address) == 200
    left, said = list(halves), []
    while len(said) < 80:  # ended to make room; which ones, a full queue of the system's may decide
        ended = select.select(left, [], [], ENDED_S)[0]
        assert ended, f"only {len(said)} were ended"
        left = [one for one in left if one not in ended]
        said += [rest(one) for one in ended]
    assert all(one.startswith(b"HTTP/1.1 503 ") or one == b"" for one in said)
    if content == HEAD:  # of these all has come that was sent, and is read, before the connection ends
        assert b"too many requests are sent at once" in b"".join(said)
    for one in halves:
        one.close()


def test_an_answer_that_takes_long_is_not_ended_by_half_requests(serving):
    address = serving(connections=8)
    long = connected(address, HEAD.replace(b"/ ", b"/waits ") + b"\r\n")
    while not serving.server.server_state.tasks:
        time.sleep(0.01)
    halves = [connected(address, HEAD) for _ in range(50)]
    assert answered(address) == 200
    assert select.select([long], [], [], 0)[0] == [], "it was ended"
    for one in (long, *halves):
        one.close()


def test_the_server_ends_without_waiting_for_half_requests(serving, caplog):
    with caplog.at_level(logging.ERROR, "uvicorn.error"):
        address = serving()
        halves = [connected(address, content) for content in (b"", HEAD, BODY)]
        assert answered(address) == 200
    for one in halves:
        threading.Thread(target=rest, args=(one,), daemon=True).start()
    assert caplog.text == ""
