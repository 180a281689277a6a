"""An instance with stages compiled: its submeshes, what crosses between them, and the strategies inside."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

from hypar_opt.cost.stages import moved_tensors, seconds_across, seconds_inside
from hypar_opt.costgraph.pipeline.submeshes import Submesh, SubmeshGraph
from hypar_opt.instance.parts import on_leaves
from hypar_opt.solver.network_costs import NetworkCosts
from hypar_opt.solver.staged.optima import StageOptima

if TYPE_CHECKING:
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.instance import Instance
    from hypar_opt.instance.network import Workload


@dataclass(frozen=True)
class ArrayPart:
    """A submesh before its costs are scaled.

    Parameters
    ----------
    first, levels, kind
        As of a `Submesh`.
    entering, leaving
        Seconds a byte.
    """

    first: int
    levels: int
    kind: int
    entering: Fraction
    leaving: Fraction


@dataclass(frozen=True, eq=False)
class CompiledStages:
    """What is compiled of an instance once.

    Parameters
    ----------
    instance
        Whose layers are put into stages.
    """

    instance: Instance

    @cached_property
    def work(self) -> Workload:
        """The decided layers of the whole network."""
        return NetworkCosts(self.instance).work

    @cached_property
    def parts(self) -> tuple[ArrayPart, ...]:
        """All submeshes, the largest first."""
        instance, kinds = self.instance, dict[tuple[int, tuple[Fraction, ...]], int]()
        found = []
        for levels in reversed(range(instance.levels + 1)):
            for first in range(0, instance.partition.leaves, 2**levels):
                kind = kinds.setdefault((levels, seconds_inside(instance, first, levels)), len(kinds))
                found.append(
                    ArrayPart(first, levels, kind, self._across(first, levels), self._across(first + 2**levels, levels))
                )
        return tuple(found)

    def _across(self, leaf: int, levels: int) -> Fraction:
        if 0 < leaf < self.instance.partition.leaves:
            return seconds_across(self.instance, leaf, levels)
        return Fraction(0)

    @cached_property
    def graphs(self) -> tuple[CostGraph, ...]:
        """By kind of submesh, the strategies of all layers there."""
        firsts = {part.kind: part for part in reversed(self.parts)}
        instances = (on_leaves(self.instance, firsts[kind].first, firsts[kind].levels) for kind in sorted(firsts))
        return tuple(NetworkCosts(one).graph for one in instances)

    @cached_property
    def unit(self) -> int:
        """How many units of time make a second: all times are whole numbers of them."""
        across = (weight.denominator for part in self.parts for weight in (part.entering, part.leaving))
        return lcm(*(graph.objective.denominator for graph in self.graphs), *across)

    def graph(self, inside: str | None = None) -> SubmeshGraph:
        """Return what formulations read.

        Parameters
        ----------
        inside
            Who finds the strategies inside of stages; None for the default.
        """
        scales = tuple(self.unit // graph.objective.denominator for graph in self.graphs)
        submeshes = tuple(
            Submesh(one.first, one.levels, one.kind, int(one.entering * self.unit), int(one.leaving * self.unit))
            for one in self.parts
        )
        tensors = moved_tensors(self.instance)
        crossing = max(one.entering + one.leaving for one in submeshes) * max(1, sum(one.size for one in tensors))
        longest = max(graph.upper * scale for graph, scale in zip(self.graphs, scales, strict=True))
        microbatches = self.instance.microbatches or 1
        return SubmeshGraph(
            tuple(layer.name for layer in self.work.layers),
            tuple(dict.fromkeys((edge.producer, edge.reader) for edge in self.work.boundaries)),
            tensors,
            submeshes,
            StageOptima(self.work, self.graphs, scales, inside),
            longest + crossing,
            1,
            microbatches - 1,
            self.unit * microbatches,
        )
