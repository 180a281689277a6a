"""Who is answered, and with which headers."""

import errno

import pytest

from hypar_opt.web.guard import Address, url_of

LOOPBACK = Address("127.0.0.1", 8787)


@pytest.mark.parametrize("host", ["127.0.0.1:8787", "localhost:8787", "LOCALHOST:8787", "[::1]:8787"])
def test_the_loopback_has_three_names(host):
    assert LOOPBACK.knows(host)


@pytest.mark.parametrize(
    "host",
    ["", "127.0.0.1", "127.0.0.1:8788", "evil.example:8787", "127.0.0.1.evil.example:8787", "a@127.0.0.1:8787",
     "127.0.0.1:8787/x", "127.0.0.1:8787?x", "127.0.0.1:8787#x", "127.0.0.1:x", "[::1:8787", "192.168.0.2:8787"],
)  # fmt: skip
def test_other_names_are_not_known(host):
    assert not LOOPBACK.knows(host)


def test_where_all_addresses_are_bound_any_number_will_do_and_no_name():
    everywhere = Address("0.0.0.0", 80)
    assert everywhere.knows("192.168.0.2") and everywhere.knows("localhost:80")
    assert not everywhere.knows("evil.example")


def test_urls():
    assert url_of(LOOPBACK) == "http://127.0.0.1:8787/"
    assert url_of(Address("::1", 1)) == "http://[::1]:1/"


def test_a_foreign_name_is_refused_whatever_it_asks_for(client):
    for path in ("/", "/api/jobs", "/static/live.css", "/nowhere"):
        answer = client.get(path, headers={"host": "evil.example:8787"})
        assert answer.status_code == 421
        assert answer.text == "this server is not called 'evil.example:8787'; open http://127.0.0.1:8787/\n"


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "http://localhost:8787"},
     {"origin": "https://127.0.0.1:8787"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}],
)  # fmt: skip
def test_another_origin_changes_nothing(client, headers):
    answer = client.post("/api/jobs", json={"shipped": "lenet-c"}, headers=headers)
    assert (answer.status_code, answer.text) == (403, "a page of another origin may change nothing here\n")
    assert client.get("/api/jobs").json() == []


def test_the_own_origin_does(client):
    headers = {"origin": "http://127.0.0.1:8787", "sec-fetch-site": "same-origin"}
    assert client.post("/api/jobs", json={"shipped": "lenet-c"}, headers=headers).status_code == 201


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(client, method):
    answer = client.request(method, "/api/jobs")
    assert (answer.status_code, answer.text) == (405, f"{method} is not answered here; changes are made with POST\n")


@pytest.mark.parametrize("path", ["/jobs/x/cancel", "/api/jobs/x/cancel", "/api/check"])
def test_what_changes_something_is_not_done_by_looking_at_it(client, path):
    assert client.get(path).status_code == 405


@pytest.mark.parametrize(
    "path", ["/", "/jobs", "/nowhere", "/api/jobs", "/api/nowhere", "/static/new.js", "/jobs/none"]
)
def test_every_answer_has_the_headers(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-eval" not in policy and "script-src 'self' 'unsafe-inline'" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-frame-options"] == "DENY"


def test_a_full_disk_is_said(client, monkeypatch):
    from hypar_opt.web.pool import JobPool

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(JobPool, "_prepare", full)
    answer = client.post("/api/jobs", json={"shipped": "lenet-c"})
    assert (answer.status_code, answer.json()["error"]) == (507, "the disk that jobs are kept on is full")


def test_a_fault_of_the_server_says_nothing_of_it_and_has_the_headers_too(client, monkeypatch):
    from hypar_opt.web.store import JobStore

    monkeypatch.setattr(JobStore, "all", lambda *_: 1 / 0)
    answer = client.get("/api/jobs")
    assert answer.status_code == 500
    assert answer.json() == {"error": "something went wrong in the server; its log says what", "field": None}
    assert answer.headers["x-content-type-options"] == "nosniff"
