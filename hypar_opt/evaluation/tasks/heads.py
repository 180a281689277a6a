"""What has to be done before a task begins and after it ends, whatever else is done when."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from graphlib import TopologicalSorter
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.tasks import TaskGraphInstance, TimedTask

Neighbours: TypeAlias = "Mapping[str, Mapping[str, Fraction]]"
"""By task, others that it waits for, or that wait for it, each with the largest lag between them."""


@dataclass(frozen=True)
class WaitingWays:
    """The longest ways of waiting tasks.

    A way leads through tasks that are done whatever is chosen. Where a task waits for tasks of a group, one of that
    group is done, so that it waits for the least that any of them makes it wait; for nothing, if it does not wait for
    all of them.

    Parameters
    ----------
    instance
        The tasks, of which none waits for one of a period before.
    """

    instance: TaskGraphInstance

    @cached_property
    def tasks(self) -> Mapping[str, TimedTask]:
        """By name."""
        return {task.name: task for task in self.instance.tasks}

    @cached_property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """By group, its tasks."""
        found: dict[str, tuple[str, ...]] = {}
        for task in self.instance.tasks:
            if task.group is not None:
                found[task.group] = (*found.get(task.group, ()), task.name)
        return found

    @cached_property
    def before(self) -> Neighbours:
        """By task, those that it waits for within the same period."""
        found: dict[str, dict[str, Fraction]] = {task.name: {} for task in self.instance.tasks}
        for task in self.instance.tasks:
            for one in task.after:
                if not one.distance:
                    own = found[task.name]
                    own[one.task] = max(one.lag, own.get(one.task, one.lag))
        return found

    @cached_property
    def behind(self) -> Neighbours:
        """By task, those that wait for it."""
        found: dict[str, dict[str, Fraction]] = {task.name: {} for task in self.instance.tasks}
        for name, own in self.before.items():
            for other, lag in own.items():
                found[other][name] = lag
        return found

    @cached_property
    def _heads(self) -> Mapping[str, tuple[Fraction, str | None]]:
        return self._longest(self.before, {name: max(task.release, Fraction(0)) for name, task in self.tasks.items()})

    @cached_property
    def _tails(self) -> Mapping[str, tuple[Fraction, str | None]]:
        return self._longest(self.behind, dict.fromkeys(self.tasks, Fraction(0)))

    def head(self, name: str) -> Fraction:
        """Return the second before which a task cannot begin, if it is done."""
        return self._heads[name][0]

    def tail(self, name: str) -> Fraction:
        """Return the seconds from its end to the end of all, at least, if it is done."""
        return self._tails[name][0]

    def through(self, name: str) -> Fraction:
        """Return the seconds that all take at least if a task is done."""
        return self.head(name) + self.tasks[name].seconds + self.tail(name)

    def path(self, name: str, *, until_end: bool = True) -> list[str]:
        """Return the tasks of the longest way through a task.

        Parameters
        ----------
        until_end
            Whether it leads on to the end of all.
        """
        first, last = [name], [name]
        while (one := self._heads[first[-1]][1]) is not None:
            first.append(one)
        while until_end and (one := self._tails[last[-1]][1]) is not None:
            last.append(one)
        return [*reversed(first), *last[1:]]

    def _longest(
        self, neighbours: Neighbours, least: Mapping[str, Fraction]
    ) -> Mapping[str, tuple[Fraction, str | None]]:
        """Return by task the longest way up to it, and the neighbour that is on it."""
        found: dict[str, tuple[Fraction, str | None]] = {}
        for name in TopologicalSorter(neighbours).static_order():
            best: tuple[Fraction, str | None] = least[name], None
            ways = {one: found[one][0] + self.tasks[one].seconds + lag for one, lag in neighbours[name].items()}
            for one, way in self._certain(name, ways):
                if way > best[0]:
                    best = way, one
            found[name] = best
        return found

    def _certain(self, name: str, ways: Mapping[str, Fraction]) -> list[tuple[str, Fraction]]:
        """Return the ways that there are whatever is chosen: of a group the shortest, if all of it are neighbours."""
        group_of = {one: self.tasks[one].group for one in ways}
        found = [(one, way) for one, way in ways.items() if group_of[one] is None]
        for group in dict.fromkeys(group_of.values()):
            if group is not None and group != self.tasks[name].group and ways.keys() >= set(self.groups[group]):
                shortest = min(self.groups[group], key=ways.__getitem__)
                found.append((shortest, ways[shortest]))
        return found
