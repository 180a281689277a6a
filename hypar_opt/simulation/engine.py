"""The simulation: a task graph run on an array, event by event, in exact time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hypar_opt.run import Event, Limits
from hypar_opt.simulation.options import Options
from hypar_opt.simulation.result import Simulation
from hypar_opt.simulation.running import Running
from hypar_opt.simulation.stopping import check
from hypar_opt.simulation.waiting import deadlock
from hypar_opt.simulation.ways import field_of
from hypar_opt.tracking import Tracker

if TYPE_CHECKING:
    from hypar_opt.array import Machine
    from hypar_opt.run import Listener
    from hypar_opt.simulation.tasks import TaskGraph

BETWEEN_LOOKS = 4096
"""Events between two looks at whether to stop."""


def simulate(
    graph: TaskGraph,
    machine: Machine,
    options: Options | None = None,
    *,
    limits: Limits | None = None,
    listener: Listener | None = None,
) -> Simulation:
    """Run a task graph on an array.

    Parameters
    ----------
    graph
        See `build_step`.
    machine
        The array; the latency of its links is not charged.
    options
        What overlaps and what contends.
    limits
        Its deadline and its flag end the run.
    listener
        Hears how far it is.

    Raises
    ------
    Deadlock
        If tasks are left that wait for each other.
    SimulationStopped
        If the limits are over before the end.
    InputError
        If a link on a route has no bandwidth.
    """
    options, limits = options or Options(), limits or Limits()
    running = Running(graph, field_of(graph, machine, options.memory_bandwidth, limits), options, limits)
    _go(running, limits, listener)
    if running.left:
        raise deadlock(running, machine)
    return Simulation(
        graph, machine, options, running.field, tuple(running.released), tuple(running.begins), tuple(running.ends),
        tuple(running.waited), tuple(tuple(served) for served in running.spans),
    )  # fmt: skip


def _go(running: Running, limits: Limits, listener: Listener | None) -> None:
    """Let events happen until there are none."""
    from simpy.core import EmptySchedule

    began, count = time.monotonic(), len(running.graph)
    tracker, told = Tracker(listener, "simulate", "tasks", count), 0
    while True:
        done = count - running.left
        check(limits, f"after {done:,} of {count:,} tasks of the step")
        if listener is not None:
            text = f"{done:,} of {count:,} tasks"
            listener(Event("phase", time.monotonic() - began, "simulate", text=text))
        tracker.add(done - told)
        told = done
        try:
            for _ in range(BETWEEN_LOOKS):
                running.env.step()
        except EmptySchedule:
            return
