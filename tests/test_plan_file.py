"""Plan files: exact numbers, and strategies read back."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.errors import InputError
from hypar_opt.instance import load
from hypar_opt.plan_file import exact, read_start, write_plan
from hypar_opt.solving import solve


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, None),
        (Fraction(0), 0),
        (Fraction(2**70), 2**70),
        (Fraction(64, 10), "6.4"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(1, 1000), "0.001"),
        (Fraction(10**30 + 1, 10), "1" + "0" * 29 + ".1"),
        (Fraction(1, 3), "1/3"),
    ],
)
def test_numbers_are_written_exactly(value, written):
    assert exact(value) == written


@given(st.fractions())
def test_what_is_written_reads_back_as_the_same_number(value):
    assert Fraction(exact(value)) == value


def test_strategies_are_read_back(tmp_path):
    plan = solve(load("lenet-c"), "joint-dp")
    write_plan(plan, tmp_path / "plan.json")
    assert read_start(tmp_path / "plan.json") == (dict(plan.strategies), None)


def test_a_plan_file_without_a_schema_is_refused(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text('{"plan": {}}', encoding="utf-8")
    with pytest.raises(InputError, match="schema: expected 'hypar-opt/plan/1'"):
        read_start(path)
