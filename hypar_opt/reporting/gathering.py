"""Instances in, everything that a report shows of them out."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from hypar_opt.comparing import compare, contradictions
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
from hypar_opt.run import Limits, Listener

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from hypar_opt.comparing import Cell
    from hypar_opt.instance import Instance


def gather(
    instances: Sequence[Instance],
    formulations: Sequence[str],
    *,
    overrides: Mapping[str, Any] | None = None,
    sections: Sequence[str] = SECTIONS,
    limits: Limits | None = None,
    time_limit_s: float | None = None,
    listener: Listener | None = None,
    on_cell: Callable[[Cell], None] | None = None,
) -> tuple[tuple[Subject, ...], tuple[str, ...]]:
    """Solve every instance with every formulation, and find what else a report shows of it.

    Parameters
    ----------
    overrides
        With which the instances were read; scaling reads them again for other arrays.
    sections
        What is wanted beside plans: `front`, `exploration`, `scaling`.
    limits
        Of all: seed, workers, memory, the flag that stops the run.
    time_limit_s
        Of each solve.
    listener, on_cell
        Called with the events of every solve, and with every result as it comes.

    Returns
    -------
    A subject an instance, and a sentence for every two results that cannot both be true.
    """
    limits = limits or Limits()
    cells = compare(
        instances, formulations, limits=limits, time_limit_s=time_limit_s, listener=listener, on_cell=on_cell
    )
    slugs = _slugs([instance.name for instance in instances])
    subjects = []
    for row, (instance, slug) in enumerate(zip(instances, slugs, strict=True)):
        own = tuple(cell for cell in cells if cell.row == row)
        problem = Problem(instance)
        plain = Subject(slug, problem, own, _named(problem, own))
        subjects.append(_with_sections(plain, overrides or {}, sections, limits, listener))
    return tuple(subjects), tuple(contradictions(cells))


def _named(problem: Problem, cells: Sequence[Cell]) -> tuple[Named, ...]:
    return tuple(
        Named(cell.formulation, problem, cell.plan)
        for cell in cells
        if cell.plan is not None and cell.plan.strategies is not None and cell.plan.status is not Status.ERROR
    )


def _with_sections(
    subject: Subject,
    overrides: Mapping[str, Any],
    sections: Sequence[str],
    limits: Limits,
    listener: Listener | None,
) -> Subject:
    from dataclasses import replace

    problem, missing = subject.problem, dict.fromkeys(SECTIONS, "not asked for")
    front = exploration = scaling = None
    if FRONT in sections:
        front, missing[FRONT] = tried(partial(front_of, problem, limits, listener))
    if EXPLORATION in sections:
        exploration, missing[EXPLORATION] = tried(partial(exploration_of, problem, subject.plans, limits, listener))
    if SCALING in sections:
        scaling, missing[SCALING] = tried(partial(scaling_of, problem, overrides, limits, listener))
    left = {name: why for name, why in missing.items() if why}
    return replace(subject, front=front, exploration=exploration, scaling=scaling or (), missing=left)


def _slugs(names: Sequence[str]) -> list[str]:
    """Return names for pages: letters, digits and hyphens of the instances' own, told apart by numbers."""
    found: list[str] = []
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "instance"
        slug, number = plain, 1
        while slug in found or slug in ("index", "audit"):
            number += 1
            slug = f"{plain}-{number}"
        found.append(slug)
    return found
