"""In what two plans of one network differ: the changes, what each costs alone, and what all cost together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Protocol

from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS
from hypar_opt.instance.text import cut
from hypar_opt.studies.amounts import PlanAmount
from hypar_opt.util.numbers import amount

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    import pandas as pd

    from hypar_opt.evaluation.communication import Bytes
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.solver.problem import AnyInstance
    from hypar_opt.studies.compared_problems import FieldDifference
    from hypar_opt.verification.claim import Claim

PLACEMENT = "placement"
"""What a change is called that is none of a layer's."""


class ComparedProblem(Protocol):
    """A problem whose plans can be compared, of whatever kind."""

    @property
    def kind(self) -> str:
        """Its name."""

    @property
    def instance(self) -> AnyInstance:
        """What it was compiled from."""

    @property
    def objective(self) -> ObjectiveFunction:
        """The objective."""

    def combined(self, costs: Mapping[str, Fraction]) -> Fraction:
        """Return what costs come to by the objective."""


@dataclass(frozen=True)
class PlanChange:
    """One of the things in which the second plan differs from the first.

    Parameters
    ----------
    kind
        `layer` or `placement`; of a plan of operators `operator`, `tensor` or `kept`.
    name
        The layer's, or `placement`; of operators the key of a plan's strategies.
    first, second
        The layer's words, or the accelerators of all leaves; nothing where a plan does not say it.
    levels
        At which levels, or on which axes, the words differ, from 1.
    more
        What the first plan with only this changed costs more than the first plan.
    fault
        What keeps that plan from being allowed, or nothing.
    """

    kind: str
    name: str
    first: str
    second: str
    levels: tuple[int, ...]
    more: PlanAmount
    fault: str = ""


@dataclass(frozen=True)
class BoundaryInteraction:
    """What two changes at the ends of a boundary cost together beyond what each costs alone.

    Parameters
    ----------
    producer, reader
        The layers.
    bytes
        Of the boundary, summed over the levels.
    """

    producer: str
    reader: str
    bytes: Bytes


@dataclass(frozen=True, repr=False)
class PlanComparison:
    """In what two plans of one network and array differ.

    Parameters
    ----------
    problems
        Whose plans they are: one twice, or two that differ.
    differing
        The fields in which the problems differ.
    faults
        What keeps each plan from being one of the other's problem, or nothing.
    claims
        What is said of each, and its file.
    amounts
        What each costs, recomputed; the objective is the first problem's.
    components
        That are compared beside the objective: of two problems time, energy and whatever either asks for, and those of
        a front whose point a plan is; as far as they are known.
    changes
        The largest first: in the objective, then in bytes; what is left in the order of the layers.
    boundaries
        The interaction in bytes, the largest first; not of operators.
    things
        How many there are that may differ, by the kind of a change.
    axes
        Of operators, the axes' names; nothing where bytes are told by levels.
    """

    problems: tuple[ComparedProblem, ComparedProblem]
    differing: tuple[FieldDifference, ...]
    faults: tuple[str, str]
    claims: tuple[Claim, Claim]
    amounts: tuple[PlanAmount, PlanAmount]
    components: tuple[str, ...]
    changes: tuple[PlanChange, ...]
    boundaries: tuple[BoundaryInteraction, ...]
    things: Mapping[str, int]
    axes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        count = f"{len(self.changes):,} change{'' if len(self.changes) == 1 else 's'}"
        return f"PlanComparison({cut(self.problem.instance.name)!r}, {count}, {amount(self.more.bytes, 'B')} more)"

    @property
    def problem(self) -> ComparedProblem:
        """The first plan's."""
        return self.problems[0]

    @property
    def objectives(self) -> dict[str, tuple[Fraction, Fraction]]:
        """What both plans come to by the objective of each problem, as that is spelt."""
        first, second = self.amounts
        return {one.objective.spelt: (one.combined(first.costs), one.combined(second.costs)) for one in self.problems}

    @property
    def more(self) -> PlanAmount:
        """What the second plan costs more than the first."""
        first, second = self.amounts
        return second.minus(first)

    @property
    def interaction(self) -> PlanAmount:
        """What the changes together cost beyond the sum of what each costs alone."""
        return reduce(PlanAmount.minus, (one.more for one in self.changes), self.more)

    def to_frame(self) -> pd.DataFrame:
        """Return a row a change, then the interaction and the total: exact bytes, what is minimised, the components."""
        import pandas as pd

        rows: list[tuple[str, str, str, str, tuple[int, ...], PlanAmount]] = [
            (one.kind, one.name, one.first, one.second, one.levels, one.more) for one in self.changes
        ]
        rows += [("interaction", "", "", "", (), self.interaction), ("total", "", "", "", (), self.more)]
        names = [name for name in self.components if name != COMMUNICATION]
        return pd.DataFrame(
            [(*said, more.bytes, more.objective, *(more.costs[name] for name in names)) for *said, more in rows],
            columns=[
                *("kind", "name", "first", "second", "levels", "bytes", "objective"),
                *(COMPONENTS[name].field for name in names),
            ],
        )
