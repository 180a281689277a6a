"""Quantities on axes, in legends and on hover: a number with the prefix that suits it, and its unit."""

from __future__ import annotations

import math
from typing import Any, Final

from hypar_opt.report.numbers import times_of

BYTES: Final = "B"
"""Come by the thousand; of other units large numbers have no prefix: 2,000 s."""

APART: Final = 5
"""Pixels between labels; of those that are nearer to each other some are left out."""


FEW: Final = 4
"""Marks that an axis has at least, if there are so many round numbers."""


def quantity(value: str, unit: str, label: str = "") -> str:
    """Return a quantity with its unit, as an expression of Vega: `40 ms`, `0.5 GB`, `2,000 s`.

    Micro is written u, as it is in the texts beside charts. What has no unit has no prefix either.

    Parameters
    ----------
    value
        An expression of it.
    unit
        An expression: a text in quotes, or the name of a parameter.
    label
        An expression of it with a prefix; without one it has four significant digits.
    """
    label = label or f"format({value}, '.4~s')"
    plain = f"format({value}, ',.6~r') + ' ' + {unit}"
    prefixed = f"replace(replace({label}, /([a-zA-Zµ]?)$/, ' $1'), 'µ', 'u') + {unit}"
    with_unit = f"{unit} !== '{BYTES}' && test(/[kMGTPEZY]$/, {label}) ? {plain} : {prefixed}"
    return f"!({value}) ? '0' : !{unit} ? format({value}, '.6~g') : {with_unit}"


def ticks(unit: str) -> dict[str, Any]:
    """Return how the labels of an axis, or of a legend's ramp, are written: with one prefix, as finely as needed."""
    written = quantity("datum.value", f"'{unit}'", "datum.label")
    return {"format": "~s", "labelExpr": written, "labelSeparation": APART}


def steep_marks(low: float, high: float) -> list[float]:
    """Return where a logarithmic axis is marked: at powers of ten, and between them where these are few.

    Parameters
    ----------
    low, high
        Its ends, 0 < low < high.
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1,), (1, 3), (1, 2, 5)):
        found = [float(f"{step}e{power}") for power in powers for step in steps]
        found = [one for one in found if low <= one <= high]
        if len(found) >= FEW:
            return found
    step = float(f"1e{math.floor(math.log10(high - low))}")
    step = next(one * step for one in (2, 1, 0.5, 0.2) if math.floor(high / (one * step)) - low // (one * step) >= 3)
    return [float(f"{place * step:.12g}") for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


def titled(name: str) -> str:
    """Return the title of a component's axis, whose labels have the unit."""
    times = times_of(name).strip()
    return f"{name} ({times})" if times else name
