"""When an exact number is the printed one."""

from __future__ import annotations

import pickle
from copy import copy, deepcopy
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.studies.claims.printed import Expected, PrintedNumber, geometric_mean


@pytest.mark.parametrize(
    ("number", "printed", "expected"),
    [
        ("0.6805", "0.681", True),  # half up
        ("0.6815", "0.681", True),  # half down, as half to even may be
        ("0.68049", "0.681", False),
        ("0.68151", "0.681", False),
        ("1.99495", "2.00", False),
        ("1.995", "2.00", True),
        ("1.6", "2", True),  # fewer digits printed, less claimed
        ("1.6", "2.0", False),
        ("134.5", "134", True),
        ("134.6", "134", False),
        ("155", "1.6e2", True),
        ("154", "1.6e2", False),
    ],
)
def test_half_a_unit_in_the_last_printed_digit(number, printed, expected):
    assert PrintedNumber(printed).agrees(Fraction(number)) is expected


@given(st.decimals(min_value="0.001", max_value="1e6", places=3), st.integers(1, 6))
def test_a_number_agrees_with_itself_rounded_in_either_way(number, digits):
    from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP

    for way in (ROUND_HALF_UP, ROUND_HALF_EVEN):
        unit = Decimal(1).scaleb(number.adjusted() + 1 - digits)
        assert PrintedNumber(str(number.quantize(unit, way))).agrees(Fraction(number))


def mean_agrees(numbers, printed):
    return Expected(PrintedNumber(printed)).how_mean(numbers) is not None


def test_a_geometric_mean_is_judged_without_a_root():
    numbers = [Fraction(2), Fraction(8)]
    assert mean_agrees(numbers, "4.000000000000000000000000000000000000")
    assert not mean_agrees([*numbers, Fraction(5)], "4.000")
    edge = [Fraction("1.995")] * 10
    assert mean_agrees(edge, "2.00")
    assert not mean_agrees([Fraction("1.995") - Fraction(1, 10**60), *edge[1:]], "2.00")
    assert geometric_mean(numbers) == pytest.approx(4)
    assert geometric_mean([Fraction(0), Fraction(3)]) == 0
    assert not mean_agrees([Fraction(0), Fraction(3)], "0.2")


@pytest.mark.parametrize(
    ("number", "printed", "text"),
    [
        ("1.4908400", "1.47", "1.4908"),
        ("1.99495872", "2.00", "1.99496"),  # with fewer digits it would seem to agree
        ("0.680525824", "0.681", "0.68053"),
        ("157.04", "157", "157.04"),
        ("157", "157", "157"),
    ],
)
def test_a_number_is_shown_on_its_side_of_rounding(number, printed, text):
    number, printed = Fraction(number), PrintedNumber(printed)
    assert printed.beside(number, printed.agrees(number)) == text


@pytest.mark.parametrize(
    ("numbers", "printed", "text"),
    [
        (["1.995"] * 3, "2.00", "1.995"),  # the root comes out a little off the tie
        (["2.005"] * 7, "2.00", "2.005"),
        (["7", "1.57675"], "3.32", "3.3222"),
        (["1.995", "1.99499999999999999999"], "2.00", "just below 1.995"),
        (["2.005", "2.00500000000000000001"], "2.00", "just above 2.005"),
        (["1.995", "1.9949999999"], "2.00", "1.9949999999"),
        (["155"] * 3, "1.6e2", "155"),
    ],
)
def test_a_mean_is_shown_as_it_is_judged(numbers, printed, text):
    numbers = [Fraction(one) for one in numbers]
    assert PrintedNumber(printed).beside(geometric_mean(numbers), mean_agrees(numbers, printed)) == text


@pytest.mark.parametrize(
    ("number", "printed", "within", "how"),
    [
        ("2.004", "2.00", None, ""),
        ("2.006", "2.00", None, None),
        ("2.006", "2.00", "0.3 %", "within 0.3 %"),
        ("2.0061", "2.00", "0.3 %", None),
        ("1.994", "2.00", "0.3 %", "within 0.3 %"),
        ("1.9939", "2.00", "0.3 %", None),
        ("2.004", "2.00", "0.001 %", ""),  # rounding is enough
        ("2.1", "2", "0.1", ""),
        ("2.4", "~2", "0.4", "within 0.4, 20 % of it"),  # digits that were read off say nothing
        ("2.41", "~2", "0.4", None),
    ],
)
def test_what_rounds_or_is_near_enough(number, printed, within, how):
    assert expected_of(printed, within).how(Fraction(number)) == how
    assert expected_of(printed, within).how_mean([Fraction(number)] * 3) == how


@pytest.mark.parametrize(("within", "far"), [("50 %", "3.90"), ("1.3", "3.90"), ("1.30", "1.30")])
def test_half_of_what_is_printed_is_the_widest(within, far):
    assert expected_of("2.60", within).how(Fraction(far)) is not None
    assert expected_of("2.60", within).how(Fraction("3.901")) is None


def test_a_tolerance_without_its_percent_sign_shows_how_wide_it_is():
    assert expected_of("2.60", "0.5 %").how(Fraction("3.05")) is None
    assert expected_of("2.60", "0.5").how(Fraction("3.05")) == "within 0.5, 19.2 % of it"


def test_what_is_known_to_be_between_two_agrees_where_one_of_them_does():
    expected = expected_of("2.00", "1 %")
    assert expected.how(Fraction("2.004"), Fraction(3)) == ""
    assert expected.how(Fraction("2.01"), Fraction(3)) == "within 1 %"
    assert expected.how(Fraction("2.021"), Fraction(3)) is None
    assert expected.how(Fraction(1), Fraction("1.98")) == "within 1 %"
    assert expected.how(Fraction(1), Fraction("1.9799")) is None


@pytest.mark.parametrize(
    ("number", "printed", "within", "text"),
    [
        ("2.006", "2.00", "1 %", "2.006 GB (within 1 %)"),
        ("2.004", "2.00", "1 %", "2.004 GB"),
        ("2.5", "2.00", "1 %", "2.5 GB"),
        ("2.123456", "~2.1", "1 %", "2.123 GB"),
    ],
)
def test_how_a_number_is_shown(number, printed, within, text):
    expected = expected_of(printed, within)
    assert expected.shown(Fraction(number), expected.how(Fraction(number)), "GB").startswith(text)


def expected_of(printed, within):
    from hypar_opt.studies.claims.statements import MeanOf

    more = {} if within is None else {"within": within}
    return MeanOf.model_validate({"claims": ["a"], "value": printed, **more}).expected


@pytest.mark.parametrize("copied", [copy, deepcopy, lambda number: pickle.loads(pickle.dumps(number))])
@pytest.mark.parametrize("text", ["~1.9e2", "2.00", ".5"])
def test_a_copy_has_the_text(copied, text):
    """Also what another process gets, which would round what was read off an axis."""
    number = copied(PrintedNumber(text))
    assert (number, number.text, number.rough) == (PrintedNumber(text), text, text.startswith("~"))
