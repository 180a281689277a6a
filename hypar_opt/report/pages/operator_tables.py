"""The tables on the page of an instance of operators; those of a plan have exact numbers, and can be sorted."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.numbers import in_bytes, in_objective, in_si
from hypar_opt.report.operators.again import again_notes
from hypar_opt.report.operators.array import link_rows
from hypar_opt.report.operators.links import group_rows, kind_rows, placement_text
from hypar_opt.report.operators.memory import RECOMPUTED, kept_at_turn, kept_by_operator
from hypar_opt.report.operators.network import network_rows
from hypar_opt.report.operators.peak import memory_line
from hypar_opt.report.operators.phases import shown_phases
from hypar_opt.report.operators.plan import shared_rows
from hypar_opt.report.overlap import overlap_line
from hypar_opt.report.tables import Column, Entry, Table, entry_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.report.content.operator_plan import NamedOperatorPlan
    from hypar_opt.report.content.operator_rules import RuleBeside
    from hypar_opt.report.pages.plans import Alike

MADE_ANEW: Final = (
    "Recomputed is what the block that makes most anew has inside when it runs once more, behind the turn."
)
"""Of a column that is in no sum."""


def _bytes(size: Fraction | int) -> Entry:
    """Return bytes: exact for machines, and in short."""
    return Entry(Fraction(size), in_bytes(size))


def _of_texts(name: str, title: str, rows: Sequence[Mapping[str, Any]], keys: Mapping[str, str]) -> Table:
    """Return a table of rows as the terminal has them.

    Parameters
    ----------
    keys
        Headings that are not the rows' own.
    """
    columns = tuple(Column(key or "what", keys.get(key, key)) for key in (rows[0] if rows else ()))
    return Table(name, title, columns, entry_rows(columns, (list(row.values()) for row in rows)))


def network_table(instance: OperatorInstance) -> Table:
    """Return a row a layer, of equal ones in neighbouring blocks one together."""
    return _of_texts("layers", "Layers", network_rows(instance), {})


def shared_table(named: NamedOperatorPlan) -> Table:
    """Return a row a placement of a tensor that several operators read."""
    rows = shared_rows(named.problem, named.strategies, named.blocks)
    return _of_texts("shared", "Where they lie", rows, {"": "what"})


def rules_table(best: NamedOperatorPlan, rules: Sequence[RuleBeside]) -> Table:
    """Return a row for the best plan and for each rule: what it costs, how many times the best, what it keeps."""
    objective = best.problem.objective
    columns = (
        Column("plan", "plan"),
        Column("objective", objective.spelt),
        Column("times", "times the best", digits=3),
        Column("kept", "kept on each device"),
        Column("why", "why there is none"),
    )
    least = best.plan.objective
    rows: list[tuple[Any, ...]] = []
    for name, named, why in ((best.name, best, ""), *((one.rule, one.named, one.missing) for one in rules)):
        value = None if named is None else named.plan.objective
        if named is None or value is None:
            rows.append((name, None, None, None, why))
            continue
        times = value / least if least else None
        kept = _bytes(kept_at_turn(named.kept))
        rows.append((name, Entry(value, in_objective(objective, value)), times, kept, None))
    missing = any(one.missing for one in rules)
    shown = columns if missing else columns[:-1]
    notes = ("What rules leave open is chosen best.",)
    made = (row if missing else row[:-1] for row in rows)
    return Table("rules", "Rules that everybody knows", shown, entry_rows(shown, made), notes)


def totals_table(named: NamedOperatorPlan) -> Table:
    """Return a row a kind of collective and axis, with the bytes of each phase."""
    found: dict[tuple[str, str], dict[str, Fraction]] = {}
    calls: dict[tuple[str, str], int] = {}
    for one in named.moved.movements:
        row = found.setdefault((one.kind, one.axis), dict.fromkeys(named.moved.phases, Fraction(0)))
        row[one.phase] += one.bytes
        calls[one.kind, one.axis] = calls.get((one.kind, one.axis), 0) + one.collectives
    columns = (
        Column("kind", "collective"),
        Column("axis", "axis"),
        Column("calls", "calls"),
        *(Column(phase, phase, group="bytes received") for phase in named.moved.phases),
        Column("step", "step", group="bytes received"),
    )
    rows: list[tuple[Any, ...]] = [
        (*key, calls[key], *(_bytes(size) for size in row.values()), _bytes(sum(row.values(), start=Fraction(0))))
        for key, row in found.items()
    ]
    notes = ("Bytes that all devices together receive in a step. A call counts once, however many groups make it.",)
    return Table("collectives", "By kind, axis and phase", columns, entry_rows(columns, rows), notes)


def collectives_table(named: NamedOperatorPlan) -> Table:
    """Return a row a layer, what of it is moved, phase, kind and axis."""
    graph = named.problem.instance.graph
    items = [
        (place.layer, (place.what, place.phase, place.kind, place.axis, size, count))
        for place, (size, count) in named.moved.by_layer(graph).items()
    ]
    columns = (
        Column("operator", "operator"),
        Column("moved", "moved"),
        Column("phase", "phase"),
        Column("kind", "collective"),
        Column("axis", "axis"),
        Column("calls", "calls"),
        Column("bytes", "bytes"),
    )
    rows = [
        (one.label, *one.value[:4], one.value[5] * len(one.names), _bytes(one.value[4] * len(one.names)))
        for one in named.blocks.folded(items)
    ]
    notes = ("Of equal operators in neighbouring blocks, which share a row, the sum.",)
    return Table("by-operator", "By operator", columns, entry_rows(columns, rows), notes)


def memory_table(named: NamedOperatorPlan) -> Table:
    """Return a row an operator with the bytes of each kind that each device keeps for it."""
    kinds, found = kept_by_operator(named.step.kept, named.blocks)
    columns = (
        Column("operator", "operator"),
        *(Column(kind, kind) for kind in kinds),
    )
    rows = [(label, *map(_bytes, sizes)) for label, sizes in found]
    notes = (
        "Bytes on each device. Of equal operators in neighbouring blocks, which share a row, the sum.",
        "This is what is kept at the turn of the step; what has to fit is all that is there at its peak.",
        f"{memory_line(named.step.peak, named.problem.memory, begin='Memory')}.",
        *again_notes(named.strategies),
        *((MADE_ANEW,) if RECOMPUTED in kinds else ()),
    )
    title = f"By operator, of {named.name}"
    return Table("memory", title, columns, entry_rows(columns, rows), notes)


def time_table(named: NamedOperatorPlan) -> Table:
    """Return a row a part of a step with the seconds of each phase."""
    phases = shown_phases(phase for _, phase in named.seconds)
    columns = (Column("part", "part"), *(Column(phase, phase) for phase in (*phases, "step")))
    parts = dict.fromkeys(part for part, _ in named.seconds)
    rows = []
    for part in parts:
        each = [named.seconds.get((part, phase), Fraction(0)) for phase in phases]
        rows.append((part, *(Entry(one, in_si(float(one), "s")) for one in (*each, sum(each, start=Fraction(0))))))
    together = named.step.together
    notes = () if together is None else (f"A{overlap_line(together)[1:]}.",)
    return Table("time", f"By part and phase, of {named.name}", columns, entry_rows(columns, rows), notes)


def array_table(instance: OperatorInstance, plans: Sequence[Alike]) -> Table:
    """Return a row an axis: what a device's link along it can do, and what the first plan moves there."""
    rows = [dict(row) for row in link_rows(instance.spec.array)]
    if plans:
        named = plans[0].named
        moved: dict[str, Fraction] = {}
        for one in named.moved.movements:
            moved[one.axis] = moved.get(one.axis, Fraction(0)) + one.bytes
        for row in rows:
            row["bytes received along it"] = _bytes(moved.get(str(row["axis"]), Fraction(0)))
    return _of_texts("axes", "Axes, outermost first", rows, {"size": "devices"})


def graph_tables(named: NamedOperatorPlan) -> tuple[Table, ...]:
    """Return what groups along which axes exchange, and what is on each kind of link; nothing without a topology."""
    if named.step.crossed is None:
        return ()
    groups = _of_texts("groups", f"Groups that exchange, by {named.name}", group_rows(named.step), {})
    links = _of_texts("links", f"Links, both directions, by {named.name}", kind_rows(named.step.crossed), {})
    return groups, replace(links, notes=(f"{placement_text(named.standing).replace(chr(10), '; ')}.",))
