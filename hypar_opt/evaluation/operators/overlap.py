"""How long a step takes whose exchanges overlap its computing: bounds, by how much of them hides."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.evaluation.operators.waits import seconds_along
from hypar_opt.evaluation.step import OverlapBounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.evaluation.operators.computing import Work
    from hypar_opt.evaluation.operators.crossings import GraphLoads
    from hypar_opt.evaluation.operators.exchanges import GroupExchange
    from hypar_opt.evaluation.operators.movement import Movement
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.instance.operators.links import AxisLink
    from hypar_opt.util.partition import Partition

Timed: TypeAlias = "tuple[Movement | GroupExchange, Fraction]"
"""What is exchanged, and how long that takes."""


def overlapping_on_axes(
    graph: OperatorGraph,
    partition: Partition,
    links: Sequence[AxisLink],
    moved: Iterable[Movement],
    done: Iterable[Work],
) -> OverlapBounds:
    """Return the bounds where every axis has links of its own.

    The least is what a device computes, or receives along one axis: bytes alone, as messages that are under way at once
    share their latencies. Of halos, which border devices need less of, it is what devices receive on average.

    Parameters
    ----------
    graph, partition, links
        What the plan is of, and the links along each axis.
    moved, done
        What the plan moves and what each device computes.

    Raises
    ------
    ValueError
        If a bandwidth is not known.
    """
    by_name = {axis.name: link for axis, link in zip(partition.axes, links, strict=True)}
    every, along = list(moved), dict.fromkeys(by_name, Fraction(0))
    for one in every:
        along[one.axis] += one.bytes / partition.leaves
    busiest = max((seconds_along(axis, by_name[axis], size, 0) for axis, size in along.items()), default=Fraction(0))
    timed = ((one, seconds_along(one.axis, by_name[one.axis], one.received, one.steps)) for one in every)
    return _bounds(graph, done, timed, busiest)


def overlapping_on_graph(graph: OperatorGraph, crossed: GraphLoads, done: Iterable[Work]) -> OverlapBounds | None:
    """Return the bounds where devices stand on a graph of links; None where one of these has no bandwidth.

    Parameters
    ----------
    graph
        What the plan is of.
    crossed, done
        What the plan puts on the links and what each device computes.
    """
    busiest = crossed.busiest_seconds
    if busiest is None:
        return None
    timed = ((exchange, (one.seconds or Fraction(0)) * times) for exchange, one, times in crossed.parts)
    return _bounds(graph, done, timed, busiest)


def _bounds(graph: OperatorGraph, done: Iterable[Work], timed: Iterable[Timed], busiest: Fraction) -> OverlapBounds:
    """Return the bounds; every operator's exchanges hide behind its own computing, or the other way round."""
    computed = {operator.name: Fraction(0) for operator in graph.operators}
    exchanged = dict(computed)
    for work in done:
        computed[work.operator] += work.seconds
    for one, seconds in timed:
        exchanged[_owner(graph, one)] += seconds
    in_all = sum(computed.values(), start=Fraction(0))
    by_layer = sum((max(computed[name], exchanged[name]) for name in computed), start=Fraction(0))
    return OverlapBounds(in_all + sum(exchanged.values(), start=Fraction(0)), by_layer, max(in_all, busiest))


def _owner(graph: OperatorGraph, one: Movement | GroupExchange) -> str:
    """Return whose exchange it is: of who reads the tensor or has the sums; else who writes it, or reads it first."""
    if one.reader is not None:
        return one.reader
    writer = graph.writers.get(one.tensor)
    return graph.operators[graph.readers[one.tensor][0][0] if writer is None else writer].name
