"""What `show` says of trees with shares."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hypar_opt.report.collective.packing import packing_document, packing_headline, show_packing
from hypar_opt.report.collective.packing_tables import packing_tables
from hypar_opt.report.collective.ways import ways_of_trees
from hypar_opt.report.shown import Shown
from hypar_opt.solver.packing_problem import PackingProblem
from hypar_opt.solver.plan import Plan
from hypar_opt.util.errors import InputError
from hypar_opt.verification import read_claim
from hypar_opt.verification.checks import check_binding

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.report.charts import Figure


def of_packing(instance: CollectiveInstance, path: Path) -> Shown:
    """Return trees that bring a collective about, whatever their status claims.

    Raises
    ------
    InputError
        If it is a plan of another instance, or none.
    """
    claim, plan, problem = read_claim(path), Plan.load(path), PackingProblem(instance)
    check_binding(problem, claim)
    judged = problem.packed(claim.strategies_for("a plan to show"))
    if judged.fault is not None:
        raise InputError(judged.fault.text, file=path, field="plan")

    def trees() -> Figure:
        from hypar_opt.report.charts.collective_ways import ways_figure

        return ways_figure(ways_of_trees(judged))

    return Shown(
        partial(packing_document, problem, plan),
        lambda: packing_headline(problem, plan).split("\n"),
        lambda to: show_packing(to, problem, plan),
        trees,
        graph=trees,
        tables=partial(packing_tables, judged, claim),
    )
