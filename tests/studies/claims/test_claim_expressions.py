"""Expressions of printed numbers, in intervals: against all that may be drawn from them, and each message."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.studies.claims.expressions import LONGEST, names_in, value_of
from hypar_opt.studies.claims.intervals import NumberInterval
from hypar_opt.studies.claims.printed import PrintedNumber


def between(low, at, high):
    return NumberInterval(Fraction(low), Fraction(at), Fraction(high))


NAMES = {
    "a": (NumberInterval.printed(PrintedNumber("0.75")),),
    "n": (NumberInterval.exactly(3),),
    "x": tuple(map(NumberInterval.exactly, (1, 2, 6))),
    "zero": (between("-0.1", 0, "0.1"),),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", between("0.745", "0.75", "0.755")),
        ("a * n + 1", between("3.235", "3.25", "3.265")),
        ("-a", between("-0.755", "-0.75", "-0.745")),
        ("n - a - a", between("1.49", "1.5", "1.51")),
        ("n / a", between(Fraction(600, 151), 4, Fraction(600, 149))),
        ("zero * zero", between("-0.01", 0, "0.01")),
        ("zero ** 2", between(0, 0, "0.01")),
        ("sum(x)", NumberInterval.exactly(9)),
        ("mean(x, n)", NumberInterval.exactly(3)),
        ("max(x) - min(x)", NumberInterval.exactly(5)),
        ("count(x)", NumberInterval.exactly(3)),
        ("ceil(a) + floor(a * n)", NumberInterval.exactly(3)),
        ("log2(8)", NumberInterval.exactly(3)),
        ("  2 * ( 1 + 2 ) ** 2 ", NumberInterval.exactly(18)),
    ],
)
def test_what_expressions_come_to(text, expected):
    assert value_of(text, NAMES) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected an expression such as 100 * (a / b - 1), got ''"),
        ("a +", "expected an expression such as 100 * (a / b - 1), got 'a +'"),
        ("b", "nothing is called 'b'"),
        ("x * 2", "'x' is 3 numbers; expected a function of it: sum, mean, min, max, count, ceil, floor, log2"),
        ("a / zero", "divides by what may be 0"),
        ("1 / 0", "divides by what may be 0"),
        ("~" * (LONGEST - 1) + "a", "expected an expression of fewer signs and brackets inside each other"),
        ("n ** a", "expected an exponent from 0 to 64"),
        ("n ** (0 - 1)", "expected an exponent from 0 to 64"),
        ("((n ** 64) ** 64) ** 64", "has too many digits"),
        (" * ".join(["(n ** 64) ** 64"] * 12), "has too many digits"),
        ("sume(x)", "there is no function 'sume'; did you mean 'sum'?"),
        ("ceil(x)", "expected one number for 'ceil', got 3"),
        ("log2(n)", "expected a power of two for 'log2', got 3"),
        ("sum()", "expected at least one number"),
        ("0.5 * n", "expected names, whole numbers, + - * / **, brackets and sum, mean, min, max, count, ceil, floor, "
         "log2, got '0.5'"),
        ("a.real", "brackets and sum, mean, min, max, count, ceil, floor, log2, got 'a.real'"),
        ("True", "got 'True'"),
        ("sum(x, start=1)", "got 'sum(x, start=1)'"),
        ("n" * (LONGEST + 1), "expected at most 500 characters, got 501"),
    ],
)  # fmt: skip
def test_what_is_no_expression_is_refused(text, message):
    with pytest.raises(ValueError, match=r".") as caught:
        value_of(text, NAMES)
    assert message in str(caught.value)


def test_names_are_found():
    assert names_in("sum(x) / n") == {"sum", "x", "n"}


FRACTIONS = st.fractions(-3, 3, max_denominator=12)


@st.composite
def inside(draw):
    """Draw an interval and a number in it."""
    low, at, high = sorted(draw(st.lists(FRACTIONS, min_size=3, max_size=3)))
    return NumberInterval(low, at, high), low + (high - low) * draw(st.fractions(0, 1, max_denominator=8))


def check(one, other, power):
    """Check what comes out of two numbers against what comes out of their intervals."""
    (a, x), (b, y) = one, other
    cases = {
        "a + b": x + y, "a - b": x - y, "a * b": x * y, "-a": -x, f"a ** {power}": x**power, "min(a, b)": min(x, y),
        "mean(a, b)": (x + y) / 2, "ceil(a)": ceil(x), "floor(b)": floor(y),
    }  # fmt: skip
    if not b.low <= 0 <= b.high:
        cases["a / b"] = x / y
    for text, exact in cases.items():
        found = value_of(text, {"a": (a,), "b": (b,)})
        assert found.low <= exact <= found.high
        assert found.low <= found.at <= found.high


@settings(max_examples=10)
@given(inside(), inside(), st.integers(0, 5))
def test_an_interval_has_all_that_can_come_out(one, other, power):
    check(one, other, power)


@pytest.mark.slow
@given(inside(), inside(), st.integers(0, 5))
def test_an_interval_has_all_that_can_come_out_of_many(one, other, power):
    check(one, other, power)
