"""A job as its server knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

QUEUED, RUNNING, DONE, FAILED, CANCELLED, INTERRUPTED = (
    "queued", "running", "done", "failed", "cancelled", "interrupted",
)  # fmt: skip
ENDED: Final = frozenset({DONE, FAILED, CANCELLED, INTERRUPTED})


@dataclass(frozen=True)
class Job:
    """One job.

    Parameters
    ----------
    id
        A random token, which names its folder and its pages.
    label
        The instance's name, or that of its file before it is read: a client's text.
    state
        One of those above.
    created, began, ended
        Seconds since 1970; None for what has not happened.
    error
        Why it failed, in words; nothing otherwise.
    headline
        What was found, a line.
    """

    id: str
    label: str
    state: str
    created: float
    began: float | None = None
    ended: float | None = None
    error: str = ""
    headline: str = ""

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen to it any more."""
        return self.state in ENDED

    def document(self) -> dict[str, Any]:
        """Return it for machines."""
        return {
            "id": self.id, "label": self.label, "state": self.state, "created": self.created, "began": self.began,
            "ended": self.ended, "error": self.error, "headline": self.headline,
        }  # fmt: skip
