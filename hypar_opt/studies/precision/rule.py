"""AWP's rule on a trace of norms: a layer's bits are raised as often as its norm has changed by little for long enough.

Zhuang, Communication Reduction Techniques in Numerical Methods and Deep Neural Networks, 2019, algorithm 5 (AWP):
behind every batch delta = (|W| now - |W| before) / |W| before; where delta < T a counter of the layer goes up, and at
INTERVAL the layer gets N bits more, and the counter is 0 again. The text asks for INTERVAL batches in a row, the
algorithm counts all that there are: `in_a_row` says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.studies.precision.norms import NormTrace


@dataclass(frozen=True)
class NormRule:
    """When bits are raised, and by how many.

    Parameters
    ----------
    threshold
        T: a relative change below it counts.
    interval
        How often it has to be below.
    step
        N: bits that are added then.
    start
        Bits of every layer at the beginning.
    in_a_row
        Whether a batch whose change is not below makes the counter 0.
    """

    threshold: Fraction
    interval: int
    step: int
    start: int
    in_a_row: bool = False

    def __post_init__(self) -> None:
        for name in ("interval", "step", "start"):
            if getattr(self, name) < 1:
                raise InputError(f"expected a number of at least 1, got {getattr(self, name)}", field=f"--{name}")


@dataclass(frozen=True)
class Period:
    """Batches that are sent in the same bits.

    Parameters
    ----------
    first, batches
        The first of them, from 0, and how many there are.
    bits
        By layer.
    """

    first: int
    batches: int
    bits: Mapping[str, int]


def replayed(trace: NormTrace, rule: NormRule, full: int) -> tuple[Period, ...]:
    """Return the periods of a trace by a rule; what a batch changes holds from the next one on.

    Parameters
    ----------
    full
        Bits that none goes beyond.
    """
    bits = dict.fromkeys(trace.norms, min(rule.start, full))
    counters = dict.fromkeys(trace.norms, 0)
    found: list[Period] = []
    begin = 0
    for batch in range(1, trace.batches):
        after = dict(bits)
        for layer, norms in trace.norms.items():
            before, now = norms[batch - 1], norms[batch]
            if now - before < rule.threshold * before:
                counters[layer] += 1
            elif rule.in_a_row:
                counters[layer] = 0
            if counters[layer] == rule.interval:
                after[layer], counters[layer] = min(bits[layer] + rule.step, full), 0
        if after != bits:
            found.append(Period(begin, batch + 1 - begin, bits))
            bits, begin = after, batch + 1
    if begin < trace.batches:
        found.append(Period(begin, trace.batches - begin, bits))
    return tuple(found)
