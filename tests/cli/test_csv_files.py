"""Every command that writes CSV files: names that a spreadsheet would compute stay names, in cells and in headers."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from helpers import document, linear_chain

ROOT = Path(__file__).parents[2]
NAME, LAYERS = "=HYPERLINK(1)", ("@SUM(A1)", "=1+1", "-2+3")
COMPUTED = re.compile(r"[=@]|[+-](?!\.?\d[\d.]*(e[+-]?\d+)?$)")
"""What a spreadsheet runs: written here once more, by hand."""
WRITING = re.compile(r"\bto_csv\b|\bcsv\.(writer|DictWriter)\b")
CLAIM = {
    "id": "one", "source": "@T", "text": "=2+2", "instance": "sfc",
    "total": {"formulation": "hypar-dp", "communication_GB": "1"},
}  # fmt: skip
CLAIMS = {"schema": "hypar-opt/claims/1", "title": "T", "source": "nobody", "claims": [CLAIM]}


@pytest.fixture
def instance(tmp_path):
    """An instance that is called a formula, and so are its layers."""
    layers = [{**layer, "name": name} for layer, name in zip(linear_chain(8, 8, 8), LAYERS, strict=True)]
    path = tmp_path / "named.json"
    whole = {**document(layers, [8], batch=4, levels=2), "name": NAME}
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("words", "guarded"),
    [
        (("compare", "{instance}", "-f", "joint-dp"), f"'{NAME}"),
        (("compare-arrays", "{instance}", "--arrays", "ring-16", "-f", "identity"), f"'{NAME}"),
        (("explore", "{instance}", "--layers", LAYERS[1], "--levels-free", "1"), f"'{LAYERS[1]}"),
        (("explore", "{instance}", "--scale", "0-2"), None),
        (("campaign", "one-level", "--count", "3"), None),
        (("audit", "{claims}"), "'=2+2"),
        (("report", "{instance}", "-f", "joint-dp,data-parallel", "--without", "front"), f"'{LAYERS[1]}"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_no_cell_and_no_header_is_computed(run, instance, tmp_path, words, guarded):
    out = tmp_path / "out"
    claims = tmp_path / "claims.json"
    claims.write_text(json.dumps(CLAIMS), encoding="utf-8")
    ran = run(*(word.format(instance=instance, claims=claims) for word in words), "-o", out)
    assert (ran.code, ran.err) == (0, "")
    texts = set()
    for path in out.rglob("*.csv"):
        with path.open(encoding="utf-8", newline="") as stream:
            texts |= {text for row in csv.reader(stream) for text in row}
    assert texts
    assert [text for text in texts if COMPUTED.match(text)] == []
    assert guarded is None or guarded in texts


def test_nothing_else_writes_csv():
    sources = [path for folder in ("hypar_opt", "formulations", "tests") for path in (ROOT / folder).rglob("*.py")]
    found = [path.relative_to(ROOT).as_posix() for path in sources if WRITING.search(path.read_text(encoding="utf-8"))]
    assert sorted(found) == ["hypar_opt/report/tables/data.py"]
