"""What the page says between its tables."""

from __future__ import annotations

from .study import ARRAY, CHUNK

TITLE = "In which order gradients are sent"
ENDS = """## How late rules end

Times the optimum with gradients cut anywhere: the median of all steps and loads, and the most. *priority-tuned* is the
best of `priority` and of `priority-chunks` with chunks of 4, 16 and 64 MB. *whole* is the best that was found of whole
gradients in blocks.

![Times the optimum](transfers.svg)"""
OPTIMAL = """## Where rules are optimal

On how many problems nothing ends earlier, whatever is cut."""
GAINS = """## What Prophet gains over priority

By how much the best of Prophet's three readings ends earlier than *priority-tuned*, and than the better of `priority`
and `priority-chunks` with 4 MB. Published is up to 40 %."""
MUCH = """Steps on which it is 40 % and more: from which start-up on, at which loads, and from which sum of the
start-ups of all gradients on, beside the optimum; then the greatest gain, and by how much Prophet and `merged` end
later than the optimum there."""
STEPS = """## By step

Median and most of all loads and start-ups, times the optimum."""
LEFT = """## What is not modelled

Tuning of chunks over more sizes than three, several messages under way at once, servers that answer gradient by
gradient, bandwidths that change, and what predicting them costs. A parameter server's transfers are two, there and
back; here both are the ring's one."""


def opening(rows):
    """Return what the study is, and how many problems there are of each kind."""
    kinds = {kind: len({row["step"] for row in rows if row["kind"] == kind}) for kind in ("network", "profile")}
    proven = sum(row["whole"] == row["whole, not below"] for row in rows)
    return f"""Written by `make transfers`. {len(rows)} problems: {kinds["network"]} networks on `{ARRAY}`, and
{kinds["profile"]} profiles of PipeDream on 16 workers (SOSP 2019; numbers only), each at bandwidths at which the
transfers of all gradients take a quarter to four times as long as computing, the *load*, and with start-ups from none
to as long as a chunk of {CHUNK // 10**6} MB takes. The model and the rules are in
[Transfers of gradients](../../docs/transfers.md). Ends are compared with the exact optimum; each schedule of each rule
is recounted by the judge of task graphs. The best of whole gradients is proven on {proven} problems."""
