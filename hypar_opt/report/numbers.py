"""How quantities are written, and how far a plan that is not proven to be the best may be from it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMPONENTS, COUNTS, TOTAL
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.util.numbers import DIGITS, amount, in_full
from hypar_opt.util.numbers import above as above
from hypar_opt.util.numbers import decimal as decimal
from hypar_opt.util.numbers import exponent as exponent
from hypar_opt.util.numbers import number as number
from hypar_opt.util.numbers import percent as percent
from hypar_opt.util.surd import exact_number, fraction_near

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.solver.plan import Plan

_LARGE: Final = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"))
_THOUSAND, _ONE = (1e3, "k"), (1.0, "")
_SMALL: Final = ((1e-3, "m"), (1e-6, "u"), (1e-9, "n"), (1e-12, "p"))


QUANTITY: Final = 4
"""Significant digits of a quantity."""


def _prefixed(value: float | Fraction, prefixes: Sequence[tuple[float, str]], unit: str, digits: int = QUANTITY) -> str:
    """Return a quantity with the first prefix that it is as large as, or none."""
    near = float(value)
    size, prefix = next((one for one in prefixes if abs(near) >= one[0]), _ONE)
    exactly_so = fraction_near(value) / Fraction(str(size))
    of_size = f"{near / size:.4g}" if digits == QUANTITY else decimal(exactly_so, digits)
    return f"{of_size} {prefix}{unit}"


def in_bytes(count: int | Fraction, digits: int = QUANTITY) -> str:
    """Return bytes with so many significant digits, 1 GB being 10^9 bytes."""
    return _prefixed(count, (*_LARGE, _THOUSAND), "B", digits) if count else "0"


def in_seconds(seconds: float) -> str:
    """Return a time with its usual unit."""
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def in_si(value: float | Fraction, unit: str, digits: int = QUANTITY) -> str:
    """Return a quantity with so many significant digits and the prefix that suits it, the largest being none."""
    return _prefixed(value, (_ONE, *_SMALL), unit, digits) if value else "0"


def in_operations(rate: float) -> str:
    """Return operations a second in the unit that architects use."""
    return _prefixed(rate, _LARGE[2:], "OPS") if rate >= 1e6 else f"{rate:.4g} operations/s"


def in_gain(gain: Fraction | None) -> str:
    """Return a gain with four significant digits."""
    return "-" if gain is None else f"{float(gain):.4g}"


def in_component(name: str, value: int | Fraction, digits: int = QUANTITY) -> str:
    """Return what a component of a plan's cost comes to, in its unit, with so many significant digits."""
    if name == TOTAL or name in COUNTS:
        return in_full(value)
    unit, times = unit_of(name), times_of(name)
    if not unit:
        return decimal(value, digits)
    found = in_bytes(value, digits) if unit == "B" else in_si(value, unit, digits)
    return f"{found}{times}" if value else found


def unit_of(name: str) -> str:
    """Return the unit of a component: bytes, seconds, joules, or none of what is no component."""
    return COMPONENTS[name].unit if name in COMPONENTS else ""


def times_of(name: str) -> str:
    """Return what is written behind the unit of a component: ` x hops`, or nothing."""
    return f" {COMPONENTS[name].times}" if name in COMPONENTS and COMPONENTS[name].times else ""


def in_weighted_sum(weights: Mapping[str, Fraction], value: int | Fraction) -> str:
    """Return a value of a sum: in the unit of its components, where they share one, else without."""
    counted = [name for name, weight in weights.items() if weight]
    if len(counted) == 1:
        return in_component(counted[0], value / weights[counted[0]])
    return f"{float(value):.6g} {ObjectiveFunction('sum', weights).unit}".rstrip()


def unit_of_objective(objective: ObjectiveFunction) -> tuple[str, Fraction]:
    """Return the unit of an objective's values and what one of it counts in them; no unit where it weighs several."""
    counted = objective.components if objective.kind == "sum" else ()
    return (unit_of(counted[0]), objective.weights[counted[0]]) if len(counted) == 1 else ("", Fraction(1))


def in_objective(objective: ObjectiveFunction, value: int | Fraction) -> str:
    """Return a value of an objective in its unit, of a product `J s`; as a number where it has none."""
    if objective.kind == "sum":
        return in_weighted_sum(objective.weights, value)
    return f"{float(value):.6g} {objective.unit}".rstrip()


def exactly(objective: ObjectiveFunction, value: int | Fraction) -> str:
    """Return a value of an objective with all digits that can be read, and its unit."""
    unit, worth = unit_of_objective(objective)
    return amount(exact_number(value) / worth, f"{unit}{times_of(objective.components[0])}" if unit else objective.unit)


def share(part: int | Fraction, whole: int | Fraction) -> str:
    """Return what part of a whole something is, in per cent; 100 only where it is all of it, 0 only where nothing."""
    return percent(exact_number(part) / whole) if whole else "-"


def in_count(number: int) -> str:
    """Return a count: whole up to five digits, else with four significant digits and k, M, G or T."""
    return _prefixed(number, (*_LARGE[2:], _THOUSAND), "") if number >= 100_000 else str(number)


def in_units(value: int | Fraction) -> str:
    """Return a value of an objective with four significant digits and k, M, G and so on."""
    return in_bytes(value).removesuffix("B").rstrip()


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


def rounded_up(value: Fraction, digits: int = DIGITS) -> Fraction:
    """Return the least number of so many significant digits that is not below one that is not negative."""
    if not value:
        return value
    step = Fraction(10) ** (exponent(value) - digits + 1)
    return -(-value // step) * step


PREFIXES: Final = ((12, "T"), (9, "G"), (6, "M"), (3, "k"), (0, ""), (-3, "m"), (-6, "µ"), (-9, "n"), (-12, "p"))


def scaled(values: Sequence[int | Fraction], unit: str) -> tuple[int | Fraction, str]:
    """Return how many of a unit make the one in which the middle of some values is shown, and that one's name.

    Bytes and the like come in whole ones, so nothing smaller is made of them: `B`, but `ms`.
    """
    sizes = sorted(abs(fraction_near(value)) for value in values if value)
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
