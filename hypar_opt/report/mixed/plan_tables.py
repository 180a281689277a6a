"""A plan for accelerators of several kinds as tables: its grid and shares, and what every class of leaves does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.mixed import communication_bytes
from hypar_opt.instance.choices import LETTERS
from hypar_opt.instance.shares import GridShares
from hypar_opt.report.mixed.array import class_text, own_shares_text, share_lines
from hypar_opt.report.mixed.classes import waiting_lines
from hypar_opt.report.mixed.step import MixedStep
from hypar_opt.report.numbers import in_bytes, in_si
from hypar_opt.report.plan_rows import inter_before, layer_kind
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows, scaled
from hypar_opt.report.tables.sums import DIGITS
from hypar_opt.report.tables.table import label
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.verification.claim import Claim

READING: Final = "reading, level {}"


def mixed_plan_tables(problem: MixedProblem, claim: Claim) -> TableDocument:
    """Return a plan for papers and for scripts: people read the grid and the classes, data has a row a layer.

    Parameters
    ----------
    problem
        What it is a plan of.
    claim
        Who claims what of it; its strategies and shares are a plan of the instance.
    """
    strategies = claim.strategies_for("a plan to write as a table")
    step = MixedStep(problem.work, problem.judged_by, strategies, claim.shares)
    found = communication_bytes(problem.work, strategies, claim.shares, problem.judged_by)
    said = (*_said(problem, claim, step, found),)
    name = problem.instance.name
    grid = Table(f"plan-{label(name)}", f"A plan of {name}", *_grid(problem, step, found, exactly=False), said)
    classes = replace(classes_table(step), name=f"classes-{label(name)}")
    data = Table("plan", f"A plan of {name}", *_grid(problem, step, found, exactly=True))
    return TableDocument("plan", data, (grid, classes), f"A plan of {name}")


def _grid(
    problem: MixedProblem, step: MixedStep, found: Breakdown, *, exactly: bool
) -> tuple[tuple[Column, ...], tuple[Any, ...]]:
    """Return a row a layer: its word, its bytes, and the seconds that one accelerator of each class computes it."""
    layers, before = problem.work.layers, inter_before(problem, found)
    computing = {one.part.layer: one.seconds for one in step.stints if one.doing == "computing"}
    counts = [(sum(found.intra[place]), before[place]) for place in range(len(layers))]
    of_bytes = (1, "B") if exactly else scaled([count for row in counts for count in row], "B")
    seconds = (1, "s") if exactly else scaled([one for row in computing.values() for one in row], "s")
    digits = None if exactly else DIGITS
    is_own = isinstance(problem.instance.shares, GridShares)
    own = [(own_shares_text(problem.array, step.shares, layer.name),) if is_own else () for layer in layers]
    columns = (
        Column("layer", "layer"),
        Column("kind", "kind"),
        Column("levels", "levels", code=True),
        *([Column("share", "share", code=True)] if is_own else []),
        Column("intra_bytes", "intra", of_bytes[1], of_bytes[0], digits, group="bytes"),
        Column("inter_bytes", "inter before", of_bytes[1], of_bytes[0], digits, group="bytes"),
        *(
            Column(f"computing_{one.name}", one.name, seconds[1], seconds[0], digits, group="computing")
            for one in step.classes
        ),
    )
    rows = [
        (layer.name, layer_kind(layer), step.strategies[layer.name], *own[place], *counts[place], *computing[place])
        for place, layer in enumerate(layers)
    ]
    return columns, entry_rows(columns, rows)


def classes_table(step: MixedStep) -> Table:
    """Return a row a class: seconds of a step by what it does, and memory."""
    places, levels = range(len(step.classes)), range(step.setting.levels)
    rows: list[tuple[Any, ...]] = []
    for place in places:
        parts = (step.computing(place), *(step.reading(place, level) for level in levels), step.waiting(place))
        rows.append((class_text(step.classes[place]), *parts, step.kept[place], step.capacity(place)))
    scale, unit = scaled([one for row in rows for one in row[1:-2]], "s")
    of_bytes = scaled([row[-2] for row in rows], "B")
    names = ["computing", *(READING.format(level + 1) for level in levels), "waiting"]
    keys = ["computing_s", *(f"reading_level_{level + 1}_s" for level in levels), "waiting_s"]
    columns = (
        Column("class", "accelerators"),
        *(Column(key, name, unit, scale, DIGITS) for key, name in zip(keys, names, strict=True)),
        Column("memory_bytes", "memory", of_bytes[1], of_bytes[0], DIGITS),
        Column("capacity_bytes", "capacity", of_bytes[1], of_bytes[0], DIGITS),
    )
    title = "What one accelerator of each class does in a step, and what stays in its memory"
    return Table("classes", title, columns, entry_rows(columns, rows))


def _said(problem: MixedProblem, claim: Claim, step: MixedStep, found: Breakdown) -> Iterator[str]:
    """Yield what the letters are, the shares, what the plan costs, and who claims what of it."""
    used = sorted({letter for word in step.strategies.values() for letter in word})
    names = {letter: name for name, letter in LETTERS.items()}
    yield f"The root's level stands first; {', '.join(f'{letter}: {names[letter]}' for letter in used)}"
    yield from share_lines(problem.array, step.shares, step.strategies)
    yield from waiting_lines(step)
    total = f"{in_bytes(found.total)} ({in_full(found.total)} bytes)"
    yield f"A step takes {in_si(step.time, 's')} and exchanges {total}, recomputed from the plan"
    yield claim.said()
