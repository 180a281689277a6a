"""`make compare` in a clone changes nothing that git sees: all that it makes is ignored, and none of it is kept."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.structure.test_project import MAKEFILE, ROOT

PLACE = re.search(r"^TO \?= (\S+)$", MAKEFILE, re.MULTILINE)[1]
MADE = [
    f"{PLACE}/comparison.csv", ".venv/pyvenv.cfg", ".venv/.installed-graphs",
    "hypar_opt/__pycache__/x.pyc", "formulations/hypar_dp/__pycache__/x.nbi",
]  # fmt: skip
"""Of each folder that it writes to, a file: tables, packages, and what Python and Numba compile."""


def git(*arguments):
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.split()


@pytest.mark.parametrize("path", MADE)
def test_what_is_made_is_ignored(path):
    assert git("check-ignore", path) == (0, [path])


def test_what_is_made_is_not_kept():
    assert git("ls-files", "--", PLACE, ".venv") == (0, [])
    assert git("ls-files", "--cached", "--ignored", "--exclude-standard") == (0, [])


def test_what_is_kept_is_not_ignored():
    assert git("check-ignore", "reports/compare/comparison.csv", "Makefile") == (1, [])
