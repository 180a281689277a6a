"""How quantities are written, and how far a plan that is not proven to be the best may be from it."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMPONENTS, TOTAL
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.solver.plan import Plan

_LARGE: Final = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"))
_THOUSAND, _ONE = (1e3, "k"), (1.0, "")
_SMALL: Final = ((1e-3, "m"), (1e-6, "u"), (1e-9, "n"), (1e-12, "p"))


def _prefixed(value: float, prefixes: Sequence[tuple[float, str]], unit: str) -> str:
    """Return a quantity with four significant digits and the first prefix that it is as large as, or none."""
    size, prefix = next((one for one in prefixes if abs(value) >= one[0]), _ONE)
    return f"{value / size:.4g} {prefix}{unit}"


def in_bytes(count: int | Fraction) -> str:
    """Return bytes with four significant digits, 1 GB being 10^9 bytes."""
    return _prefixed(float(count), (*_LARGE, _THOUSAND), "B") if count else "0"


def in_seconds(seconds: float) -> str:
    """Return a time with its usual unit."""
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def in_si(value: float, unit: str) -> str:
    """Return a quantity with four significant digits and the prefix that suits it, the largest being none."""
    return _prefixed(value, (_ONE, *_SMALL), unit) if value else "0"


def in_operations(rate: float) -> str:
    """Return operations a second in the unit that architects use."""
    return _prefixed(rate, _LARGE[2:], "OPS") if rate >= 1e6 else f"{rate:.4g} operations/s"


def in_gain(gain: Fraction | None) -> str:
    """Return a gain with four significant digits."""
    return "-" if gain is None else f"{float(gain):.4g}"


def in_component(name: str, value: int | Fraction) -> str:
    """Return what a component of a plan's cost comes to, in its unit."""
    if name == TOTAL:
        return in_full(value)
    unit, times = unit_of(name), times_of(name)
    found = in_bytes(value) if unit == "B" else in_si(float(value), unit)
    return f"{found}{times}" if value else found


def unit_of(name: str) -> str:
    """Return the unit of a component: bytes, seconds, joules, or none of what is no component."""
    return COMPONENTS[name].unit if name in COMPONENTS else ""


def times_of(name: str) -> str:
    """Return what is written behind the unit of a component: ` x hops`, or nothing."""
    return f" {COMPONENTS[name].times}" if name in COMPONENTS and COMPONENTS[name].times else ""


def in_weighted_sum(weights: Mapping[str, Fraction], value: int | Fraction) -> str:
    """Return a value of an objective: in the unit of its component if it weighs one, else as a number."""
    counted = [name for name, weight in weights.items() if weight]
    return in_component(counted[0], value / weights[counted[0]]) if len(counted) == 1 else f"{float(value):.6g}"


def unit_of_objective(objective: ObjectiveFunction) -> tuple[str, Fraction]:
    """Return the unit of an objective's values and what one of it counts in them; no unit where it weighs several."""
    counted = objective.components if objective.kind == "sum" else ()
    return (unit_of(counted[0]), objective.weights[counted[0]]) if len(counted) == 1 else ("", Fraction(1))


def in_objective(objective: ObjectiveFunction, value: int | Fraction) -> str:
    """Return a value of an objective: in its unit where it is a sum, else as a number."""
    return in_weighted_sum(objective.weights, value) if objective.kind == "sum" else f"{float(value):.6g}"


def share(part: int | Fraction, whole: int | Fraction) -> str:
    """Return a percentage."""
    return f"{float(100 * part / whole):.1f} %" if whole else "-"


def in_count(number: int) -> str:
    """Return a count: whole up to five digits, else with four significant digits and k, M, G or T."""
    return _prefixed(number, (*_LARGE[2:], _THOUSAND), "") if number >= 100_000 else str(number)


def in_units(value: int | Fraction) -> str:
    """Return a value of an objective with four significant digits and k, M, G and so on."""
    return in_bytes(value).removesuffix("B").rstrip()


DIGITS: Final = 3
"""Significant digits of a percentage."""
LEAST: Final = Fraction(1, 10**5)
"""The least share that is written in digits."""


def gap(objective: ObjectiveFunction, plan: Plan) -> str:
    """Return what follows the cost of a plan: how far it is above its bound, relative to that; nothing if proven."""
    if plan.status is not Status.FEASIBLE or plan.objective is None:
        return ""
    if plan.bound is None:
        return ", no bound known"
    return f", {above(plan.objective, plan.bound)} the proven {_of(plan)}{in_objective(objective, plan.bound)}"


def beside_bound(plan: Plan) -> str:
    """Return the same without the bound, for a footnote; nothing where there is no bound, or 0, which all are above."""
    if plan.objective is None or plan.bound is None or plan.bound <= 0:
        return ""
    return f" ({above(plan.objective, plan.bound)} the {_of(plan).rstrip()})"


