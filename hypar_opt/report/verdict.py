"""A verdict: what was checked, what it rests on, and a better plan beside a refuted one."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from hypar_opt.boxes import unbuildable_text
from hypar_opt.plan_file import exact, in_full
from hypar_opt.report.numbers import in_bytes
from hypar_opt.verification.verdict import Outcome

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.verification import Better, Claim, Verdict

STYLES = {Outcome.CONFIRMED: "bold green", Outcome.REFUTED: "bold red", Outcome.UNDECIDED: "bold yellow"}
MARKS = {Outcome.CONFIRMED: "ok", Outcome.REFUTED: "NO", Outcome.UNDECIDED: "?"}
MOST_ROWS = 200


def show_verdict(console: Console, claim: Claim, verdict: Verdict) -> None:
    """Print a verdict."""
    headline = Text(f"{verdict.outcome}: ", style=STYLES[verdict.outcome])
    what = "placement " if claim.decided == "placement" else ""
    console.print(headline.append(f"{claim.instance}, {what}{claim.status} by {claim.formulation}", style="default"))
    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(3):
        table.add_column(overflow="fold")
    for check in verdict.checks:
        table.add_row(Text(MARKS[check.outcome], style=STYLES[check.outcome]), check.name, check.text)
    console.print(table)
    unbuildable = unbuildable_text(verdict.splits)
    if unbuildable:
        console.print(f"note: {unbuildable}", markup=False)
    if verdict.breakdown is not None and verdict.leaf_exact is not None:
        console.print(off_by(verdict.breakdown.total, verdict.leaf_exact.total))
    if verdict.better is not None:
        console.print(_side_by_side(claim, verdict, verdict.better))


def off_by(accounted: int | Fraction, leaves: int | Fraction) -> str:
    """Return by how much an accounting is off what the leaves really read."""
    text = f"leaf-exact: the leaves' own boxes lack {in_bytes(leaves)} ({in_full(leaves)} bytes)"
    if accounted == leaves:
        return f"{text}, as the accounting says"
    if not leaves:
        return f"{text}, the accounting says {in_bytes(accounted)}"
    more = "more" if accounted > leaves else "less"
    return f"{text}; the accounting says {float(abs(Fraction(accounted - leaves)) / Fraction(leaves)):.2%} {more}"


def _side_by_side(claim: Claim, verdict: Verdict, better: Better) -> Table:
    """Return the layers, or nodes, whose strategies differ, and what both plans cost."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("layer" if verdict.judged is None else "node")
    table.add_column("claimed", overflow="fold")
    table.add_column(f"better, by {better.source}", overflow="fold")
    claimed = claim.strategies or {}
    differing = [(name, claimed.get(name, "-"), word) for name, word in better.strategies.items()]
    differing = [row for row in differing if row[1] != row[2]]
    for row in differing[:MOST_ROWS]:
        table.add_row(*row)
    if len(differing) > MOST_ROWS:
        table.add_row(f"... and {len(differing) - MOST_ROWS:,} more", "", "")
    if better.communication_bytes is not None:
        before = "-" if verdict.breakdown is None else in_full(verdict.breakdown.total)
        table.add_row("bytes", before, in_full(better.communication_bytes))
    if better.placement is not None:
        table.add_row("placement", " ".join(claim.placement or ()), " ".join(better.placement))
    if better.placement is not None or better.communication_bytes is None:
        table.add_row("objective", in_full(claim.objective), in_full(better.objective))
    return table


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
        "checks": [{"name": one.name, "outcome": one.outcome.value, "text": one.text} for one in verdict.checks],
        "communication_bytes": None if verdict.breakdown is None else exact(verdict.breakdown.total),
        "leaf_exact_bytes": None if verdict.leaf_exact is None else exact(verdict.leaf_exact.total),
        **_judged(verdict),
        "unbuildable": [str(one) for one in verdict.splits if not one.is_possible],
        "uneven": [str(one) for one in verdict.splits if one.is_possible],
        "bound": exact(verdict.bound),
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


def _judged(verdict: Verdict) -> dict[str, Any]:
    """Return what a strategy graph's plan costs, and its memory at the time when it uses most."""
    judged = verdict.judged
    if judged is None:
        return {}
    memory = {"used": judged.peak, "time": judged.peak_time, "limit": judged.limit}
    return {"total": judged.total, "peak_memory": memory}
