"""What a collective takes over how many bytes it moves, by every algorithm, and what no schedule is faster than.

In synchronous steps a schedule is the same whatever the size, so that it is found and recounted once: a step takes the
latencies of its slowest send and its bytes over the bandwidth. Where the time is to be least, each size is solved anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.evaluation.collective.fluid_bound import fluid_bounds
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.collective_problem import CollectiveProblem
from hypar_opt.studies.cells import solve_cells
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.executor import Workers
    from hypar_opt.formulation.run import Listener
    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.cell_pieces import Answer

SOURCE: Final = "sizes"
"""Of its progress."""


@dataclass(frozen=True)
class AlgorithmTimes:
    """A collective by one formulation.

    Parameters
    ----------
    formulation
        Its name.
    seconds
        By size; None where it has no schedule.
    steps
        Of its schedule, where that is the same for all sizes.
    optimal
        By size, whether its schedule is proven to be the best by what the instance asks for: steps, say.
    reason
        Why there is no schedule of some size, or nothing.
    failed
        Whether a solve failed, rather than that there is no schedule.
    """

    formulation: str
    seconds: tuple[Fraction | None, ...]
    steps: int | None
    optimal: tuple[bool, ...]
    reason: str = ""
    failed: bool = False


@dataclass(frozen=True)
class SizeCell:
    """One solve.

    Parameters
    ----------
    formulation
        Who.
    plan, refusal
        What came of it.
    """

    formulation: str
    plan: Plan | None = None
    refusal: str = ""


@dataclass(frozen=True)
class MessageSizes:
    """A collective of several sizes.

    Parameters
    ----------
    instance
        Which; its own bytes are not looked at.
    sizes
        Bytes of all chunks together, ascending.
    algorithms
        In the order in which they were asked.
    bounds
        By size, what no schedule of the instance's chunks is below; where it asks for steps, none in lockstep.
    any_chunks
        By size, what no schedule is below into however many chunks the bytes are cut.
    """

    instance: CollectiveInstance
    sizes: tuple[int, ...]
    algorithms: tuple[AlgorithmTimes, ...]
    bounds: tuple[Fraction, ...]
    any_chunks: tuple[Fraction, ...]

    @property
    def found(self) -> tuple[AlgorithmTimes, ...]:
        """Those that have a schedule of some size."""
        return tuple(one for one in self.algorithms if any(time is not None for time in one.seconds))

    def fastest(self, place: int) -> tuple[str, ...]:
        """Return the names of those that are fastest at one of the sizes, counted from 0."""
        there = {one.formulation: time for one in self.algorithms if (time := one.seconds[place]) is not None}
        least = min(there.values(), default=None)
        return tuple(name for name, time in there.items() if time == least)


def times_over_sizes(
    instance: CollectiveInstance,
    sizes: Iterable[int],
    formulations: Sequence[str],
    *,
    limits: Limits | None = None,
    time_limit_s: float | None = None,
    listener: Listener | None = None,
    workers: Workers | None = None,
) -> MessageSizes:
    """Return what a collective takes by each formulation, over its bytes.

    Parameters
    ----------
    instance
        Its array has bandwidths.
    sizes
        Bytes of all chunks together.
    formulations
        Names.
    limits
        Of all: seed, workers, memory, the flag that stops.
    time_limit_s
        Of each solve.
    listener
        Called with the events of every solve, and with how many solves are done.
    workers
        Who solves; None for this process, one solve after the other.

    Returns
    -------
    With every formulation of which all solves were done before a stop.

    Raises
    ------
    InputError
        If a size has less than a byte a chunk, or seconds are not known.
    """
    ascending = tuple(sorted(set(sizes)))
    _check(instance, ascending)
    timed = instance.goal == "time"
    problems = [CollectiveProblem(replace(instance, bytes_=size)) for size in (ascending if timed else ascending[-1:])]
    names = tuple(dict.fromkeys(formulations))
    solved = solve_cells(
        SOURCE,
        [name for name in names for _ in problems],
        [(SizeCell(name), problem, name) for name in names for problem in problems],
        limits or Limits(),
        time_limit_s=time_limit_s,
        listener=listener,
        workers=workers,
    )
    bounds = any_chunks = _fluid(instance, ascending)
    algorithms: list[AlgorithmTimes] = []
    for name in names:
        answers = [(one.plan, one.refusal) for one in solved if one.formulation == name]
        if len(answers) < len(problems):
            continue
        known = _timed(name, answers) if timed else _in_lockstep(name, problems[0], *answers[0], ascending)
        has_failed = any(plan is not None and plan.status is Status.ERROR for plan, _ in answers)
        algorithms.append(replace(known[0], failed=has_failed))
        bounds = tuple(map(max, bounds, known[1]))
    return MessageSizes(instance, ascending, tuple(algorithms), bounds, any_chunks)


def times_of_plans(instance: CollectiveInstance, sizes: Iterable[int], plans: Mapping[str, Plan]) -> MessageSizes:
    """Return what schedules that are there take over the bytes, in lockstep; nothing is searched.

    Parameters
    ----------
    instance
        Its array has bandwidths, and it asks for steps or rounds.
    sizes
        Bytes of all chunks together.
    plans
        By name.

    Raises
    ------
    InputError
        If a size has less than a byte a chunk, or seconds are not known.
    """
    ascending = tuple(sorted(set(sizes)))
    _check(instance, ascending)
    bounds = any_chunks = _fluid(instance, ascending)
    problem = CollectiveProblem(instance)
    known = [_in_lockstep(name, problem, plan, "", ascending) for name, plan in plans.items()]
    for _, proven in known:
        bounds = tuple(map(max, bounds, proven))
    return MessageSizes(instance, ascending, tuple(one for one, _ in known), bounds, any_chunks)


def _check(instance: CollectiveInstance, sizes: Sequence[int]) -> None:
    if instance.goal == "bandwidth":
        message = "expected steps, rounds or time, got bandwidth: of that, times are in proportion to bytes"
        raise InputError(message, field="objective")
    if not instance.is_timed:
        raise InputError("expected a bandwidth for every link, without which no seconds are known", field="array.link")
    count, least = len(instance.chunks), sizes[0]
    if least < count:
        raise InputError(f"expected at least a byte for each of the {count:,} chunks, got {least:,}", field="--bytes")


def _fluid(instance: CollectiveInstance, sizes: Sequence[int]) -> tuple[Fraction, ...]:
    bounds = fluid_bounds(instance)
    return tuple(max(bound.seconds(size) for bound in bounds) for size in sizes)


Known: TypeAlias = "tuple[AlgorithmTimes, Sequence[Fraction]]"
"""What a formulation takes, and by size a bound."""


def _timed(name: str, answers: Sequence[Answer]) -> Known:
    """Return what every size takes by a schedule of its own."""
    seconds = tuple(None if plan is None else plan.objective for plan, _ in answers)
    optimal = tuple(plan is not None and plan.status is Status.OPTIMAL for plan, _ in answers)
    bounds = [Fraction(0) if plan is None or plan.bound is None else plan.bound for plan, _ in answers]
    reason = next((_reason(*one) for one, time in zip(answers, seconds, strict=True) if time is None), "")
    return AlgorithmTimes(name, seconds, None, optimal, reason), bounds


def _in_lockstep(name: str, problem: CollectiveProblem, plan: Plan | None, refusal: str, sizes: Sequence[int]) -> Known:
    """Return what every size takes by one schedule in synchronous steps."""
    instance = problem.instance
    parts = [Fraction(size, len(instance.chunks)) for size in sizes]
    bounds = [Fraction(0)] * len(sizes)
    if plan is not None and plan.bound is not None and instance.goal == "steps":
        bounds = [plan.bound * _least_step(instance, part) for part in parts]
    if plan is None or plan.strategies is None:
        nothing = AlgorithmTimes(name, (None,) * len(sizes), None, (False,) * len(sizes), _reason(plan, refusal))
        return nothing, bounds
    judged = problem.judged(plan.strategies)
    lockstep = judged.lockstep
    assert lockstep is not None  # links have bandwidths, and it is no time that is to be least
    seconds = tuple(lockstep.seconds(part) for part in parts)
    optimal = (plan.status is Status.OPTIMAL,) * len(sizes)
    return AlgorithmTimes(name, seconds, judged.steps, optimal), bounds


def _least_step(instance: CollectiveInstance, chunk_bytes: Fraction) -> Fraction:
    """Return what a step takes at least in which anything is sent."""
    return min(link.latency + chunk_bytes / (link.bandwidth or 1) for link in instance.machine.links)


def _reason(plan: Plan | None, refusal: str) -> str:
    return refusal if plan is None else plan.native_status
