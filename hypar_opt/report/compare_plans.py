"""Two plans compared: on the terminal and for machines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.instance.text import shown
from hypar_opt.report.amounts import amount_document, signed, weighed
from hypar_opt.report.compare_sends import (
    send_comparison_document,
    send_comparison_headline,
    show_send_comparison,
)
from hypar_opt.report.compare_stages import (
    show_stage_comparison,
    stage_comparison_document,
    stage_comparison_headline,
)
from hypar_opt.report.compare_tasks import (
    show_task_comparison,
    task_comparison_document,
    task_comparison_headline,
)
from hypar_opt.report.console import terminal_table
from hypar_opt.report.numbers import in_bytes, in_component, percent, times_of, unit_of
from hypar_opt.report.operators.changes import folded
from hypar_opt.report.tables import text_table
from hypar_opt.report.two_plans import ROLES
from hypar_opt.studies.plan_comparison import PLACEMENT
from hypar_opt.util.numbers import amount, exact, in_full

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.console import Console

    from hypar_opt.instance.text import FieldPath
    from hypar_opt.studies.amounts import PlanAmount
    from hypar_opt.studies.plan_comparison import ComparedProblem, PlanChange, PlanComparison

MOST_ROWS = 200
"""Changes, and boundaries, that the terminal shows."""
MOST_BOUNDARIES = 5
WORD = 24
"""Letters, or names of accelerators, that a cell shows."""
INTERACTION = "interaction"
PLURALS: Final[Mapping[str, str]] = {
    "layer": "layers",
    "operator": "operators",
    "tensor": "placements of tensors",
    "kept": "ways of keeping parameters and copies",
    "block": "blocks that may run once more",
}
"""By the kind of a change, what is counted."""
NOTHING: Final[Mapping[str, str]] = {"subject_to": "not bounded", "fix": "open", "array": "as it is unless given"}
"""What a problem says that says nothing of a component, a layer, or how partial sums are exchanged."""


def show_plan_comparison(console: Console, found: PlanComparison) -> None:
    """Print what two plans cost, their differences by size with what each costs alone, and where the levels differ."""
    console.print(headline(found))
    if found.components:
        totals = _totals(found)
        console.print(terminal_table(text_table(totals, tuple(totals[0])[1:])))
    changes = FOLDS.get(found.problem.kind, unfolded)(found)
    rows = [_row(found, one) for one in changes[:MOST_ROWS]]
    if not rows:
        return
    rest = changes[MOST_ROWS:]
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
            **({"axis": found.axes[h - 1]} if found.axes else {"level": str(h)}),
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
        f"{role}, {claim.source}: {claim.status} by {claim.formulation}, {_in_all(problem, amount)}"
        for role, problem, claim, amount in zip(ROLES, found.problems, found.claims, found.amounts, strict=True)
    ]
    lines += _of_problems(found)
    if not found.changes:
        return "\n".join([*lines, f"{instance.name}: the plans are the same"])
    counts = Counter(one.kind for one in found.changes)
    parts = [
        f"{counts[kind]:,} of {count:,} {PLURALS[kind]}" for kind, count in found.things.items() if counts[kind]
    ] or [f"0 of {count:,} {PLURALS[kind]}" for kind, count in found.things.items()]
    differ = f"{instance.name}: {', '.join(parts)} differ"
    place = ", and the placement" if counts[PLACEMENT] else ""
    size = f"{'-' if more.bytes < 0 else '+'}{in_full(abs(Fraction(more.bytes)))} bytes"
    return "\n".join([*lines, f"{differ}{place}; the second less the first: {size if more.bytes else '0 bytes'}"])


def _of_problems(found: PlanComparison) -> Iterator[str]:
    """Yield in what the problems differ, and what each plan is in the other one's."""
    for one in found.differing:
        first, second = (_said(one.path, value) for value in (one.first, one.second))
        yield f"the problems differ in {one.field}: the first's is {first}, the second's {second}"
    if all(one.path[0] == "objective" for one in found.differing):
        return
    if any(one.path[:2] == ("array", "collectives") for one in found.differing):
        yield "both plans are priced with the first problem's exchange of partial sums"
    for fault, plan, other in zip(found.faults, ROLES, reversed(ROLES), strict=True):
        fits = (
            f"is not allowed by the {other}'s problem: {fault}" if fault else f"is a plan of the {other}'s problem, too"
        )
        yield f"the {plan} plan {fits}"


