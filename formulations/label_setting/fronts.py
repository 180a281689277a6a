"""The whole front of two criteria and more.

Plans that weighted sums find before any label is made, and the bounds that come with them, say what need not be kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np

from formulations.joint_dp.best import best_assignment
from formulations.joint_dp.buckets import EliminationResult, downward
from formulations.joint_dp.elimination import is_forest
from formulations.joint_dp.folding import FoldingResult
from formulations.label_setting.bounds import AtMost, Completion, Undominated
from formulations.label_setting.clusters import ClusterEnumeration, completion_of
from formulations.label_setting.dominance import non_dominated
from formulations.label_setting.enumeration import Enumeration
from formulations.label_setting.forest import CapacityUsage, Forest, usages_of
from formulations.label_setting.table import Full
from formulations.label_setting.zones import LeastSum, most_excess, open_zones
from hypar_opt.costgraph import CostGraph, Edge, Objective, TableUnary
from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import FrontPoint, FrontSolution

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from formulations.label_setting.bounds import Bound


OVERFULL = "the least usages exceed what is allowed"
"""Of memory, or of a component of the cost that has a bound: graphs call both capacities."""


def front_of(graphs: Sequence[CostGraph], run: Run) -> FrontSolution:
    """Enumerate the front of a graph.

    Parameters
    ----------
    graphs
        One a criterion.
    run
        Its limits are kept: a front that was not finished has the plans that are known, and is not complete.

    Raises
    ------
    ValueError
        If the graphs' edges differ.
    """
    usages = usages_of(graphs[0])
    if any(usage.limit < 0 for usage in usages):
        return FrontSolution((), complete=True, native_status=OVERFULL)
    begun: Callable[[Sequence[Bound], Run], Enumeration | ClusterEnumeration] = partial(ClusterEnumeration.of, graphs)
    completed = Weighed.completion_of_clusters
    if is_forest(graphs[0]):
        begun, completed = partial(Enumeration.of, Forest.of(graphs)), Weighed.completion
    count = len(graphs[0].variables)
    if not count:
        return FrontSolution((FrontPoint((0,) * len(graphs), ()),), complete=True, native_status="nothing to choose")
    known, enumeration = KnownPlans(tuple(graphs), usages), begun([], run)
    try:
        run.phase("minimising weighted sums")
        fitting = usage_bounds(known, completed, run)
        if fitting is None:
            return FrontSolution((), complete=True, native_status=OVERFULL)
        alone = known.explore(run, SUMS)
        if alone is None:
            return FrontSolution((), complete=True, native_status="no allowed assignment")
        completions = tuple(completed(one, run) for one in alone)
        run.phase(f"labels of {count} layers")
        enumeration = begun([*fitting, Undominated(completions, known.vectors)], run)
        # a layer's labels are some times as many as those of the layer before: no estimate follows from those
        tracker = Tracker(run.listener, run.source, "layers", count, estimated=False, after_s=1.0)
        for values, choices in enumeration.run(tracker.add):
            known.offer(values, choices)
    except Stopped as stopped:
        reason = "the labels exceed the memory limit" if isinstance(stopped, Full) else "stopped before the last layer"
        facts = _facts(enumeration)
        return FrontSolution(known.points, complete=False, native_status=reason, statistics=facts, excess=known.excess)
    return FrontSolution(known.points, complete=True, native_status="all labels seen", statistics=_facts(enumeration))


def _facts(enumeration: Enumeration | ClusterEnumeration) -> dict[str, int | float | str]:
    room = enumeration.room
    return {"labels_made": room.made, "labels_kept": room.stored, "labels_of_a_layer": room.most}


@dataclass(frozen=True, eq=False)
class Weighed:
    """A weighted sum's least value, and where it is attained.

    Parameters
    ----------
    weights
        By coordinate.
    graph
        Whose costs are the weighted sum.
    solved
        The least weighted sum over all assignments, whatever they use, and one that has it.
    """

    weights: tuple[int, ...]
    graph: CostGraph
    solved: EliminationResult | FoldingResult

    @staticmethod
    def of(problem: Forest | KnownPlans, weights: Sequence[int], run: Run) -> Weighed | None:
        """Minimise; None if no assignment is allowed."""
        graph = weighted(problem.graphs, weights, problem.usages)
        solved = best_assignment(graph, run)
        return None if solved is None else Weighed(tuple(weights), graph, solved)

    def _eliminated(self, run: Run) -> EliminationResult:
        """Return the elimination of all variables, those of blocks that were not looked at, too."""
        if isinstance(self.solved, EliminationResult):
            return self.solved
        found = EliminationResult.of(self.graph, run)
        if found is None or found.value != self.solved.value:
            raise ValueError("blocks by themselves cost something else than all variables")
        return found

    def completion(self, run: Run) -> Completion:
        """Return the least that completes a label, for every value of every variable.

        What an assignment with a value costs at least, less what the value's subtree costs at least.
        """
        solved = self._eliminated(run)
        buckets, messages, children = solved.buckets, solved.messages, solved.children
        through = downward(buckets, messages, children, run)
        never = buckets.graph.forbidden
        least = {}
        for x, total in enumerate(through):
            inside = buckets.own(x).values
            for child in children[x]:
                inside = buckets.maths.add(inside, messages[child].values)
            least[x] = np.where(total >= never, never, total - inside)
        return Completion(self.weights, least, never)

    def completion_of_clusters(self, run: Run) -> Completion:
        """Return the least that completes a label of several variables' values."""
        return completion_of(self.weights, self._eliminated(run), run)


