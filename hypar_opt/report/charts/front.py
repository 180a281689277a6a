"""A Pareto front as a chart: every plan that no other is better than in everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.plan_file import exact
from hypar_opt.report.charts.front_marks import SUPPORTED, UNSUPPORTED, WEIGHED, chart_of
from hypar_opt.report.charts.theme import figure
from hypar_opt.report.numbers import in_component, unit_of
from hypar_opt.report.tables import Column, Entry, Table

if TYPE_CHECKING:
    from hypar_opt.pareto import ParetoFront, TradeOff
    from hypar_opt.report.charts.figure import Figure


def front_figure(front: ParetoFront) -> Figure:
    """Return the first two components of a front, a third as colour; points that some weighting finds by their shape.

    Every mark has its point's number as `point`, from 1: a page that is told which one was clicked knows the plan.
    """
    count = len(front.points)
    plans = f"{count:,} plan{'' if count == 1 else 's'} that no other dominates"
    state = "complete" if front.complete else "NOT complete"
    title = f"{' and '.join(front.components)}: {plans} ({state})"
    best, supported = front.least_product(), front.supported()
    rows = [_row(front, supported, best, position) for position in range(count)]
    chart = chart_of(rows, front.components, _product(front))
    return figure("front", title, _alternative(front, title), chart, _table(front, supported, best))


def _product(front: ParetoFront) -> str:
    return f"least {front.components[0]} x {front.components[1]}"


def _kind(front: ParetoFront, supported: frozenset[int], position: int) -> str:
    if len(front.components) > 2:
        return WEIGHED
    return SUPPORTED if position in supported else UNSUPPORTED


def _row(front: ParetoFront, supported: frozenset[int], best: TradeOff | None, position: int) -> dict[str, Any]:
    point = front.points[position]
    row: dict[str, Any] = {
        "point": position + 1,
        "kind": _kind(front, supported, position),
        "least": point is best,
    }
    for axis, (name, value) in enumerate(zip(front.components, point.values, strict=True)):
        row |= {f"v{axis}": float(value), f"e{axis}": f"{exact(value)} {unit_of(name)}"}
    return row


def _alternative(front: ParetoFront, title: str) -> str:
    """Return how far apart the ends of the front are, and where the least product is."""
    if not front.points:
        return f"{title}."
    first, last, best = front.points[0], front.points[-1], front.least_product()
    assert best is not None  # there are points

    def said(point: TradeOff) -> str:
        values = zip(front.components, point.values, strict=True)
        return ", ".join(f"{name} {in_component(name, value)}" for name, value in values)

    number = front.points.index(best) + 1
    parts = [f"{title}", f"The first has {said(first)}", f"the last {said(last)}"]
    parts += [f"the {_product(front)} has point {number}, {said(best)}"]
    if len(front.components) == 2:
        inside = len(front.points) - len(front.supported())
        parts += [f"{inside:,} of them no weighted sum of the two finds"] if inside else []
    note = f" {front.note}." if front.note else ""
    return f"{'; '.join(parts)}.{note}"


def _table(front: ParetoFront, supported: frozenset[int], best: TradeOff | None) -> Table:
    columns = (
        Column("point", "Point"),
        *(Column(name, name.capitalize(), unit_of(name), digits=6, best="least") for name in front.components),
        Column("kind", "Found by"),
        Column("mark", "Marked"),
    )
    least = [min(values) for values in zip(*(point.values for point in front.points), strict=True)]
    rows = []
    for position, point in enumerate(front.points):
        values = zip(front.components, point.values, least, strict=True)
        rows.append(
            {"point": Entry(position + 1)}
            | {name: Entry(value, best=value == lowest) for name, value, lowest in values}
            | {
                "kind": Entry(_kind(front, supported, position)),
                "mark": Entry(_product(front) if point is best else None),
            }
        )
    state = "complete" if front.complete else "not complete"
    notes = (f"By {front.formulation}: {state} ({front.native_status}).", *((front.note,) if front.note else ()))
    return Table("front", "Plans that no other dominates", columns, tuple(rows), notes)
