"""Waiting for what a page does a moment after it was asked to, from outside: its policy lets no test wait in it."""

from __future__ import annotations

from collections.abc import Callable

STEP_MS = 50


def eventually(page, holds: Callable[[], bool], seconds: float = 20) -> bool:
    """Return whether something comes true while the page goes on."""
    for _ in range(int(seconds * 1000 / STEP_MS)):
        if holds():
            return True
        page.wait_for_timeout(STEP_MS)
    return holds()
