"""The best plan of a search so far: its value comes from the graph, never from a solver."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.run import Run


class Valued(Protocol):
    """A graph that says what choices cost."""

    def feasible(self, choices: Any, /) -> bool:
        """Return whether choices are allowed."""

    def value(self, choices: Any, /) -> int:
        """Return what choices cost."""


@dataclass
class Incumbent:
    """The best plan so far; threads may share it.

    Parameters
    ----------
    graph, run
        The problem, and who hears of better plans.
    choices, value
        The plan, or None.
    """

    graph: Valued
    run: Run
    choices: tuple[int, ...] | None = None
    value: int | None = None
    _lock: Any = field(default_factory=RLock, init=False, repr=False)

    @classmethod
    def of(cls, graph: Valued, run: Run) -> Self:
        """Begin with the start plan, if there is one and it is allowed."""
        best = cls(graph, run)
        if run.start is not None:
            best.offer(run.start)
        return best

    def offer(self, choices: Sequence[int] | Array) -> int | None:
        """Keep and tell of a plan if it is allowed and better; return what it costs if it is allowed."""
        if not self.graph.feasible(choices):
            return None
        value = self.graph.value(choices)
        with self._lock:
            if self.value is None or value < self.value:
                self.choices, self.value = tuple(map(int, choices)), value
                self.run.incumbent(value, self.choices)
        return value

    def ask(self) -> None:
        """Take what those have found that search beside this run."""
        found = self.run.hint().choices
        if found is not None:
            self.offer(found)

    def of_all(self, bound: int) -> int:
        """Return what a bound of all plans that were not seen yet says of all plans: up to the best one's cost."""
        value = self.value
        return bound if value is None else min(bound, value)

    def bound(self, bound: int) -> None:
        """Tell of a bound of all plans that were not seen yet."""
        self.run.bound(self.of_all(bound))

    def met_by(self, bound: int | Fraction) -> bool:
        """Return whether a bound of all plans that were not seen yet says that none costs less: costs are integers."""
        value = self.value
        return value is not None and bound > value - 1
