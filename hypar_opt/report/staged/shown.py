"""What `show` says of a plan with stages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hypar_opt.report.shown import Shown
from hypar_opt.report.staged.plan import headline, show_staged_plan, staged_plan_document
from hypar_opt.report.staged.tables import staged_plan_tables
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.staged.problem import StagedProblem
from hypar_opt.verification import read_claim
from hypar_opt.verification.checks import check_binding, judged_plan

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
    claim, plan, problem = read_claim(path), Plan.load(path), StagedProblem(instance)
    check_binding(problem, claim)
    judged = judged_plan(problem.judged, claim, "a plan to show")

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
