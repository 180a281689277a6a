"""What a formulation returns that enumerates a Pareto front."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, order=True)
class FrontPoint:
    """One plan of a front, in the CostGraph's own terms.

    Parameters
    ----------
    values
        What it costs by each criterion, in the criteria's integer units.
    choices
        A value for every variable.
    """

    values: tuple[int, ...]
    choices: tuple[int, ...]


@dataclass(frozen=True)
class FrontSolution:
    """A front, or what was found of it.

    Parameters
    ----------
    points
        Ascending by their values, each of the values once, none dominated by another of them.
    complete
        Whether it is proven that every feasible plan is dominated by, or equals, one of the points; a complete
        front without points is a proof that no plan is feasible.
    native_status
        In the method's own words.
    note
        A tolerance, an assumption or a limit that this rests on.
    statistics
        Sizes and counts worth showing.
    """

    points: tuple[FrontPoint, ...]
    complete: bool
    native_status: str = ""
    note: str = ""
    statistics: Mapping[str, int | float | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "statistics", dict(self.statistics))
        if list(self.points) != sorted(self.points):
            raise ValueError("the points of a front ascend")
