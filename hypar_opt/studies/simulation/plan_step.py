"""A plan's training step, simulated, with what the analytic model says of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.step import Step, phase_seconds
from hypar_opt.instance.accountings import LEVELLED
from hypar_opt.solver.kinds import network_problem_of
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.solver.plan import Plan
from hypar_opt.studies.simulation.build import build_step
from hypar_opt.studies.simulation.engine import simulate
from hypar_opt.studies.simulation.tasks import Options, check
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.util.numbers import amount

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hypar_opt.evaluation.legality import Split
    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.instance import Instance
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.simulation.result import Simulation
    from hypar_opt.studies.simulation.tasks import TaskGraph


BEFORE = "before the tasks of the step were made"


@dataclass(frozen=True, repr=False)
class Simulated:
    """A simulated step beside its analytic model.

    Parameters
    ----------
    simulation
        Every task and resource.
    step
        The analytic model of the same plan on the same array.
    splits
        What the plan splits unevenly.
    """

    simulation: Simulation
    step: Step
    splits: tuple[Split, ...] = ()

    def __repr__(self) -> str:
        return f"Simulated({self.simulation!r}, {amount(self.analytic, 's')} by the analytic model)"

    @property
    def analytic(self) -> Fraction:
        """Seconds by the analytic model: computing, then communicating."""
        return self.step.compute_time + (self.step.comm_time or Fraction(0))


def simulate_plan(
    instance: Instance | NetworkProblem | Path | str,
    strategies: Mapping[str, str] | Plan,
    placed: Sequence[int] | None = None,
    options: Options | None = None,
    *,
    limits: Limits | None = None,
    listener: Listener | None = None,
) -> Simulated:
    """Simulate one training step of a plan.

    Parameters
    ----------
    instance
        One as read, the name of a shipped one, a path, or a problem compiled before; its array says what accelerators
        and links can do.
    strategies
        A plan, or strategies by layer.
    placed
        An accelerator's position for every leaf; None for the plan's own placement, or the instance's, or in order.
    options
        What overlaps and what contends.
    limits, listener
        See `simulate`.

    Raises
    ------
    InputError
        If the array does not say what an accelerator or a link can do.
    Refusal
        If the accounting does not say who sends to whom, or there are too many tasks or routes.
    Deadlock, SimulationStopped
        See `simulate`.
    Interrupted
        If the limits end it while routes are walked.
    """
    graph, step, problem = step_tasks(instance, strategies, placed, limits=limits)
    if isinstance(strategies, Plan):
        strategies = strategies.strategies or {}
    simulation = simulate(graph, problem.instance.machine, options, limits=limits, listener=listener)
    return Simulated(simulation, step, problem.uneven_splits(strategies))


def step_tasks(
    instance: Instance | NetworkProblem | Path | str,
    strategies: Mapping[str, str] | Plan,
    placed: Sequence[int] | None = None,
    *,
    limits: Limits | None = None,
) -> tuple[TaskGraph, Step, NetworkProblem]:
    """Return the tasks of one training step of a plan, what the analytic model says of it, and the problem.

    Parameters and errors are those of `simulate_plan`.
    """
    problem = network_problem_of(instance)
    if isinstance(strategies, Plan):
        if strategies.strategies is None:
            raise ValueError(f"a plan with status {strategies.status} has no step to simulate")
        if placed is None and strategies.placement is not None:
            placed = sites_of(problem, strategies.placement)
        strategies = strategies.strategies
    placed = placed or problem.instance.placement or tuple(range(problem.instance.partition.leaves))
    if problem.instance.accounting not in LEVELLED:
        raise Refusal(
            f"accounting '{problem.instance.accounting}' does not say who sends at which level; "
            "expected a plan of another accounting"
        )
    if problem.instance.scheduled_sums is not None:
        raise Refusal(
            "messages between counterparts are simulated, and array.collectives schedules partial sums otherwise; "
            "expected the algorithm pairwise"
        )
    if problem.instance.accelerator is None:
        raise InputError(
            "missing; expected what an accelerator can do, to know how long it computes; try --array hypar-16",
            field="array.accelerator",
        )
    _check_bandwidths(problem)
    check(limits, BEFORE)
    if limits is not None:
        problem.walk_routes(placed, lambda: limits.over)
    breakdown = problem.bytes_of(strategies)
    step = problem.step(breakdown, placed)
    assert step is not None  # there is an accelerator
    check(limits, BEFORE)
    seconds = phase_seconds(problem.work, strategies, step.setting)
    graph = build_step(problem.work, strategies, breakdown, placed, seconds, limits, problem.instance.partition)
    return graph, step, problem


def memory_bandwidth_of(problem: NetworkProblem) -> Fraction:
    """Return the bandwidth of an accelerator's memory.

    Raises
    ------
    InputError
        If the array does not say it.
    """
    accelerator = problem.instance.accelerator
    if accelerator is None or accelerator.bandwidth is None:
        raise InputError("missing; --memory-ports needs it", field="array.accelerator.memory.bandwidth")
    return accelerator.bandwidth


def _check_bandwidths(problem: NetworkProblem) -> None:
    """Raise `InputError` at a link without a bandwidth, on a route or not: the analytic time needs all of them."""
    machine = problem.instance.machine
    slow = next((link for link in machine.links if link.bandwidth is None), None)
    if slow is not None:
        ends = " and ".join(f"'{machine.names[node]}'" for node in slow.ends)
        raise InputError(f"missing between {ends}; expected bytes a second", field="array.link.bandwidth")
