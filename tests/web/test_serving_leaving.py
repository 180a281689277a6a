"""Clients that go away in the middle: nothing of it is an error of the server's."""

import signal
import socket

import pytest

from tests.web.conftest import without_vega
from tests.web.server import running

FORM = b"content-type: multipart/form-data; boundary=b\r\n"
PART = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.yaml"\r\n\r\n####'
LEFT = {
    "JSON": (b"/api/jobs", b"content-type: application/json\r\ncontent-length: 100\r\n\r\n{"),
    "a form": (b"/jobs", FORM + b"content-length: 1000\r\n\r\n" + PART),
    "a form in chunks": (b"/api/jobs", FORM + b"transfer-encoding: chunked\r\n\r\n%x\r\n" % len(PART) + PART),
    "a text": (b"/api/check", b"content-type: application/json\r\ncontent-length: 100\r\n\r\n{"),
    "too much": (b"/api/jobs", b"content-type: application/json\r\ncontent-length: 999999999\r\n\r\n{"),
    "another kind": (b"/api/jobs", b"content-type: text/plain\r\ncontent-length: 1000\r\n\r\n{"),
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("ended", ["by the client", "with the server"])
def test_who_leaves_in_the_middle_leaves_no_traceback(ended, tmp_path):
    with running(without_vega(tmp_path / "state")) as server:
        port = server.client.base_url.port
        left = [socket.create_connection(("127.0.0.1", port)) for _ in LEFT]
        for one, (path, rest) in zip(left, LEFT.values(), strict=True):
            one.sendall(b"POST %s HTTP/1.1\r\nhost: 127.0.0.1:%d\r\n%s" % (path, port, rest))
        assert server.client.get("/api/jobs").json() == []
        if ended == "by the client":
            for one in left:
                one.close()
            assert server.client.get("/api/jobs").json() == []
        assert server.end(signal.SIGTERM) == (143, "")
