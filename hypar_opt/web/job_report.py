"""What a job writes for its page: the plan's figure, and a report, where one is asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypar_opt.util.errors import HyparError
from hypar_opt.util.files import write_atomically
from hypar_opt.web.kinds import JOB_KINDS, found_plan
from hypar_opt.web.outcome import PlanFigure

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hypar_opt.formulation.run import Limits
    from hypar_opt.report.content import Subject
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem
    from hypar_opt.studies.regrets import Explanation
    from hypar_opt.web.result import Result


@dataclass(frozen=True)
class JobFindings:
    """What a job found.

    Parameters
    ----------
    results
        By every formulation.
    best
        The one that is explained.
    explanation
        The regrets of its plan, or why there are none.
    reasons
        Why its layers are as they are.
    """

    results: Sequence[Result]
    best: Result
    explanation: Explanation | str
    reasons: tuple[Any, ...]


def write_job_report(folder: Path, problem: Problem, found: JobFindings, limits: Limits) -> str:
    """Write a job's report, the same pages as the command's; return why there is none, or nothing.

    Parameters
    ----------
    limits
        Of the front and the exploration, which are found for the report.
    """
    from hypar_opt.report.content import Report, Subject, provenance
    from hypar_opt.report.content.content import EXPLORATION, FRONT, is_shown
    from hypar_opt.report.content.sections import with_sections
    from hypar_opt.report.pages import write_report
    from hypar_opt.studies.compare import Cell

    cells = [Cell.of(problem, one.formulation, one.plan, one.refusal) for one in found.results]
    plans = [found_plan(problem, one.plan, one.formulation) for one in found.results if is_shown(one.plan)]
    explained = next((named for named in plans if named.plan is found.best.plan), None)
    title = f"Plans of {problem.instance.name}"
    try:
        subject = Subject("instance", problem, tuple(cells), tuple(plans))
        subject = with_sections(subject, (FRONT, EXPLORATION), lambda: limits, None)
        subject = _as_found(subject, explained, found) if JOB_KINDS[problem.kind].reports_regrets else subject
        folder.mkdir(exist_ok=True)
        write_report(Report(title, (subject,), provenance(f"hypar-opt serve, {title}", limits.seed)), folder)
    except (HyparError, MemoryError) as error:
        return str(error) or "out of memory"
    return ""


def _as_found(subject: Subject, named: Any, found: JobFindings) -> Subject:
    """Return a subject with what the job has found already, and why the rest is not there."""
    from hypar_opt.report.content.content import REGRETS, SCALING, LayerRegrets

    explanation = found.explanation
    missing = {**subject.missing, SCALING: "a job's report leaves them out, hypar-opt report has them"}
    missing[REGRETS] = explanation if isinstance(explanation, str) else explanation.missing
    regrets = None
    if named is not None and not isinstance(explanation, str) and not explanation.missing:
        regrets = LayerRegrets(named, explanation)
    return replace(subject, regrets=regrets, reasons=found.reasons, missing=missing)


def draw_plan(problem: Problem, plan: Plan, path: Path) -> None:
    """Write the plan's figure, as its page draws it."""
    from hypar_opt.report.pages.kinds import PAGES

    found = PAGES[problem.kind].drawn(found_plan(problem, plan))
    picture = PlanFigure(title=found.title, alternative=found.alternative, spec=dict(found.spec))
    write_atomically(path, json.dumps(picture.model_dump()))
