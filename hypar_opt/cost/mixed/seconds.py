"""A plan's seconds by wait and class at any shares, from graphs that are compiled once.

Every entry is a polynomial of degree two in each share, so that its values at three shares of every split say all.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hypar_opt.cost.mixed.compile import Compiler

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hypar_opt.cost.mixed.model import MixedModel, Shares, WaitSeconds
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.instance.network import Workload

NODES: Final = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
"""The shares at which entries are known."""


class Polynomial(NamedTuple):
    """constant + linear x + square x^2."""

    constant: Fraction
    linear: Fraction
    square: Fraction

    def at(self, share: Fraction) -> Fraction:
        """Return its value."""
        return self.constant + share * (self.linear + share * self.square)


class PlanSeconds:
    """The seconds of one plan after the other.

    Parameters
    ----------
    work, model
        Of the problem.
    given
        The only shares that will be asked for; None for any.
    """

    def __init__(self, work: Workload, model: MixedModel, given: Shares | None = None) -> None:
        self.work, self.model, self.given = work, model, given

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Numbers of waits and of classes."""
        return self.model.barrier.waits(self.work, self.model.array.levels), len(self.model.array.classes)

    @cached_property
    def _graphs(self) -> dict[Shares, list[list[CostGraph]]]:
        """By node, wait and class, the graph of its seconds alone."""
        waits, classes = self.shape
        found = {}
        anywhere = product(NODES, repeat=len(self.model.array.splits))
        for node in anywhere if self.given is None else (self.given,):
            compiler = Compiler(self.work, self.model, node)
            found[node] = [[compiler.of_time(_only(i, g, self.shape)) for g in range(classes)] for i in range(waits)]
        return found

    def of(self, choices: Sequence[int]) -> Entries:
        """Return what is known of the plan that choices are."""
        return Entries(
            {
                node: tuple(tuple(_value(graph, choices) for graph in row) for row in rows)
                for node, rows in self._graphs.items()
            }
        )


class Entries:
    """A plan's seconds at the nodes.

    Parameters
    ----------
    at_nodes
        By node.
    """

    def __init__(self, at_nodes: dict[Shares, WaitSeconds]) -> None:
        self.at_nodes = at_nodes

    def at(self, shares: Shares) -> WaitSeconds:
        """Return the seconds by wait and class at some shares."""
        if shares in self.at_nodes:
            return self.at_nodes[shares]
        weights = {
            node: prod((_basis(x, share) for x, share in zip(node, shares, strict=True)), start=Fraction(1))
            for node in self.at_nodes
        }
        kept = [(weight, self.at_nodes[node]) for node, weight in weights.items() if weight]
        first = kept[0][1]
        return tuple(
            tuple(sum((weight * rows[i][g] for weight, rows in kept), start=Fraction(0)) for g in range(len(first[i])))
            for i in range(len(first))
        )

    def near(self, shares: Shares) -> NDArray[np.float64]:
        """Return about the seconds by wait and class at some shares; shape (waits, classes)."""
        found = self._floats
        if shares in self.at_nodes:
            return found.reshape(*found.shape[:2], -1)[..., list(self.at_nodes).index(shares)]
        for share in reversed(shares):
            basis = np.array([float(_basis(node, share)) for node in NODES])
            found = np.tensordot(found, basis, axes=([-1], [0]))
        return found

    @cached_property
    def _floats(self) -> NDArray[np.float64]:
        """Shape (waits, classes, nodes of the first split, of the second, ...), or one node where shares are given."""
        values = np.array([np.array(rows, dtype=np.float64) for rows in self.at_nodes.values()])
        splits = len(next(iter(self.at_nodes)))
        each = 1 if len(self.at_nodes) == 1 else len(NODES)
        return np.moveaxis(values, 0, -1).reshape(*values.shape[1:], *(each,) * splits)

    def in_share(self, shares: Shares, split: int) -> tuple[tuple[Polynomial, ...], ...]:
        """Return the entries as polynomials of one split's share, by wait and class; the other shares are given."""
        rows = [self.at((*shares[:split], node, *shares[split + 1 :])) for node in NODES]
        return tuple(
            tuple(_through(*values) for values in zip(*of_wait, strict=True)) for of_wait in zip(*rows, strict=True)
        )


def _value(graph: CostGraph, choices: Sequence[int]) -> Fraction:
    return Fraction(graph.value(choices), graph.objective.denominator)


def _only(wait: int, one: int, shape: tuple[int, int]) -> tuple[tuple[Fraction, ...], ...]:
    waits, classes = shape
    return tuple(tuple(Fraction(int((i, g) == (wait, one))) for g in range(classes)) for i in range(waits))


def _basis(node: Fraction, share: Fraction) -> Fraction:
    """Return Lagrange's polynomial that is 1 at a node and 0 at the others."""
    others = [other for other in NODES if other != node]
    return prod(((share - other) / (node - other) for other in others), start=Fraction(1))


def _through(first: Fraction, second: Fraction, third: Fraction) -> Polynomial:
    """Return the polynomial with these values at the nodes, 1/4, 1/2 and 3/4."""
    square = 8 * (first - 2 * second + third)
    linear = 2 * (third - first) - square
    return Polynomial(second - linear / 2 - square / 4, linear, square)
