"""Comparing two checkouts: what is equal, what is not, and what is left out of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.release import JOBS, differences, main, without_versions

ROOT = Path(__file__).parents[2]
FEW = {name: JOBS[name] for name in ("sfc.plan", "no-name", "list-formulations")}


def test_versions_are_left_out_and_nothing_else():
    plan = b'{"runtime_s": 0.0, "versions": {\n "python": "3.11.7"\n}, "seed": 0}'
    assert without_versions(plan) == '{"runtime_s": 0.0, "versions": {}, "seed": 0}'
    page = b"<dt>Seed</dt><dd>0</dd><dt>Versions</dt><dd>python 3.11.7</dd>"
    assert without_versions(page) == "<dt>Seed</dt><dd>0</dd><dt>Versions</dt>"
    assert without_versions(b"\xff\x00").startswith("2 bytes, SHA-256 ")
    assert without_versions(b"%PDF-1.7\n/fo0 /fo1") == without_versions(b"%PDF-1.7\n/fo1 /fo0") == "18 bytes"


def test_what_differs_is_shown_in_short():
    old = {"same": "1", "gone": "1", "long": "\n".join(map(str, range(40))), "line": "a\nb\nc\n"}
    new = {"same": "1", "come": "1", "long": "", "line": "a\nB\nc\n"}
    come, gone, line, long = differences(old, new)
    assert (come, gone) == ("come: only in NEW", "gone: only in OLD")
    assert line.splitlines() == ["line:", "  @@ -2 +2 @@", "  -b", "  +B"]
    assert long.splitlines()[-1] == "  ... and 29 lines more"


@pytest.mark.slow
def test_a_checkout_equals_itself_and_not_one_that_says_something_else(tmp_path, capsys):
    other = tmp_path / "other"
    for part in ("hypar_opt", "formulations", "instances", "tests"):
        shutil.copytree(ROOT / part, other / part, ignore=shutil.ignore_patterns("__pycache__", "data"))
    shutil.copy(ROOT / "Makefile", other)
    assert main(other, ROOT, tmp_path / "equal", FEW) == 0
    assert capsys.readouterr().out == "6 files, equal\n"
    record = other / "formulations" / "brute_force.py"
    record.write_text(record.read_text(encoding="utf-8").replace('"every assignment;', '"all assignments;'), "utf-8")
    assert main(other, ROOT, tmp_path / "unequal", FEW) == 1
    said = capsys.readouterr().out
    assert said.startswith("list-formulations.txt:\n")
    assert said.endswith("6 files, 1 differ\n")
