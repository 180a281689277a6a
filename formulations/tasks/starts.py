"""The best schedule that lists find: what searches begin with, and with what it is proven that none is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.tasks.list_schedule import lightest_of_groups, listed, shortest_of_groups
from formulations.tasks.rules import RULES
from hypar_opt.costgraph.tasks import NOT_DONE, is_task_schedule, value_of_begins
from hypar_opt.costgraph.tasks.bounds import KINDS, lower_bound
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from formulations.tasks.rules import ListRule
    from hypar_opt.costgraph.tasks import TimedGraph
    from hypar_opt.formulation.run import Run


def best_listed(graph: TimedGraph, run: Run, rules: Iterable[ListRule] = RULES) -> tuple[int, ...] | None:
    """Return the best choices that lists find, or the first that meet the bound; None where none finds any.

    Each rule is tried with the shortest task of every group, and with the one that takes least.
    """
    least, best = lower_bound(graph).value, None
    ways = dict.fromkeys((shortest_of_groups(graph), lightest_of_groups(graph)))
    for rule in rules:
        keys = list(rule.keys(graph))
        for done in ways:
            try:
                begins = listed(graph, keys, done, run.check)
            except Stopped:
                return best
            found = None if begins is None else repeated(graph, begins) if graph.is_periodic else begins
            if found is None or not is_task_schedule(graph, found):
                continue
            if best is None or value_of_begins(graph, found) < value_of_begins(graph, best):
                best = found
            if value_of_begins(graph, best) <= least:
                return best
    return best


def repeated(graph: TimedGraph, begins: Sequence[int]) -> tuple[int, ...]:
    """Return begins that are done once with the least period at which nothing of one is still there in the next.

    What waits for a period before is waited for.
    """
    ends = [begin + one.duration for begin, one in zip(begins, graph.tasks, strict=True)]
    done = [place for place, begin in enumerate(begins) if begin != NOT_DONE]
    period = max(max(ends[place] for place in done) - min(begins[place] for place in done), 1)
    for wait in graph.waits:
        if wait.distance and NOT_DONE not in (begins[wait.first], begins[wait.second]):
            late = ends[wait.first] + wait.lag - begins[wait.second]
            period = max(period, -(-late // wait.distance))
    return *begins, period


def concluded(graph: TimedGraph, run: Run, choices: tuple[int, ...] | None, name: str) -> Solution:
    """Return the Solution of what was listed: OPTIMAL where it meets the bound."""
    bound = lower_bound(graph)
    run.bound(bound.value)
    if choices is None:
        said = f"{name} finds no schedule: a memory is full of what waits for others"
        return Solution(Status.NO_SOLUTION, None, bound.value, said)
    value = value_of_begins(graph, choices)
    run.incumbent(value, choices)
    status = Status.OPTIMAL if value == bound.value else Status.FEASIBLE
    return Solution(status, choices, bound.value, f"{name}; bound: {KINDS[bound.kind]}", of_multiples(graph))


def of_multiples(graph: TimedGraph) -> str:
    """Return among which periods the least is looked for; nothing where nothing is repeated."""
    said = f"of periods that are whole multiples of {graph.unit_text}, the unit of all times"
    return said if graph.is_periodic else ""
