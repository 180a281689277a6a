"""Dual potentials: what a formulation can hand over so that others can check its bound without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array


@dataclass(frozen=True)
class Cluster:
    """A few variables, and the costs that are charged to them together.

    Parameters
    ----------
    kind
        Where it comes from: a chain's boundary, a step of an elimination order, or an edge.
    variables
        Positions in the CostGraph.
    unary
        The variables whose own costs are charged here.
    edges
        The pairs (first < second) whose costs are charged here.
    """

    kind: Literal["boundary", "bucket", "edge"]
    variables: tuple[int, ...]
    unary: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Message:
    """What one cluster pays and another is given, by the values of variables that both have.

    Parameters
    ----------
    source, target
        Positions of the clusters.
    variables
        An axis of `values` each.
    values
        Exact integers in the CostGraph's unit.
    """

    source: int
    target: int
    variables: tuple[int, ...]
    values: Array


@dataclass(frozen=True)
class Potentials:
    """Clusters that charge every cost once, and messages between them.

    The sum over clusters of their least cost, messages given and paid included, bounds every assignment from
    below, whatever the messages are.

    Parameters
    ----------
    clusters, messages
        Messages in the order of min(source, target).
    multipliers
        One a capacity, not negative; none yet, as no certificate is written where a capacity binds.
    """

    clusters: tuple[Cluster, ...]
    messages: tuple[Message, ...]
    multipliers: tuple[int, ...] = ()