def _said(path: FieldPath, value: object) -> str:
    """Return what a problem says in a field: of a bound with its unit."""
    if value is None:
        return NOTHING[str(path[0])]
    if isinstance(value, Fraction):
        return f"at most {in_full(value)} {unit_of(str(path[-1]))}"
    return value if isinstance(value, str) else shown(value)


def _totals(found: PlanComparison) -> list[dict[str, str]]:
    """Return a row a component, then one for every objective that is none, with units."""
    first, second = found.amounts
    values = {name: (first.costs[name], second.costs[name]) for name in found.components}
    values |= {name: pair for name, pair in found.objectives.items() if name not in values and found.differing}
    return [
        {
            "in all": name,
            "first": _exactly(name, one),
            "second": _exactly(name, two),
            "second less first": signed(partial(_exactly, name), two - one),
            "": f"{'+' if two > one else ''}{percent((two - one) / one)}" if one and two != one else "",
        }
        for name, (one, two) in values.items()
    ]


def _exactly(name: str, value: int | Fraction) -> str:
    """Return a value with all its digits, or as many as can be read of what has no end, and a component's unit."""
    return f"{amount(value, unit_of(name))}{times_of(name)}"


def _in_all(problem: ComparedProblem, amount: PlanAmount) -> str:
    """Return what a plan costs: its bytes, and the objective of its problem where that is another thing."""
    said = f"{in_bytes(amount.bytes)} ({in_full(amount.bytes)} bytes)"
    own = replace(amount, objective=problem.combined(amount.costs))
    others = [f"{name} {text}" for name, text in weighed(problem, own).items()]
    return ", ".join([said, *others])


def _amounts(found: PlanComparison, amount: PlanAmount) -> dict[str, str]:
    """Return cells of a difference: bytes, the other components that are compared, and what the first minimises."""
    names = [name for name in found.components if name != COMMUNICATION]
    costs = {name: signed(partial(in_component, name), amount.costs[name]) for name in names}
    return {"bytes": signed(in_bytes, amount.bytes), **costs, **weighed(found.problem, amount, signed)}


def _row(found: PlanComparison, one: PlanChange) -> dict[str, str]:
    where = [found.axes[level - 1] if found.axes else str(level) for level in one.levels]
    heading = "on axes" if found.axes else "at levels"
    said = {"differs": one.name, "first": _cut(one.first), "second": _cut(one.second), heading: ", ".join(where)}
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
        "differing": [
            {"field": one.field, "first": _plain(one.first), "second": _plain(one.second)} for one in found.differing
        ],
        "objectives": [
            {"objective": name, "first": exact(first), "second": exact(second)}
            for name, (first, second) in found.objectives.items()
        ],
        "plans": [
            {
                "plan": str(one.source),
                "formulation": one.formulation,
                "status": one.status.value,
                **amount_document(amount),
                "fault_in_other": fault,
            }
            for one, amount, fault in zip(found.claims, found.amounts, found.faults, strict=True)
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


def _plain(value: object) -> object:
    return exact(value) if isinstance(value, Fraction) else value


def unfolded(found: PlanComparison) -> tuple[PlanChange, ...]:
    """Return the changes as they are."""
    return found.changes


FOLDS: Final[Mapping[str, Callable[[PlanComparison], tuple[PlanChange, ...]]]] = {"operators": folded}
"""By kind of problem, which changes share a row, where some do."""


@dataclass(frozen=True)
class ComparisonView:
    """How a comparison of two plans is told.

    Parameters
    ----------
    headline
        Returns lines, the last of which says what differs.
    show
        Prints it.
    document
        Returns it for machines.
    """

    headline: Callable[[Any], str]
    show: Callable[[Console, Any], None]
    document: Callable[[Any], dict[str, Any]]


_OF_CHANGES: Final = ComparisonView(headline, show_plan_comparison, plan_comparison_document)
COMPARISON_VIEWS: Final[Mapping[str, ComparisonView]] = MappingProxyType(
    {
        "network": _OF_CHANGES,
        "operators": _OF_CHANGES,
        "collective": ComparisonView(send_comparison_headline, show_send_comparison, send_comparison_document),
        "task-graph": ComparisonView(task_comparison_headline, show_task_comparison, task_comparison_document),
        "pipeline": ComparisonView(stage_comparison_headline, show_stage_comparison, stage_comparison_document),
    }
)
"""By kind of problem."""
