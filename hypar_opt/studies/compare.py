"""Many instances, many formulations, one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import Limits, Listener, limits_of
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.instance.text import shown
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.threads import heard
from hypar_opt.studies.cells import solve_cells

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from hypar_opt.executor import Workers
    from hypar_opt.instance.read import AnyInput
    from hypar_opt.solver.problem import Problem


SOURCE: Final = "compare"
"""Of its progress."""


@dataclass(frozen=True)
class Cell:
    """One formulation's result on one instance.

    Parameters
    ----------
    instance, accounting, batch, levels
        Which problem; the last three are None of a strategy graph, which has none.
    formulation
        Who.
    plan
        The checked plan, or None where the formulation declined.
    refusal
        Why it declined, or nothing.
    row
        The instance's position among those compared.
    objective
        What is optimised, as the command line takes it.
    axes
        The array's axes with their sizes, where levels do not say them: of operators.
    """

    instance: str
    accounting: str | None
    batch: int | None
    levels: int | None
    formulation: str
    plan: Plan | None
    refusal: str = ""
    row: int = 0
    objective: str = COMMUNICATION
    axes: str | None = None

    @classmethod
    def of(cls, problem: Problem, formulation: str, plan: Plan | None = None, refusal: str = "", row: int = 0) -> Cell:
        """Return a formulation's result on a problem."""
        which, spelt = (problem.instance.name, *problem.setting), problem.objective.spelt
        return cls(*which, formulation, plan, refusal, row, spelt, problem.axes_text)

    @property
    def halvings(self) -> int | None:
        """How many levels there are, where these say how the array is cut."""
        return None if self.axes is not None else self.levels


class Comparison(list[Cell]):
    """What came of every instance and formulation, in the order in which these were given."""

    def to_frame(self) -> pd.DataFrame:
        """Return a table: a row a result, with what was solved, by whom, how it ended, and what it costs."""
        import pandas as pd

        columns = ["instance", "accounting", "batch", "levels", "objective", "formulation", "status", "value", "bound"]
        rows = []
        for cell in self:
            plan = cell.plan
            found = (cell.refusal, None, None) if plan is None else (plan.status.value, plan.objective, plan.bound)
            setting = (cell.instance, cell.accounting, cell.batch, cell.levels, cell.objective, cell.formulation)
            rows.append((*setting, *found))
        return pd.DataFrame(rows, columns=columns)

    def _repr_html_(self) -> str:
        """Return the table, as notebooks show it."""
        return str(self.to_frame().to_html(index=False))


def compare(
    instances: Sequence[AnyInput | Problem | Path | str],
    formulations: Sequence[str],
    *,
    limits: Limits | None = None,
    time_limit_s: float | None = None,
    callback: Listener | None = None,
    listener: Listener | None = None,
    on_cell: Callable[[Cell], None] | None = None,
    workers: Workers | None = None,
) -> Comparison:
    """Solve every instance with every formulation.

    Parameters
    ----------
    instances
        As read, names of shipped ones, paths, or problems compiled before.
    formulations
        Names.
    limits
        Of all: seed, workers, memory, the flag that stops the run.
    time_limit_s
        Of each solve.
    callback
        Called with the events of every solve, and with how many solves are done. What it raises ends the comparison and
        is raised here.
    listener
        The same, but its failures are warnings.
    on_cell
        Called with every result as it comes.
    workers
        Who solves, as `executor.open_workers` returns them; None for this process, one solve after the other. With
        workers nobody hears of a solve's own events, and the deadline of `limits` ends the comparison; workers that
        were stopped then are not to be used again.

    Returns
    -------
    A cell for every pair that was reached before a stop, in the order of the arguments.
    """
    for name, given in (("instances", instances), ("formulations", formulations)):
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise TypeError(f"{name}: expected a list, got {shown(given)}")
    kinds = [*formulations] * len(instances)
    with heard(callback, listener, limits_of(limits)) as (listener, limits):
        cells = _empty(instances, formulations, limits, presolved=workers is None)
        solved = solve_cells(
            SOURCE, kinds, cells, limits,
            time_limit_s=time_limit_s, listener=listener, on_cell=on_cell, workers=workers,
        )  # fmt: skip
    return Comparison(solved)


def _empty(
    instances: Sequence[AnyInput | Problem | Path | str],
    formulations: Sequence[str],
    limits: Limits,
    *,
    presolved: bool,
) -> Iterator[tuple[Cell, Problem, str]]:
    """Yield the cells; presolve of a strategy graph is for all formulations, and none of their time."""
    for row, instance in enumerate(instances):
        problem = problem_of(instance).within(limits)
        if presolved:
            problem.refuted  # noqa: B018 - which presolves, and keeps what is left
        for name in formulations:
            if limits.stop.is_set():
                return
            yield Cell.of(problem, name, row=row), problem, name


def contradictions(cells: Sequence[Cell]) -> list[str]:
    """Return a sentence for every two results that cannot both be true."""
    found = []
    for one in (cell for cell in cells if cell.plan is not None and cell.plan.proven):
        for other in (cell for cell in cells if cell.plan is not None and _same_problem(cell, one)):
            if _contradict(one.plan, other.plan):
                found.append(f"{one.instance}: {_claim(one)}, but {_claim(other)}")
    return found


def failures(cells: Sequence[Cell]) -> list[str]:
    """Return a sentence for every solver that failed, or whose answer did not stand up to recomputation."""
    return [
        f"{cell.instance}, {cell.formulation}: {cell.plan.native_status}"
        for cell in cells
        if cell.plan is not None and cell.plan.status is Status.ERROR
    ]


def _same_problem(one: Cell, other: Cell) -> bool:
    def key(cell: Cell) -> tuple[object, ...]:
        sha256, overrides = ("", {}) if cell.plan is None else (cell.plan.instance_sha256, cell.plan.overrides)
        replaced = {name: value for name, value in overrides.items() if name not in ("accounting", "batch", "levels")}
        return sha256, cell.accounting, cell.batch, cell.levels, replaced

    return one is not other and key(one) == key(other)


def _contradict(proven: Plan | None, other: Plan | None) -> bool:
    """Whether another plan is cheaper than a proven optimum, or exists where none was proven to."""
    if proven is None or other is None or other.objective is None or other.status is Status.ERROR:
        return False
    if proven.decided == "placement" and (other.decided, other.strategies) != ("placement", proven.strategies):
        return False  # it is proven for its own strategies only
    return proven.objective is None or other.objective < proven.objective


def _claim(cell: Cell) -> str:
    plan = cell.plan
    value = "" if plan is None or plan.objective is None else f" {plan.objective}"
    return f"{cell.formulation} says {plan.status if plan else '-'}{value}"
