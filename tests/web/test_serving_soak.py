"""A few clients for a few seconds; `python -m tests.web.soak` for many and long."""

import asyncio

import pytest

from tests.web.conftest import without_vega
from tests.web.server import running
from tests.web.soak import soak


@pytest.mark.slow
def test_five_clients_lose_nothing(tmp_path):
    with running(without_vega(tmp_path / "state")) as server:
        found = asyncio.run(soak(server, 5, 5))
    assert found["errors"] == {}
    assert found["lost"] == 0
    assert set(found["jobs"]) == {"done"}


@pytest.mark.slow
def test_the_soak_would_see_a_loss(tmp_path):
    from tests.web.soak import ended

    with running(without_vega(tmp_path / "state")) as server:
        assert asyncio.run(ended(server.url, ["none"])) == {"lost": 1}
