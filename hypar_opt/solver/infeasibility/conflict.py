"""Where a strategy graph without a plan contradicts itself, if no sum of least usages says so.

Whatever solves strategy graphs can say, for all questions are of such: is there a plan that keeps to the limit at some
times (with forbidden costs alone, and usages at those times alone), and what is the least that such plans use at one
more (with what they use then as costs)?

The times are gathered: a plan that keeps to the limit at those so far uses too much at others, which join them, until
there is no plan. Then those go without which there is none either. What is forbidden is always part of the reason: were
nothing forbidden, a plan of least usages would use least at all times.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from hypar_opt.strategy_graph.conflict import Conflict
from hypar_opt.strategy_graph.judging import judge
from hypar_opt.strategy_graph.parts import among, at_times, bare, using

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.strategy_graph.graph import StrategyGraph


@dataclass(frozen=True)
class Answer:
    """What is known of the best plan of a strategy graph: nothing, as it stands here.

    Parameters
    ----------
    choices
        Those of a plan that is allowed, the best known.
    bound
        No plan costs less.
    nothing
        Whether there is proven to be no plan.
    """

    choices: tuple[int, ...] | None = None
    bound: int | None = None
    nothing: bool = False


class Ask(Protocol):
    """Whoever answers."""

    @property
    def over(self) -> bool:
        """Whether it is of no use to ask any more."""

    def __call__(self, graph: StrategyGraph) -> Answer:
        """Return what is known of a graph, which may be nothing."""


def contradiction(graph: StrategyGraph, ask: Ask) -> Conflict | tuple[int, ...] | None:
    """Return why there is no plan; a plan, if there is one after all; or None where the answers do not tell.

    Parameters
    ----------
    ask
        Called with graphs of the same nodes or some of them.
    """
    ruled = bare(graph)
    found = _gathered(graph, ruled, ask)
    if not isinstance(found, list):
        return found
    if not found:
        nodes = _needed(range(graph.nodes), lambda some: at_times(among(ruled, some), ()), ask)
        return Conflict((), graph.usage_limit, nodes=tuple(nodes))
    times = _needed(found, partial(at_times, ruled), ask)
    return _measured(graph, ruled, Conflict(tuple(times), graph.usage_limit), ask)


def _gathered(graph: StrategyGraph, ruled: StrategyGraph, ask: Ask) -> list[int] | tuple[int, ...] | None:
    """Return times at all of which no plan keeps to the limit, in order; or a plan that always does, or None."""
    times: list[int] = []
    while True:
        answer = ask(at_times(ruled, times))
        if answer.nothing:
            return times
        if answer.choices is None:
            return None
        over = {one.time for one in judge(graph, answer.choices).violations}
        if not over:
            return answer.choices
        if over <= set(times):  # it was to keep to the limit there
            return None
        times = sorted({*times, *over})


def _needed(items: Sequence[int], part: Callable[[Sequence[int]], StrategyGraph], ask: Ask) -> Sequence[int]:
    """Return some of the items whose part has no plan, and has one without any of them; many at once are tried first.

    Where the answers do not tell, or there are no more of them, items stay.

    Parameters
    ----------
    part
        Of all items it has no plan, and of some of them no fewer than of more.
    """
    length = max(1, len(items) // 2)
    while True:
        place = 0
        while place < len(items) and not ask.over:
            without = [*items[:place], *items[place + length :]]
            items, place = (without, place) if ask(part(without)).nothing else (items, place + length)
        if length == 1:
            return items
        length = max(1, min(length, len(items)) // 2)


def _measured(graph: StrategyGraph, ruled: StrategyGraph, conflict: Conflict, ask: Ask) -> Conflict:
    """Say how much is needed at the first of the times by plans that keep to the limit at the others."""
    first, others = conflict.times[0], conflict.times[1:]
    asked = using(at_times(ruled, others), graph, first)
    if asked is None:
        return conflict
    answer = ask(asked)
    if answer.bound is None or answer.bound <= graph.usage_limit:
        return conflict
    enough = answer.choices is not None and judge(asked, answer.choices).total == answer.bound
    return replace(conflict, needed=answer.bound, enough=enough)
