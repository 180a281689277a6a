"""What contradicts itself in a strategy graph without a plan, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_LISTED: Final = 8
"""So many times are listed, and more are counted; nodes are listed if they are no more."""


class Why(Protocol):
    """Why there is no plan."""

    @property
    def text(self) -> str:
        """In a sentence."""


@dataclass(frozen=True)
class Unexplained:
    """That it was not found."""

    text: str = "why there is no plan was not found within the limits of the search for it"


@dataclass(frozen=True)
class Conflict:
    """Times at all of which no plan without forbidden costs keeps to the limit; where there are none, no plan at all.

    Parameters
    ----------
    times
        In order.
    available
        The limit.
    needed
        The least that any plan uses at the first of the times, of those that keep to the limit at the others, or a
        bound of it; None where none above the limit is known.
    enough
        Whether some such plan uses no more than that.
    nodes
        Where there are no times: nodes of which nothing is allowed together.
    """

    times: tuple[int, ...]
    available: int
    needed: int | None = None
    enough: bool = False
    nodes: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """In a sentence."""
        return self._of_memory() if self.times else self._of_costs()

    def _of_costs(self) -> str:
        of = f" of {_listed('node', self.nodes)}" if len(self.nodes) <= MOST_LISTED else ""
        return f"the forbidden costs{of} leave no plan, however much memory there is"

    def _of_memory(self) -> str:
        if self.needed is None:
            return f"memory: there is no plan {self._that(self.times)}, which is {self.available:,}"
        first, others = self.times[0], self.times[1:]
        uses = f"uses at least {self.needed:,}, and there are {self.available:,}"
        more = f"; {self.needed - self.available:,} more would be enough for {'these times' if others else 'that time'}"
        return f"memory: at time {first} any plan {self._that(others)} {uses}{more if self.enough else ''}"

    def _that(self, times: Sequence[int]) -> str:
        """Return which plans are meant."""
        keeps = f" and keeps to the limit at {_listed('time', times)}" if times else ""
        return f"that has nothing forbidden{keeps}"


def _listed(what: str, numbers: Sequence[int]) -> str:
    """Return 'time 3', 'times 3, 5 and 8', or the first of many and how many more there are."""
    if len(numbers) == 1:
        return f"{what} {numbers[0]}"
    left = len(numbers) - MOST_LISTED
    shown, last = (numbers[:MOST_LISTED], f"{left:,} more") if left > 1 else (numbers[:-1], str(numbers[-1]))
    return f"{what}s {', '.join(map(str, shown))} and {last}"
