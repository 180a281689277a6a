"""A job's report: the same pages as the command's, of the plans that the job found."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.formulation.run import Limits
    from hypar_opt.report.content import Subject
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.compare import Cell
    from hypar_opt.web.result import Result

SLUG = "instance"


def write_up(folder: Path, problem: NetworkProblem, results: list[Result], limits: Limits) -> None:
    """Write the report of a job into a folder.

    Parameters
    ----------
    results
        By every formulation.
    limits
        Of the front and the exploration, which are found for the report.
    """
    from hypar_opt.report.content import Report, provenance
    from hypar_opt.report.pages import write_report

    subject = _subject(problem, results, limits)
    title = f"Plans of {problem.instance.name}"
    folder.mkdir(exist_ok=True)
    write_report(Report(title, (subject,), provenance(f"hypar-opt serve, {title}", limits.seed)), folder)


def _subject(problem: NetworkProblem, results: list[Result], limits: Limits) -> Subject:
    from hypar_opt.report.content import NamedPlan, Subject
    from hypar_opt.report.content.sections import EXPLORATION, FRONT, SCALING, exploration_of, front_of, tried

    plans = tuple(
        NamedPlan(one.formulation, problem, one.plan)
        for one in results
        if one.plan is not None and one.plan.strategies is not None and one.plan.status is not Status.ERROR
    )
    front, no_front = tried(partial(front_of, problem, limits, None))
    exploration, no_exploration = tried(partial(exploration_of, problem, plans, limits, None))
    reasons = {FRONT: no_front, EXPLORATION: no_exploration, SCALING: "not asked for"}
    missing = {name: why for name, why in reasons.items() if why}
    cells = tuple(_cell(problem, one) for one in results)
    return Subject(SLUG, problem, cells, plans, front, exploration, (), missing)


def _cell(problem: NetworkProblem, one: Result) -> Cell:
    from hypar_opt.studies.compare import Cell

    instance = problem.instance
    return Cell(
        instance.name, instance.accounting, instance.batch, instance.levels, one.formulation, one.plan, one.refusal,
        objective=instance.aim.spelt,
    )  # fmt: skip
