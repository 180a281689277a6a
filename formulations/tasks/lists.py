"""Lists as formulations, one a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from formulations.tasks.rules import FIRST, RATIO, SHORT, TAIL, WORK
from formulations.tasks.starts import best_listed, concluded
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from formulations.tasks.rules import ListRule
    from hypar_opt.costgraph.tasks import TimedGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

RANK: Final = 450
"""Of the first of them in tables."""


@dataclass(frozen=True)
class TaskList:
    """A list by one rule.

    Parameters
    ----------
    name, summary, capabilities
        As of every formulation.
    rule
        Which task comes first.
    """

    name: str
    summary: str
    capabilities: Capabilities
    rule: ListRule

    def accepts(self, graph: TimedGraph, run: Run) -> str | None:
        """Accept every graph."""
        return None

    def solve(self, graph: TimedGraph, run: Run) -> Solution:
        """Go through time once, or once for either way to choose of groups."""
        return concluded(graph, run, best_listed(graph, run, (self.rule,)), self.name.removeprefix("task-"))


def _of(rule: ListRule, rank: int, *, is_default: bool = False) -> TaskList:
    able = Capabilities(exact=False, decides="begins", rank=rank, default_for={"task-graph": 1} if is_default else {})
    return TaskList(rule.name, rule.summary, able, rule)


BY_TAIL = _of(TAIL, RANK, is_default=True)
BY_WORK = _of(WORK, RANK + 1)
BY_FIRST = _of(FIRST, RANK + 2)
BY_SHORT = _of(SHORT, RANK + 3)
BY_RATIO = _of(RATIO, RANK + 4)
