"""CSV and JSON: exact values, and names that no spreadsheet computes."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.report.tables import Column, Entry, Table, csv_lines, csv_text, json_rows


def single(value, **options):
    return Table("t", "T", (Column("a", "A", "GB", 10**9, 4, **options),), ({"a": Entry(value, "shown")},))


def read(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize(
    ("value", "plain", "flat"),
    [
        (10**30 + 1, 10**30 + 1, str(10**30 + 1)),
        (Fraction(6, 3), 2, "2"),
        (Fraction(1, 8), "0.125", "0.125"),
        (Fraction(1, 3), "1/3", "1/3"),
        (-5, -5, "-5"),
        (Fraction(-1, 8), "-0.125", "-0.125"),
        (0.25, 0.25, "0.25"),
        (None, None, ""),
        ("a,b\n", "a,b\n", "a,b\n"),
        (("sfc", "vgg"), ["sfc", "vgg"], "sfc vgg"),
        ({"batch": 4}, {"batch": 4}, '{"batch": 4}'),
    ],
)
def test_values_are_exact_whatever_is_shown(value, plain, flat):
    table = single(value)
    assert json_rows(table) == [{"a": plain}]
    assert json.loads(json.dumps(json_rows(table))) == [{"a": plain}]
    assert csv_text(table).splitlines()[0] == "a"
    assert read(csv_text(table))[1:] == ([[flat]] if flat else [[""]])


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "=", "-", "--x"]
)
def test_a_text_that_a_spreadsheet_would_compute_gets_an_apostrophe(text):
    table = single(text)
    assert read(csv_text(table))[1] == [f"'{text}"]
    assert json_rows(table) == [{"a": text}]


@pytest.mark.parametrize("text", ["-1.5", "+12 %", "-1.5e-7", "-1/3", "-3 GB", "a=b", "x-y", "+.5"])
def test_numbers_with_a_sign_and_other_texts_stay(text):
    assert read(csv_text(single(text)))[1] == [text]


@given(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0")))
def test_any_text_can_be_read_again(text):
    stream = io.StringIO(csv_text(single(text)), newline="")
    (_, row) = csv.reader(stream)
    assert row in ([text], [f"'{text}"])


def test_a_format_has_the_columns_that_are_for_it():
    table = single({"python": "3.11"}, formats=("json",))
    assert json_rows(table) == [{"a": {"python": "3.11"}}]
    assert csv_text(table) == "\n\n"


def test_headers_are_guarded_like_cells():
    assert csv_lines(["=1+1", "b"], [["@x", Fraction(-1, 3)]]) == "'=1+1,b\n'@x,-1/3\n"
