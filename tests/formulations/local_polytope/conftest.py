"""What the tests of cores share."""

from __future__ import annotations

import pytest

from formulations.local_polytope import root


@pytest.fixture
def unrounded(monkeypatch):
    """Leave rows of memory as they are: under rounding they leave small tables nothing to search."""
    monkeypatch.setattr(root, "deepest", lambda *_: [])
