"""`make lowest`: a part of the tests with every dependency, those of the extras too, at its lower bound.

    python -m tests.lowest [FOLDER]

A virtual environment is made in FOLDER, a temporary one unless told, with uv and what uv resolves by `lowest-direct`;
the tests of DECIDING run there.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DECIDING = (
    "tests/bank/test_known.py",
    "tests/cli/test_graph_commands.py",
    "tests/cli/test_lean_install.py",
    "tests/cli/test_other_commands.py",
    "tests/cli/test_simulate_command.py",
    "tests/cli/test_solve_command.py",
    "tests/cli/test_verify_command.py",
    "tests/formulations/joint",
    "tests/formulations/test_milp.py",
    "tests/instance",
    "tests/report/charts/test_comparison.py",
    "tests/solver/test_solve.py",
    "tests/util/test_extras.py",
    "tests/web/test_serving_uploads.py",
)
"""Tests that go through every dependency, the extras too: schemas, solvers, tables, charts, simulation, uploads."""


def install(folder: Path, python: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Make an environment with the project and all that its tests need; return what uv, which does it, said."""
    subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
    within = str(python_of(folder))
    subprocess.run([within, "-m", "pip", "install", "--quiet", "uv"], check=True)
    command = [within, "-m", "uv", "pip", "install", "--quiet", "--python", within, *options, "--editable", ".[test]"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def python_of(folder: Path) -> Path:
    """Return an environment's Python."""
    return folder / "bin" / "python"


def run_tests(folder: Path, files: tuple[str, ...]) -> int:
    """Run some tests in an environment; return pytest's exit code."""
    tests = ["pytest", "-q", "-p", "no:cacheprovider", *files]
    return subprocess.run([python_of(folder), "-m", *tests], cwd=ROOT, check=False).returncode


def main(folder: Path) -> int:
    """Make the environment and run the tests; return pytest's exit code."""
    installed = install(folder, sys.executable, "--resolution", "lowest-direct")
    if installed.returncode:
        sys.exit(installed.stderr)
    return run_tests(folder, DECIDING)


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(main(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory(prefix="hypar-opt-lowest.") as made:
        sys.exit(main(Path(made)))