def _of(plan: Plan) -> str:
    """Return what the bound is of: one of a placement holds for the plan's strategies alone."""
    return "bound of its strategies' placement " if plan.decided == "placement" else "bound "


def above(cost: Fraction | int, bound: Fraction | int) -> str:
    """Return what stands between a cost and its bound: `12 % above`, from twice the bound on `2.5 times`."""
    if bound > 0:
        ratio = Fraction(cost) / bound
        return f"{percent(ratio - 1)} above" if ratio < 2 else f"{decimal(ratio)} times"
    more = Fraction(cost - bound) / -bound if bound else None
    return f"{percent(more)} above" if more is not None and more <= 1 else "above"


def percent(part: Fraction | float, digits: int = DIGITS) -> str:
    """Return a share in per cent: 0 and 100 only where it is that, never as a power of ten.

    Parameters
    ----------
    digits
        Significant digits, without zeros at the end.
    """
    size = abs(Fraction(part))
    sign = "-" if part < 0 else ""
    if 0 < size < LEAST:
        return f"{sign}<{decimal(100 * LEAST, digits)} %"
    shown = decimal(100 * size, digits)
    if shown == "100" and size != 1:
        return f"{sign}>99.9 %" if size < 1 else f"{sign}>100 %"
    return f"{sign}{shown} %"


def rounded_up(value: Fraction, digits: int = DIGITS) -> Fraction:
    """Return the least number of so many significant digits that is not below one that is not negative."""
    if not value:
        return value
    step = Fraction(10) ** (exponent(value) - digits + 1)
    return -(-value // step) * step


def decimal(value: Fraction | int, digits: int = DIGITS) -> str:
    """Return a number with so many significant digits, without zeros at the end."""
    text = number(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


SMALLEST, LARGEST = -5, 12
"""Powers of ten outside which numbers are written as 1.234e-07."""
PREFIXES: Final = ((12, "T"), (9, "G"), (6, "M"), (3, "k"), (0, ""), (-3, "m"), (-6, "µ"), (-9, "n"), (-12, "p"))


def number(value: Fraction | int, digits: int | None = None) -> str:
    """Return a number in decimal: with so many significant digits, or all that it has.

    Trailing zeros are digits too, and are kept. What lies half-way goes to the even digit. A fraction that no decimal
    ends is written as one where all digits are asked for.
    """
    if digits is None:
        return in_full(value)
    if not value:
        return "0"
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    found = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    power = found.adjusted()
    if SMALLEST <= power < LARGEST:
        return f"{found:,.{max(digits - 1 - power, 0)}f}"
    return f"{found.scaleb(-power):.{digits - 1}f}e{power:+03d}"


def exponent(size: Fraction) -> int:
    """Return the power of ten of a positive number's first digit, exactly."""
    power = len(str(size.numerator)) - len(str(size.denominator))
    return power if Fraction(10) ** power <= size else power - 1


def scaled(values: Sequence[int | Fraction], unit: str) -> tuple[int | Fraction, str]:
    """Return how many of a unit make the one in which the middle of some values is shown, and that one's name.

    Bytes and the like come in whole ones, so nothing smaller is made of them: `B`, but `ms`.
    """
    sizes = sorted(abs(Fraction(value)) for value in values if value)
    if not sizes or not unit:
        return 1, unit
    power = exponent(sizes[len(sizes) // 2])
    fitting = [one for one in PREFIXES if one[0] >= 0] if unit == "B" else PREFIXES
    exact, prefix = next((one for one in fitting if one[0] <= power), fitting[-1])
    return (10**exact if exact >= 0 else Fraction(1, 10**-exact)), f"{prefix}{unit}"


MINUTE, HOUR, DAY = 60, 3600, 86400
COARSE_S = 20
"""From here on seconds are told by fives."""


def duration(seconds: float, *, up: bool = False) -> str:
    """Return a time as coarsely as it is told to people, rounded down or up."""
    turn = math.ceil if up else math.floor
    if turn(seconds) < COARSE_S:
        return f"{max(int(up), turn(seconds))} s"
    if 5 * turn(seconds / 5) < MINUTE:
        return f"{5 * turn(seconds / 5)} s"
    if turn(seconds / MINUTE) < MINUTE:
        return f"{turn(seconds / MINUTE)} min"
    if turn(seconds / HOUR) < 2 * DAY // HOUR:
        return f"{turn(10 * seconds / HOUR) / 10:g} h"
    return f"{turn(seconds / DAY)} days"


def clock(seconds: float) -> str:
    """Return a time since the beginning as 0:07, 12:34 or 1:23:45."""
    minutes, rest = divmod(int(seconds), MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
