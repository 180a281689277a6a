"""The same networks on several arrays, each with its best plan and placement."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.components import COMM_TIME
from hypar_opt.errors import InputError, Refusal
from hypar_opt.instance import load
from hypar_opt.plan import Plan, Status
from hypar_opt.problem import Problem
from hypar_opt.run import Limits, Listener
from hypar_opt.solving import solve
from hypar_opt.tracking import Tracker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from hypar_opt.instance import Instance


SOURCE: Final = "compare-arrays"
"""Of its progress."""


@dataclass(frozen=True)
class ArrayCell:
    """One network on one array.

    Parameters
    ----------
    instance, array
        Which.
    link
        Bytes a second of one link each way, in a tree of a leaf's; None where a custom graph's links differ.
    total
        The same of all links together.
    plan
        With the objective comm-time; None where the formulation declined.
    refusal
        Why it declined, or nothing.
    row
        The instance's position among those compared.
    """

    instance: str
    array: str
    link: Fraction | None
    total: Fraction
    plan: Plan | None
    refusal: str = ""
    row: int = 0

    @property
    def time(self) -> Fraction | None:
        """Seconds of communication, on the array as it is."""
        return self.plan.objective if self.plan is not None and self.plan.status is not Status.ERROR else None

    @property
    def proven(self) -> bool:
        """Whether no plan and placement is faster."""
        return self.plan is not None and self.plan.status is Status.OPTIMAL and self.plan.decided == "both"


def equal_link(cell: ArrayCell, first: ArrayCell) -> Fraction | None:
    """Return the seconds if the links were as fast as the first array's: time is inverse to bandwidth."""
    if cell.time is None or cell.link is None or first.link is None:
        return None
    return cell.time * cell.link / first.link


def equal_total(cell: ArrayCell, first: ArrayCell) -> Fraction | None:
    """Return the seconds if all links together were as fast as the first array's together."""
    return None if cell.time is None else cell.time * cell.total / first.total


def compare_arrays(
    instances: Sequence[str],
    arrays: Sequence[str],
    formulation: str | None = None,
    *,
    overrides: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    time_limit_s: float | None = None,
    listener: Listener | None = None,
    on_cell: Callable[[ArrayCell], None] | None = None,
) -> list[ArrayCell]:
    """Solve every instance on every array, for the time of its communication.

    Parameters
    ----------
    instances, arrays
        Files, or names of shipped ones.
    formulation
        One that decides placements; None for the default.
    overrides
        Of the instances: accounting, batch, levels.
    limits
        Of all: seed, workers, memory, the flag that stops the run.
    time_limit_s
        Of each solve.
    listener
        Called with the events of every solve, and with how many solves are done.
    on_cell
        Called with every result as it comes.

    Returns
    -------
    A cell for every pair that was reached before a stop, the instance's arrays together.

    Raises
    ------
    InputError
        If an instance or an array cannot be read, or an array's links have no bandwidth.
    """
    limits = limits or Limits()
    cells: list[ArrayCell] = []
    problems = list(_problems(instances, arrays, overrides or {}))
    tracker = Tracker(listener, SOURCE, "solves", kinds=[empty.array for _, empty in problems], each_s=time_limit_s)
    for problem, empty in problems:
        if limits.stop.is_set():
            break
        own = limits if time_limit_s is None else replace(limits, deadline=time.monotonic() + time_limit_s)
        cells.append(_solved(problem, empty, formulation, own, listener))
        tracker.add()
        if on_cell is not None:
            on_cell(cells[-1])
    return cells


def _problems(
    instances: Sequence[str], arrays: Sequence[str], overrides: Mapping[str, Any]
) -> Iterator[tuple[Problem, ArrayCell]]:
    """Yield all problems, each with its cell, still empty; every file is read before anything is solved."""
    for row, name in enumerate(instances):
        for array in arrays:
            instance = load(name, array=array, objective=COMM_TIME, placement="free", **overrides)
            if not instance.machine.links:
                raise InputError("has one accelerator and no links, nothing to compare", file=array)
            total = sum((link.bandwidth or Fraction(0) for link in instance.machine.links), start=Fraction(0))
            yield Problem(instance), ArrayCell(instance.name, array, _one_link(instance), total, None, row=row)


def _one_link(instance: Instance) -> Fraction | None:
    """Return a link's bandwidth: what the instance says of every link, or what a custom graph's have in common."""
    array = instance.spec.array
    if array.graph is None:
        return None if array.link is None or array.link.bandwidth is None else Fraction(array.link.bandwidth)
    found = {link.bandwidth for link in instance.machine.links}
    return found.pop() if len(found) == 1 else None


def _solved(
    problem: Problem, empty: ArrayCell, formulation: str | None, limits: Limits, listener: Listener | None
) -> ArrayCell:
    try:
        return replace(empty, plan=solve(problem, formulation, limits=limits, listener=listener))
    except Refusal as refusal:
        return replace(empty, refusal=str(refusal))
