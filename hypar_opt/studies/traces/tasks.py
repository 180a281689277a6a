"""Tasks of a training step as traces: every rank's computing, sends and receives, in an order that can be kept.

A task that takes no time is none, and what waits for it waits for what it waited for. A message that has no whole
number of bytes is rounded up. Where a rank waits for what another one computes, and nothing of that is sent, it is told
so by a byte.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from math import ceil
from typing import TYPE_CHECKING

from hypar_opt.export.traces.nodes import NodeKind, TraceNode, computing, idle
from hypar_opt.studies.simulation.tasks import Compute, TaskGraph, Transfer

if TYPE_CHECKING:
    from collections.abc import Collection

    from hypar_opt.export.traces.nodes import Trace
    from hypar_opt.studies.simulation.tasks import Task


@dataclass
class _Ranks:
    """Traces as they grow.

    Parameters
    ----------
    tasks
        All, by number.
    traces
        The nodes of each rank so far.
    ends
        By task and rank, the nodes there after which the task is over for that rank.
    tags
        How many messages there are so far.
    """

    tasks: tuple[Task, ...]
    traces: list[list[TraceNode]]
    ends: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    tags: int = 0

    def do(self, number: int) -> None:
        """Append a task, all that it waits for being there."""
        task = self.tasks[number]
        if not _takes_time(task):
            return
        if isinstance(task, Compute):
            self._compute(number, task)
        else:
            before = self.before(task.waits_for, task.source)
            nodes = self._message(task.name, task.source, task.target, ceil(task.amount), before)
            self.ends[number, task.source], self.ends[number, task.target] = nodes[:1], nodes[1:]

    def _compute(self, number: int, task: Compute) -> None:
        rank = task.accelerator
        node = computing(task.name, self.before(task.waits_for, rank), task.seconds)
        self.ends[number, rank] = (self._append(rank, node),)

    def before(self, waits: Collection[int], rank: int) -> tuple[int, ...]:
        """Return the nodes of a rank that some tasks are over with."""
        # what a message waits for need not be told beside it
        implied = {before for number in waits for before in self.tasks[number].waits_for}
        return tuple(sorted({node for number in waits if number not in implied for node in self._over(number, rank)}))

    def _over(self, number: int, rank: int) -> tuple[int, ...]:
        """Return the nodes of a rank after which a task is over, telling it of what others do."""
        if (number, rank) not in self.ends:
            task = self.tasks[number]
            knows = (number, _ranks_of(task)[-1])
            if knows in self.ends and _takes_time(task):
                said = f"{task.name} is over"
                self.ends[number, rank] = self._message(said, knows[1], rank, 1, self.ends[knows])[1:]
            else:
                self.ends[number, rank] = self.before(task.waits_for, rank)
        return self.ends[number, rank]

    def _message(self, name: str, source: int, target: int, size: int, before: tuple[int, ...]) -> tuple[int, int]:
        """Append a send and a receive; return their numbers."""
        said = {"comm_src": source, "comm_dst": target, "comm_size": size, "comm_tag": self.tags}
        self.tags += 1
        send = self._append(source, TraceNode(f"send: {name}", NodeKind.SEND, before, said))
        return send, self._append(target, TraceNode(f"receive: {name}", NodeKind.RECEIVE, (), said))

    def _append(self, rank: int, node: TraceNode) -> int:
        self.traces[rank].append(node)
        return len(self.traces[rank]) - 1


def step_traces(graph: TaskGraph, ranks: int) -> tuple[Trace, ...]:
    """Return by rank what it does in a step.

    Parameters
    ----------
    graph
        Its tasks.
    ranks
        How many accelerators there are; who has no task has a trace of nothing.

    Raises
    ------
    ValueError
        If tasks wait for each other in a circle.
    """
    found = _Ranks(graph.tasks, [[] for _ in range(ranks)])
    sorter = TopologicalSorter({number: task.waits_for for number, task in enumerate(graph.tasks)})
    try:
        sorter.prepare()
    except CycleError as error:
        raise ValueError(f"tasks wait for each other: {', '.join(map(str, error.args[1]))}") from None
    while sorter.is_active():
        # those that wait for nothing more, in the order of the graph: who comes first is who is to go first
        ready = sorted(sorter.get_ready())
        for number in ready:
            found.do(number)
        sorter.done(*ready)
    return tuple(tuple(own) if own else (idle(),) for own in found.traces)


def rounding(graph: TaskGraph) -> Fraction:
    """Return how many bytes more the messages of traces have than the tasks."""
    sent = [one.amount for one in graph.tasks if isinstance(one, Transfer) and one.source != one.target]
    return sum((ceil(amount) - amount for amount in sent), Fraction(0))


def _takes_time(task: Task) -> bool:
    """Return whether a task computes for a while, or sends bytes to another rank."""
    return task.seconds > 0 if isinstance(task, Compute) else task.amount > 0 and task.source != task.target


def _ranks_of(task: Task) -> tuple[int, ...]:
    """Return the ranks that a task is done by: the first one begins it."""
    return (task.accelerator,) if isinstance(task, Compute) else (task.source, task.target)