def usage_bounds(
    problem: Forest | KnownPlans, completed: Callable[[Weighed, Run], Completion], run: Run
) -> list[AtMost] | None:
    """Return by capacity that pairs of values use the test that some completion is within it; None if no plan is."""
    found = []
    for usage in problem.usages:
        if usage.pairs:
            weights = (*(0 for _ in problem.graphs), *(int(one is usage) for one in problem.usages))
            least = Weighed.of(problem, weights, run)
            if least is not None and least.solved.value > usage.limit:
                return None
            if least is not None:
                found.append(AtMost(completed(least, run), usage.limit))
    return found


def weighted(graphs: Sequence[CostGraph], weights: Sequence[int], usages: Sequence[CapacityUsage] = ()) -> CostGraph:
    """Return the graph whose objective is a weighted sum of criteria and usages, without capacities."""
    first, names = graphs[0], [f"coordinate {j}" for j in range(len(weights))]
    chosen = [(name, weight != 0) for name, weight in zip(names, weights, strict=True)]
    costs = [(name, graph) for (name, counts), graph in zip(chosen, graphs, strict=False) if counts]
    used = [(name, usage) for (name, counts), usage in zip(chosen[len(graphs) :], usages, strict=True) if counts]
    unary = tuple(
        {name: graph.unary_costs[x] for name, graph in costs} | {name: TableUnary(usage.own[x]) for name, usage in used}
        for x in range(len(first.variables))
    )
    shared = [(name, graph.edge_costs) for name, graph in costs] + [(name, usage.pairs) for name, usage in used]
    edges = tuple(Edge(*pair, {name: of[pair] for name, of in shared if pair in of}) for pair in first.edge_costs)
    objective = Objective({name: Fraction(weight) for name, weight in zip(names, weights, strict=True)})
    return CostGraph(first.variables, unary, edges, objective, repeats=first.repeats)


SUMS = 24
"""Weighted sums of two criteria that are tried at most."""
GRID = {3: 6, 4: 3}
"""Directions of three criteria: shares of a sixth; of four, of a third; of more, of a half."""
BESIDE = 6
"""As which share of the one in question other criteria, and usages at first, are priced."""
DOUBLED = 16
"""How often the prices of usages are doubled in search of a plan that fits."""
FINE = 2**10
"""Weights are rounded to such a share of the larger; any are valid."""


