"""What the page says between its tables."""

from __future__ import annotations

from .study import ARRAY, CHUNK

TITLE = "In which order gradients are sent"
ENDS = """## How late rules end

Times the optimum with gradients cut anywhere: the median of all steps and loads, and the most. *priority-tuned* is the
best of `priority` and of `priority-chunks` with chunks of 4, 16 and 64 MB. *whole* is the best that was found of whole
gradients in blocks.

![Times the optimum](transfers.svg)"""
ENDED = """Where transfers take half as long as computing or less, and start-ups nothing, all rules end within 4 % of
the optimum but *prophet* and *one-message*. Beyond that the order matters most where both take as long. Without
start-ups priority in chunks is the optimum but for the size of a chunk, as it must be. Prophet's blocks of whole
gradients then lose 13 to 63 %: a large gradient fits into no gap between two others, and the link is idle until the
last is ready. Of gradients that are cut into chunks, blocks are within 12 % of the optimum on SFC, AlexNet, VGG and
GNMT, at all loads and start-ups, and up to half above it where gradients are smaller than a chunk and come faster
than they go, as the ResNets' do. Start-ups hardly change how far Prophet is from the optimum. Whole gradients
suffice: the best blocks of them are within a hundredth of the optimum on three of five problems."""
OPTIMAL = """## Where rules are optimal

On how many problems nothing ends earlier, whatever is cut."""
GAINS = """## What Prophet gains over priority

By how much the best of Prophet's three readings ends earlier than *priority-tuned*, and than the better of `priority`
and `priority-chunks` with 4 MB. Published is up to 40 %."""
MUCH = """Steps on which it is 40 % and more: from which start-up on, at which loads, and from which sum of the
start-ups of all gradients on, beside the optimum; then the greatest gain, and by how much Prophet and `merged` end
later than the optimum there."""
GAINED = """So the gain exists, and it is one of fewer start-ups alone. In none of the problems is it 40 % unless the
start-ups of all gradients, each by itself, take more than half as long as the step at best; where they take less than
a tenth of it, the gain is at most 7 %, and below a quarter at most 19 %. Without start-ups Prophet is behind priority
on half of the problems, and ahead of it on one, by what a chunk is too large. On the profile of ResNet-50 at 432
MB/s, where transfers take as long as computing, it takes start-ups of 4.6 ms for 52 %; with 93 us it is 1 %. Sending
all that is ready in one message whenever the link is free, which predicts nothing, gains more than Prophet does on
most of these problems of the ResNets, and much less on the small networks, where one message when all is ready is the
optimum."""
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
