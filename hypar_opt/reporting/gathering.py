"""Instances in, everything that a report shows of them out."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from hypar_opt.comparing import Cell, compare, contradictions
from hypar_opt.errors import InputError
from hypar_opt.plan import Status
from hypar_opt.problem import Problem
from hypar_opt.reporting.content import Named, Subject
from hypar_opt.reporting.sections import (
    EXPLORATION,
    FRONT,
    SCALING,
    SECTIONS,
    exploration_of,
    front_of,
    scaling_of,
    tried,
)
from hypar_opt.run import Limits
from hypar_opt.tracking import Tracker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.instance import Instance
    from hypar_opt.reporting.given import Given
    from hypar_opt.run import Listener

SOURCE = "report"
"""Of its progress."""
LONGEST = 60
"""Characters of a page's name."""


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
    problems = [Problem(instance) for instance in instances]
    shares = _shared_out(problems, given)
    subjects: list[Subject] = []
    tracker = Tracker(listener, SOURCE, "instances", len(problems))
    for row, (problem, slug) in enumerate(zip(problems, _slugs([one.name for one in instances]), strict=True)):
        if how.limits.stop.is_set():
            break
        subjects.append(_with_sections(_with_plans(row, slug, problem, shares[row], how), how))
        tracker.add()
    cells = [cell for subject in subjects for cell in subject.cells]
    return tuple(subjects), (*contradictions(cells), *_failures(cells))


def _shared_out(problems: Sequence[Problem], given: Sequence[Given]) -> list[list[Given]]:
    """Return every instance's plans, each checked against it."""
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


def _with_plans(row: int, slug: str, problem: Problem, given: Sequence[Given], how: _How) -> Subject:
    one = problem.instance
    cells, plans = [], []
    names: set[str] = set()
    for each in given:
        name = _unique(each.plan.formulation, each.path.stem, names)
        cells.append(
            Cell(one.name, one.accounting, one.batch, one.levels, name, each.plan, row=row, objective=one.aim.spelt)
        )
        if each.plan.strategies is not None:
            plans.append(Named(name, problem, each.plan, str(each.path)))
    for cell in _solved(row, problem, how.again if given else how.formulations, how):
        name = _unique(cell.formulation, "solved here", names)
        cells.append(replace(cell, formulation=name))
        if cell.plan is not None and cell.plan.strategies is not None and cell.plan.status is not Status.ERROR:
            plans.append(Named(name, problem, cell.plan))
    return Subject(slug, problem, tuple(cells), tuple(plans))


def _solved(row: int, problem: Problem, names: Sequence[str], how: _How) -> list[Cell]:
    def told(cell: Cell) -> None:
        if how.on_cell is not None:
            how.on_cell(replace(cell, row=row))

    cells = compare(
        [problem.instance], names, limits=how.limits, time_limit_s=how.time_limit_s, listener=how.listener,
        on_cell=told,
    )  # fmt: skip
    return [replace(cell, row=row) for cell in cells]


def _unique(name: str, more: str, taken: set[str]) -> str:
    """Return a name that is not taken yet, and take it."""
    found, number = name, 1
    while found in taken:
        found = f"{name} ({more}{f', {number}' if number > 1 else ''})"
        number += 1
    taken.add(found)
    return found


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


def _failures(cells: Sequence[Cell]) -> list[str]:
    return [
        f"{cell.instance}, {cell.formulation}: {cell.plan.native_status}"
        for cell in cells
        if cell.plan is not None and cell.plan.status is Status.ERROR
    ]


def _slugs(names: Sequence[str]) -> list[str]:
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
