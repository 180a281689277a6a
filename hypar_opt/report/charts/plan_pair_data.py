"""What is known of several plans of one instance, layer by layer, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.report.charts.plan_cells import PlanRows, left_out
from hypar_opt.report.numbers import in_bytes, in_objective, percent
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.communication import Bytes
    from hypar_opt.report.content import NamedPlan


LARGEST: Final = 2**53
"""Integers up to here are exact in a browser."""
BY_LAYER, IN_ALL = "layers", "plans"
"""What the data are called."""
GAP: Final = 0.16
"""Of a cell, between two."""
SIDES: Final[Mapping[str, Literal["a", "b"]]] = {"first": "a", "second": "b"}
"""Of the two plans, the field of each one's letters."""
GREEDY: Final = "hypar-dp"


@dataclass(frozen=True)
class Plans:
    """Plans of one instance.

    Parameters
    ----------
    all
        At least two.
    """

    all: tuple[NamedPlan, ...]

    @cached_property
    def rows(self) -> tuple[PlanRows, ...]:
        """Layer by layer, of every plan."""
        return tuple(PlanRows(one) for one in self.all)

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """Names of those that are shown."""
        return tuple(layer.name for layer in self.rows[0].layers)

    @property
    def exact(self) -> bool:
        """Whether a browser's numbers are exact for all of these."""
        totals = [one.breakdown.total for one in self.all]
        parts = [part for rows in self.rows for row in range(len(self.layers)) for part in _parts(rows, row)]
        return max(totals) < LARGEST and all(isinstance(part, int) for part in parts)

    def default(self) -> tuple[int, int]:
        """Return the best plan, and the greedy one, or else the next best; another plan where there is one."""
        values = [one.plan.objective for one in self.all]
        best, *others = sorted(range(len(values)), key=lambda place: (values[place] is None, values[place] or 0))
        unlike = [one for one in others if self.all[one].strategies != self.all[best].strategies] or others
        greedy = [one for one in unlike if self.all[one].name == GREEDY]
        return best, (greedy or unlike)[0]

    def by_layer(self) -> list[dict[str, Any]]:
        """Return a row a layer, with a list over the plans of each: words, intra-layer and inter-layer bytes."""
        exact = self.exact
        found = []
        for row, name in enumerate(self.layers):
            parts = [_parts(rows, row) for rows in self.rows]
            datum: dict[str, Any] = {"l": name, "w": [one.strategies[name] for one in self.all]}
            for place, (number, text) in enumerate((("p", "P"), ("q", "Q"))):
                datum[number] = [part[place] if exact else float(part[place]) for part in parts]
                if not exact:
                    datum[text] = [in_full(part[place]) for part in parts]
            found.append(datum)
        return found

    def in_all(self) -> dict[str, Any]:
        """Return of every plan its name, bytes and objective, and of every two what the second has more."""
        more = [[difference_of(first, second) for second in self.all] for first in self.all]
        said = {
            "n": [one.name for one in self.all],
            "s": [in_bytes(one.breakdown.total) for one in self.all],
            "m": more,
        }
        if not self.weighed:
            return said
        return said | {"o": [_cost(one) for one in self.all]}

    @property
    def weighed(self) -> bool:
        """Whether what is optimised is another thing than bytes exchanged."""
        return self.all[0].problem.objective.spelt != COMMUNICATION


def difference_of(first: NamedPlan, second: NamedPlan) -> str:
    """Return what the second plan has more than the first: bytes, and what is optimised where that is another thing."""
    found = difference(first.breakdown.total, second.breakdown.total)
    one, other = first.plan.objective, second.plan.objective
    objective = first.problem.objective.spelt
    if objective == COMMUNICATION or one is None or other is None:
        return found
    part = f"{'+' if other > one else ''}{percent((other - one) / one)}" if one and other != one else "the same"
    return f"{found}; {objective}: {part}"


def difference(first: Bytes, second: Bytes) -> str:
    """Return what the second has more than the first, with all digits."""
    more = second - first
    if not more:
        return "the same bytes"
    part = f" ({float(100 * more / first):+.2f} %)" if first else ""
    size = more if more > 0 else -more
    return f"{'+' if more > 0 else '-'}{in_full(size)} B{part}"


def _cost(one: NamedPlan) -> str:
    value = one.plan.objective
    return "not known" if value is None else in_objective(one.problem.objective, value)


def _parts(rows: PlanRows, row: int) -> tuple[Bytes, Bytes]:
    return rows.intra(row), rows.inter(row)


COLUMNS: Final = (
    Column("layer", "layer"),
    Column("plan", "plan"),
    Column("strategy", "strategy"),
    Column("intra", "intra-layer", "B"),
    Column("inter", "inter-layer before", "B"),
    Column("total", "total", "B"),
)


def plans_table(plans: Plans, name: str) -> Table:
    """Return the numbers, a row a layer and plan."""
    entries = []
    for row, layer in enumerate(plans.layers):
        for one, rows in zip(plans.all, plans.rows, strict=True):
            intra, inter = rows.intra(row), rows.inter(row)
            entries.append((layer, one.name, one.strategies[layer], intra, inter, intra + inter))
    notes = ("Bytes of one training step, exact; inter-layer bytes are those of the boundaries that a layer reads.",)
    return Table(name, "Plans by layer", COLUMNS, entry_rows(COLUMNS, entries), (*notes, *left_out(plans.rows[0])))
