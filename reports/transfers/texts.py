"""What the page says between its tables."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from .study import ARRAY, CHUNK, gain

TUNED = ("priority-tuned",)
PROFILE = "resnet50 (profile)"
"""The step that is told of."""
CUT = ("sfc", "alexnet", "vgg", "gnmt")
"""What the names of steps begin with whose gradients are larger than a chunk."""
NEAR = ("fifo", "priority", "priority-chunks", "priority-tuned", "prophet-chunks", "prophet-busy", "merged")
"""Rules that hardly differ where links are idle for long."""
PUBLISHED = Fraction(4, 10)
"""A gain."""
TITLE = "In which order gradients are sent"
ENDS = """## How late rules end

Times the optimum with gradients cut anywhere: the median of all steps and loads, and the most. *priority-tuned* is the
best of `priority` and of `priority-chunks` with chunks of 4, 16 and 64 MB. *whole* is the best that was found of whole
gradients in blocks.

![Times the optimum](transfers.svg)"""
ENDED = """Where transfers take half as long as computing or less, and start-ups nothing, all rules end within
{near} % of the optimum but *prophet* and *one-message*. Beyond that the order matters most where both take as long.
Without start-ups priority in chunks is the optimum but for the size of a chunk, as it must be. Prophet's blocks of
whole gradients then lose {least} to {most} %: a large gradient fits into no gap between two others, and the link is
idle until the last is ready. Of gradients that are cut into chunks, blocks are within {cut} % of the optimum on
SFC, AlexNet, VGG and GNMT, at all loads and start-ups, and up to half above it where gradients are smaller than a
chunk and come faster than they go, as the ResNets' do. Start-ups hardly change how far Prophet is from the optimum.
Whole gradients suffice: the best blocks of them are within a hundredth of the optimum on {close} % of the
problems."""
OPTIMAL = """## Where rules are optimal

On how many problems nothing ends earlier, whatever is cut."""
GAINS = """## What Prophet gains over priority

By how much the best of Prophet's three readings ends earlier than *priority-tuned*, and than the better of `priority`
and `priority-chunks` with 4 MB. Published is up to 40 %."""
STEPS_OF_MUCH = """Steps on which it is 40 % and more: from which start-up on, at which loads, and from which sum of the
start-ups of all gradients on, beside the optimum; then the greatest gain, and by how much Prophet and `merged` end
later than the optimum there."""
GAINED = """So the gain exists, and it is one of fewer start-ups alone. In none of the problems is it 40 % unless
the start-ups of all gradients, each by itself, take more than half as long as the step at best; where they take
less than a tenth of it, the gain is at most {few} %, and below a quarter at most {some} %. Without start-ups
Prophet is behind priority on {behind} of {calm} problems, and ahead of it on {ahead}, by what a chunk is too large.
On the profile of ResNet-50 at {bandwidth} MB/s, where transfers take as long as computing, it takes start-ups of
{milliseconds} ms for {much} %; with {microseconds} us it is {slight} %. Sending all that is ready in one message
whenever the link is free, which predicts nothing, gains more than Prophet does on most of these problems of the
ResNets, and much less on the small networks, where one message when all is ready is the optimum."""
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


def ended(rows):
    """Return what the table of ends comes to."""
    calm = [row for row in rows if not row["start-up"]]
    light = [row for row in calm if row["load"] <= Fraction(1, 2)]
    lost = [row["prophet"] - 1 for row in calm if row["load"] == 1]
    close = sum(row["whole"] <= Fraction(101, 100) for row in rows)
    return ENDED.format(
        near=_up(max(row[rule] for row in light for rule in NEAR) - 1),
        least=_percent(min(lost)),
        most=_percent(max(lost)),
        cut=_up(max(row["prophet-chunks"] for row in rows if row["step"].startswith(CUT)) - 1),
        close=_percent(Fraction(close, len(rows))),
    )


def gained(rows):
    """Return what the gains come of."""
    few, some = (
        max(gain(row, TUNED) for row in rows if row["start-ups"] < share) for share in (Fraction(1, 10), Fraction(1, 4))
    )
    calm = [gain(row, TUNED) for row in rows if not row["start-up"]]
    told = {row["start-up"]: row for row in rows if (row["step"], row["load"]) == (PROFILE, 1)}
    gains = {share: gain(row, TUNED) for share, row in told.items()}
    much = min(share for share, one in gains.items() if one >= PUBLISHED)
    slight = min(share for share, one in gains.items() if one > 0)
    bandwidth = told[much]["bytes a second"]
    return GAINED.format(
        few=_up(few),
        some=_up(some),
        behind=sum(one < 0 for one in calm),
        ahead=sum(one > 0 for one in calm),
        calm=len(calm),
        bandwidth=round(bandwidth / 10**6),
        milliseconds=f"{float(1000 * much * CHUNK / bandwidth):.1f}",
        much=_percent(gains[much]),
        microseconds=round(10**6 * slight * CHUNK / bandwidth),
        slight=_percent(gains[slight]),
    )


def _percent(share):
    return round(100 * share)


def _up(share):
    """Return the whole per cent that a share is not above."""
    return ceil(100 * share)
