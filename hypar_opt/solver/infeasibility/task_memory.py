"""Why tasks do not fit into memories: which one, what a task needs of it by itself, and how much would do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.text import shown
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.instance.tasks import TaskGraphInstance

MOST_TRIED: Final = 12
"""Sizes of a memory that are tried for the least that does."""


def without_limits(instance: TaskGraphInstance, *names: str) -> TaskGraphInstance:
    """Return the same with memories that hold anything: those that are named, or all."""
    free = names or tuple(instance.memories)
    return replace(
        instance, memories={name: None if name in free else most for name, most in instance.memories.items()}
    )


def least_needs(instance: TaskGraphInstance) -> Mapping[str, tuple[int, str]]:
    """Return by memory how much is needed at least whenever some task is done, and which: the most that one keeps.

    Of a group it is the task that keeps least.
    """
    found: dict[str, tuple[int, str]] = {}
    for memory in instance.memories:
        own = {
            task.name: sum(one.amount for one in task.keeps if one.memory == memory and task.seconds)
            for task in instance.tasks
        }
        certain: list[tuple[str, ...]] = [(task.name,) for task in instance.tasks if task.group is None]
        certain += [tuple(instance.tasks[place].name for place in group) for group in instance.groups.values()]
        least = [min((own[name], name) for name in names) for names in certain]
        found[memory] = max(least, key=lambda one: one[0], default=(0, ""))
    return found


def memory_shortage(
    instance: TaskGraphInstance,
    needs: Mapping[str, tuple[int, str]],
    fits: Callable[[TaskGraphInstance], bool | None],
) -> str | None:
    """Return which memory is too small, what needs how much of it, and the lever that helps; None where none is found.

    Parameters
    ----------
    needs
        By memory, how much a task needs of it by itself, and which.
    fits
        Whether there is a schedule; None where that was not found out.
    """
    short = [
        (name, *needs[name]) for name, most in instance.memories.items() if most is not None and needs[name][0] > most
    ]
    if short:
        name, amount, task = short[0]
        said = f"the memory {shown(name)} holds {in_full(instance.memories[name])}"
        lever = _lever(instance, name, amount, fits)
        return f"{said}, and {shown(task)} alone keeps {in_full(amount)} in it; what would help: {lever}"
    for name, most in instance.memories.items():
        if most is not None and fits(without_limits(instance, name)):
            said = (
                f"in the memory {shown(name)} of {in_full(most)} there is not enough room at one time for what waits "
            )
            return f"{said}for others to end; what would help: {_lever(instance, name, most + 1, fits)}"
    return "several memories are too small together; what would help: larger memories"


def _lever(instance: TaskGraphInstance, name: str, least: int, fits: Callable[[TaskGraphInstance], bool | None]) -> str:
    """Return how large the memory has to be, as far as that is found out by halving."""
    high = sum(one.amount for task in instance.tasks for one in task.keeps if one.memory == name)

    def does(size: int) -> bool | None:
        return fits(replace(instance, memories={**instance.memories, name: size}))

    if not does(high):
        return f"memories.{name}: {high}, and more of the others"
    low = least
    for _ in range(MOST_TRIED):
        if low >= high:
            break
        middle = (low + high) // 2
        answer = does(middle)
        if answer is None:
            break
        low, high = (low, middle) if answer else (middle + 1, high)
    return f"memories.{name}: {high}"
