"""From a task graph in exact seconds to the one of integers that formulations of its schedules read."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

from hypar_opt.costgraph.tasks import KeptAmount, Precedence, TaskNode, TimedGraph

if TYPE_CHECKING:
    from hypar_opt.instance.tasks import TaskGraphInstance


def compile_tasks(instance: TaskGraphInstance) -> TimedGraph:
    """Return the graph.

    Times are exact in units of 1 over the least common multiple of their denominators, weights of theirs. What a task
    keeps to its own end alone, and takes no time, is left out: it is never there.
    """
    times = [one.seconds for one in instance.tasks] + [one.release for one in instance.tasks]
    times += [wait.lag for one in instance.tasks for wait in one.after]
    unit = lcm(1, *(number.denominator for number in times))
    weight_unit = lcm(1, *(one.weight.denominator for one in instance.tasks))
    places, resources = instance.places, {name: number for number, name in enumerate(instance.resources)}
    memories = {name: number for number, name in enumerate(instance.memories)}
    groups = {name: number for number, name in enumerate(instance.groups)}
    tasks = tuple(
        TaskNode(
            int(one.seconds * unit),
            tuple((resources[name], units) for name, units in one.takes),
            int(one.release * unit),
            int(one.weight * weight_unit),
            None if one.group is None else groups[one.group],
        )
        for one in instance.tasks
    )
    waits = tuple(
        Precedence(places[wait.task], place, int(wait.lag * unit), wait.distance)
        for place, one in enumerate(instance.tasks)
        for wait in one.after
    )
    kept = tuple(
        KeptAmount(memories[keep.memory], keep.amount, place, place if keep.until is None else places[keep.until])
        for place, one in enumerate(instance.tasks)
        for keep in one.keeps
        if keep.amount and (keep.until is not None or one.seconds)
    )
    return TimedGraph(
        tasks, waits, kept, tuple(instance.resources.values()), tuple(instance.memories.values()), instance.goal, unit,
        weight_unit,
    )  # fmt: skip
