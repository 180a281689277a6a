"""The same networks on several arrays, each with its best plan and placement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import Instance, load_instance
from hypar_opt.instance.array_schema import ArraySpec
from hypar_opt.instance.collectives_spec import PAIRWISE
from hypar_opt.instance.objective.components import COMM_TIME
from hypar_opt.instance.overrides import array_data
from hypar_opt.instance.read import load_array, load_axes
from hypar_opt.instance.shipped import find_array
from hypar_opt.solver.kinds import OfKinds, network_problem_of
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.sum_schedules import check_algorithm
from hypar_opt.studies.cells import solve_cells
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hypar_opt.executor import Workers


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
    algorithm
        By which partial sums are exchanged, where that is compared as well.
    scales
        Whether time is inverse to bandwidth: not where messages of schedules have latencies.
    """

    instance: str
    array: str
    link: Fraction | None
    total: Fraction
    plan: Plan | None
    refusal: str = ""
    row: int = 0
    algorithm: str = ""
    scales: bool = True

    @property
    def column(self) -> str:
        """What tells it from others of its row."""
        return f"{self.array} {self.algorithm}".rstrip()

    @property
    def time(self) -> Fraction | None:
        """Seconds of communication, on the array as it is."""
        return self.plan.objective if self.plan is not None and self.plan.status is not Status.ERROR else None

    @property
    def proven(self) -> bool:
        """Whether no plan and placement is faster."""
        return self.plan is not None and self.plan.status is Status.OPTIMAL and self.plan.decided == "both"


def failures(cells: Sequence[ArrayCell]) -> list[str]:
    """Return a sentence for every solve that failed, or whose answer did not stand up to recomputation."""
    return [
        f"{cell.instance} on {cell.column}: {cell.plan.native_status}"
        for cell in cells
        if cell.plan is not None and cell.plan.status is Status.ERROR
    ]


def equal_link(cell: ArrayCell, first: ArrayCell) -> Fraction | None:
    """Return the seconds if the links were as fast as the first array's: time is inverse to bandwidth."""
    if cell.time is None or cell.link is None or first.link is None or not cell.scales:
        return None
    return cell.time * cell.link / first.link


def equal_total(cell: ArrayCell, first: ArrayCell) -> Fraction | None:
    """Return the seconds if all links together were as fast as the first array's together."""
    return None if cell.time is None or not cell.scales else cell.time * cell.total / first.total


def compare_arrays(
    instances: Sequence[Instance | NetworkProblem | Path | str],
    arrays: Sequence[ArraySpec | Path | str],
    formulation: str | None = None,
    *,
    collectives: Sequence[str] = (),
    overrides: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    time_limit_s: float | None = None,
    listener: Listener | None = None,
    on_cell: Callable[[ArrayCell], None] | None = None,
    workers: Workers | None = None,
) -> list[ArrayCell]:
    """Solve every instance on every array, for the time of its communication.

    Parameters
    ----------
    instances
        As read, names of shipped ones, paths, or problems compiled before.
    arrays
        Made in Python, names of shipped ones, or paths.
    formulation
        One that decides placements; None for the default.
    collectives
        Algorithms by which partial sums are exchanged, each of which has a cell on every array, with leaves in order
        where the array has no other placement; none for what the arrays say, which is pairwise unless given.
    overrides
        Of the instances: accounting, batch, levels, fix.
    limits
        Of all: seed, workers, memory, the flag that stops the run.
    time_limit_s
        Of each solve.
    listener
        Called with the events of every solve, and with how many solves are done.
    on_cell
        Called with every result as it comes.
    workers
        Who solves; None for this process, one solve after the other.

    Returns
    -------
    A cell for every pair that was reached before a stop, the instance's arrays together.

    Raises
    ------
    InputError
        If an instance or an array cannot be read, an array's links have no bandwidth, or there is no such algorithm.
    """
    for name in collectives:
        check_algorithm(name, "--collectives")
    asked = collectives or ("",)
    cells = [(empty, problem, formulation) for empty, problem in _empty(instances, arrays, asked, overrides or {})]
    kinds = [empty.column for empty, _, _ in cells]
    return solve_cells(
        SOURCE, kinds, cells, limits or Limits(),
        time_limit_s=time_limit_s, listener=listener, on_cell=on_cell, workers=workers,
    )  # fmt: skip


def _empty(
    instances: Sequence[Instance | NetworkProblem | Path | str],
    arrays: Sequence[ArraySpec | Path | str],
    collectives: Sequence[str],
    overrides: Mapping[str, Any],
) -> Iterator[tuple[ArrayCell, NetworkProblem]]:
    """Yield all cells, still empty, each with its problem; every file is read before anything is solved."""
    for array in arrays:
        _check_of_one_kind(array)
    for row, name in enumerate(instances):
        network_problem_of(load_instance(name, **overrides) if isinstance(name, str | Path) else name)
        for array, algorithm in product(arrays, collectives):
            changes = {**overrides, "array": array, "objective": COMM_TIME}
            if not algorithm and not _is_scheduled(array):
                changes["placement"] = "free"
            if algorithm:
                changes["array"] = _exchanging(array, algorithm)
            if isinstance(name, str | Path):
                instance = load_instance(name, **changes)
            else:
                instance = network_problem_of(name).instance.replace(**changes)
            if not instance.machine.links:
                raise InputError("has one accelerator and no links, nothing to compare", file=str(array))
            total = sum((link.bandwidth or Fraction(0) for link in instance.machine.links), start=Fraction(0))
            has_latency = instance.scheduled_sums is not None and any(link.latency for link in instance.machine.links)
            cell = ArrayCell(
                instance.name, str(array), _one_link(instance), total, None,
                row=row, algorithm=algorithm, scales=not has_latency,
            )  # fmt: skip
            yield cell, NetworkProblem(instance)


def _said(array: ArraySpec | Path | str) -> dict[str, Any]:
    """Return what an array says, as a file would."""
    return dict(array_data(array if isinstance(array, ArraySpec) else find_array(str(array))))


def _is_scheduled(array: ArraySpec | Path | str) -> bool:
    """Return whether an array exchanges partial sums by schedules, for which its placement is given."""
    asked = _said(array).get("collectives") or {}
    return isinstance(asked, Mapping) and asked.get("algorithm", PAIRWISE) != PAIRWISE


def _exchanging(array: ArraySpec | Path | str, algorithm: str) -> dict[str, Any]:
    """Return an array that exchanges partial sums by an algorithm, with its leaves in order unless it says where."""
    said = _said(array)
    placement = said.get("placement", "free")
    asked = {**(said.get("collectives") or {}), "algorithm": algorithm}
    return {**said, "placement": "identity" if placement == "free" else placement, "collectives": asked}


def _check_of_one_kind(array: ArraySpec | Path | str) -> None:
    """Check that an array's accelerators are all alike.

    Raises
    ------
    OfKinds
        If they are not.
    """
    if isinstance(array, str | Path):
        file = find_array(str(array))
        if load_axes(file) is None:
            network_problem_of(load_array(file))
    elif array.mixed is not None:
        raise OfKinds("expected accelerators of one kind, got an array of several", field="array.accelerators")


def _one_link(instance: Instance) -> Fraction | None:
    """Return a link's bandwidth: what the instance says of every link, or what a custom graph's have in common."""
    array = instance.spec.array
    if array.graph is None:
        return None if array.link is None or array.link.bandwidth is None else Fraction(array.link.bandwidth)
    found = {link.bandwidth for link in instance.machine.links}
    return found.pop() if len(found) == 1 else None
