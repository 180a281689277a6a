"""Two plans compared: on the terminal and for machines."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.report.amounts import amount_document, signed, weighed
from hypar_opt.report.console import terminal_table
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.tables import text_table
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.studies.amounts import PlanAmount
    from hypar_opt.studies.compare_plans import PlanChange, PlanComparison

MOST_ROWS = 200
"""Changes, and boundaries, that the terminal shows."""
MOST_BOUNDARIES = 5
WORD = 24
"""Letters, or names of accelerators, that a cell shows."""
INTERACTION = "interaction"


def show_plan_comparison(console: Console, found: PlanComparison) -> None:
    """Print what two plans cost, their differences by size with what each costs alone, and where the levels differ."""
    console.print(headline(found))
    rows = [_row(found, one) for one in found.changes[:MOST_ROWS]]
    if not rows:
        return
    rest = found.changes[MOST_ROWS:]
    blank = dict.fromkeys(rows[0], "")
    if rest:
        left_out = rest[0].more
        for one in rest[1:]:
            left_out = left_out.plus(one.more)
        rows.append(blank | {"differs": f"... and {len(rest):,} more"} | _amounts(found, left_out))
    rows.append(blank | {"differs": INTERACTION} | _amounts(found, found.interaction))
    rows.append(blank | {"differs": "total"} | _amounts(found, found.more))
    numbers = tuple(_amounts(found, found.more))
    console.print(terminal_table(text_table(rows, numbers), options={"first": {"overflow": "fold"}}))
    console.print(_said_of_interaction(found))
    faults = [f"{one.name}: {one.fault}" for one in found.changes if one.fault]
    if faults:
        console.print(f"note: with one change alone some plans are not allowed: {'; '.join(faults[:MOST_BOUNDARIES])}")
    levels = [
        {
            "level": str(h),
            "first": in_bytes(first),
            "second": in_bytes(second),
            "more": signed(in_bytes, second - first),
        }
        for h, (first, second) in enumerate(zip(*(one.levels for one in found.amounts), strict=True), start=1)
    ]
    if levels:
        console.print(terminal_table(text_table(levels, tuple(levels[0]))))


def headline(found: PlanComparison) -> str:
    """Return which plans are compared, and what each costs."""
    instance, more = found.problem.instance, found.more
    lines = [
        f"{role}, {claim.source}: {claim.status} by {claim.formulation}, {_in_all(found, amount)}"
        for role, claim, amount in zip(("first", "second"), found.claims, found.amounts, strict=True)
    ]
    if not found.changes:
        return "\n".join([*lines, f"{instance.name}: the plans are the same"])
    layers = sum(one.kind == "layer" for one in found.changes)
    differ = f"{instance.name}: {layers:,} of {len(found.problem.work.layers):,} layers differ"
    place = ", and the placement" if len(found.changes) > layers else ""
    size = f"{'-' if more.bytes < 0 else '+'}{in_full(abs(Fraction(more.bytes)))} bytes"
    return "\n".join([*lines, f"{differ}{place}; the second less the first: {size if more.bytes else '0 bytes'}"])


def _in_all(found: PlanComparison, amount: PlanAmount) -> str:
    """Return what a plan costs: its bytes, and the objective where that is another thing."""
    said = f"{in_bytes(amount.bytes)} ({in_full(amount.bytes)} bytes)"
    others = [f"{name} {text}" for name, text in weighed(found.problem, amount).items()]
    return ", ".join([said, *others])


def _amounts(found: PlanComparison, amount: PlanAmount) -> dict[str, str]:
    return {"bytes": signed(in_bytes, amount.bytes), **weighed(found.problem, amount, signed)}


def _row(found: PlanComparison, one: PlanChange) -> dict[str, str]:
    levels = ", ".join(map(str, one.levels))
    said = {"differs": one.name, "first": _cut(one.first), "second": _cut(one.second), "at levels": levels}
    return said | _amounts(found, one.more)


def _cut(text: str) -> str:
    return text if len(text) <= WORD else f"{text[:WORD]}..."


def _said_of_interaction(found: PlanComparison) -> str:
    """Return what a row's numbers are, and of which boundaries the interaction is."""
    said = (
        "a row: the first plan with that change alone, less the first plan; interaction: all together beyond their sum"
    )
    if not found.boundaries:
        return said
    named = [
        f"{one.producer} -> {one.reader} {signed(in_bytes, one.bytes)}" for one in found.boundaries[:MOST_BOUNDARIES]
    ]
    rest = found.boundaries[MOST_BOUNDARIES:]
    if rest:
        named.append(f"{len(rest):,} more {signed(in_bytes, sum(one.bytes for one in rest))}")
    return f"{said}, in bytes at boundaries whose ends both differ: {', '.join(named)}"


def plan_comparison_document(found: PlanComparison) -> dict[str, Any]:
    """Return a comparison for machines."""
    instance, problem = found.problem.instance, found.problem
    return {
        "instance": instance.name,
        "instance_sha256": instance.sha256,
        "overrides": dict(instance.overrides),
        "objective": problem.objective.spelt,
        "plans": [
            {
                "plan": str(one.source),
                "formulation": one.formulation,
                "status": one.status.value,
                **amount_document(amount),
            }
            for one, amount in zip(found.claims, found.amounts, strict=True)
        ],
        "changes": [_change_document(one) for one in found.changes],
        "interaction": {
            **amount_document(found.interaction),
            "boundaries": [
                {"from": one.producer, "to": one.reader, "bytes": exact(one.bytes)} for one in found.boundaries
            ],
        },
        "total": amount_document(found.more),
    }


def _change_document(one: PlanChange) -> dict[str, Any]:
    said = {"kind": one.kind, "name": one.name, "first": one.first, "second": one.second, "levels": list(one.levels)}
    return {**said, **amount_document(one.more), "fault": one.fault}
