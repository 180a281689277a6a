"""What a formulation returns, and what a user gets: solutions, plans and their status."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

Decides: TypeAlias = Literal["strategies", "placement", "both"]
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
        A proven lower bound in the CostGraph's integer unit, or None where there is none.
    native_status
        The solver's own word for it.
    note
        A tolerance, an assumption or a limit that the status rests on; shown beside it.
    statistics
        Sizes and counts worth showing.
    """

    status: Status
    choices: tuple[int, ...] | None = None
    bound: int | None = None
    native_status: str = ""
    note: str = ""
    statistics: Mapping[str, int | float | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "statistics", dict(self.statistics))
        if (self.choices is None) == (self.status in (Status.OPTIMAL, Status.FEASIBLE)):
            raise ValueError(f"{self.status} and choices {self.choices}")


@dataclass(frozen=True)
class Plan:
    """A strategy for every layer, with what it costs and what is proven of it.

    Parameters
    ----------
    instance, instance_sha256
        What it is a plan of.
    formulation, status, native_status, note
        Who says so, and what.
    strategies
        By layer in topological order: its word, root level first; None without a plan.
    communication_bytes
        Over all levels, both directions; exact (a fraction under leaf-exact only).
    placement
        The accelerator on which every leaf of the partition stands; None where nothing depends on it.
    decided
        What was found; the rest was given, and what is proven is proven for that.
    costs
        By component, exact: what a placed plan costs; empty where nothing depends on a placement.
    objective, bound
        Exact, in the objective's unit.
    runtime_s
        Of the formulation.
    seed, versions, overrides, statistics
        What is needed to get it again.
    unbuildable
        Splits into more parts than a dimension has elements, a sentence each: the plan cannot be built as it stands.
    uneven
        Splits that leave something over, so that parts have to be padded, a sentence each.
    """

    instance: str
    instance_sha256: str
    formulation: str
    status: Status
    native_status: str
    strategies: Mapping[str, str] | None
    communication_bytes: int | Fraction | None
    objective: Fraction | None
    bound: Fraction | None
    runtime_s: float
    seed: int
    note: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    overrides: Mapping[str, Any] = field(default_factory=dict)
    statistics: Mapping[str, int | float | str] = field(default_factory=dict)
    placement: tuple[str, ...] | None = None
    decided: Decides = "strategies"
    costs: Mapping[str, Fraction] = field(default_factory=dict)
    unbuildable: tuple[str, ...] = ()
    uneven: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("versions", "overrides", "statistics", "costs"):
            object.__setattr__(self, name, dict(getattr(self, name)))
        if self.strategies is not None:
            object.__setattr__(self, "strategies", dict(self.strategies))

    @property
    def proven(self) -> bool:
        """Whether optimality, or that there is no plan, was proven."""
        return self.status in (Status.OPTIMAL, Status.INFEASIBLE)
