"""What `show` says of a plan with bits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hypar_opt.report.precision.plan import headline, precision_plan_document, show_precision_plan
from hypar_opt.report.precision.tables import precision_plan_tables
from hypar_opt.report.shown import Shown
from hypar_opt.solver.precision_problem import PrecisionProblem
from hypar_opt.verification.checks import read_judged

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance import Instance
    from hypar_opt.report.charts import Figure


def of_plan(instance: Instance, path: Path) -> Shown:
    """Return a plan with bits, whatever its status claims.

    Raises
    ------
    InputError
        If it is a plan of another instance, or none.
    """
    problem = PrecisionProblem(instance)
    claim, plan, judged = read_judged(path, problem, problem.judged)

    def figure() -> Figure:
        from hypar_opt.report.charts.sent_tensors import sent_figure

        return sent_figure(judged)

    return Shown(
        partial(precision_plan_document, problem, plan),
        lambda: headline(problem, plan).split("\n"),
        lambda to: show_precision_plan(to, problem, plan, every_row=True),
        figure,
        partial(precision_plan_tables, problem, claim),
    )