@dataclass
class KnownPlans:
    """Allowed plans by their values.

    Parameters
    ----------
    graphs
        One a criterion.
    usages
        The capacities that not every plan is within.
    plans
        Choices by values, dominated ones among them.
    supported
        Those that minimise a sum with positive weights: no other plan dominates them.
    sums
        What is proven of weighted sums.
    """

    graphs: tuple[CostGraph, ...]
    usages: tuple[CapacityUsage, ...]
    plans: dict[tuple[int, ...], tuple[int, ...]] = field(default_factory=dict)
    supported: dict[tuple[int, ...], tuple[int, ...]] = field(default_factory=dict)
    sums: list[LeastSum] = field(default_factory=list)

    def offer(self, values: tuple[int, ...], choices: tuple[int, ...]) -> None:
        """Keep a plan; of several with the same values the last."""
        self.plans[values] = choices

    @property
    def vectors(self) -> list[tuple[int, ...]]:
        """The values of plans that no other known one dominates, ascending."""
        vectors = list(self.plans)
        if not vectors:
            return []
        columns = [np.array(column, dtype=object) for column in zip(*vectors, strict=True)]
        return [vectors[i] for i in non_dominated(np.zeros(len(vectors), dtype=np.intp), columns)]

    @property
    def points(self) -> tuple[FrontPoint, ...]:
        """The plans with these values."""
        return tuple(FrontPoint(values, self.plans[values]) for values in self.vectors)

    @property
    def excess(self) -> Fraction | None:
        """By which share the known plans may be worse than any other; None if nothing is proven."""
        return most_excess(open_zones(self.vectors, len(self.graphs)), self.sums)

    def explore(self, run: Run, most: int) -> tuple[Weighed, ...] | None:
        """Minimise every criterion and some weighted sums, whatever is used.

        Parameters
        ----------
        most
            Sums of two criteria beside each of them alone.

        Returns
        -------
        Every criterion alone; None where no assignment is allowed.
        """
        count = len(self.graphs)
        alone, ends = [], []
        for j in range(count):
            found = self._weighed([int(i == j) for i in range(count)], run)
            if found is None:
                return None
            alone.append(found)
            ends.append(self._seen(found))
        if count == 2:
            self._between(ends[0], ends[1], run, most)
        else:
            self._among(ends, run)
        if self.usages and not self.plans:
            for j in range(count if count in GRID else 1):  # of many criteria prices seldom say more than of one
                self._priced(j, ends, run)
        if not self.supported:  # one plan may have the least of all criteria
            self._minimise((1,) * count, run)
        return tuple(alone)

    def _between(self, first: tuple[int, ...], second: tuple[int, ...], run: Run, most: int) -> None:
        """Minimise along the normals of the segments between neighbours, breadth first, as long as that helps."""
        waiting = [(first, second)]
        for _ in range(most):
            if not waiting:
                return
            left, right = waiting.pop(0)
            weights = left[1] - right[1], right[0] - left[0]
            if min(weights) <= 0:
                continue
            found = self._minimise(_rounded(*weights), run)
            if found not in (left, right):
                waiting += [(left, found), (found, right)]

    def _among(self, ends: Sequence[tuple[int, ...]], run: Run) -> None:
        """Minimise along a grid of directions, each criterion measured by its range over the criteria's own plans."""
        grid = GRID.get(len(ends), 2)
        spans = [max(1, max(column) - min(column)) for column in zip(*ends, strict=True)]
        places = range(len(ends))
        for chosen in combinations_with_replacement(places, grid):
            shares = [chosen.count(place) for place in places]
            weights = (Fraction(max(grid * share, 1), span) for share, span in zip(shares, spans, strict=True))
            self._minimise(_rounded(*weights), run)

    def _priced(self, criterion: int, ends: Sequence[tuple[int, ...]], run: Run) -> None:
        """Keep a plan that fits, if usages at a price that is doubled until one does lead to one."""
        least = [max(1, min(map(abs, column))) for column in zip(*ends, strict=True)]
        own = [Fraction(1 if j == criterion else Fraction(1, BESIDE), value) for j, value in enumerate(least)]
        for doubled in range(DOUBLED):
            prices = [Fraction(2**doubled, BESIDE * usage.upper) for usage in self.usages]
            finest = min((*own, *prices))  # costs and usages may be of quite different magnitudes
            found = Weighed.of(self, [round(FINE * weight / finest) for weight in (*own, *prices)], run)
            if found is not None and self.graphs[0].feasible(found.solved.choices):
                self.offer(tuple(graph.value(found.solved.choices) for graph in self.graphs), found.solved.choices)
                return

    def _minimise(self, weights: tuple[int, ...], run: Run) -> tuple[int, ...]:
        found = self._weighed(weights, run)
        return self._seen(found) if found is not None else ()

    def _weighed(self, weights: Sequence[int], run: Run) -> Weighed | None:
        found = Weighed.of(self, (*weights, *(0 for _ in self.usages)), run)
        if found is not None:
            self.sums.append(LeastSum(tuple(weights), found.solved.value))
        return found

    def _seen(self, found: Weighed) -> tuple[int, ...]:
        """Return a plan's values; keep it if it is within the capacities."""
        choices = found.solved.choices
        values = tuple(graph.value(choices) for graph in self.graphs)
        if self.graphs[0].feasible(choices):
            self.offer(values, choices)
            if all(found.weights[: len(values)]):
                self.supported[values] = choices
        return values


def _rounded(*weights: int | Fraction) -> tuple[int, ...]:
    """Return about the same ratios in small numbers, none of them 0."""
    most = max(weights)
    return tuple(max(1, round(weight * FINE / Fraction(most))) for weight in weights)
