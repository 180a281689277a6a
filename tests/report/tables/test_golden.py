"""Every format of the sample tables, as it was looked at and found right.

To write them anew after a change that is wanted: HYPAR_OPT_WRITE_GOLDEN=1 pytest tests/report/tables/test_golden.py,
and look at the difference. Then the tests fail, so that nobody leaves the variable set.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from pylatexenc.latexwalker import LatexWalker
from samples import SAMPLES

from hypar_opt.report.tables import csv_text, json_rows, latex_text, markdown_text

GOLDEN = Path(__file__).parent / "golden"
WRITERS = {
    "csv": csv_text,
    "json": lambda table: json.dumps(json_rows(table), indent=1) + "\n",
    "md": markdown_text,
    "tex": latex_text,
    "long.tex": lambda table: latex_text(table, long=True),
}
CASES = [(name, form) for name in SAMPLES for form in WRITERS]


@pytest.mark.parametrize(("name", "form"), CASES)
def test_a_table_is_written_as_it_was_looked_at(name, form):
    path = GOLDEN / f"{name}.{form}"
    text = WRITERS[form](SAMPLES[name]())
    if os.environ.get("HYPAR_OPT_WRITE_GOLDEN"):
        path.write_bytes(text.encode())
        pytest.fail(f"written: {path}; look at it")
    assert text == path.read_bytes().decode()


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("form", ["tex", "long.tex"])
def test_latex_is_well_formed(name, form):
    LatexWalker((GOLDEN / f"{name}.{form}").read_text(encoding="utf-8"), tolerant_parsing=False).get_latex_nodes()


def test_there_is_nothing_that_is_not_looked_at():
    assert {path.name for path in GOLDEN.iterdir()} == {f"{name}.{form}" for name, form in CASES}
