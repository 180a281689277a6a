"""A job as its server knows it."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import Field

from hypar_opt.instance.fields import Spec

State: TypeAlias = Literal["queued", "running", "done", "failed", "cancelled", "interrupted", "damaged"]
QUEUED, RUNNING, DONE, FAILED, CANCELLED, INTERRUPTED, DAMAGED = STATES = get_args(State)
ENDED: Final = frozenset(STATES) - {QUEUED, RUNNING}
TOKEN: Final = r"^[A-Za-z0-9_-]{24}$"
Moment: TypeAlias = Annotated[float, Field(ge=0, le=253402214400)]
"""Seconds since 1970, until the year 9999; 0 for a moment that nobody knows."""


class Job(Spec):
    """One job."""

    id: Annotated[str, Field(pattern=TOKEN)] = Field(
        description="a random token of 24 characters, which names its folder and its pages"
    )
    label: str = Field(description="the instance's name, or that of its file before it is read: a client's text")
    state: State = Field(description="what happens to it, or did")
    created: Moment = Field(description="when it was taken in")
    began: Moment | None = Field(None, description="when it was started, if it was")
    ended: Moment | None = Field(None, description="when it ended, if it did")
    error: str = Field("", description="why it failed, or what is wrong with what is stored of it, in words")
    headline: str = Field("", description="what was found, a line")

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen to it any more."""
        return self.state in ENDED
