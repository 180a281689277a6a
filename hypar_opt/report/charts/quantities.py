"""Quantities on axes, in legends and on hover: a number with the prefix that suits it, and its unit."""

from __future__ import annotations

from typing import Any, Final

from hypar_opt.report.numbers import times_of

BYTES: Final = "B"
"""Come by the thousand; of other units large numbers have no prefix: 2,000 s."""

APART: Final = 5
"""Pixels between labels; of those that are nearer to each other some are left out."""


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


def titled(name: str) -> str:
    """Return the title of a component's axis, whose labels have the unit."""
    times = times_of(name).strip()
    return f"{name} ({times})" if times else name
