"""HiGHS on a programme, through highspy's arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from formulations.flow_model.finish import GAP, INTEGRALITY, MAX_SEED, TOLERANCE
from formulations.flow_model.waiting import came_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from formulations.local_polytope.programme import LinearProgramme
    from formulations.local_polytope.rows import MemoryRow
    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.run import Limits

LARGEST = 2.0**20
"""Costs are scaled down to it: HiGHS's tolerances are absolute."""
SLACK = 10 * TOLERANCE
"""By how much a row is wider than it says, in units of its largest factor: who keeps it is never cut off."""
INFEASIBLE = ("kInfeasible", "kUnboundedOrInfeasible")
"""All columns lie between 0 and 1, so that only one of the two is possible."""
ENDED = ("kTimeLimit", "kInterrupt", "kHighsInterrupt")


@dataclass(frozen=True, eq=False)
class HighsOutcome:
    """What HiGHS came back with.

    Parameters
    ----------
    status
        Its own word.
    columns
        The solution, or None.
    duals
        By row, in the tables' unit; of a linear programme only.
    bound
        Of the costs without the programme's constant, in the tables' unit; of an integer programme only.
    """

    status: str
    columns: Array | None = None
    duals: Array | None = None
    bound: float | None = None


LEFT = HighsOutcome("left behind")


class HighsEngine:
    """One programme in HiGHS, to which rows of memory are added.

    Parameters
    ----------
    programme
        What it solves.
    limits
        Which it keeps.
    integral
        Whether the values are to be integral.
    presolved
        Whether HiGHS reduces the programme first.
    """

    def __init__(self, programme: LinearProgramme, limits: Limits, integral: bool, presolved: bool = True) -> None:
        self.programme, self.limits, self.integral = programme, limits, integral
        self.rows: list[MemoryRow] = []
        largest = float(programme.costs.max(initial=0))
        self.unit = 2.0 ** np.ceil(np.log2(max(1.0, largest / LARGEST)))
        self.left = False
        self._done: Callable[[], bool] = lambda: False
        self.highs = _loaded(programme, self.unit, integral)
        _configure(self.highs, limits, self.unit, integral)
        if not presolved:
            self.highs.setOptionValue("presolve", "off")
        for name in ("cbSimplexInterrupt", "cbIpmInterrupt", "cbMipInterrupt"):
            call = getattr(self.highs, name)
            call += self._asked

    def _asked(self, event: Any) -> None:
        if self.left or self.limits.over or self._done():
            event.interrupt()

    def leave_when(self, done: Callable[[], bool]) -> None:
        """Ask now and then whether to leave the search, which then comes back as interrupted."""
        self._done = done

    def on_solution(self, hear: Callable[[Array], None]) -> None:
        """Hand over every better solution of the integer programme."""

        def told(event: Any) -> None:
            if not self.left:
                hear(np.array(event.data_out.mip_solution))

        self.highs.cbMipImprovingSolution += told

    def add(self, rows: Iterable[MemoryRow]) -> None:
        """Add rows; divided so that what remains is of the factors' size, and wider than tolerances and rounding."""
        for row in rows:
            size = float(row.factors.max(initial=1))
            columns = row.columns.astype(np.int32)
            self.highs.addRow(-np.inf, row.most / size + SLACK, len(columns), columns, row.factors / size)
            self.rows.append(row)

    def start(self, values: Array) -> None:
        """Begin with a solution, given by its columns of values."""
        self.highs.setSolution(len(values), np.arange(len(values), dtype=np.int32), values.astype(np.float64))

    def solve(self) -> HighsOutcome:
        """Run, for no longer than the limits allow; what comes without a proof is tried once more from nothing."""
        if not len(self.programme.costs):
            return self._empty()
        for _ in range(2):
            remaining = self.limits.remaining_s()
            if remaining is not None:
                self.highs.setOptionValue("time_limit", self.highs.getRunTime() + remaining)
            if not came_back(self.highs.run, self.limits):
                self.left = True
                return LEFT
            status = self.highs.getModelStatus().name
            if status == "kOptimal" or status in ENDED or (self.integral and status in INFEASIBLE):
                break
            self.highs.clearSolver()
        return self._outcome(status)

    def _empty(self) -> HighsOutcome:
        """Return what there is to say where no variable has a choice."""
        fits = all(row.most >= 0 for row in self.rows)
        rows = len(self.programme.right) + len(self.rows)
        return HighsOutcome("kOptimal", np.zeros(0), np.zeros(rows), 0.0) if fits else HighsOutcome("kInfeasible")

    def _outcome(self, status: str) -> HighsOutcome:
        solution, info = self.highs.getSolution(), self.highs.getInfo()
        columns = np.array(solution.col_value) if info.primal_solution_status == 2 else None
        if self.integral:
            return HighsOutcome(status, columns, bound=info.mip_dual_bound * self.unit)
        return HighsOutcome(status, columns, np.array(solution.row_dual) * self.unit)

    def prices(self, duals: Array, rows: int) -> Array:
        """Return the memory's prices, by all of its rows, for an outcome's duals."""
        found = np.zeros(rows)
        for row, dual in zip(self.rows, duals[len(self.programme.right) :].tolist(), strict=True):
            found[row.number] = -dual / (float(row.factors.max(initial=1)) * row.unit)
        return found


def _loaded(programme: LinearProgramme, unit: float, integral: bool) -> Any:
    import highspy

    order = np.argsort(programme.rows, kind="stable")
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(programme.costs), len(programme.right)
    lp.col_cost_ = programme.costs / unit
    lp.col_lower_, lp.col_upper_ = np.zeros(lp.num_col_), np.full(lp.num_col_, highspy.kHighsInf)
    lp.row_lower_ = lp.row_upper_ = programme.right
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.num_col_, lp.a_matrix_.num_row_ = lp.num_col_, lp.num_row_
    lp.a_matrix_.start_ = np.searchsorted(programme.rows[order], np.arange(lp.num_row_ + 1)).astype(np.int32)
    lp.a_matrix_.index_ = programme.entries[order].astype(np.int32)
    lp.a_matrix_.value_ = programme.factors[order]
    if integral:
        whole, real = highspy.HighsVarType.kInteger, highspy.HighsVarType.kContinuous
        lp.integrality_ = [whole] * programme.values + [real] * (lp.num_col_ - programme.values)
        lp.col_upper_ = np.where(np.arange(lp.num_col_) < programme.values, 1.0, highspy.kHighsInf)
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.passModel(lp)
    return highs


def _configure(highs: Any, limits: Limits, unit: float, integral: bool) -> None:
    options: dict[str, Any] = {
        "threads": limits.workers,
        "random_seed": limits.seed % MAX_SEED,
        "primal_feasibility_tolerance": TOLERANCE,
        "dual_feasibility_tolerance": TOLERANCE,
    }
    if integral:
        options |= {"mip_feasibility_tolerance": INTEGRALITY, "mip_rel_gap": 0.0, "mip_abs_gap": GAP / unit}
        # what reduced costs fix has been left out already: beginning anew takes longer than it saves
        options |= {"mip_allow_restart": False}
    for name, value in options.items():
        highs.setOptionValue(name, value)
