"""The simulation: a task graph run on an array, event by event, in exact time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Limits, Listener, Run
from hypar_opt.studies.simulation.platform import field_of
from hypar_opt.studies.simulation.processes import Running
from hypar_opt.studies.simulation.result import Simulation
from hypar_opt.studies.simulation.tasks import Compute, Options, Task, TaskGraph, check
from hypar_opt.util.errors import HyparError, printable
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable

    from simpy import Environment

    from hypar_opt.instance.hardware import Machine


SHOWN = 5
"""Waiting tasks, and tasks of a circle, in a message."""


@dataclass(frozen=True)
class WaitingTask:
    """A task that cannot go on.

    Parameters
    ----------
    task
        Its position.
    text
        What it is, what it holds and what it waits for.
    """

    task: int
    text: str


class Deadlock(HyparError):
    """Tasks are left, and each waits for another.

    Parameters
    ----------
    waiting
        All of them, those that wait for a resource first.
    cycle
        Positions of tasks each of which waits for the next, the last for the first; empty if there is none.
    texts
        The same for people.
    done, time
        How many tasks were done by then, and when that was, in seconds.
    """

    def __init__(
        self, waiting: tuple[WaitingTask, ...], cycle: tuple[int, ...], texts: tuple[str, ...], done: int, time: str
    ) -> None:
        super().__init__()
        self.waiting, self.cycle, self.texts, self.done, self.time = waiting, cycle, texts, done, time

    def __str__(self) -> str:
        count = len(self.waiting)
        first = f"the simulation cannot go on at {self.time} s: {count:,} of {self.done + count:,} tasks wait"
        listed = _some([one.text for one in self.waiting])
        circle = f"; a circle of {len(self.cycle)}: {_some(list(self.texts))}" if self.cycle else ""
        return printable(f"{first}: {listed}{circle}")


def _some(texts: list[str]) -> str:
    more = f"; and {len(texts) - SHOWN:,} more" if len(texts) > SHOWN else ""
    return "; ".join(texts[:SHOWN]) + more


def describe(task: Task, machine: Machine) -> str:
    """Return what a task is and where it runs."""
    if isinstance(task, Compute):
        return f"{task.name} on {machine.names[task.accelerator]}"
    return f"{task.name}, {machine.names[task.source]} to {machine.names[task.target]}"


def deadlock(running: Running, machine: Machine) -> Deadlock:
    """Return what is wrong with a run that ended before its tasks."""
    tasks = running.graph.tasks
    left = [number for number, end in enumerate(running.ends) if end < 0]
    left.sort(key=lambda number: (number not in running.wanted, number))
    waiting = tuple(WaitingTask(number, _text(running, number, machine)) for number in left)
    cycle = _cycle(running, left)
    texts = tuple(describe(tasks[number], machine) for number in cycle)
    now = running.field.clock.seconds(running.now)
    return Deadlock(waiting, cycle, texts, len(tasks) - len(left), f"{float(now):.6g}")


def _text(running: Running, number: int, machine: Machine) -> str:
    tasks, what = running.graph.tasks, describe(running.graph.tasks[number], machine)
    if number not in running.wanted:
        others = [describe(tasks[one], machine) for one in _awaited(running, number)]
        return f"{what} waits for {others[0]}" + (f" and {len(others) - 1:,} more" if others[1:] else "")
    resources = running.field.resources
    held = [resources[one].name(machine) for one, tasks in sorted(running.holders.items()) if number in tasks]
    wanted = resources[running.wanted[number]].name(machine)
    return f"{what} holds {', '.join(held) or 'nothing'} and waits for {wanted}"


def _awaited(running: Running, number: int) -> list[int]:
    """Return the tasks that a task waits for: the holder of its resource, or makers of its data, or its barrier's."""
    if number in running.wanted:
        return list(running.holders[running.wanted[number]])
    makers = [one for one in dict.fromkeys(running.graph.tasks[number].waits_for) if running.ends[one] < 0]
    if not makers and running.stages:
        makers = [one for one in running.stages[running.stage_of[number] - 1] if running.ends[one] < 0]
    return makers


def _cycle(running: Running, left: list[int]) -> tuple[int, ...]:
    """Follow who waits for whom until somebody comes again; what is left always waits for something that is left."""
    seen: dict[int, int] = {}
    path: list[int] = []
    number = left[0]
    while number not in seen:
        seen[number] = len(path)
        path.append(number)
        awaited = _awaited(running, number)
        if not awaited:
            return ()
        number = awaited[0]
    return tuple(path[seen[number] :])


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
    MissingPackage
        If simpy is not installed.
    """
    require("simulate")
    options, limits = options or Options(), limits or Limits()
    running = Running(graph, field_of(graph, machine, options.memory_bandwidth, limits), options, limits)
    run_events(running.env, len(graph), lambda: running.left, limits, listener)
    if running.left:
        raise deadlock(running, machine)
    return Simulation(
        graph, machine, options, running.field, tuple(running.released), tuple(running.begins), tuple(running.ends),
        tuple(running.waited), tuple(tuple(served) for served in running.spans),
    )  # fmt: skip


def run_events(
    env: Environment,
    count: int,
    left: Callable[[], int],
    limits: Limits,
    listener: Listener | None,
    what: str = "tasks of the step",
) -> None:
    """Let events happen until there are none.

    Parameters
    ----------
    env
        Whose events.
    count, left
        How many tasks there are, and what returns how many of them are not done yet.
    limits
        Its deadline and its flag end the run.
    listener
        Hears how far it is.
    what
        What tasks they are, for whoever stops it.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end.
    """
    from simpy.core import EmptySchedule

    run = Run("simulate", listener=listener)
    tracker, told = Tracker(listener, "simulate", "tasks", count), 0
    while True:
        done = count - left()
        check(limits, f"after {done:,} of {count:,} {what}")
        run.phase(f"{done:,} of {count:,} tasks")
        tracker.add(done - told)
        told = done
        try:
            for _ in range(BETWEEN_LOOKS):
                env.step()
        except EmptySchedule:
            return
