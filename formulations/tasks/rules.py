"""Which of the tasks that could begin now does: a record a rule."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.costgraph.tasks.bounds import tails_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph.tasks import TimedGraph


@dataclass(frozen=True)
class ListRule:
    """A rule.

    Parameters
    ----------
    name
        Of the formulation.
    summary
        What it does, for tables.
    keys
        From a graph to a key of each task: the least comes first, of equals the first in the file.
    """

    name: str
    summary: str
    keys: Callable[[TimedGraph], Sequence[Fraction | int]]


def _tail(graph: TimedGraph) -> list[int]:
    tails = tails_of(graph)
    return [-tails[place] - one.duration for place, one in enumerate(graph.tasks)]


def _work(graph: TimedGraph) -> list[Fraction]:
    shares = [sum((Fraction(units, graph.units[of]) for of, units in one.takes), Fraction(0)) for one in graph.tasks]
    return [-share * one.duration for share, one in zip(shares, graph.tasks, strict=True)]


def _ratio(graph: TimedGraph) -> list[Fraction | int]:
    """Return the heaviest for their time first; what takes none before all others."""
    found: list[Fraction | int] = []
    for one in graph.tasks:
        found.append(Fraction(-one.weight, one.duration) if one.duration else -(10**40))
    return found


TAIL = ListRule("task-list-tail", "tasks in time, the longest way behind them first", _tail)
WORK = ListRule("task-list-work", "tasks in time, the most work first: duration times the share of units", _work)
FIRST = ListRule("task-list-first", "tasks in time, in the order of the file", lambda graph: range(len(graph.tasks)))
SHORT = ListRule(
    "task-list-short", "tasks in time, the shortest first", lambda graph: [one.duration for one in graph.tasks]
)
RATIO = ListRule("task-list-ratio", "tasks in time, the most weight for their duration first (Smith, 1956)", _ratio)
RULES = (TAIL, WORK, FIRST, SHORT, RATIO)
"""All, the most useful for the last end first."""
