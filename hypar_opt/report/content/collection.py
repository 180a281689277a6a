"""Instances and plan files in, everything that a report shows of them out."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.registry import rank_of
from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.report.content.content import SECTIONS, Subject, is_shown
from hypar_opt.report.content.kinds import KINDS
from hypar_opt.report.content.sections import SOURCE, with_sections, with_sections_of_workers
from hypar_opt.report.improvements import check_course
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.plan import Plan
from hypar_opt.studies.compare import Cell, compare, contradictions, failures
from hypar_opt.util.errors import InputError
from hypar_opt.verification import CheckOutcome, Claim, read_claim
from hypar_opt.verification.checks import check_binding

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path

    from hypar_opt.executor import Workers
    from hypar_opt.instance.read import Reported
    from hypar_opt.solver.problem import Problem


@dataclass(frozen=True)
class Given:
    """A plan file.

    Parameters
    ----------
    path
        The file.
    claim
        What it says.
    plan
        The same with who found it and how, as a formulation would have returned it.
    """

    path: Path
    claim: Claim
    plan: Plan

    def check(self, problem: Problem) -> None:
        """Recompute what can be without a search: whose plan it is, whether it is one, what it costs.

        Raises
        ------
        InputError
            If it is not what it claims; names the file. Whether it is optimal is not decided here.
        """
        check_binding(problem, self.claim)
        check_course(self.plan, self.path)
        strategies = self.claim.strategies
        if strategies is None:
            return
        for check in KINDS[problem.kind].checks(problem, self.claim, strategies):
            if check.outcome is CheckOutcome.REFUTED:
                raise InputError(f"is not what it claims: {check.name}: {check.text}", file=self.path)


def given_plans(places: Iterable[Path]) -> tuple[Given, ...]:
    """Read plan files, and all those in folders and the folders in them.

    Raises
    ------
    InputError
        If a file is no plan file or claims nothing, or a folder has none.
    """
    return tuple(Given(path, read_claim(path), Plan.load(path)) for place in places for path in _files(place))


def _files(place: Path) -> Sequence[Path]:
    if not place.is_dir():
        return [place]
    found = sorted(path for path in place.rglob("*.json") if not path.name.startswith("."))
    if not found:
        raise InputError("has no plan files (*.json)", file=place)
    return found


def shared_out(problems: Sequence[Problem], given: Sequence[Given]) -> list[list[Given]]:
    """Return every instance's plans, each checked against it.

    Raises
    ------
    InputError
        If a plan is of none of them, or is not what it claims.
    """
    found: list[list[Given]] = [[] for _ in problems]
    for one in given:
        named = [at for at, problem in enumerate(problems) if problem.instance.name == one.claim.instance]
        if not named:
            names = ", ".join(problem.instance.name for problem in problems)
            raise InputError(
                f"is a plan of '{one.claim.instance}', the report is of {names}", file=one.path, field="instance"
            )
        alike = [at for at in named if dict(problems[at].instance.overrides) == dict(one.claim.overrides)]
        at = (alike or named)[0]
        one.check(problems[at])
        found[at].append(one)
    return found


LONGEST: Final = 60
"""Characters of a page's name."""


def unique(name: str, more: str, taken: set[str]) -> str:
    """Return a name that is not taken yet, and take it."""
    found, number = name, 1
    while found in taken:
        found = f"{name} ({more}{f', {number}' if number > 1 else ''})"
        number += 1
    taken.add(found)
    return found


def slugs(names: Iterable[str], instead: str, taken: Collection[str] = ()) -> list[str]:
    """Return letters, digits and hyphens of names, told apart by numbers: for pages and the names of files.

    Parameters
    ----------
    instead
        Stands for a name that has none of these.
    taken
        What none of them may be.
    """
    found: list[str] = []
    for name in names:
        plain = slug_of(name) or instead
        slug, number = plain, 1
        while slug in found or slug in taken:
            number += 1
            slug = f"{plain}-{number}"
        found.append(slug)
    return found


