"""Expressions of printed numbers, as they stand in claims files: read by Python's own parser, computed in intervals."""

from __future__ import annotations

import ast
from fractions import Fraction
from math import ceil, floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.studies.claims.intervals import NumberInterval
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Names: TypeAlias = Mapping[str, Sequence[NumberInterval]]
LONGEST: Final = 500
"""Characters."""


def _each(how: Callable[[Fraction], int | Fraction]) -> Callable[[Sequence[NumberInterval]], NumberInterval]:
    """Return a function of one number that grows with it."""

    def applied(numbers: Sequence[NumberInterval]) -> NumberInterval:
        (one,) = numbers
        return NumberInterval(Fraction(how(one.low)), Fraction(how(one.at)), Fraction(how(one.high)))

    return applied


def _log2(number: Fraction) -> int:
    """Return the logarithm of a power of two, which is exact."""
    power = number.numerator.bit_length() - 1
    if number != 1 << max(power, 0):
        raise ValueError(f"expected a power of two for 'log2', got {number}")
    return power


def _together(how: Callable[[list[Fraction]], Fraction]) -> Callable[[Sequence[NumberInterval]], NumberInterval]:
    """Return a function of any number of numbers that grows with each."""

    def applied(numbers: Sequence[NumberInterval]) -> NumberInterval:
        if not numbers:
            raise ValueError("expected at least one number")
        return NumberInterval(*(how([getattr(one, end) for one in numbers]) for end in ("low", "at", "high")))

    return applied


FUNCTIONS: Final[Mapping[str, Callable[[Sequence[NumberInterval]], NumberInterval]]] = MappingProxyType(
    {
        "sum": _together(lambda numbers: sum(numbers, Fraction(0))),
        "mean": _together(lambda numbers: sum(numbers, Fraction(0)) / len(numbers)),
        "min": _together(min),
        "max": _together(max),
        "count": lambda numbers: NumberInterval.exactly(len(numbers)),
        "ceil": _each(ceil),
        "floor": _each(floor),
        "log2": _each(_log2),
    }
)
"""By name, each of a list of numbers; a name that stands for several is all of them."""
OF_ONE: Final = frozenset({"ceil", "floor", "log2"})
"""Functions of one number."""
_OPERATORS: Final[Mapping[type[ast.operator], Callable[[NumberInterval, NumberInterval], NumberInterval]]] = (
    MappingProxyType(
        {
            ast.Add: NumberInterval.__add__,
            ast.Sub: NumberInterval.__sub__,
            ast.Mult: NumberInterval.__mul__,
            ast.Div: NumberInterval.__truediv__,
            ast.Pow: NumberInterval.__pow__,
        }
    )
)


def value_of(text: str, names: Names) -> NumberInterval:
    """Return what an expression comes to.

    Parameters
    ----------
    text
        Of names, whole numbers, `+ - * / **`, brackets and the functions in `FUNCTIONS`: `100 * (a / b - 1)`.
    names
        What each name stands for: one number, or several for functions.

    Raises
    ------
    ValueError
        If it is no such expression, or divides by what may be 0; the message says what is wrong.
    """
    if len(text) > LONGEST:
        raise ValueError(f"expected at most {LONGEST} characters, got {len(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError(f"expected an expression such as 100 * (a / b - 1), got '{text}'") from None
    try:
        return _value(tree.body, names)
    except RecursionError:
        raise ValueError("expected an expression of fewer signs and brackets inside each other") from None


def names_in(text: str) -> frozenset[str]:
    """Return the names of an expression that stands: functions, and what numbers are called."""
    return frozenset(node.id for node in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(node, ast.Name))


def _value(node: ast.expr, names: Names) -> NumberInterval:
    match node:
        case ast.Constant(value=int() as number) if type(number) is int:
            return NumberInterval.exactly(number)
        case ast.Name(id=name):
            found = _named(name, names)
            if len(found) > 1:
                raise ValueError(f"'{name}' is {len(found)} numbers; expected a function of it: {', '.join(FUNCTIONS)}")
            return found[0]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left, names), _value(right, names))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names)
        case ast.Call(func=ast.Name(id=function), args=given, keywords=[]):
            return _called(function, given, names)
    raise ValueError(
        f"expected names, whole numbers, + - * / **, brackets and {', '.join(FUNCTIONS)}, got '{ast.unparse(node)}'"
    )


def _called(function: str, given: Sequence[ast.expr], names: Names) -> NumberInterval:
    if function not in FUNCTIONS:
        raise ValueError(f"there is no function '{function}'{did_you_mean(function, FUNCTIONS)}")
    numbers: list[NumberInterval] = []
    for one in given:
        numbers += _named(one.id, names) if isinstance(one, ast.Name) else [_value(one, names)]
    if function in OF_ONE and len(numbers) != 1:
        raise ValueError(f"expected one number for '{function}', got {len(numbers)}")
    return FUNCTIONS[function](numbers)


def _named(name: str, names: Names) -> Sequence[NumberInterval]:
    if name not in names:
        raise ValueError(f"nothing is called '{name}'{did_you_mean(name, names)}")
    return names[name]
