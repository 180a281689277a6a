"""What can be wrong with a schedule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from hypar_opt.instance.text import shown

if TYPE_CHECKING:
    from hypar_opt.instance.collective import CollectiveInstance, Send

FaultKind: TypeAlias = Literal[
    "route", "when", "link-capacity", "not-there", "added-twice", "overwritten", "incomplete", "shares"
]
"""A way that is none, a time that cannot be, too much on a link, sent before it is there, a contribution added again,
one that is lost, not everything where it has to be at the end, and shares that are not the whole."""


@dataclass(frozen=True)
class ScheduleFault:
    """What is wrong.

    Parameters
    ----------
    kind
        In short.
    text
        Where, and what.
    """

    kind: FaultKind
    text: str

    def __str__(self) -> str:
        return self.text


def said(instance: CollectiveInstance, send: Send) -> str:
    """Return which send it is: its chunk, its route, and when."""
    when = f"from {send.begin} s to {send.end} s" if instance.goal == "time" else f"in step {send.end}"
    return f"chunk {shown(instance.chunks[send.chunk].name)}, {instance.machine.path(send.route)} {when}"
