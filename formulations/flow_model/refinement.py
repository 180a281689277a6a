"""Exact answers from solvers that compute in floating point: they are only ever given small numbers.

What a solver is given is a relaxation (`coarse`): costs rounded down to multiples of a size, so that what counts is
MOST units at most, and capacities' rows in numbers up to 2^20, rounded down too (`covers`). In such numbers tolerances
of 1e-9 decide nothing, whatever the magnitudes of the problem. So its bound is a bound, and if it has no solution there
is none. Its solution is looked at in exact integers, and

* is the best plan if it costs no more than the bound;
* is cut off by a cover if it exceeds a capacity;
* makes the size smaller if the plans that are left to be found cost less than was known;
* else is left out: the next bound is that of all other plans.

The bound then grows until it reaches the best plan. Where costs up to the best plan's are below MOST, the size is 1 and
one solution suffices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from formulations.flow_model.covers import CapacityRow, all_but
from formulations.flow_model.finish import BROKEN, MOST, ScaledProgramme, SolverAnswer
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.formulation.run import Run

ROUNDS = 1000
"""After so many relaxations it is left at the bound."""

TIES = f"{ROUNDS} relaxations in small numbers do not tell the best plan from others that cost nearly as much"
KEPT = "the solver's solution was cut off before: its tolerances do not hold here; try joint-dp"


class Roundable(ScaledProgramme, Protocol):
    """A programme of which there are relaxations in small numbers."""

    @property
    def rows(self) -> Sequence[CapacityRow]:
        """The capacities."""

    @property
    def most(self) -> int:
        """A number that no scaled cost exceeds."""

    def coarse(self, size: int, most: int, more: Sequence[CapacityRow], /) -> Self:
        """Return a relaxation in units of `size`, its costs at most `most` + 1, with more rows."""


P = TypeVar("P", bound=Roundable)


def refined(
    programme: P, best: Incumbent, run: Run, search: Callable[[P, Incumbent, Run], SolverAnswer]
) -> SolverAnswer:
    """Search relaxations of a programme until the best plan meets their bound; return the answer for the programme."""
    rows: list[CapacityRow] = []
    seen, lower = False, None
    size = _size(_least_known(programme, best))
    for _ in range(ROUNDS):
        answer = search(programme.coarse(size, MOST, rows), best, run)
        least = _scaled(programme, best)
        if answer.status is Status.INFEASIBLE and seen:
            return SolverAnswer(Status.OPTIMAL, answer.native_status, least, answer.note)
        if answer.status in (Status.INFEASIBLE, Status.ERROR):
            return answer
        lower = _greater(lower, answer.bound, size)
        if least is not None and lower is not None and lower >= least:
            return SolverAnswer(Status.OPTIMAL, answer.native_status, least if seen else lower, answer.note)
        if answer.status is not Status.OPTIMAL or answer.positions is None or run.limits.over:
            note = BROKEN if answer.status is Status.OPTIMAL and answer.positions is None else ""
            return SolverAnswer(Status.FEASIBLE, answer.native_status, lower, note or answer.note)
        if any(row.used(answer.positions) > row.limit for row in rows):
            return SolverAnswer(Status.FEASIBLE, answer.native_status, lower, KEPT)
        broken = [row.cover(answer.positions) for row in programme.rows if row.used(answer.positions) > row.limit]
        finer = _size(size * MOST if least is None else least)
        if broken:
            rows += broken
        elif finer < size:
            size = finer
        else:
            rows.append(all_but(answer.positions))
            seen = True
    return SolverAnswer(Status.FEASIBLE, "left", lower, TIES)


def _greater(lower: int | None, bound: int | None, size: int) -> int | None:
    """Return the greater of a bound and of one in units of a size."""
    if bound is None:
        return lower
    return bound * size if lower is None else max(lower, bound * size)


def _size(most: int) -> int:
    """Return the least unit in which numbers up to `most` are small."""
    return max(1, -(-most // MOST))


def _scaled(programme: ScaledProgramme, best: Incumbent) -> int | None:
    return None if best.value is None else (best.value - programme.constant) // programme.unit


def _least_known(programme: Roundable, best: Incumbent) -> int:
    """Return a scaled cost that the best plan does not exceed."""
    least = _scaled(programme, best)
    return programme.most if least is None else min(least, programme.most)
