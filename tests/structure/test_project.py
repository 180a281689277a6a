"""What contributors are told, what CI runs, and what there is: in step."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
import yaml

from tests import matrix

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
JOBS = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))["jobs"]


def made(text):
    """Return the targets that a text tells to make."""
    return [one for line in re.findall(r"\bmake((?: [a-z][a-z-]*)+)", text) for one in line.split()]


def test_no_two_modules_of_tests_have_one_name():
    """Pytest imports them by their names alone, and does not collect a second one."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("job", ["test", "solvers"])
def test_ci_runs_every_python_that_is_declared(job):
    assert tuple(JOBS[job]["strategy"]["matrix"]["python"]) == matrix.PYTHONS


def test_ci_runs_the_oldest_and_the_newest_solvers_by_the_same_command():
    assert tuple(JOBS["solvers"]["strategy"]["matrix"]["solvers"]) == matrix.AGES
    assert "tests.matrix $(MATRIX)" in MAKEFILE


def test_ci_runs_what_the_makefile_has():
    commands = [step["run"] for job in JOBS.values() for step in job["steps"] if "run" in step]
    assert {one for command in commands for one in made(command)} == {"test", "matrix"}
    assert {*JOBS["thorough"]["strategy"]["matrix"]["target"]} < TARGETS


def test_the_lowest_python_is_the_same_everywhere():
    lowest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert matrix.PYTHONS[0] == lowest
    assert PROJECT["tool"]["ruff"]["target-version"] == "py" + lowest.replace(".", "")
    assert f"sys.version_info < ({lowest.replace('.', ', ')})" in MAKEFILE
    for page in ("README.md", "CONTRIBUTING.md", "docs/quick-start.md"):
        assert f"Python {lowest}" in (ROOT / page).read_text(encoding="utf-8"), page


def test_the_version_stands_in_one_place():
    version = PROJECT["project"]["version"]
    sources = [path for part in ("hypar_opt", "formulations") for path in (ROOT / part).rglob("*.py")]
    told = [*(ROOT / "docs").rglob("*.md"), *(ROOT / ".github").rglob("*.*"), ROOT / "mkdocs.yml", ROOT / "Makefile"]
    told += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CITATION.bib")]
    wanted = re.compile(rf"(?<![\d.]){re.escape(version)}(?![\d.]*\d)")
    assert [str(path) for path in (*sources, *told) if wanted.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "README.md", ".github/PULL_REQUEST_TEMPLATE.md", ".ci/run"])
def test_contributors_are_told_of_targets_that_are_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    shown = text if page == ".ci/run" else "\n".join(re.findall(r"`[^`]+`|^make .*", text, re.MULTILINE))
    assert made(shown)
    assert {*made(shown)} <= TARGETS


def test_contributors_are_told_of_files_that_are_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:hypar_opt|formulations|instances|tests|reports|docs)/[^`\s:]*)`", text)
    assert len(paths) > 30
    assert [one for one in paths if not list(ROOT.glob(one.rstrip("/")))] == []
    rows = [line for line in text.splitlines() if line.startswith("|")]
    files = re.findall(r"`([a-z_]+\.py)`", "\n".join(rows))  # of the folder that was named before
    assert [one for one in files if not list((ROOT / "hypar_opt").rglob(one))] == []


@pytest.mark.parametrize("form", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem)
def test_a_form_asks_for_something_by_distinct_names(form):
    read = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= read.keys()
    names = [field["id"] for field in read["body"]]
    assert len(set(names)) == len(names)
    assert any(field.get("validations", {}).get("required") for field in read["body"])


def test_the_oldest_solvers_are_the_lower_bounds():
    assert [re.sub(r"\.\*$", "", one).split("==")[0] for one in matrix.oldest()] == list(matrix.SOLVERS)
    for one in matrix.oldest():
        name, bound = one.removesuffix(".*").split("==")
        assert any(need.startswith(f"{name}>={bound}") for need in PROJECT["project"]["dependencies"])


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ({"oldest": matrix.RAN, "newest": matrix.RAN}, 0),
        ({"oldest": matrix.ABSENT, "newest": matrix.RAN}, 0),
        ({"oldest": matrix.RAN, "newest": matrix.ABSENT}, 1),
        ({"oldest": matrix.FAILED, "newest": matrix.RAN}, 1),
    ],
)
def test_every_pair_is_told_and_failures_end_with_1(outcomes, code, monkeypatch, capsys):
    monkeypatch.setattr(matrix, "interpreter", lambda version: None if version == "3.14" else "python")
    monkeypatch.setattr(matrix, "tried", lambda python, age, folder: (outcomes[age], "ortools==1"))
    assert matrix.main(["3.11", "3.14"], [*matrix.AGES]) == code
    said = capsys.readouterr().out.splitlines()
    assert said[-3:] == [
        f"Python 3.11, oldest solvers: {outcomes['oldest']}; ortools==1",
        f"Python 3.11, newest solvers: {outcomes['newest']}; ortools==1",
        "Python 3.14: not here",
    ]


def test_a_python_that_is_not_here_is_not_found():
    assert matrix.interpreter("3.99") is None
