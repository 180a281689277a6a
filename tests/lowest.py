"""`make lowest`: a part of the tests with every dependency at the lowest version that pyproject.toml declares.

    python -m tests.lowest [FOLDER]

A virtual environment is made in FOLDER, a temporary one unless told, with uv and what uv resolves by `lowest-direct`;
the tests of DECIDING run there.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DECIDING = (
    "tests/bank/test_known.py",
    "tests/cli/test_other_commands.py",
    "tests/cli/test_solve_command.py",
    "tests/cli/test_verify_command.py",
    "tests/formulations/joint",
    "tests/formulations/test_milp.py",
    "tests/instance",
    "tests/report/charts/test_comparison.py",
    "tests/test_solve.py",
)
"""Tests that go through every dependency: schemas, solvers, tables, charts."""


def main(folder: Path) -> int:
    """Make the environment and run the tests; return pytest's exit code."""
    venv.create(folder, with_pip=True, clear=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
    install = ["uv", "pip", "install", "--quiet", "--resolution", "lowest-direct", "--python", python]
    subprocess.run([python, "-m", *install, "--editable", ".[test]"], cwd=ROOT, check=True)
    tests = ["pytest", "-q", "-p", "no:cacheprovider", *DECIDING]
    return subprocess.run([python, "-m", *tests], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(main(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory(prefix="hypar-opt-lowest.") as made:
        sys.exit(main(Path(made)))
