"""Tasks that are done once as intervals of CP-SAT, and what is read back of them.

An interval a task, optional in groups of which exactly one is there. Those of a resource of one unit do not overlap, of
any other they are cumulative; what is kept is an interval from a begin to the later of two ends. Tasks that are alike
in everything begin in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from formulations.tasks.alike import alike
from hypar_opt.costgraph.tasks import NOT_DONE
from hypar_opt.costgraph.tasks.bounds import heads_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar

    from hypar_opt.costgraph.tasks import TimedGraph


@dataclass(frozen=True)
class IntervalModel:
    """A model, and the variables that say when tasks begin.

    Parameters
    ----------
    model
        With all its constraints.
    begins
        By task.
    there
        By task of a group, whether it is done.
    """

    model: CpModel
    begins: Sequence[IntVar]
    there: dict[int, IntVar]

    def hint(self, choices: Sequence[int]) -> None:
        """Suggest a schedule."""
        for place, begin in enumerate(self.begins):
            if place in self.there:
                self.model.add_hint(self.there[place], choices[place] != NOT_DONE)
            if choices[place] != NOT_DONE:
                self.model.add_hint(begin, choices[place])

    def read(self, solver: CpSolver | Any) -> tuple[int, ...]:
        """Return the begins that were found."""
        return tuple(
            NOT_DONE
            if place in self.there and not solver.boolean_value(self.there[place])
            else int(solver.value(begin))
            for place, begin in enumerate(self.begins)
        )


def interval_model(graph: TimedGraph, horizon: int) -> IntervalModel:
    """Return the model of schedules that end by a horizon, with nothing to be least yet; distances are left out."""
    from ortools.sat.python.cp_model import CpModel

    model, heads = CpModel(), heads_of(graph)
    begins = [
        model.new_int_var(min(head, horizon), max(min(head, horizon), horizon - one.duration), "")
        for head, one in zip(heads, graph.tasks, strict=True)
    ]
    there = {place: model.new_bool_var("") for group in graph.groups for place in group}
    built = IntervalModel(model, begins, there)
    for group in graph.groups:
        model.add_exactly_one([there[place] for place in group])
    own = [_interval(built, graph, place) for place in range(len(graph.tasks))]
    for resource, capacity in enumerate(graph.units):
        users = list(graph.users(resource))
        if capacity == 1:
            model.add_no_overlap([own[place] for place, _ in users])
        elif sum(units for _, units in users) > capacity:
            model.add_cumulative([own[place] for place, _ in users], [units for _, units in users], capacity)
    for memory, limit in enumerate(graph.limits):
        _keep_within(built, graph, own, memory, limit, horizon)
    for wait in graph.waits:
        if not wait.distance:
            both = [there[end] for end in wait[:2] if end in there]
            least = begins[wait.first] + graph.tasks[wait.first].duration + wait.lag
            model.add(begins[wait.second] >= least).only_enforce_if(both)
    for first, second in alike(graph):
        model.add(begins[first] <= begins[second])
    return built


def _interval(built: IntervalModel, graph: TimedGraph, place: int) -> Any:
    begin, duration = built.begins[place], graph.tasks[place].duration
    if place in built.there:
        return built.model.new_optional_fixed_size_interval_var(begin, duration, built.there[place], "")
    return built.model.new_fixed_size_interval_var(begin, duration, "")


def _keep_within(
    built: IntervalModel, graph: TimedGraph, own: Sequence[Any], memory: int, limit: int | None, horizon: int
) -> None:
    """Add that there is no more in a memory at any time than there may be."""
    kept = [one for one in graph.kept if one.memory == memory]
    if limit is None or sum(one.amount for one in kept) <= limit:
        return
    spans = []
    for one in kept:
        if one.last == one.first:
            spans.append(own[one.first])
            continue
        begin, end = built.begins[one.first], built.model.new_int_var(0, horizon, "")
        size = built.model.new_int_var(0, horizon, "")
        for place in (one.first, one.last):
            literals = [built.there[place]] if place in built.there else []
            built.model.add(end >= built.begins[place] + graph.tasks[place].duration).only_enforce_if(literals)
        if one.first in built.there:
            spans.append(built.model.new_optional_interval_var(begin, size, end, built.there[one.first], ""))
        else:
            spans.append(built.model.new_interval_var(begin, size, end, ""))
    built.model.add_cumulative(spans, [one.amount for one in kept], limit)


def minimise(built: IntervalModel, graph: TimedGraph, horizon: int, least: int) -> None:
    """Add what is to be least, and that it is no less than a bound that is known."""
    model = built.model
    if graph.goal == "makespan":
        last = model.new_int_var(min(least, horizon), horizon, "")
        for place, one in enumerate(graph.tasks):
            literals = [built.there[place]] if place in built.there else []
            model.add(last >= built.begins[place] + one.duration).only_enforce_if(literals)
        model.minimize(last)
        return
    terms: list[Any] = []
    for place, one in enumerate(graph.tasks):
        if not one.weight:
            continue
        if place not in built.there:
            terms.append(one.weight * (built.begins[place] + one.duration))
            continue
        end = model.new_int_var(0, horizon, "")
        model.add(end >= built.begins[place] + one.duration).only_enforce_if(built.there[place])
        terms.append(one.weight * end)
    # a variable of its own: the solver's exact bound is of what it minimises without constants
    total = model.new_int_var(least, horizon * sum(one.weight for one in graph.tasks), "")
    model.add(total == sum(terms))
    model.minimize(total)
