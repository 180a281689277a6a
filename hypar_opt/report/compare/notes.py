"""What is said of a compared cell: marks of proofs, words where there is no plan, footnotes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

from hypar_opt.formulation.solution import Status
from hypar_opt.report.numbers import beside_bound
from hypar_opt.report.tables import Column, Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.report.tables.table import Value
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.compare import Cell
    from hypar_opt.studies.compare_arrays import ArrayCell

    C = TypeVar("C", Cell, ArrayCell)

WITHOUT: Final[Mapping[Status, str]] = MappingProxyType(
    {Status.INFEASIBLE: "infeasible", Status.NO_SOLUTION: "none found", Status.ERROR: "error"}
)
"""What is said where there is no plan."""
DECLINED: Final = "DECLINED"
PLACED: Final = "OPTIMAL placement"
"""What stands for a status: where no plan was looked for, and where it is of the placement alone."""
PLACED_ALONE: Final = "+: proven of the placement alone, for strategies that may not be the best"
UNBUILDABLE: Final = (
    "; ! cannot be built as it stands: a dimension is split into more parts than it has elements (--json says which, "
    "--splits divisible allows only plans that can)"
)
"""How a legend goes on where a cell has the mark."""


def instead(plan: Plan | None) -> str | None:
    """Return what stands where a cost would."""
    return WITHOUT.get(plan.status) if plan is not None else None


def mark(plan: Plan | None) -> str:
    """Return the mark of a proof; one of the placement alone is another."""
    if plan is None or not plan.proven:
        return ""
    return "+" if of_placement_alone(plan) else "*"


def marks(plan: Plan | None) -> str:
    """Return all marks of a plan."""
    return mark(plan) + unbuildable_mark(plan)


def proofs(proven: str, cells: Iterable[Cell | ArrayCell]) -> tuple[str, ...]:
    """Return what marks of proofs mean: how that of a proof is told, and of one of the placement where there is one."""
    return (proven, PLACED_ALONE) if any(of_placement_alone(cell.plan) for cell in cells) else (proven,)


def unbuildable_mark(plan: Plan | None) -> str:
    """Return the mark of a plan that splits a dimension into more parts than it has elements."""
    return "!" if plan is not None and plan.unbuildable else ""


def unbuildable_legend(plans: Iterable[Plan | None]) -> str:
    """Return what that mark means, to be added to a legend, where one of the plans has it."""
    return UNBUILDABLE if any(map(unbuildable_mark, plans)) else ""


def of_placement_alone(plan: Plan | None) -> bool:
    """Return whether the proof is of the placement, for strategies that were found without one."""
    return plan is not None and plan.status is Status.OPTIMAL and plan.decided == "placement"


def word(plan: Plan | None) -> str:
    """Return what stands for a status beside others: `OPTIMAL` only where no plan at all costs less."""
    if plan is None:
        return DECLINED
    return PLACED if of_placement_alone(plan) else plan.status.value


def bound(plan: Plan) -> Fraction | None:
    """Return what no plan costs less than; None where the bound is one of the placement of given strategies."""
    return None if plan.decided == "placement" else plan.bound


def footnotes(cell: Cell | ArrayCell) -> tuple[str, ...]:
    """Return why a cell has no cost, or what its cost rests on."""
    plan = cell.plan
    if plan is None:
        return (cell.refusal,)
    said = "" if plan.proven else plan.native_status or plan.status.value
    if plan.status is Status.FEASIBLE:
        said = f"not proven{beside_bound(plan)}: {said}"
    return tuple(text for text in (said, plan.note) if text)


def solved_together(count: int) -> tuple[str, ...]:
    """Return what is said of times where so many solves were under way at a time."""
    return (f"Up to {count} solves at a time, which may have shared processors: times are no measurement",) * (
        count > 1
    )


def entry_of(cell: Cell | ArrayCell, value: Value) -> Entry:
    """Return a cell's value with its mark, or what stands instead, and why."""
    return Entry(value, instead(cell.plan), notes=footnotes(cell), mark=mark(cell.plan))


PROBLEM: Final = ("instance", "accounting", "batch", "levels", "axes")
"""The columns that say which problem a row is."""
OTHER: Final = ("accounting", "batch", "levels", "axes", "objective")
"""What a problem has beside its name."""
OTHER_ACCOUNTING: Final = "another accounting than the first row's: costs are comparable within a row only"


def by_rows(cells: Sequence[C], name: str) -> list[dict[str, C]]:
    """Return the cells of every row, by what they have under a name."""
    found: dict[int, dict[str, C]] = {}
    for cell in cells:
        found.setdefault(cell.row, {})[getattr(cell, name)] = cell
    return list(found.values())


def first_cells(cells: Sequence[Cell]) -> list[Cell]:
    """Return the first cell of every row."""
    return [next(iter(row.values())) for row in by_rows(cells, "formulation")]


def labels(cells: Sequence[Cell], by: Sequence[str] = PROBLEM) -> list[str]:
    """Return a name for every row: the instance's; those that are the same by all this are told apart by position."""
    keys = [tuple(getattr(cell, name) for name in by) for cell in cells]
    twice = [keys.count(key) > 1 for key in keys]
    taken = {cell.instance for cell, again in zip(cells, twice, strict=True) if not again}
    found = []
    for cell, again in zip(cells, twice, strict=True):
        label = f"{cell.instance} #{cell.row + 1}" if again else cell.instance
        while again and label in taken:
            label += "'"  # that is the name of another
        taken.add(label)
        found.append(label)
    return found


def said_of(cell: Cell, name: str) -> str | int | None:
    """Return what people read of a problem under a column's name: of axes not how many, but which."""
    found: str | int | None = cell.halvings if name == "levels" else getattr(cell, name)
    return found


def problem_columns(cells: Sequence[Cell]) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Return the columns in which rows differ, and a note of what is the same in all."""
    same = [name for name in OTHER if len({said_of(cell, name) for cell in cells}) == 1]
    columns = tuple(Column(name, name) for name in ("instance", *(one for one in OTHER if one not in same)))
    said = ", ".join(f"{name} {said_of(cells[0], name)}" for name in same if said_of(cells[0], name) is not None)
    return columns, (f"All rows: {said}",) if said else ()


def problem_entries(cell: Cell, label: str, columns: Sequence[Column], first: Cell) -> dict[str, Entry]:
    """Return what a row says of its problem; costs of another accounting than the first row's are another matter."""
    found = {column.key: Entry(said_of(cell, column.key)) for column in columns}
    if cell.accounting != first.accounting:
        found["accounting"] = Entry(cell.accounting, notes=(OTHER_ACCOUNTING,))
    return found | {"instance": Entry(label)}
