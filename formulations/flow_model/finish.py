"""From a solver's answer back to a Solution: plans recomputed exactly, claims kept only where they hold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from formulations.flow_model.polytope import Polytope
    from hypar_opt.formulation.incumbent import Incumbent


class ScaledProgramme(Protocol):
    """What a search needs to know of the programme that it solves, whatever it encodes."""

    @property
    def values(self) -> tuple[tuple[int, ...], ...]:
        """By variable: its allowed values."""

    @property
    def unit(self) -> int:
        """A solution costs constant + unit x its scaled cost."""

    @property
    def constant(self) -> int:
        """What every solution costs."""

    def choices(self, positions: Iterable[int], /) -> tuple[int, ...]:
        """Return the values at one position of every variable."""


@dataclass(frozen=True)
class SolverAnswer:
    """What a solver said.

    Parameters
    ----------
    status
        From its native status, by the back-end's map.
    native_status
        Its own word.
    bound
        A lower bound of the scaled cost, rounded safely, or None.
    note
        What the status rests on.
    positions
        The solution that the status is about, allowed or not, by variable; None without one.
    """

    status: Status
    native_status: str
    bound: int | None = None
    note: str = ""
    positions: tuple[int, ...] | None = None


def settled(polytope: Polytope, best: Incumbent) -> SolverAnswer | None:
    """Return the answer where no solver is needed: nothing to choose, or nothing allowed."""
    if not all(polytope.values):
        return SolverAnswer(Status.INFEASIBLE, "a variable has no allowed value")
    for row in polytope.rows:
        if row.limit < 0:
            return SolverAnswer(Status.INFEASIBLE, f"the least usages exceed the capacity '{row.name}'")
    if polytope.values:
        return None
    best.offer(())
    return SolverAnswer(Status.OPTIMAL, "nothing to choose", bound=0)


def conclude(polytope: Polytope, best: Incumbent, answer: SolverAnswer) -> Solution:
    """Return the Solution of a polytope."""
    allowed = math.inf if polytope.allowed is None else polytope.allowed
    if best.value is None and answer.bound is not None and polytope.constant + polytope.unit * answer.bound > allowed:
        answer = SolverAnswer(Status.INFEASIBLE, answer.native_status, note=answer.note)
    facts = {"arcs": polytope.arcs, "values": sum(map(len, polytope.values)), "cost_unit": polytope.unit}
    return concluded(polytope, best, answer, facts)


def concluded(
    polytope: ScaledProgramme, best: Incumbent, answer: SolverAnswer, facts: Mapping[str, int | float | str]
) -> Solution:
    """Return the Solution: a claim that the recomputed plan does not bear out becomes a lesser one."""
    bound = None if answer.bound is None else polytope.constant + polytope.unit * answer.bound
    status, note = _borne_out(polytope, best, answer, bound)
    if status is Status.OPTIMAL:
        bound = best.value
    elif status not in (Status.FEASIBLE, Status.NO_SOLUTION) or note == UNSOUND:
        bound = None
    choices = best.choices if status in (Status.OPTIMAL, Status.FEASIBLE) else None
    return Solution(status, choices, bound, answer.native_status, note, facts)


UNSOUND = "the solver's bound exceeds the cost of a plan, so its tolerances do not hold here; try joint-dp"
CONTRADICTION = "the solver says that there is no plan, and the start plan is one"
BROKEN = "the solver's plan breaks a constraint by less than its tolerance; try cp-sat"


def _borne_out(
    polytope: ScaledProgramme, best: Incumbent, answer: SolverAnswer, bound: int | None
) -> tuple[Status, str]:
    """Compare a claim with the best plan: OPTIMAL needs a plan at the bound, INFEASIBLE none at all."""
    if answer.status is Status.INFEASIBLE and best.value is not None:
        return Status.ERROR, CONTRADICTION
    if answer.status in (Status.INFEASIBLE, Status.ERROR):
        return answer.status, answer.note
    if best.value is None:
        return Status.NO_SOLUTION, BROKEN if answer.status is Status.OPTIMAL else answer.note
    if bound is not None and best.value < bound:
        return Status.FEASIBLE, UNSOUND
    if answer.status is not Status.OPTIMAL:
        return Status.FEASIBLE, answer.note
    if bound is not None and best.value == bound:
        return Status.OPTIMAL, answer.note
    return Status.FEASIBLE, "the solver says optimal, but its bound lies below the recomputed plan"


GAP = 0.4
"""The absolute gap asked for: scaled costs are integers, so that below 1/2 a plan is the best."""
TOLERANCE = 1e-9
"""The tolerance asked for: how far a constraint may be from being kept."""
INTEGRALITY = 1e-7
"""How far a value may be from an integer. With 1e-9 HiGHS takes what is whole, but for its own rounding, for broken."""
ABSOLUTE, RELATIVE = 1e-3, 1e-9
"""By how much a solver's bound may be too high."""
MOST = 2**27
"""The largest scaled cost that solvers are told: bounds up to it are off by less than the gap leaves of 1."""
MAX_SEED = 2**31 - 1
NOTE = (
    f"proven in floating point, in costs up to {MOST:,}: gap below {GAP}, values integral within {INTEGRALITY:g}, "
    f"bound trusted to {RELATIVE:g} of it"
)


def chosen(x: Sequence[Sequence[float]]) -> list[int] | None:
    """Return the position of the 1 in every row, or None if some row is not one-hot."""
    positions = [max(range(len(row)), key=row.__getitem__) for row in x]
    integral = all(row[i] > 0.99 for row, i in zip(x, positions, strict=True))
    return positions if integral else None


def safe_bound(bound: float) -> int | None:
    """Return the least integer that costs, being integers, cannot fall below; None without a bound."""
    return math.ceil(bound - (ABSOLUTE + RELATIVE * abs(bound))) if math.isfinite(bound) else None
