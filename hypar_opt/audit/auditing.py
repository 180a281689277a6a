"""Claims in, a table of verdicts out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.audit.evaluators import judged
from hypar_opt.audit.plans import Plans
from hypar_opt.audit.verdict import Row, Verdict
from hypar_opt.run import Limits
from hypar_opt.tracking import Tracker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hypar_opt.audit.claims import Claim
    from hypar_opt.run import Listener

SOURCE: Final = "audit"
"""Of its progress."""


def audit(
    claims: Iterable[Claim],
    *,
    limits: Limits | None = None,
    time_limit_s: float | None = None,
    listener: Listener | None = None,
    on_row: Callable[[Row], None] | None = None,
) -> list[Row]:
    """Judge claims.

    Parameters
    ----------
    claims
        As read.
    limits
        Of all: seed, workers, memory, the flag that stops.
    time_limit_s
        Of each solve.
    listener
        Called with the events of every solve, and with how many claims are judged.
    on_row
        Called with every row as it comes.

    Returns
    -------
    A row for every claim that was judged before a stop.
    """
    limits = limits or Limits()
    plans = Plans(limits, time_limit_s, listener)
    wanted = list(claims)
    tracker = Tracker(listener, SOURCE, "claims", len(wanted))
    rows: list[Row] = []
    for claim in wanted:
        if limits.stop.is_set():
            break
        row = Row(claim, judged(claim, plans))
        if row.verdict is Verdict.UNDECIDED and limits.stop.is_set():
            break  # the stop is why it is undecided, and that is no verdict on the claim
        rows.append(row)
        tracker.add()
        if on_row is not None:
            on_row(row)
    return rows