def slug_of(name: str) -> str:
    """Return the letters, digits and hyphens of a name, for the names of files."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST]


def gather(
    instances: Sequence[Reported],
    formulations: Sequence[str],
    *,
    given: Sequence[Given] = (),
    again: Sequence[str] = (),
    sections: Sequence[str] = SECTIONS,
    limits: Limits | None = None,
    time_limit_s: float | None = None,
    listener: Listener | None = None,
    on_cell: Callable[[Cell], None] | None = None,
    workers: Workers | None = None,
) -> tuple[tuple[Subject, ...], tuple[str, ...]]:
    """Solve every instance that is to be solved, and find what else a report shows of it.

    Parameters
    ----------
    formulations
        That solve the instances which no plan is given of.
    given
        Plans of some of the instances.
    again
        Formulations that solve the instances which plans are given of.
    sections
        What is wanted beside plans: `front`, `exploration`, `scaling`.
    limits
        Of all: seed, workers, memory, the flag that stops the run.
    time_limit_s
        Of each solve, and of each section.
    listener, on_cell
        Called with the events of every solve, and with every result as it comes. Of workers the listener hears how
        many solves and sections are done alone.
    workers
        Who solves the instances with the formulations and finds the sections, each as a piece, all solves before any
        section; None for this process, where each instance's sections follow its solves.

    Returns
    -------
    A subject for every instance that was reached before a stop, and a sentence for every two results that cannot both
    be true, every solver that failed, and every section that killed its workers or came back damaged.

    Raises
    ------
    InputError
        If a given plan is of none of the instances, or is not what it claims.
    """
    limits = limits or Limits()
    problems = [problem_of(instance) for instance in instances]
    shares = shared_out(problems, given)
    subjects: list[Subject] = []
    tracker = Tracker(listener if workers is None else None, SOURCE, "instances", len(problems))

    def own() -> Limits:
        """Return the limits of what begins now."""
        return replace(limits, deadline=None if time_limit_s is None else time.monotonic() + time_limit_s)

    def solved(rows: Sequence[int]) -> list[Cell]:
        """Return the results of formulations on instances."""

        def told(cell: Cell) -> None:
            if on_cell is not None:
                on_cell(replace(cell, row=rows[cell.row]))

        names = again if shares[rows[0]] else formulations
        cells = compare(
            [instances[row] for row in rows], names, limits=limits, time_limit_s=time_limit_s,
            listener=listener, on_cell=told, workers=workers,
        )  # fmt: skip
        return [replace(cell, row=rows[cell.row]) for cell in cells]

    before: list[Cell] = []
    if workers is not None:
        for has_plans in (True, False):
            rows = [row for row, share in enumerate(shares) if bool(share) == has_plans]
            before += solved(rows) if rows else []
    pages = slugs([one.name for one in instances], "instance", ("index", "audit"))
    for row, (problem, slug) in enumerate(zip(problems, pages, strict=True)):
        found = [cell for cell in before if cell.row == row]
        if limits.stop.is_set() and not found:
            continue
        found = solved([row]) if workers is None else found
        subject = _with_plans(slug, problem, [*_given(row, problem, shares[row]), *((cell, None) for cell in found)])
        subjects.append(with_sections(subject, sections, own, listener) if workers is None else subject)
        tracker.add()
    lost: Sequence[str] = ()
    if workers is not None:
        subjects, lost = with_sections_of_workers(workers, subjects, sections, limits, time_limit_s, listener)
        subjects = [KINDS[one.kind].beside(one, sections, own, listener) for one in subjects]
    cells = [cell for subject in subjects for cell in subject.cells]
    return tuple(subjects), (*contradictions(cells), *failures(cells), *lost)


def _with_plans(slug: str, problem: Problem, results: Sequence[tuple[Cell, Path | None]]) -> Subject:
    taken: set[str] = set()
    cells, plans = [], []
    for cell, file in sorted(results, key=lambda one: rank_of(one[0].formulation)):
        name = unique(cell.formulation, "solved here" if file is None else _called(file), taken)
        cells.append(replace(cell, formulation=name))
        if is_shown(cell.plan):
            plans.append(KINDS[problem.kind].named(name, problem, cell.plan, "" if file is None else str(file)))
    return Subject(slug, problem, tuple(cells), tuple(plans))


def _called(file: Path) -> str:
    """Return a file's name without its ending, with the number of a point."""
    return file.stem + file.suffix.removeprefix(".json") if "#" in file.suffix else file.stem


def _given(row: int, problem: Problem, given: Sequence[Given]) -> list[tuple[Cell, Path | None]]:
    """Return the plans of files as results, each with its file."""
    return [
        (Cell.of(problem, plan.formulation, plan, row=row), each.path)
        for each in given
        for plan in [KINDS[problem.kind].finished(problem, each.plan)]
    ]
