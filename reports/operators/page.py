"""A page of text and tables, and rows as CSV."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd

from hypar_opt.report.tables import csv_lines


def page(title, *parts):
    """Return the Markdown of a title, of text, and of rows as tables; numbers stand right of their columns."""
    shown = [part if isinstance(part, str) else as_table(part) for part in parts]
    return "\n\n".join([f"# {title}", *shown]) + "\n"


def as_table(rows):
    """Return rows as a Markdown table."""
    frame = pd.DataFrame(rows).fillna("")
    sides = ["right" if _is_of_numbers(frame[name]) else "left" for name in frame.columns]
    return frame.to_markdown(index=False, disable_numparse=True, colalign=sides)


def as_csv(rows):
    """Return rows as CSV, by the columns of the first: exact numbers, texts and what else there is as text."""
    return csv_lines([*rows[0]], ([_cell(value) for value in row.values()] for row in rows))


def _cell(value):
    return " ".join(map(str, value)) if isinstance(value, tuple) else "" if value is None else str(value)


def _is_of_numbers(column):
    return any(value[:1].isdigit() for value in column.astype(str))


def count(number):
    """Return a whole number with separators."""
    whole = int(number)
    assert whole == number
    return f"{whole:,}"


def times(number, least):
    """Return how many times the least a number is, in as many digits as tell it from once."""
    ratio = Fraction(number) / least
    digits = next(digits for digits in range(3, 20) if ratio == 1 or round(ratio, digits) != 1)
    return "1" if ratio == 1 else f"{float(ratio):.{digits}f}"
