"""The least period: is there a schedule with a given one, asked of CP-SAT from the bound on.

If there is one with a period there is one with every longer: with all begins stretched by the same factor, and
rounded up within the order that they have, nothing that was apart meets. So the periods between the bound and the best
that is known are halved until one is left. Of whole multiples of the graph's unit it is the least.

With T given, a task begins at q T + r. What it takes is on a circle of length T: an interval at r, and the same again
at r - T; what lasts for T or longer is there as often as whole periods go into it, at any time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from formulations.tasks.intervals import interval_model
from formulations.tasks.starts import of_multiples, repeated
from hypar_opt.costgraph.tasks import NOT_DONE, is_task_schedule, value_of_begins
from hypar_opt.costgraph.tasks.bounds import KINDS, lower_bound
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ortools.sat.python.cp_model import CpModel, IntVar

    from hypar_opt.costgraph.tasks import TimedGraph
    from hypar_opt.formulation.run import Limits, Run


LEAST_S: Final = 1.0
"""Seconds of a search that is not the last."""


def concluded_in_periods(graph: TimedGraph, best: tuple[int, ...] | None, run: Run) -> Solution:
    """Return the Solution of a search for the least period.

    Parameters
    ----------
    best
        Choices that are known, or None.
    """
    least = lower_bound(graph)
    low, native = least.value, f"bound: {KINDS[least.kind]}"
    run.bound(low)
    if best is None:
        name, once = _once(graph, run)
        if once is None:
            status = Status.INFEASIBLE if name == "INFEASIBLE" else Status.NO_SOLUTION
            return Solution(status, None, None if status is Status.INFEASIBLE else low, name)
        best = repeated(graph, once)
    run.incumbent(value_of_begins(graph, best), best)
    tried = floor = low  # which bounds often are, and then nothing else has to be asked
    while low < value_of_begins(graph, best) and not run.limits.over:
        run.phase(f"searching schedules of a period of {tried:,} units")
        name, found = schedule_of_period(graph, tried, replace(run, limits=_share_of(run.limits)))
        if found is not None:
            best = found
            run.incumbent(tried, best)
        elif name == "INFEASIBLE":
            low, native = tried + 1, f"no schedule of a period of {tried:,} units, by CP-SAT"
            run.bound(low)
        else:
            native, floor = name, tried + 1  # longer ones may be easier
        known = value_of_begins(graph, best)
        floor = max(low, floor) if floor < known else low
        tried = (floor + known) // 2
    status = Status.OPTIMAL if value_of_begins(graph, best) == low else Status.FEASIBLE
    return Solution(status, best, low, native, of_multiples(graph))


def _share_of(limits: Limits) -> Limits:
    """Return the limits of one of several searches: half of the time that is left, if it is limited."""
    left = limits.remaining_s()
    return limits if left is None else limits.within(max(left / 2, LEAST_S))


def _once(graph: TimedGraph, run: Run) -> tuple[str, tuple[int, ...] | None]:
    """Return a schedule of tasks that are done once, or what CP-SAT says of there being none."""
    built = interval_model(graph, graph.horizon)
    name, solver = _asked(built.model, run)
    return name, None if solver is None else built.read(solver)


def _asked(model: CpModel, run: Run) -> tuple[str, Any]:
    """Return what CP-SAT says, and the solver where it has found something."""
    from formulations.cp_sat.search import solver_within, watched

    solver = solver_within(run.limits)
    with watched(run.limits.stop, solver.stop_search):
        name = solver.status_name(solver.solve(model))
    return name, solver if name in ("OPTIMAL", "FEASIBLE") else None


@dataclass(frozen=True)
class _Circle:
    """A model of schedules of one period.

    Parameters
    ----------
    model, period
        CP-SAT's, and T.
    turns, rests
        By task, q and r of its begin q T + r.
    there
        By task of a group, whether it is done.
    """

    model: CpModel
    period: int
    turns: Sequence[IntVar]
    rests: Sequence[IntVar]
    there: dict[int, IntVar]

    def begin(self, place: int) -> Any:
        return self.turns[place] * self.period + self.rests[place]

    def intervals(self, place: int, size: Any) -> list[Any]:
        """Return a task's interval on the circle, and the same again one turn before."""
        model, rest, found = self.model, self.rests[place], []
        for start in (rest, rest - self.period):
            end = model.new_int_var(-self.period, 2 * self.period, "")
            model.add(end == start + size)
            if place in self.there:
                found.append(model.new_optional_interval_var(start, size, end, self.there[place], ""))
            else:
                found.append(model.new_interval_var(start, size, end, ""))
        return found

    def always(self, place: int) -> Any:
        """Return an interval of the whole circle."""
        if place in self.there:
            return self.model.new_optional_fixed_size_interval_var(0, self.period, self.there[place], "")
        return self.model.new_fixed_size_interval_var(0, self.period, "")


