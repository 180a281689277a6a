"""How quantities are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.components import COMMUNICATION, HOP_BYTES, SECONDS, TOTAL
from hypar_opt.plan_file import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.aim import Aim

_UNITS = ((10**18, "EB"), (10**15, "PB"), (10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


def in_bytes(count: int | Fraction) -> str:
    """Return bytes with four significant digits, 1 GB being 10^9 bytes."""
    value = float(count)
    for size, unit in _UNITS:
        if abs(value) >= size:
            return f"{value / size:.4g} {unit}"
    return f"{value:.4g} B" if count else "0"


def in_seconds(seconds: float) -> str:
    """Return a time with its usual unit."""
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def in_si(value: float, unit: str) -> str:
    """Return a quantity with four significant digits and the prefix that suits it."""
    for size, prefix in ((1.0, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n"), (1e-12, "p")):
        if abs(value) >= size:
            return f"{value / size:.4g} {prefix}{unit}"
    return "0" if not value else f"{value:.4g} {unit}"


def in_component(name: str, value: int | Fraction) -> str:
    """Return what a component of a plan's cost comes to, in its unit."""
    if name == TOTAL:
        return in_full(value)
    if name == HOP_BYTES:
        return f"{in_bytes(value)} x hops" if value else "0"
    unit = unit_of(name)
    return in_bytes(value) if unit == "B" else in_si(float(value), unit)


def unit_of(name: str) -> str:
    """Return the unit of a component: bytes, seconds, joules, or none of a strategy graph's total."""
    if name == TOTAL:
        return ""
    if name in (COMMUNICATION, HOP_BYTES):
        return "B"
    return "s" if name in SECONDS else "J"


def in_objective(weights: Mapping[str, Fraction], value: int | Fraction) -> str:
    """Return a value of an objective: in the unit of its component if it weighs one, else as a number."""
    counted = [name for name, weight in weights.items() if weight]
    return in_component(counted[0], value / weights[counted[0]]) if len(counted) == 1 else f"{float(value):.6g}"


def in_aim(aim: Aim, value: int | Fraction) -> str:
    """Return a value of an objective: in its unit where it is a sum, else as a number."""
    return in_objective(aim.weights, value) if aim.kind == "sum" else f"{float(value):.6g}"


def share(part: int | Fraction, whole: int | Fraction) -> str:
    """Return a percentage."""
    return f"{float(100 * part / whole):.1f} %" if whole else "-"


def in_count(number: int) -> str:
    """Return a count: whole up to five digits, else with four significant digits and k, M, G or T."""
    for size, unit in ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= 100_000 and number >= size:
            return f"{number / size:.4g} {unit}"
    return str(number)


def in_units(value: int | Fraction) -> str:
    """Return a value of an objective with four significant digits and k, M, G and so on."""
    return in_bytes(value).removesuffix("B").rstrip()
