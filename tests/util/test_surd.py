"""Numbers x + y sqrt(n): the laws of a field, and the order of decimals with many digits."""

from __future__ import annotations

import copy
import math
import pickle
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hypar_opt.util.numbers import amount, exact, percent
from hypar_opt.util.surd import Surd, exact_number, fraction_near, read_surd, roots, surd

SMALL = st.fractions(-50, 50, max_denominator=60)
ROOTS = st.sampled_from((0, 1, 2, 3, 4, 7, 8, 12, 50, 101**2 * 3, 10**20 + 39))
NUMBERS = st.builds(surd, SMALL, SMALL, ROOTS)


def of_root(n):
    return st.builds(surd, SMALL, SMALL, st.just(n))


FIELD = ROOTS.flatmap(lambda n: st.tuples(of_root(n), of_root(4 * n), of_root(n)))
"""Three numbers of one field, one of them with its root written in another way."""


def decimal(value):
    if not isinstance(value, Surd):
        return Decimal(value.numerator) / Decimal(value.denominator)
    return decimal(value.rational) + decimal(value.factor) * Decimal(value.root).sqrt()


@given(FIELD)
def test_the_laws_of_a_field(numbers):
    a, b, c = numbers
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a - b == -(b - a) == a + -b
    assert a - a == 0 == 0 * a
    assert a**2 == a * a
    if b:
        assert a / b * b == a
        assert 1 / b * b == 1 == b**-1 * b
    assert hash(a + b - b) == hash(a)


@given(NUMBERS, NUMBERS)
def test_the_order_is_that_of_decimals_whatever_the_roots(a, b):
    with localcontext() as context:
        context.prec = 120
        first, second = decimal(a), decimal(b)
    assert [a < b, a <= b, a > b, a >= b, a == b] == [
        first < second, first <= second, first > second, first >= second, abs(first - second) < Decimal(10) ** -100,
    ]  # fmt: skip
    assert (max(a, b), min(a, b)) in ((a, b), (b, a))


@given(NUMBERS)
def test_texts_are_read_back_and_rounding_is_that_of_decimals(a):
    with localcontext() as context:
        context.prec = 120
        near = decimal(a)
    assert float(a) == pytest.approx(float(near), rel=1e-15, abs=1e-15)
    assert (math.floor(a), math.ceil(a), int(a)) == (math.floor(near), math.ceil(near), int(near))
    assert bool(a) == bool(near)
    assert abs(a) == (a if near >= 0 else -a)
    assume(isinstance(a, Surd))
    assert read_surd(str(a)) == a == pickle.loads(pickle.dumps(a)) == copy.deepcopy(a)
    assert 0 < a - fraction_near(a) < Fraction(1, 2**190)


@given(NUMBERS, SMALL)
def test_fractions_are_computed_and_compared_with_roots(a, b):
    assert b + a == a + b
    assert b * a == a * b
    assert b - a == -(a - b)
    assert (b < a, b == a, b > a) == (a > b, a == b, a < b)


@given(SMALL, SMALL, SMALL)
def test_roots_are_where_a_polynomial_is_0(constant, linear, square):
    found = roots(constant, linear, square)
    assert all(constant + x * (linear + x * square) == 0 for x in found)
    assert list(found) == sorted(found)
    inside = linear**2 - 4 * square * constant
    expected = 2 * (inside > 0) + (inside == 0) if square else int(linear != 0)
    assert len(found) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(3 + 2*sqrt(5))/7", surd(Fraction(3, 7), Fraction(2, 7), 5)),
        ("-sqrt(8)/3", surd(Fraction(0), Fraction(-2, 3), 2)),
        ("1 - sqrt(2)", surd(Fraction(1), Fraction(-1), 2)),
        ("2*sqrt(9)", Fraction(6)),
        *((bad, None) for bad in ("", "7", "sqrt()", "sqrt(-2)", "1 + 2", "(1 + sqrt(2)", "sqrt(2)/0", "1+sqrt(2)/3")),
    ],
)
def test_what_is_read(text, value):
    assert read_surd(text) == value


def test_what_it_is_in_tables():
    golden = surd(Fraction(1, 2), Fraction(1, 2), 5)
    assert exact(golden) == "(1 + sqrt(5))/2"
    assert amount(golden, "s") == "about 1.618033989 s"
    assert percent(golden - 1) == "61.8 %"
    assert exact_number(3) == 3
    assert str(surd(Fraction(0), Fraction(1), 12)) == "2*sqrt(3)"


def test_what_is_no_fraction_is_not_taken_for_one():
    root = surd(Fraction(0), Fraction(1), 2)
    for ask in (Fraction, lambda one: one.numerator, lambda one: one.denominator):
        with pytest.raises(TypeError, match="no fraction"):
            ask(root)
    with pytest.raises(ArithmeticError, match="one field"):
        root + surd(Fraction(0), Fraction(1), 3)
    with pytest.raises(ValueError, match="at least 0"):
        surd(Fraction(0), Fraction(1), -2)
