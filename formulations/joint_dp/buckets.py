"""The two passes over the elimination order: messages up, choices or min-marginals down."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from formulations.joint_dp.elimination import EliminationStep, message_cells, min_fill
from formulations.joint_dp.tables import Arithmetic, Factor, Pair, eliminate, local, project
from hypar_opt.formulation.potentials import Cluster, Message, Potentials
from hypar_opt.formulation.progress.tracker import Tracker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.costgraph import Array, CostGraph
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True)
class Buckets:
    """Every factor of a graph, with the step that eliminates it.

    Parameters
    ----------
    graph
        The problem.
    steps
        The elimination order.
    rank
        Of every variable in it.
    pairs
        By variable, the pairwise costs that its step eliminates.
    maths
        The tables' arithmetic.
    """

    graph: CostGraph
    steps: tuple[EliminationStep, ...]
    rank: Mapping[int, int]
    pairs: Mapping[int, tuple[Pair, ...]]
    maths: Arithmetic

    @staticmethod
    def of(graph: CostGraph, workers: int = 1) -> Buckets:
        """Order a graph's variables and hand out its factors."""
        steps = min_fill(graph)
        rank = {step.variable: i for i, step in enumerate(steps)}
        pairs: dict[int, list[Pair]] = {step.variable: [] for step in steps}
        for (first, second), cost in graph.edge_costs.items():
            pairs[min(first, second, key=rank.__getitem__)].append(Pair(first, second, cost))
        return Buckets(graph, steps, rank, {x: tuple(own) for x, own in pairs.items()}, Arithmetic.of(graph, workers))

    @cached_property
    def sizes(self) -> list[int]:
        """Numbers of values."""
        return [variable.size for variable in self.graph.variables]

    def parent(self, step: EliminationStep) -> int | None:
        """Return the variable whose step takes a step's message, or None if it is a constant."""
        return min(step.scope, key=self.rank.__getitem__, default=None)

    def own(self, variable: int) -> Factor:
        """Return a variable's own costs."""
        return local(self.graph, variable, self.maths)


Messages = dict[int, Factor]
"""By the eliminated variable."""
TELLS_S = 1.0
"""From when on it says how far it is."""


@dataclass(frozen=True, eq=False)
class EliminationResult:
    """A graph solved without its capacities.

    Parameters
    ----------
    buckets, messages
        The factors, and what every step passes on.
    children
        By variable, whose messages its step takes.
    value, choices
        The least cost, and an assignment that has it.
    """

    buckets: Buckets
    messages: Messages
    children: Mapping[int, Sequence[int]]
    value: int
    choices: tuple[int, ...]

    @staticmethod
    def of(graph: CostGraph, run: Run) -> EliminationResult | None:
        """Eliminate every variable, and decode; None if no assignment is allowed.

        Raises
        ------
        Stopped
            If a limit is hit before the last variable.
        """
        buckets = Buckets.of(graph, run.limits.workers)
        messages, children = upward(buckets, run)
        value = constant(messages)
        if value >= graph.forbidden:
            return None
        return EliminationResult(buckets, messages, children, value, tuple(decode(buckets, messages, children, run)))

    @property
    def potentials(self) -> Potentials:
        """The messages as dual potentials."""
        return potentials(self.buckets, self.messages)

    @property
    def facts(self) -> Mapping[str, int]:
        """How large the messages were."""
        steps = self.buckets.steps
        cells = message_cells(steps, self.buckets.sizes)
        return {"largest_message": max(cells, default=1), "width": max((len(x.scope) for x in steps), default=0)}


def constant(messages: Messages) -> int:
    """Return the sum of the messages that no variable takes: the least cost."""
    return sum(int(message.values) for message in messages.values() if not message.scope)


