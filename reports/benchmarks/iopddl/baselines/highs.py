"""HiGHS on a linear formulation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.benchmarks.iopddl.baselines.linear import chosen

if TYPE_CHECKING:
    from reports.benchmarks.iopddl.baselines.linear import Linear
    from reports.benchmarks.iopddl.baselines.report import Report

GAP = 0.4
"""The absolute gap asked for: costs are integers."""
STATUSES = {"kOptimal": "OPTIMAL", "kInfeasible": "INFEASIBLE", "kTimeLimit": "TIME LIMIT"}
FEASIBLE_POINT = 2


def search(linear: Linear, report: Report) -> None:
    """Solve, and tell of everything that HiGHS tells."""
    highs = handed_over(linear, report)
    report.built()
    highs.setOptionValue("time_limit", highs.getRunTime() + report.remaining_s)
    highs.cbMipImprovingSolution += lambda event: report.incumbent(chosen(report.tables, event.data_out.mip_solution))
    highs.cbMipLogging += lambda event: _bound(event.data_out.mip_dual_bound, report)
    highs.run()
    info = highs.getInfo()
    if info.primal_solution_status == FEASIBLE_POINT:
        report.incumbent(chosen(report.tables, np.array(highs.getSolution().col_value)))
    _bound(info.mip_dual_bound, report)
    name = highs.getModelStatus().name
    report.ended(STATUSES.get(name, f"ERROR: {name}"))


def handed_over(linear: Linear, report: Report) -> Any:
    """Return HiGHS with the model in it."""
    import highspy

    highs = highspy.Highs()
    options = {"output_flag": False, "threads": report.workers, "random_seed": report.seed}
    for name, value in (options | {"mip_rel_gap": 0.0, "mip_abs_gap": GAP}).items():
        highs.setOptionValue(name, value)
    count = len(linear.costs)
    none = np.zeros(0, dtype=np.int32)
    highs.addCols(count, linear.costs.astype(float), np.zeros(count), linear.tops, 0, none, none, np.zeros(0))
    binary = count - linear.levels
    integer = np.full(binary, int(highspy.HighsVarType.kInteger), dtype=np.uint8)
    highs.changeColsIntegrality(binary, np.arange(binary, dtype=np.int32), integer)
    highs.changeObjectiveOffset(float(linear.constant))
    for rows in linear.rows:
        report.check()
        matrix = rows.matrix
        highs.addRows(matrix.shape[0], rows.low, rows.high, matrix.nnz, matrix.indptr[:-1], matrix.indices, matrix.data)
    return highs


def _bound(bound: float, report: Report) -> None:
    if math.isfinite(bound):
        report.bound(math.ceil(bound - 1e-6 * max(1.0, abs(bound))))
