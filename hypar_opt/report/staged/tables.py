"""A plan with stages as tables: a row a stage, for machines a row a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.numbers import in_si
from hypar_opt.report.staged.plan import leaves_text, words_text
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows, scaled
from hypar_opt.report.tables.sums import DIGITS
from hypar_opt.report.tables.table import label

if TYPE_CHECKING:
    from hypar_opt.evaluation.stages import JudgedStages
    from hypar_opt.solver.staged.problem import StagedProblem
    from hypar_opt.verification.claim import Claim

PARTS: Final = ("computing", "exchanging", "reading", "sending")
"""What a stage does."""
OF_ONE: Final = "time of a microbatch"
"""Over the columns of it."""


def staged_plan_tables(problem: StagedProblem, claim: Claim) -> TableDocument:
    """Return a plan for papers and for scripts: people read the stages, data has a row a layer.

    Parameters
    ----------
    problem
        What it is a plan of.
    claim
        Who claims what of it.
    """
    judged, name = problem.judged(claim.strategies_for("a plan to write as a table")), problem.instance.name
    found = stages_table(judged)
    shown = Table(f"plan-{label(name)}", f"Stages of {name}", found.columns, found.rows, (*found.notes, claim.said()))
    columns = (
        Column("layer", "layer"),
        Column("stage", "stage"),
        Column("accelerators", "accelerators"),
        Column("levels", "levels"),
    )
    rows = [
        (layer, number, leaves_text(stage), word)
        for number, stage in enumerate(judged.stages, start=1)
        for layer, word in stage.words.items()
    ]
    data = Table("plan", f"A plan of {name}", columns, entry_rows(columns, rows))
    return TableDocument("plan", data, (shown,), f"A plan of {name}")


def stages_table(judged: JudgedStages) -> Table:
    """Return a row a stage: its accelerators, layers and words, the seconds of a microbatch by what it does, memory."""
    each = judged.microbatches
    rows: list[tuple[Any, ...]] = [
        (
            *(number, leaves_text(one), one.layers[0], one.layers[-1], len(one.layers), words_text(one)),
            *(one.computing / each, one.exchanging / each, one.reading / each, one.sending / each, one.seconds / each),
            one.resident,
        )
        for number, one in enumerate(judged.stages, start=1)
    ]
    scale, unit = scaled([value for row in rows for value in row[6:11]], "s")
    of_bytes, byte_unit = scaled([row[11] for row in rows], "B")
    columns = (
        Column("stage", "stage"),
        Column("accelerators", "accelerators"),
        Column("first", "first", group="layers"),
        Column("last", "last", group="layers"),
        Column("count", "number", group="layers"),
        Column("words", "words", group="layers"),
        *(Column(f"{part}_s", part, unit, scale, DIGITS, group=OF_ONE) for part in PARTS),
        Column("seconds", "in all", unit, scale, DIGITS, group=OF_ONE),
        Column("memory_bytes", "memory", byte_unit, of_bytes, DIGITS),
    )
    slowest = in_si(judged.slowest.seconds / each, "s")
    note = f"{each:,} microbatches; the slowest stage takes {slowest} for each, a step {in_si(judged.objective, 's')}"
    return Table("stages", "Stages", columns, entry_rows(columns, rows), (note,))
