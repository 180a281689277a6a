"""Waiting for what a page does a moment after it was asked to, from outside: its policy lets no test wait in it."""

from __future__ import annotations

from collections.abc import Callable

STEP_MS = 50
PATIENCE_MS = 300_000
"""No test is timed; this only ends one whose page is stuck."""


def eventually(page, holds: Callable[[], bool]) -> bool:
    """Return whether something comes true while the page goes on."""
    for _ in range(PATIENCE_MS // STEP_MS):
        if holds():
            return True
        page.wait_for_timeout(STEP_MS)
    return holds()