def schedule_of_period(graph: TimedGraph, period: int, run: Run) -> tuple[str, tuple[int, ...] | None]:
    """Return choices with a period, and what CP-SAT says."""
    circle = _circle(graph, period)
    name, solver = _asked(circle.model, run)
    if solver is None:
        return name, None
    begins = tuple(
        NOT_DONE
        if place in circle.there and not solver.boolean_value(circle.there[place])
        else int(solver.value(circle.turns[place])) * period + int(solver.value(circle.rests[place]))
        for place in range(len(graph.tasks))
    )
    found = (*begins, period)
    early = (*_turned_back(graph, begins, period), period)
    return name, early if is_task_schedule(graph, early) else found


def _turned_back(graph: TimedGraph, begins: Sequence[int], period: int) -> list[int]:
    """Return the earliest begins at the same places of the circle; what is kept may then be there for longer."""
    found = [
        begin if begin == NOT_DONE else one.release + (begin - one.release) % period
        for begin, one in zip(begins, graph.tasks, strict=True)
    ]
    changed = True
    while changed:  # ends, since the begins that were found satisfy all waits
        changed = False
        for wait in graph.waits:
            if NOT_DONE not in (found[wait.first], found[wait.second]):
                ready = found[wait.first] + graph.tasks[wait.first].duration + wait.lag - wait.distance * period
                short = ready - found[wait.second]
                if short > 0:
                    found[wait.second] += -(-short // period) * period
                    changed = True
    return found


def _circle(graph: TimedGraph, period: int) -> _Circle:
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    turns = _most_turns(graph, period)
    circle = _Circle(
        model,
        period,
        [model.new_int_var(0, turns, "") for _ in graph.tasks],
        [model.new_int_var(0, period - 1, "") for _ in graph.tasks],
        {place: model.new_bool_var("") for group in graph.groups for place in group},
    )
    for group in graph.groups:
        model.add_exactly_one([circle.there[place] for place in group])
    for place, one in enumerate(graph.tasks):
        if one.release:
            model.add(circle.begin(place) >= one.release)
    for wait in graph.waits:
        both = [circle.there[end] for end in wait[:2] if end in circle.there]
        least = circle.begin(wait.first) + graph.tasks[wait.first].duration + wait.lag - wait.distance * period
        model.add(circle.begin(wait.second) >= least).only_enforce_if(both)
    for resource, capacity in enumerate(graph.units):
        _take_within(circle, graph, resource, capacity)
    for memory, limit in enumerate(graph.limits):
        if limit is not None:
            _keep_within(circle, graph, memory, limit, turns)
    return circle


def _most_turns(graph: TimedGraph, period: int) -> int:
    """Return how many periods begins may be behind 0.

    Where two begins, one after the other, are further apart than a period and whatever one waits for another, all that
    is behind can be moved up by a period.
    """
    apart = period + max(one.duration for one in graph.tasks) + max((one.lag for one in graph.waits), default=0)
    return -(-(max(one.release for one in graph.tasks) + len(graph.tasks) * apart) // period)


def _take_within(circle: _Circle, graph: TimedGraph, resource: int, capacity: int) -> None:
    """Add that no more units of a resource are taken at any time than there are."""
    spans: list[Any] = []
    amounts: list[int] = []
    for place, units in graph.users(resource):
        whole, rest = divmod(graph.tasks[place].duration, circle.period)
        if whole:
            spans.append(circle.always(place))
            amounts.append(whole * units)
        if rest:
            spans += circle.intervals(place, rest)
            amounts += [units, units]
    if spans:
        circle.model.add_cumulative(spans, amounts, capacity)


def _keep_within(circle: _Circle, graph: TimedGraph, memory: int, limit: int, turns: int) -> None:
    """Add that there is no more in a memory at any time than there may be."""
    model, spans, amounts = circle.model, list[Any](), list[Any]()
    for one in graph.kept:
        if one.memory != memory:
            continue
        longest = (turns + 1) * circle.period + max(task.duration for task in graph.tasks)
        whole = model.new_int_var(0, longest // circle.period, "")
        rest = model.new_int_var(0, circle.period - 1, "")
        for place in dict.fromkeys((one.first, one.last)):
            both = [circle.there[end] for end in {one.first, place} if end in circle.there]
            size = circle.begin(place) + graph.tasks[place].duration - circle.begin(one.first)
            model.add(whole * circle.period + rest >= size).only_enforce_if(both)
        spans += [circle.always(one.first), *circle.intervals(one.first, rest)]
        amounts += [whole * one.amount, one.amount, one.amount]
    if spans:
        model.add_cumulative(spans, amounts, limit)
