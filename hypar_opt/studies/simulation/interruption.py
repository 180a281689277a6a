"""Stopping a simulation, whatever it is at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from hypar_opt.util.interrupt import Interrupted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hypar_opt.formulation.run import Limits

T = TypeVar("T")
BETWEEN_LOOKS: Final = 256
"""Items between two looks at whether to stop."""


class SimulationStopped(Interrupted):
    """A simulation that was told to stop; there is no half a result."""


def check(limits: Limits | None, doing: str) -> None:
    """Stop if the limits are over.

    Parameters
    ----------
    limits
        None: there are none.
    doing
        What it was at, to follow `stopped`.

    Raises
    ------
    SimulationStopped
        If they are.
    """
    if limits is not None and limits.over:
        raise SimulationStopped(f"stopped {doing}; nothing is reported")


def watched(items: Iterable[T], limits: Limits | None, doing: str, every: int = BETWEEN_LOOKS) -> Iterator[T]:
    """Yield items as long as the limits are not over; see `check`."""
    for number, item in enumerate(items):
        if not number % every:
            check(limits, doing)
        yield item
