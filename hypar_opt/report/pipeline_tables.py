"""A plan of a pipeline as tables: a row a stage, for machines a row an operator; and a pipeline's operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.numbers import in_si
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows, scaled
from hypar_opt.report.tables.sums import DIGITS
from hypar_opt.report.tables.table import label

if TYPE_CHECKING:
    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.instance.pipeline import PipelineInstance
    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.verification.claim import Claim

PARTS: Final = ("computing", "reading", "sending")
"""What a stage does."""


def pipeline_plan_tables(problem: PipelineProblem, claim: Claim) -> TableDocument:
    """Return a plan for papers and for scripts: people read the stages, data has a row an operator.

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
    numbers = {stage.devices: place for place, stage in enumerate(judged.stages, start=1)}
    columns: tuple[Column, ...] = (
        Column("operator", "operator"),
        Column("stage", "stage"),
        Column("devices", "devices"),
    )
    leaves = {
        name: leaf.devices
        for stage in judged.stages
        for leaf in judged.within(stage) or (stage,)
        for name in leaf.operators
    }
    rows: list[tuple[Any, ...]] = [
        (one.name, numbers[judged.devices_of[one.name]], str(leaves[one.name])) for one in problem.instance.operators
    ]
    if problem.instance.recompute != "never":
        columns = (*columns, Column("anew", "anew"))
        rows = [(*row, "yes" if row[0] in judged.anew else "no") for row in rows]
    data = Table("plan", f"A plan of {name}", columns, entry_rows(columns, rows))
    return TableDocument("plan", data, (shown,), f"A plan of {name}")


def stages_table(judged: JudgedPipeline) -> Table:
    """Return a row a stage: its devices and operators, seconds by what it does, and memory."""
    rows: list[tuple[Any, ...]] = [
        (
            *(number, str(one.devices), one.operators[0], one.operators[-1], len(one.operators)),
            *(one.computing, one.reading, one.sending, one.seconds, one.memory),
            *(() if one.in_flight is None else (one.in_flight,)),
        )
        for number, one in enumerate(judged.stages, start=1)
    ]
    scale, unit = scaled([value for row in rows for value in row[5:9]], "s")
    of_bytes, byte_unit = scaled([row[9] for row in rows], "B")
    columns = (
        Column("stage", "stage"),
        Column("devices", "devices"),
        Column("first", "first", group="operators"),
        Column("last", "last", group="operators"),
        Column("count", "number", group="operators"),
        *(Column(f"{part}_s", part, unit, scale, DIGITS, group="time") for part in PARTS),
        Column("seconds", "in all", unit, scale, DIGITS, group="time"),
        Column("memory_bytes", "memory", byte_unit, of_bytes, DIGITS),
        *(() if judged.instance.schedule is None else (Column("in_flight", "in flight"),)),
    )
    slowest = judged.slowest
    number = judged.stages.index(slowest) + 1
    note = f"The slowest is stage {number}, on {slowest.devices}: {in_si(slowest.seconds, 's')}"
    return Table("stages", "Stages", columns, entry_rows(columns, rows), (note,))


def pipeline_tables(instance: PipelineInstance) -> TableDocument:
    """Return a row an operator of a pipeline."""
    columns = (
        Column("operator", "operator"),
        Column("phase", "phase"),
        *(Column(f"seconds_{kind.name}", kind.name, "s", group="seconds") for kind in instance.leaves),
        Column("reads", "reads"),
        Column("output_bytes", "output", "B"),
        Column("memory_bytes", "memory", "B"),
        Column("activation_bytes", "activations", "B"),
        Column("parameter_bytes", "parameters", "B"),
        Column("together", "together"),
    )
    rows = [
        (
            one.name,
            one.phase,
            *(one.computing(kind.name) if kind.name in one.seconds else None for kind in instance.leaves),
            " ".join(one.reads),
            *(one.output, one.memory, one.activations, one.parameters),
            one.together,
        )
        for one in instance.operators
    ]
    title = f"Operators of {instance.name}"
    table = Table(f"operators-{label(instance.name)}", title, columns, entry_rows(columns, rows))
    return TableDocument("operators", table, (table,), title)
