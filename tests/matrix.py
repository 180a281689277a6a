"""`make matrix`: a part of the tests on every Python that is supported, with the oldest and the newest solvers.

    python -m tests.matrix [--pythons 3.11,3.12] [--solvers oldest,newest]

What is tried stands in pyproject.toml: the Pythons in its classifiers, the solvers in its dependencies, the oldest of
each being its lower bound. A Python is found on the path or among pyenv's. Each pair has an environment of its own,
made with uv in a temporary folder, where the tests of SOLVING run. Exit code 1 if they fail anywhere, or if the
newest solvers cannot be installed; for a new Python there need not be any old ones.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tests.lowest import ROOT, install, python_of, run_tests

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = tuple(re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"])))
SOLVERS = ("highspy", "ortools", "pulp")
AGES = ("oldest", "newest")
SOLVING = (
    "tests/bank/test_known.py",
    "tests/cli/test_solve_command.py",
    "tests/cli/test_verify_command.py",
    "tests/formulations/test_milp.py",
    "tests/report/charts/test_comparison.py",
)
"""Tests that go through every solver, and through what is shown."""
RAN, FAILED, ABSENT = "passed", "FAILED", "could not be installed"


def oldest() -> list[str]:
    """Return the solvers' lower bounds, as a file of constraints has them."""
    bounds = {one: re.search(rf"^{one}>=([\d.]+)", "\n".join(PROJECT["dependencies"]), re.MULTILINE) for one in SOLVERS}
    return [f"{name}=={bound[1]}.*" for name, bound in bounds.items() if bound is not None]


def interpreter(version: str) -> str | None:
    """Return a Python of a version that runs; pyenv's shims stand on the path for those that do not."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(f"python{version}"), *sorted(map(str, pyenv.glob(f"{version}.*/bin/python")))]
    return next((one for one in found if one is not None and _is(one, version)), None)


def _is(python: str, version: str) -> bool:
    said = subprocess.run([python, "--version"], capture_output=True, text=True, check=False).stdout
    return said.startswith(f"Python {version}.")


def tried(python: str, age: str, folder: Path) -> tuple[str, str]:
    """Make an environment and run the tests there; return what came of it, and of what."""
    (folder / "oldest.txt").write_text("\n".join(oldest()), encoding="utf-8")
    made = folder / "environment"
    done = install(made, python, *(["--constraint", str(folder / "oldest.txt")] if age == "oldest" else []))
    if done.returncode:
        reasons = [line.strip() for line in done.stderr.splitlines() if "ecause" in line]
        return ABSENT, reasons[0] if reasons else done.stderr.strip()
    listed = [python_of(made), "-m", "uv", "pip", "freeze", "--python", python_of(made)]
    versions = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.splitlines()
    of = ", ".join(one for one in versions if one.split("==")[0] in SOLVERS)
    return FAILED if run_tests(made, SOLVING) else RAN, of


def main(pythons: list[str], ages: list[str]) -> int:
    """Try all pairs, and print a line for each; return the exit code."""
    lines, wrong = [], False
    for version in pythons:
        python = interpreter(version)
        if python is None:
            lines.append(f"Python {version}: not here")
            continue
        for age in ages:
            with tempfile.TemporaryDirectory(prefix="hypar-opt-matrix.") as folder:
                outcome, of = tried(python, age, Path(folder))
            lines.append(f"Python {version}, {age} solvers: {outcome}; {of}")
            print(lines[-1], flush=True)
            wrong |= outcome == FAILED or (outcome == ABSENT and age == "newest")
    print("", *lines, sep="\n")
    return int(wrong)


def _some(known: tuple[str, ...], text: str) -> list[str]:
    chosen = text.split(",")
    if not set(chosen) <= set(known):
        raise argparse.ArgumentTypeError(f"expected some of {', '.join(known)}, got {text}")
    return chosen


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.matrix")
    parser.add_argument("--pythons", type=lambda text: _some(PYTHONS, text), default=[*PYTHONS])
    parser.add_argument("--solvers", type=lambda text: _some(AGES, text), default=[*AGES])
    asked = parser.parse_args()
    sys.exit(main(asked.pythons, asked.solvers))
