"""Instances in, everything that a report shows of them out."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.registry import rank_of
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.report.content.content import NamedPlan, Subject
from hypar_opt.report.content.sections import (
    EXPLORATION,
    FRONT,
    SCALING,
    SECTIONS,
    exploration_of,
    front_of,
    scaling_of,
    tried,
)
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.network_tasks import with_splits
from hypar_opt.studies.compare import Cell, compare, contradictions, failures
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hypar_opt.formulation.run import Listener
    from hypar_opt.instance import Instance
    from hypar_opt.report.content.plan_files import Given


def shared_out(problems: Sequence[NetworkProblem], given: Sequence[Given]) -> list[list[Given]]:
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


def slugs(names: Sequence[str]) -> list[str]:
    """Return names for pages: letters, digits and hyphens of the instances' own, told apart by numbers."""
    found: list[str] = []
    for name in names:
        plain = slug_of(name) or "instance"
        slug, number = plain, 1
        while slug in found or slug in ("index", "audit"):
            number += 1
            slug = f"{plain}-{number}"
        found.append(slug)
    return found


def slug_of(name: str) -> str:
    """Return the letters, digits and hyphens of a name, for the names of files."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST]


SOURCE = "report"
"""Of its progress."""


@dataclass(frozen=True)
class _How:
    """How a report's plans are found; see `gather`."""

    formulations: Sequence[str]
    again: Sequence[str]
    sections: Sequence[str]
    limits: Limits
    time_limit_s: float | None
    listener: Listener | None
    on_cell: Callable[[Cell], None] | None

    @property
    def own(self) -> Limits:
        """The limits of what begins now."""
        left = None if self.time_limit_s is None else time.monotonic() + self.time_limit_s
        return replace(self.limits, deadline=left)


def gather(
    instances: Sequence[Instance],
    formulations: Sequence[str],
    *,
    given: Sequence[Given] = (),
    again: Sequence[str] = (),
    sections: Sequence[str] = SECTIONS,
    limits: Limits | None = None,
    time_limit_s: float | None = None,
    listener: Listener | None = None,
    on_cell: Callable[[Cell], None] | None = None,
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
        Called with the events of every solve, and with every result as it comes.

    Returns
    -------
    A subject for every instance that was reached before a stop, and a sentence for every two results that cannot both
    be true and every solver that failed.

    Raises
    ------
    InputError
        If a given plan is of none of the instances, or is not what it claims.
    """
    how = _How(formulations, again, sections, limits or Limits(), time_limit_s, listener, on_cell)
    problems = [NetworkProblem(instance) for instance in instances]
    shares = shared_out(problems, given)
    subjects: list[Subject] = []
    tracker = Tracker(listener, SOURCE, "instances", len(problems))
    for row, (problem, slug) in enumerate(zip(problems, slugs([one.name for one in instances]), strict=True)):
        if how.limits.stop.is_set():
            break
        subjects.append(_with_sections(_with_plans(row, slug, problem, shares[row], how), how))
        tracker.add()
    cells = [cell for subject in subjects for cell in subject.cells]
    return tuple(subjects), (*contradictions(cells), *failures(cells))


def _with_plans(row: int, slug: str, problem: NetworkProblem, given: Sequence[Given], how: _How) -> Subject:
    named = [*_given(row, problem, given), *_solved(row, problem, how.again if given else how.formulations, how)]
    taken: set[str] = set()
    cells, plans = [], []
    for cell, file in sorted(named, key=lambda one: rank_of(one[0].formulation)):
        name = unique(cell.formulation, "solved here" if file is None else file.stem, taken)
        cells.append(replace(cell, formulation=name))
        plan = cell.plan
        if plan is not None and plan.strategies is not None and plan.status is not Status.ERROR:
            plans.append(NamedPlan(name, problem, plan, "" if file is None else str(file)))
    return Subject(slug, problem, tuple(cells), tuple(plans))


def _given(row: int, problem: NetworkProblem, given: Sequence[Given]) -> list[tuple[Cell, Path | None]]:
    """Return the plans of files as results, each with its file."""
    one = problem.instance
    which = one.name, one.accounting, one.batch, one.levels
    return [
        (Cell(*which, plan.formulation, plan, row=row, objective=one.aim.spelt), each.path)
        for each in given
        for plan in [with_splits(problem, each.plan)]
    ]


def _solved(row: int, problem: NetworkProblem, names: Sequence[str], how: _How) -> list[tuple[Cell, Path | None]]:
    def told(cell: Cell) -> None:
        if how.on_cell is not None:
            how.on_cell(replace(cell, row=row))

    cells = compare(
        [problem.instance], names, limits=how.limits, time_limit_s=how.time_limit_s, listener=how.listener,
        on_cell=told,
    )  # fmt: skip
    return [(replace(cell, row=row), None) for cell in cells]


def _with_sections(subject: Subject, how: _How) -> Subject:
    problem, missing = subject.problem, dict.fromkeys(SECTIONS, "not asked for")
    front = exploration = scaling = None
    if FRONT in how.sections:
        front, missing[FRONT] = tried(partial(front_of, problem, how.own, how.listener))
    if EXPLORATION in how.sections:
        ask = partial(exploration_of, problem, subject.plans, how.own, how.listener)
        exploration, missing[EXPLORATION] = tried(ask)
    if SCALING in how.sections:
        ask_more = partial(scaling_of, problem, problem.instance.overrides, how.own, how.listener)
        scaling, missing[SCALING] = tried(ask_more)
    left = {name: why for name, why in missing.items() if why}
    return replace(subject, front=front, exploration=exploration, scaling=scaling or (), missing=left)
