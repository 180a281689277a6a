"""What a comparison is of, before it is drawn: costs beside the least that was found of the same instance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.plan import Status
from hypar_opt.report.comparison.notes import of_placement_alone
from hypar_opt.report.comparison.rows import first_cells, labels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.comparing import Cell

PROVEN, PLACED, FOUND, DECLINED = "proven the least", "proven for its strategies", "not proven", "declined"
WORDS: Final[Mapping[Status, str]] = MappingProxyType(
    {
        Status.OPTIMAL: PROVEN,
        Status.FEASIBLE: FOUND,
        Status.INFEASIBLE: "infeasible",
        Status.NO_SOLUTION: "none found",
        Status.ERROR: "error",
    }
)


@dataclass(frozen=True)
class Compared:
    """A cell beside the best of its instance.

    Parameters
    ----------
    instance
        What tells it from the others.
    ratio
        Of its cost to the least that was found; None without a cost, or where the least is nothing and this is not.
    word
        What is known of it.
    """

    cell: Cell
    instance: str
    ratio: Fraction | None
    word: str

    @property
    def cost(self) -> Fraction | None:
        """In the objective's unit; that of an answer that did not stand up to recomputation is none."""
        return cost_of(self.cell)

    @property
    def note(self) -> str:
        """Why it declined, or what its status rests on."""
        return self.cell.refusal or (self.cell.plan.note if self.cell.plan else "")


def cost_of(cell: Cell) -> Fraction | None:
    """Return what a cell's plan costs in the objective's unit; None where it has none that holds."""
    plan = cell.plan
    return None if plan is None or plan.status not in (Status.OPTIMAL, Status.FEASIBLE) else plan.objective


def compared(cells: Sequence[Cell]) -> tuple[Compared, ...]:
    """Return every cell beside the best of its row."""
    least: dict[int, Fraction] = {}
    for cell in cells:
        cost = cost_of(cell)
        if cost is not None:
            least[cell.row] = min(cost, least.get(cell.row, cost))
    names = _labels(cells)
    return tuple(Compared(cell, names[cell.row], _ratio(cell, least), _word(cell)) for cell in cells)


def _ratio(cell: Cell, least: Mapping[int, Fraction]) -> Fraction | None:
    cost = cost_of(cell)
    if cost is None:
        return None
    if cost == least[cell.row]:
        return Fraction(1)
    return Fraction(cost, least[cell.row]) if least[cell.row] > 0 else None


def _word(cell: Cell) -> str:
    if cell.plan is None:
        return DECLINED
    if of_placement_alone(cell.plan):
        return PLACED
    return WORDS[cell.plan.status]


def _labels(cells: Sequence[Cell]) -> dict[int, str]:
    """Return a name for every row; rows of one name are told apart by their position."""
    firsts = first_cells(cells)
    return {cell.row: label for cell, label in zip(firsts, labels(firsts, ("instance",)), strict=True)}