def upward(buckets: Buckets, run: Run) -> tuple[Messages, dict[int, list[int]]]:
    """Eliminate every variable in order; return the messages, and for every variable whose it takes."""
    messages: Messages = {}
    children: dict[int, list[int]] = {step.variable: [] for step in buckets.steps}
    tracker = Tracker(run.listener, run.source, "layers", len(buckets.steps), after_s=TELLS_S)
    for step in buckets.steps:
        run.check()
        taken = [messages[child] for child in children[step.variable]]
        tables = [buckets.own(step.variable), *taken]
        messages[step.variable] = eliminate(
            step.variable, buckets.pairs[step.variable], tables, buckets.sizes, buckets.maths
        )
        parent = buckets.parent(step)
        if parent is not None:
            children[parent].append(step.variable)
        tracker.add()
    return messages, children


def potentials(buckets: Buckets, messages: Messages) -> Potentials:
    """Return the messages as dual potentials: every step a cluster that pays what it passes on.

    A step's least cost, less what it passes on, is 0 for every value; the last steps' are the optimum.
    """
    kind: Literal["boundary", "bucket"] = "boundary" if buckets.graph.is_chain else "bucket"
    clusters = tuple(
        Cluster(kind, (x, *step.scope), (x,), tuple(pair.scope for pair in buckets.pairs[x]))
        for step in buckets.steps
        for x in (step.variable,)
    )
    sent = tuple(
        Message(position, buckets.rank[parent], step.scope, messages[step.variable].values)
        for position, step in enumerate(buckets.steps)
        if (parent := buckets.parent(step)) is not None
    )
    return Potentials(clusters, sent)


def decode(buckets: Buckets, messages: Messages, children: Mapping[int, Sequence[int]], run: Run) -> list[int]:
    """Choose, in reverse order, each variable's best value given the later ones; the lowest of several."""
    choices: dict[int, int] = {}
    for step in reversed(buckets.steps):
        run.check()
        x = step.variable
        total = buckets.own(x).values
        for pair in buckets.pairs[x]:
            total = buckets.maths.add(total, pair.row(x, choices, buckets.maths.dtype))
        for child in children[x]:
            total = buckets.maths.add(total, messages[child].row(x, choices))
        choices[x] = int(np.argmin(total))
    return [choices[x] for x in range(len(choices))]


def downward(
    buckets: Buckets, messages: Messages, children: Mapping[int, Sequence[int]], run: Run
) -> tuple[Array, ...]:
    """Return for every variable and value the least cost of an assignment that has it."""
    found: dict[int, Array] = {}
    for step, above in descending(buckets, messages, children, run):
        x = step.variable
        tables = [buckets.own(x), above, *(messages[child] for child in children[x])]
        found[x] = buckets.maths.clip(_project((x,), x, step, buckets, tables))
    return tuple(found[x] for x in range(len(found)))


def descending(
    buckets: Buckets, messages: Messages, children: Mapping[int, Sequence[int]], run: Run
) -> Iterator[tuple[EliminationStep, Factor]]:
    """Yield the steps in reverse order, each with the least cost of all that its message is not about, by its scope.

    What reaches a variable from above is what its parent knows without the variable's own message.
    """
    total, dtype = constant(messages), buckets.maths.dtype
    waiting: dict[int, Factor] = {}
    tracker = Tracker(run.listener, run.source, "layers", len(buckets.steps), after_s=TELLS_S)
    for step in reversed(buckets.steps):
        run.check()
        x = step.variable
        outside = Factor((), np.asarray(total - int(messages[x].values), dtype=dtype)) if not step.scope else None
        above = waiting.pop(x) if outside is None else outside
        yield step, above
        known = [buckets.own(x), above]
        for child in children[x]:
            others = (messages[other] for other in children[x] if other != child)
            scope = messages[child].scope
            waiting[child] = Factor(scope, _project(scope, x, step, buckets, [*known, *others]))
        tracker.add()


def _project(
    keep: tuple[int, ...], variable: int, step: EliminationStep, buckets: Buckets, tables: Sequence[Factor]
) -> Array:
    """Minimise the factors of one step over every variable of it that is not kept."""
    return project(keep, (*step.scope, variable), buckets.pairs[variable], tables, buckets.sizes, buckets.maths)
