"""What a network's partial sums take by schedules: found once for every placement, for costs and for the evaluator."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from hypar_opt.cost.sum_times import SumTimes
from hypar_opt.costgraph import CostGraph, Objective
from hypar_opt.instance.collectives_spec import BEST
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.solver.sum_schedules import SumSchedules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from hypar_opt.cost.layout import CostModel
    from hypar_opt.costgraph import Edge, Weight, Words
    from hypar_opt.costgraph.unary import TableUnary
    from hypar_opt.instance import Instance
    from hypar_opt.instance.network import Workload

BOUNDARIES: Final = "boundaries"
SUMS_TIME: Final = "sums-time"
"""Components of costs where partial sums are exchanged by schedules: bytes between layers, and what sums take."""


@dataclass(frozen=True, eq=False)
class SumTables:
    """Schedules of partial sums, and what they take by layer and word.

    Parameters
    ----------
    instance
        Whose array says by which algorithm sums are exchanged.
    """

    instance: Instance
    _schedules: dict[tuple[int, ...], SumSchedules] = field(default_factory=dict, init=False, repr=False)
    _tables: dict[tuple[int, ...], tuple[tuple[TableUnary, ...], int]] = field(
        default_factory=dict, init=False, repr=False
    )

    def schedules(self, placed: tuple[int, ...]) -> SumSchedules:
        """Return the schedules of a placement, an accelerator's position for every leaf."""
        if placed not in self._schedules:
            self._schedules[placed] = SumSchedules(self.instance, placed)
        return self._schedules[placed]

    def tables(
        self, placed: tuple[int, ...], weights: tuple[Fraction, ...], work: Workload, words: Sequence[Words],
        model: CostModel,
    ) -> tuple[tuple[TableUnary, ...], int]:  # fmt: skip
        """Return by layer what each of its words takes, and how many units of that make a second.

        Parameters
        ----------
        placed
            An accelerator's position for every leaf.
        weights
            By level, seconds of a byte that is exchanged pairwise.
        work, words, model
            The layers, their words, and how they are charged.
        """
        if placed not in self._tables:
            one, asked, schedules = self.instance, self.instance.scheduled_sums, self.schedules(placed)
            assert asked is not None  # asked for where sums are exchanged by schedules
            times = SumTimes(
                one.machine, one.partition, placed, weights, lambda levels: schedules.of(levels).moves,
                asked.chunks, asked.levels == "together", asked.algorithm == BEST,
            )  # fmt: skip
            self._tables[placed] = times.tables(work, words, model)
        return self._tables[placed]


def timed_by(
    graph: CostGraph, objective: Objective, tables: Sequence[TableUnary], between: Weight, second: Fraction
) -> tuple[CostGraph, Objective]:
    """Return costs in which boundaries take the time of their bytes, and partial sums that of their schedules.

    Parameters
    ----------
    graph, objective
        All else.
    tables
        By layer, what partial sums take.
    between, second
        What a byte of a boundary weighs by level, and a unit of the tables.
    """
    unary = tuple({**own, SUMS_TIME: table} for own, table in zip(graph.unary, tables, strict=True))
    edges = tuple(_timed(edge) for edge in graph.edges)
    weights = {**objective.weights, BOUNDARIES: between, SUMS_TIME: second}
    return graph.replace(unary=unary, edges=edges), Objective(weights)


def _timed(edge: Edge) -> Edge:
    return replace(edge, costs={**edge.costs, BOUNDARIES: edge.costs[COMMUNICATION]})
