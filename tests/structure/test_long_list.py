"""`make tests/long.txt` lists what took long, and keeps the list as it was where a test fails."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.structure.test_project import ROOT

SAID = """
============================= slowest durations ==============================
1.20s call     tests/b.py::test_two[1]
0.90s setup    tests/a.py::test_one
0.80s call     tests/b.py::test_two[2]
0.70s teardown tests/c.py::test_three
"""


def make(folder, code):
    """Run it with a pytest that says that and ends with a code; return what make says, and what it leaves."""
    if shutil.which("make") is None:
        pytest.skip("no make")
    shutil.copy(ROOT / "Makefile", folder)
    (folder / "tests").mkdir()
    (folder / "tests" / "long.txt").write_text("what it was\n")
    (folder / "bin").mkdir()
    python = folder / "bin" / "python"
    python.write_text(f"#!/bin/sh\ncat <<'END'{SAID}END\nexit {code}\n")
    python.chmod(0o755)
    command = ["make", "VENV=.", "-o", "./.installed-test", "-B", "tests/long.txt"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    left = {path.name: path.read_text() for path in (folder / "tests").iterdir()}
    return done, left


def test_what_took_long_is_listed_once(tmp_path):
    done, left = make(tmp_path, 0)
    assert (done.returncode, done.stderr) == (0, "")
    assert left == {"long.txt": "tests/a.py::test_one\ntests/b.py::test_two\n"}


def test_a_failing_test_is_shown_and_changes_nothing(tmp_path):
    done, left = make(tmp_path, 1)
    assert done.returncode == 2
    assert SAID.strip() in done.stdout
    assert left == {"long.txt": "what it was\n"}
