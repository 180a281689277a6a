"""The table of reports/transfers says what is sent, anew."""

from __future__ import annotations

import csv
from fractions import Fraction

import pytest

from reports.transfers import study


def _kept():
    with (study.Path(study.__file__).parent / "transfers.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_rows_of_a_network_are_found_anew(monkeypatch):
    monkeypatch.setattr(study, "LOADS", (Fraction(1),))
    monkeypatch.setattr(study, "START_UPS", (Fraction(0), Fraction(1, 10)))
    step = study.load_step("lenet-c", array=study.ARRAY)
    kept = [
        row for row in _kept() if (row["step"], row["load"]) == ("lenet-c", "1") and row["start-up"] in ("0", "1/10")
    ]
    assert [study.written(row) for row in study.rows_of("network", step)] == kept


def test_much_is_gained_where_start_ups_take_more_than_half_of_the_step():
    rows = _kept()
    assert len(rows) == 648
    names = ("start-ups", "priority-tuned", *study.PROPHETS)
    found = [{name: float(row[name]) for name in names} for row in rows]
    much = [row for row in found if study.gain(row, ("priority-tuned",)) >= 0.4]
    assert (len(much), min(row["start-ups"] for row in much)) == (72, pytest.approx(0.55, abs=0.001))
    assert max(study.gain(row, ("priority-tuned",)) for row in found if row["start-ups"] < 0.1) < 0.07


def test_the_page_follows_from_its_table():
    from reports.transfers.__main__ import page_of

    whole, texts = ("gradients",), ("step", "kind")
    rows = [
        {name: value if name in texts else (int if name in whole else Fraction)(value) for name, value in row.items()}
        for row in _kept()
    ]
    page = study.Path(study.__file__).parent / "transfers.md"
    assert page_of(rows) == page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_shrunk_problem_is_the_shipped_one():
    from reports.transfers.shrink import FOLDER, LEAST, NAME, loss, rounded, smaller, worst

    small = rounded(smaller(worst(), LEAST), 9)
    assert loss(small) == LEAST
    assert len(small.gradients) == 4
    assert (FOLDER / f"{NAME}.yaml").is_file()
