"""A plan with bits as tables: for people what every tensor is sent in, for machines a row a layer and tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.precision.plan import bits_text
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows, scaled
from hypar_opt.report.tables.sums import DIGITS
from hypar_opt.report.tables.table import label
from hypar_opt.util.numbers import amount

if TYPE_CHECKING:
    from hypar_opt.evaluation.precision import JudgedPrecision
    from hypar_opt.solver.precision_problem import PrecisionProblem
    from hypar_opt.verification.claim import Claim


def precision_plan_tables(problem: PrecisionProblem, claim: Claim) -> TableDocument:
    """Return a plan for papers and for scripts.

    Parameters
    ----------
    problem
        What it is a plan of.
    claim
        Who claims what of it.
    """
    judged, name = problem.judged(claim.strategies_for("a plan to write as a table")), problem.instance.name
    layers, sent = layers_table(judged), sent_table(judged)
    shown = Table(f"plan-{label(name)}", f"A plan of {name}", layers.columns, layers.rows, (claim.said(),))
    data = Table("plan", f"A plan of {name}", sent.columns, sent.rows)
    return TableDocument("plan", data, (shown, sent), f"A plan of {name}")


def layers_table(judged: JudgedPrecision) -> Table:
    """Return a row a layer: its letters, the bits that it chose, and their error."""
    columns = (
        Column("layer", "layer"),
        Column("levels", "levels", code=True),
        Column("bits", "bits"),
        Column("error", "error", digits=DIGITS),
    )
    rows: list[tuple[Any, ...]] = [
        (name, entry.word, bits_text(judged, name), judged.errors[name]) for name, entry in judged.entries.items()
    ]
    note = f"The errors add up to {amount(judged.error)}"
    return Table("layers", "Layers", columns, entry_rows(columns, rows), (note,))


def sent_table(judged: JudgedPrecision) -> Table:
    """Return a row for every tensor that a layer sends: its bits, the bytes in full, and those that are sent."""
    rows: list[tuple[Any, ...]] = [
        (one.layer, one.tensor, one.bits, one.whole_bytes, one.sent_bytes) for one in judged.tensors
    ]
    scale, unit = scaled([value for row in rows for value in row[3:]], "B")
    columns = (
        Column("layer", "layer"),
        Column("tensor", "tensor"),
        Column("bits", "bits"),
        Column("whole_bytes", "in full", unit, scale, DIGITS, group="bytes"),
        Column("sent_bytes", "sent", unit, scale, DIGITS, group="bytes"),
    )
    whole, sent = judged.in_full.total, judged.breakdown.total
    note = f"{in_bytes(sent)} are sent, which are {in_bytes(whole)} in full"
    return Table("sent", "What is sent", columns, entry_rows(columns, rows), (note,))
