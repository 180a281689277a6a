"""A verdict: what was checked, what it rests on, and a better plan beside a refuted one."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.text import Text

from hypar_opt.evaluation.legality import unbuildable_text
from hypar_opt.report.console import terminal_table
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.tables import Column, Entry, Table, text_table
from hypar_opt.util.numbers import amount, exact, in_full
from hypar_opt.util.surd import exact_number
from hypar_opt.verification.verdict import CheckOutcome

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

    from hypar_opt.verification import Better, Claim, Verdict
    from hypar_opt.verification.verdict import Check

STYLES = {CheckOutcome.CONFIRMED: "bold green", CheckOutcome.REFUTED: "bold red", CheckOutcome.UNDECIDED: "bold yellow"}
MARKS = {CheckOutcome.CONFIRMED: "ok", CheckOutcome.REFUTED: "NO", CheckOutcome.UNDECIDED: "?"}
OUTCOMES = {mark: outcome for outcome, mark in MARKS.items()}
ROW, FOLDED = ("mark", "name", "text"), {"overflow": "fold"}
MOST_ROWS = 200


def show_verdict(console: Console, claim: Claim, verdict: Verdict) -> None:
    """Print a verdict."""
    headline = Text(f"{verdict.outcome}: ", style=STYLES[verdict.outcome])
    what = "placement " if claim.decided == "placement" else ""
    console.print(headline.append(f"{claim.instance}, {what}{claim.status} by {claim.formulation}", style="default"))
    rows = [{"mark": MARKS[one.outcome], "name": one.name, "text": one.text} for one in verdict.checks]
    table = text_table(rows, (), ROW)
    console.print(terminal_table(table, cell=_styled, options=dict.fromkeys(ROW, FOLDED), show_header=False))
    if verdict.boxes:
        console.print(terminal_table(_boxes(verdict)))
    unbuildable = unbuildable_text(verdict.splits)
    if unbuildable:
        console.print(f"note: {unbuildable}", markup=False)
    if verdict.breakdown is not None and verdict.leaf_exact is not None:
        console.print(off_by(verdict.breakdown.total, verdict.leaf_exact.total))
    if verdict.better is not None:
        console.print(_side_by_side(claim, verdict, verdict.better))


def _boxes(verdict: Verdict) -> Table:
    """Return how boxes of shares were closed, and by what it is shown anew that they hold no better plan."""
    headings = "boxes", "closed by", "shown by"
    rows = [(f"{one.boxes:,}", one.closed or "-", one.shown) for one in verdict.boxes]
    return text_table([dict(zip(headings, row, strict=True)) for row in rows], (), headings)


def _styled(column: Column, entry: Entry) -> Text:
    text = str(entry.value)
    return Text(text, style=STYLES[OUTCOMES[text]] if column.key == "mark" else "")


def off_by(accounted: int | Fraction, leaves: int | Fraction) -> str:
    """Return by how much an accounting is off what the leaves really read."""
    text = f"leaf-exact: the leaves' own boxes lack {in_bytes(leaves)} ({in_full(leaves)} bytes)"
    if accounted == leaves:
        return f"{text}, as the accounting says"
    if not leaves:
        return f"{text}, the accounting says {in_bytes(accounted)}"
    more = "more" if accounted > leaves else "less"
    return f"{text}; the accounting says {float(abs(exact_number(accounted - leaves)) / leaves):.2%} {more}"


def _side_by_side(claim: Claim, verdict: Verdict, better: Better) -> RichTable:
    """Return the layers, or nodes, whose strategies differ, and what both plans cost."""
    claimed = claim.strategies or {}
    differing = [(name, claimed.get(name, "-"), word) for name, word in better.strategies.items()]
    differing = [row for row in differing if row[1] != row[2]]
    rows = differing[:MOST_ROWS]
    if len(differing) > MOST_ROWS:
        rows.append((f"... and {len(differing) - MOST_ROWS:,} more", "", ""))
    if better.communication_bytes is not None:
        before = "-" if verdict.breakdown is None else in_full(verdict.breakdown.total)
        rows.append(("bytes", before, in_full(better.communication_bytes)))
    if better.placement is not None:
        rows.append(("placement", " ".join(claim.placement or ()), " ".join(better.placement)))
    if better.placement is not None or better.communication_bytes is None:
        claimed_objective = "-" if claim.objective is None else amount(claim.objective, better.unit)
        rows.append(("objective", claimed_objective, amount(better.objective, better.unit)))
    headings = "layer" if verdict.judged is None else "node", "claimed", f"better, by {better.source}"
    table = text_table([dict(zip(headings, row, strict=True)) for row in rows], (), headings)
    return terminal_table(table, options=dict.fromkeys(headings[1:], FOLDED))


def verdict_document(claim: Claim, verdict: Verdict) -> dict[str, Any]:
    """Return a verdict for machines."""
    better = verdict.better
    return {
        "verdict": verdict.outcome.value,
        "reason": verdict.reason,
        "instance": claim.instance,
        "instance_sha256": claim.instance_sha256,
        "overrides": dict(claim.overrides),
        "formulation": claim.formulation,
        "status": claim.status.value,
        "decided": claim.decided,
        "checks": [_check(one) for one in verdict.checks],
        "communication_bytes": None if verdict.breakdown is None else exact(verdict.breakdown.total),
        "leaf_exact_bytes": None if verdict.leaf_exact is None else exact(verdict.leaf_exact.total),
        **_judged(verdict),
        "unbuildable": [str(one) for one in verdict.splits if not one.is_possible],
        "uneven": [str(one) for one in verdict.splits if one.is_possible],
        "bound": exact(verdict.bound),
        **({"boxes": [one._asdict() for one in verdict.boxes]} if verdict.boxes else {}),
        "better": None
        if better is None
        else {
            "source": better.source,
            "communication_bytes": exact(better.communication_bytes),
            "objective": exact(better.objective),
            "plan": dict(better.strategies),
            "placement": None if better.placement is None else list(better.placement),
        },
    }


def _check(one: Check) -> dict[str, Any]:
    """Return a check; what was recomputed exactly, where its text may have rounded it."""
    found = {} if one.found is None else {"found": exact(one.found)}
    return {"name": one.name, "outcome": one.outcome.value, "text": one.text, **found}


def _judged(verdict: Verdict) -> dict[str, Any]:
    """Return what a strategy graph's plan costs, and its memory at the time when it uses most."""
    judged = verdict.judged
    if judged is None:
        return {}
    memory = {"used": judged.peak, "time": judged.peak_time, "limit": judged.limit}
    return {"total": judged.total, "peak_memory": memory}
