"""Why a schedule takes as long as it does: back from its last end, what each task began right behind."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.tasks.counted import CountedTasks

Reason: TypeAlias = Literal["task", "resource", "memory", "release", "begin", "nothing"]
"""It waits for a task, for units or for a place in a memory that another gives up, for its release, begins at 0, or
could begin earlier."""


@dataclass(frozen=True)
class ChainStep:
    """A task of the chain.

    Parameters
    ----------
    task
        Its name.
    reason
        Why it does not begin earlier.
    behind
        The task that it begins behind, which is the one before it in the chain; None at the first.
    what
        The resource or the memory that it gets from that.
    """

    task: str
    reason: Reason
    behind: str | None = None
    what: str | None = None


def chain_of(judged: CountedTasks) -> tuple[ChainStep, ...]:
    """Return the tasks that lead up to the last end without a pause, the first one first.

    Parameters
    ----------
    judged
        A schedule without faults of tasks that are not repeated. Where a task begins right behind several others, the
        one that it waits for as its file says comes first, then who has units of a resource that it takes, then who
        keeps something in its memory.
    """
    if not judged.done:
        return ()
    name = max(judged.ends, key=lambda one: judged.ends[one])
    found: list[ChainStep] = []
    seen: set[str] = set()
    while True:
        seen.add(name)
        step = next(one for one in _steps(judged, name) if one.behind is None or one.behind not in seen)
        found.append(step)
        if step.behind is None:
            return tuple(reversed(found))
        name = step.behind


def _steps(judged: CountedTasks, name: str) -> Iterator[ChainStep]:
    """Yield why a task does not begin earlier; nothing at last."""
    task = next(one for one in judged.done if one.name == name)
    begin = judged.begins[name]
    for one in task.after:
        end = judged.ends.get(one.task)
        if end is not None and end + one.lag == begin:
            yield ChainStep(name, "task", one.task)
    for resource, _ in task.takes if task.seconds else ():
        for use in judged.uses[resource]:
            if use.end == begin and use.begin < use.end:
                yield ChainStep(name, "resource", use.task, resource)
    for keep in task.keeps:
        for use in judged.holdings[keep.memory]:
            if use.end == begin and use.begin < use.end:
                yield from _giver(judged, name, use.task, keep.memory)
    if begin == max(task.release, Fraction(0)):
        yield ChainStep(name, "release" if begin else "begin")
    yield ChainStep(name, "nothing")


def _giver(judged: CountedTasks, name: str, keeper: str, memory: str) -> Iterator[ChainStep]:
    """Yield the task at whose end another gives up what it keeps: itself, or the one that needs it last."""
    begin = judged.begins[name]
    task = next(one for one in judged.done if one.name == keeper)
    for one in task.keeps:
        for giver in (one.until, keeper):
            if one.memory == memory and giver is not None and judged.ends.get(giver) == begin:
                yield ChainStep(name, "memory", giver, memory)
