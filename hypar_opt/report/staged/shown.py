"""What `show` says of a plan with stages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hypar_opt.report.shown import Shown
from hypar_opt.report.staged.plan import headline, show_staged_plan, staged_plan_document
from hypar_opt.report.staged.tables import staged_plan_tables
from hypar_opt.solver.staged.problem import StagedProblem
from hypar_opt.verification.checks import read_judged

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance import Instance
    from hypar_opt.report.charts import Figure


def of_plan(instance: Instance, path: Path) -> Shown:
    """Return a plan with stages, whatever its status claims.

    Raises
    ------
    InputError
        If it is a plan of another instance, or none.
    """
    problem = StagedProblem(instance)
    claim, plan, judged = read_judged(path, problem, problem.judged)

    def figure() -> Figure:
        from hypar_opt.report.charts.staged_layers import staged_figure

        return staged_figure(judged)

    return Shown(
        partial(staged_plan_document, problem, plan),
        lambda: headline(problem, plan).split("\n"),
        lambda to: show_staged_plan(to, problem, plan, every_row=True),
        figure,
        partial(staged_plan_tables, problem, claim),
    )
