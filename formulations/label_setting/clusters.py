"""The labels of graphs with cycles: bucket elimination with sets of labels for messages.

A step eliminates one variable x, as in joint-dp's dynamic programme of one criterion: the labels that it takes are by
the values of x and of some of its neighbours, those it passes on by the values of all of them,

    L_x[S] = ND( union over x of u_x + sum of c_xy over y in S + sum over taken y of L_y ),

where one neighbour that nothing else depends on may take the place of x letter by letter. A label is dropped where
what completes it, given the values of all variables that it depends on, leads to nothing new. What capacities are used
are coordinates beside the criteria, so that of two labels the one that costs more and uses less stays.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from formulations.joint_dp.buckets import Buckets, descending
from formulations.joint_dp.elimination import BYTES_PER_CELL
from formulations.joint_dp.tables import eliminate, total_along
from formulations.label_setting.bounds import Completion
from formulations.label_setting.dominance import non_dominated
from formulations.label_setting.forest import label_dtype, usages_of, within
from formulations.label_setting.scopes import ScopedLabels
from formulations.label_setting.table import Labels, Room

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from formulations.joint_dp.buckets import EliminationResult
    from formulations.joint_dp.elimination import EliminationStep
    from formulations.joint_dp.tables import Factor
    from formulations.label_setting.bounds import Bound
    from formulations.label_setting.forest import CapacityUsage
    from formulations.label_setting.scopes import Origins, Scope
    from hypar_opt.costgraph import Array, CostGraph, EdgeCost
    from hypar_opt.formulation.run import Run


WORK = 6
"""Arrays as long as the states of a scope, beside those of the bounds."""


@dataclass(frozen=True)
class StepScopes:
    """What the labels of a step depend on, one scope after the other.

    Parameters
    ----------
    variable
        What is eliminated.
    taken
        With the messages that the step takes; then a variable more at a time.
    passed
        In the end.
    last
        The neighbour that takes the variable's place, or None.
    """

    variable: int
    taken: tuple[Scope, ...]
    passed: Scope
    last: int | None

    @staticmethod
    def of(step: EliminationStep, messages: Sequence[Scope]) -> StepScopes:
        """Return the scopes of a step that takes messages of these."""
        first = tuple(dict.fromkeys([x for scope in messages for x in scope] or [step.variable]))
        *before, last = (None, *(y for y in step.scope if y not in first))
        taken = [first]
        for y in before[1:]:
            assert y is not None
            taken.append((*taken[-1], y))
        rest = tuple(y for y in taken[-1] if y != step.variable)
        return StepScopes(step.variable, tuple(taken), rest if last is None else (*rest, last), last)


def scopes_of(buckets: Buckets) -> tuple[StepScopes, ...]:
    """Return the scopes of all steps."""
    waiting: dict[int, list[Scope]] = {}
    found = []
    for step in buckets.steps:
        one = StepScopes.of(step, waiting.pop(step.variable, []))
        parent = buckets.parent(step)
        if parent is not None:
            waiting.setdefault(parent, []).append(one.passed)
        found.append(one)
    return tuple(found)


def states(graph: CostGraph) -> tuple[int, int]:
    """Return the most combinations of values that labels of a step are by, and how many those of all steps are."""
    buckets = Buckets.of(graph)
    counts = [prod(buckets.sizes[x] for x in scope) for one in scopes_of(buckets) for scope in (*one.taken, one.passed)]
    return max(counts, default=1), sum(counts)


def completion_of(weights: tuple[int, ...], solved: EliminationResult, run: Run) -> Completion:
    """Return the least that completes a label in every scope of every step, by the step's variable and the scope.

    Parameters
    ----------
    weights
        By criterion.
    solved
        The weighted sum.
    """
    buckets, least = solved.buckets, {}
    scopes = {one.variable: one for one in scopes_of(buckets)}
    for step, above in descending(buckets, solved.messages, solved.children, run):
        one = scopes[step.variable]
        for scope in one.taken:
            least[step.variable, scope] = _completing(buckets, step.variable, scope, above).reshape(-1)
        least[step.variable, one.passed] = total_along(one.passed, [above], buckets.sizes, buckets.maths).reshape(-1)
    return Completion(weights, least, buckets.graph.forbidden)


def _completing(buckets: Buckets, variable: int, scope: Scope, above: Factor) -> Array:
    """Minimise what is not yet in labels of a scope over all variables that are not in it."""
    tables = [above]
    for pair in buckets.pairs[variable]:
        y = pair.other(variable)
        if y not in scope:
            with_y = [table for table in tables if y in table.scope]
            less = eliminate(y, [pair], with_y, buckets.sizes, buckets.maths)
            tables = [*(table for table in tables if y not in table.scope), less]
    return total_along(scope, tables, buckets.sizes, buckets.maths)


@dataclass(frozen=True, eq=False)
class ClusterEnumeration:
    """The labels of any graph.

    Parameters
    ----------
    graphs
        One a criterion, of the same variables and pairs.
    usages
        The capacities that not every plan is within, first those that pairs of values use.
    buckets
        The elimination order.
    bounds
        Tests that every label has to pass.
    room
        Counts labels.
    """

    graphs: tuple[CostGraph, ...]
    usages: tuple[CapacityUsage, ...]
    buckets: Buckets
    bounds: Sequence[Bound]
    room: Room

    @staticmethod
    def of(graphs: Sequence[CostGraph], bounds: Sequence[Bound], run: Run) -> ClusterEnumeration:
        """Begin with no labels."""
        usages = usages_of(graphs[0])
        room = Room(run, len(graphs) + len(usages), BYTES_PER_CELL[label_dtype(graphs, usages) is not object])
        return ClusterEnumeration(tuple(graphs), usages, Buckets.of(graphs[0]), bounds, room)

    def run(self, on_layer: Callable[[], None] | None = None) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return every point of the front that passes the tests: values and choices, ascending.

        Parameters
        ----------
        on_layer
            Called after every variable.

        Raises
        ------
        Stopped
            If a limit is hit before the last label.
        """
        waiting: dict[int | None, list[ScopedLabels]] = {}
        kept: dict[int, ScopedLabels] = {}
        for step, scopes in zip(self.buckets.steps, scopes_of(self.buckets), strict=True):
            at = self._taken(step.variable, scopes, waiting.pop(step.variable, []))
            self.room.keep(at.labels.count, len(at.origins))
            waiting.setdefault(self.buckets.parent(step), []).append(self._passed(at.from_(step.variable), scopes))
            kept[step.variable] = at.bare
            if on_layer is not None:
                on_layer()
        root = self._sums(waiting.pop(None))
        root = root.only(within(self.usages, root.labels))
        columns = root.labels.values[: len(self.graphs)]
        best = non_dominated(root.labels.states, columns)
        choices = self._decoded({child: pointer[best] for child, pointer in root.origins.items()}, kept)
        return list(zip(zip(*(map(int, column[best]) for column in columns), strict=True), choices, strict=True))

    def _taken(self, x: int, scopes: StepScopes, messages: list[ScopedLabels]) -> ScopedLabels:
        """Return the labels of a step: the messages', its own costs, and those of pairs whose values are both known."""
        own = [graph.unary_costs[x].dense(self.dtype) for graph in self.graphs]
        own += [usage.own[x].astype(self.dtype) for usage in self.usages]
        if not messages:
            at = ScopedLabels.of(x, self.buckets.sizes, own)
        else:
            at = self._sums(messages)
            at = at.shifted([_along(at.scope, (x,), cost) for cost in own])
        for pair in self.buckets.pairs[x]:
            if pair.other(x) in at.scope:
                at = at.shifted(self._tables(at.scope, *pair.scope))
        mask = self.graphs[0].variables[x].mask
        if mask is not None:
            at = at.only(mask[at.values_of(x, np.arange(at.labels.count))])
        return self._levelled(x, self._tested(x, at))

    def _passed(self, at: ScopedLabels, scopes: StepScopes) -> ScopedLabels:
        """Return what a step passes on."""
        x, last = scopes.variable, scopes.last
        for scope in scopes.taken[1:]:
            y, before = scope[-1], at.labels.count
            self.room.take(before * self.buckets.sizes[y], before)
            at = self._tested(x, at.along(scope).shifted(self._tables(scope, x, y)))
        costs = () if last is None else self._costs(x, last)
        return self._tested(x, at.without(x, last, costs, self.dtype, self.room.take))

    def _tested(self, x: int, at: ScopedLabels) -> ScopedLabels:
        at = at.only(within(self.usages, at.labels))
        for bound in self.bounds:
            at = at.only(bound.keeps((x, at.scope), at.labels))
        return at

    def _levelled(self, x: int, at: ScopedLabels) -> ScopedLabels:
        """Return the labels with usages raised to the largest that all others together cannot bring over the limit.

        Usages that make no difference any more do not keep a label from being dominated. Labels of several parts may be
        raised and then added: with limit L, U the most that all can use and A_i of it in part i, part i is raised to
        L - U + A_i at most, and no other part has more than its A_j, so that the sum stays harmless.
        """
        first = len(self.graphs)
        values = list(at.labels.values)
        for j, harmless in enumerate(self._harmless, start=first):
            values[j] = np.maximum(values[j], harmless[x])
        return replace(at, labels=Labels(tuple(values), at.labels.offsets))

    @cached_property
    def _harmless(self) -> Sequence[Mapping[int, int]]:
        """By capacity and variable: the most that its labels may use and fit whatever else is used."""
        found = []
        for usage in self.usages:
            inside = dict(enumerate(usage.most))
            for step in self.buckets.steps:
                parent = self.buckets.parent(step)
                if parent is not None:
                    inside[parent] += inside[step.variable]
            found.append({x: usage.limit - usage.upper + most for x, most in inside.items()})
        return found

    def _sums(self, messages: list[ScopedLabels]) -> ScopedLabels:
        total, *others = messages
        for other in others:
            total = total.plus(other, self.room.take)
        return total

    def _costs(self, first: int, second: int) -> list[EdgeCost]:
        """Return by coordinate, as far as pairs count there, what a pair of values costs and uses."""
        pair = min(first, second), max(first, second)
        costs = [graph.edge_costs[pair] for graph in self.graphs]
        costs += [usage.pairs[pair] for usage in self.usages if usage.pairs]
        return costs if first < second else [cost.transposed() for cost in costs]

    def _tables(self, scope: Scope, first: int, second: int) -> list[Array]:
        """Return by coordinate what a pair of values costs and uses, for a scope's labels."""
        tables = [_along(scope, (first, second), cost.dense(self.dtype)) for cost in self._costs(first, second)]
        unused = len(self.graphs) + len(self.usages) - len(tables)
        return [*tables, *[np.zeros((1,) * len(scope), dtype=self.dtype)] * unused]

    @cached_property
    def dtype(self) -> Any:
        """As `label_dtype`."""
        return label_dtype(self.graphs, self.usages)

    def _decoded(self, origins: Origins, kept: Mapping[int, ScopedLabels]) -> list[tuple[int, ...]]:
        """Follow the pointers from the last labels to the first; return every point's choices."""
        at = dict(origins)
        choices = np.empty((len(next(iter(at.values()))), len(kept)), dtype=np.intp)
        for step in reversed(self.buckets.steps):
            x = step.variable
            choices[:, x] = kept[x].values_of(x, at[x])
            at |= {child: pointer[at[x]] for child, pointer in kept[x].origins.items()}
        return [tuple(row) for row in choices.tolist()]


def _along(scope: Scope, own: Scope, table: Array) -> Array:
    """Return a table by the values of some variables with an axis for each of a scope, of length 1 for the others."""
    order = sorted(range(len(own)), key=lambda axis: scope.index(own[axis]))
    sizes = dict(zip(own, table.shape, strict=True))
    return table.transpose(order).reshape([sizes.get(x, 1) for x in scope])
