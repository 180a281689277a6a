"""What a formulation returns, and what a user gets: solutions, plans and their status."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping


GIVEN: Final = "given_layers"
"""In the statistics of a rule's plan: how many layers are other than by the rule, since their strategies are given."""
Decides: TypeAlias = Literal["strategies", "placement", "both", "stages", "schedule", "submeshes", "sends", "begins"]
"""What a formulation finds, and a plan's status is about."""


class Status(StrEnum):
    """What was proven."""

    OPTIMAL = "OPTIMAL"
    """A plan, and a proof that none is better."""
    FEASIBLE = "FEASIBLE"
    """A plan without such a proof."""
    INFEASIBLE = "INFEASIBLE"
    """A proof that there is no plan."""
    NO_SOLUTION = "NO_SOLUTION"
    """A limit was hit before any plan was found."""
    ERROR = "ERROR"
    """The solver failed, or its answer did not stand up to recomputation."""


UNCERTIFIED: Final = "of which a certificate holds no more than the root"


def beyond(certified: int, bound: int, rests: str) -> str:
    """Return the note that says what a bound rests on beyond the certified one of the root; nothing if nothing."""
    if bound <= certified:
        return ""
    return (
        f"the certified root bound lies {bound - certified} below what is claimed, the rest is {rests}, {UNCERTIFIED}"
    )


@dataclass(frozen=True)
class Solution:
    """A formulation's answer, in the CostGraph's own terms.

    Parameters
    ----------
    status
        What was proven.
    choices
        A value for every variable, or None without a plan.
    bound
        A proven lower bound in the CostGraph's integer unit, or None where there is none. A fraction where shares are
        decided, of which no unit is known before.
    native_status
        The solver's own word for it.
    note
        A tolerance, an assumption or a limit that the status rests on; shown beside it.
    statistics
        Sizes and counts worth showing.
    """

    status: Status
    choices: tuple[int, ...] | None = None
    bound: int | Fraction | None = None
    native_status: str = ""
    note: str = ""
    statistics: Mapping[str, int | float | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "statistics", dict(self.statistics))
        if (self.choices is None) == (self.status in (Status.OPTIMAL, Status.FEASIBLE)):
            raise ValueError(f"{self.status} and choices {self.choices}")


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
    excess
        A share for which it is proven that for every feasible plan one of the points is by no criterion more than
        1 + that many times as much: 0 of a complete front; None where nothing of the kind is proven.
    """

    points: tuple[FrontPoint, ...]
    complete: bool
    native_status: str = ""
    note: str = ""
    statistics: Mapping[str, int | float | str] = field(default_factory=dict)
    excess: Fraction | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "statistics", dict(self.statistics))
        if self.complete:
            object.__setattr__(self, "excess", Fraction(0))
        if list(self.points) != sorted(self.points):
            raise ValueError("the points of a front ascend")
