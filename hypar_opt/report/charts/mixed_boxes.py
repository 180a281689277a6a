"""The boxes of shares that a search closed, as a stair of what no better plan in each takes less than."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.report.mixed.array import share_text
from hypar_opt.report.numbers import in_si
from hypar_opt.solver.share_evidence import CLOSINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.solver.plan import Plan


def box_steps(plan: Plan, most: float) -> Iterator[dict[str, Any]]:
    """Yield the closed boxes of an array with one split; of others there are none.

    A box that weights closed stands at their bound; one that was closed otherwise has no better plan at all, and stands
    at the plan's time.

    Parameters
    ----------
    most
        Seconds: what is above is drawn there.
    """
    evidence, time = plan.evidence, plan.costs.get("time")
    if evidence is None or time is None or len(plan.shares) != 1:
        return
    half = Fraction(1, 2 * evidence.parts) if evidence.parts else Fraction(0)
    for one in evidence.boxes:
        if one.closed is None:
            continue
        (low,), (high,) = one.low, one.high
        bound = max(one.bound or time, time)
        ends = share_text(low) if low == high else f"{share_text(low)} to {share_text(high)}"
        yield {
            "share": max(0.0, float(low - half)),
            "end": min(1.0, float(high + half)),
            "seconds": min(float(bound), most),
            "text": f"{ends}: no better plan below {in_si(bound, 's')}; {CLOSINGS[one.closed].summary}",
        }
