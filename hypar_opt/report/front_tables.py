"""A Pareto front as a table: its points with their costs, what changes from one to the next, what is special."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hypar_opt.report.numbers import QUANTITY, number, scaled, times_of, unit_of
from hypar_opt.report.pareto import MOST_CHANGES, changes, marks
from hypar_opt.report.tables import Column, Entry, Table, TableDocument, entry_rows
from hypar_opt.report.tables.table import label
from hypar_opt.solver.front import front_document
from hypar_opt.util.numbers import digits_apart

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.solver.front import ParetoFront


def front_tables(front: ParetoFront) -> TableDocument:
    """Return a front for papers and for scripts: a row a point.

    For scripts with exact costs and every layer's word; as JSON it is what `pareto -o` writes.
    """
    people = Table(f"front-{label(front.instance)}", _title(front), *_points(front), tuple(_said(front)))
    document = front_document(front)
    return TableDocument("front", _data(front, document["points"]), (people,), plain=document)


def _title(front: ParetoFront) -> str:
    *others, last = front.components
    return f"Plans of {front.instance} that no other beats by {', '.join(others)} and {last}"


def _said(front: ParetoFront) -> Iterator[str]:
    """Yield what is proven, and by whom."""
    count = f"{len(front.points):,} point{'' if len(front.points) == 1 else 's'}"
    yield f"{count}, {'all there are' if front.complete else 'NOT complete'}, by {front.formulation}"
    if front.note:
        yield front.note
    pairs = pairwise(front.words)
    if any(sum(word != one[layer] for layer, word in other.items()) > MOST_CHANGES for one, other in pairs):
        yield f"Of the layers that change from one point to the next at most {MOST_CHANGES} are named"


def _points(front: ParetoFront) -> tuple[tuple[Column, ...], tuple[dict[str, Entry], ...]]:
    """Return the columns for people, and their rows."""
    special = marks(front)
    columns = [Column("at", "point")]
    for place, name in enumerate(front.components):
        values = [point.values[place] for point in front.points]
        scale, unit = scaled(values, unit_of(name))
        digits = digits_apart([value / Fraction(scale) for value in values], number, QUANTITY)
        columns.append(Column(f"cost {name}", name, unit + times_of(name), scale, digits))
    columns.append(Column("changes", "the layers that change", width=0.4))
    columns += [Column("mark", "remark", width=0.2)] if any(special.values()) else []
    rows = [
        (at + 1, *point.values, changes(front.words[at - 1] if at else None, front.words[at]), special[at])[
            : len(columns)
        ]
        for at, point in enumerate(front.points)
    ]
    return tuple(columns), entry_rows(columns, rows)


def _data(front: ParetoFront, points: Sequence[Mapping[str, Any]]) -> Table:
    """Return a row a point, as JSON has it: `cost.time_s`, exact, and `plan.fc1`, the word of a layer."""
    found = [
        {f"{part}.{name}": said for part, own in (("cost", one["cost"]), ("plan", words)) for name, said in own.items()}
        for one, words in zip(points, front.words, strict=True)
    ]
    columns = tuple(Column(key, key) for key in (found[0] if found else ()))
    return Table("front", _title(front), columns, entry_rows(columns, (list(one.values()) for one in found)))
