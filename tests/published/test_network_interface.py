"""The page of reports/collectives says what is simulated."""

from __future__ import annotations

import csv

import pytest


@pytest.mark.slow
def test_rows_of_an_array_are_simulated_anew():
    # these import pandas and altair
    from reports.collectives.__main__ import FOLDER, rows_of
    from reports.collectives.schedules import ARRAYS

    with (FOLDER / "network-interface.csv").open(encoding="utf-8") as stream:
        written = [row for row in csv.DictReader(stream) if row["array"] == "torus 4x4"]
    assert [
        {name: str(one) for name, one in row.items()} for row in rows_of("torus 4x4", ARRAYS["torus 4x4"])
    ] == written
