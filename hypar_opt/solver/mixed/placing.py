"""Where accelerators of several kinds stand, for words and shares that are given: each on a node of its kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.links import charge_of, every_route
from hypar_opt.costgraph.placement.traffic import TrafficGraph
from hypar_opt.evaluation.mixed import read_by_leaf
from hypar_opt.instance.objective.components import PLACED, parts_of
from hypar_opt.solver.problem import Decoded, Start, Task
from hypar_opt.solver.sites import sites_named
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance import Instance
    from hypar_opt.solver.mixed.costs import MixedCosts
    from hypar_opt.solver.plan import Plan

MOST_SITES: Final = 1024
"""Accelerators among which a placement is decided."""


def misplaced_kind(instance: Instance, placement: Sequence[str]) -> str | None:
    """Return which leaf stands on a node that is not of its kind, or None.

    Raises
    ------
    InputError
        If a name is no accelerator's, or there is not one for every leaf.
    """
    array = instance.mixed
    assert array is not None  # others have no kinds
    sites = sites_named(placement, instance.machine.accelerators, array.partition.leaves, "leaf")
    if len(set(sites)) < len(sites):
        return "two leaves stand on one accelerator"
    of_site = instance.spec.array.site_kinds
    for leaf, (site, name) in enumerate(zip(sites, placement, strict=True)):
        kind = array.kinds[array.partition.accelerator(leaf)].name
        there = of_site.get(site)
        if there is None or array.kinds[there].name != kind:
            found = "no kind" if there is None else f"kind '{array.kinds[there].name}'"
            return f"leaf {leaf} of kind '{kind}' stands on '{name}', which is of {found}"
    return None


@dataclass(frozen=True, eq=False)
class MixedPlacementTask(Task):
    """The placement alone.

    Parameters
    ----------
    problem
        Whose placement is to be decided.
    strategies
        A plan of it, at its given shares.
    """

    problem: MixedCosts
    strategies: Mapping[str, str]

    @cached_property
    def graph(self) -> TrafficGraph:
        """What the formulation reads; costs are in units of 1 / unit."""
        flows, costs, unit = self._tables
        partition, machine = self.problem.array.partition, self.problem.instance.machine
        of_site = self.problem.instance.spec.array.site_kinds
        kinds = [of_site.get(site, -1) for site in range(len(machine.accelerators))]
        allowed = np.array(
            [[partition.accelerator(leaf) == kind for kind in kinds] for leaf in range(partition.leaves)]
        )
        return TrafficGraph(partition, flows * (self.unit // unit), costs, 0, machine.accelerators, allowed)

    @cached_property
    def _tables(self) -> tuple[np.ndarray, np.ndarray, int]:
        """Return what pairs exchange, what pairs of sites cost, and the unit of their products."""
        weights: dict[str, Fraction] = {}
        for name, weight in self.problem.objective.weights.items():
            for part in parts_of(name):
                if part in PLACED:
                    weights[part] = weights.get(part, Fraction(0)) + weight
        machine, partition = self.problem.instance.machine, self.problem.array.partition
        if len(machine.accelerators) > MOST_SITES:
            raise Refusal(f"placements are decided on at most {MOST_SITES:,} accelerators; try --placement identity")
        charge, routes = charge_of(machine, weights), every_route(machine)
        sites, count = len(machine.accelerators), partition.leaves
        costs = routes.sums(charge.added).reshape(sites, sites).astype(object)
        sent = np.full((count, count), Fraction(0))
        words, shares = self.problem.compiled.told(self.strategies, self.problem.box.low)
        read = read_by_leaf(self.problem.work, words, shares, self.problem.judged_by)
        for level, sizes in enumerate(read):
            for leaf, size in enumerate(sizes):
                sent[partition.peers(leaf, level)[0], leaf] += size
        if not np.array_equal(costs, costs.T) and not np.array_equal(sent, sent.T):
            why = "the way there and the way back cost different energies, and so much is sent"
            raise Refusal(f"{why}; give a placement: --placement identity")
        common = lcm(*(one.denominator for one in sent.reshape(-1)))
        flows = np.array([[int(one * common) for one in row] for row in sent], dtype=object)
        # if one of the two is symmetric, the sum over ordered pairs is half of the sums' over unordered ones
        return flows + flows.T, costs + costs.T, 2 * common * charge.common * routes.parts

    @cached_property
    def _constant(self) -> Fraction:
        """What the plan costs wherever leaves stand."""
        costs = self.problem.costs(self.strategies, self.problem.box.low)
        weights = self.problem.objective.weights.items()
        parts = ((part, weight) for name, weight in weights for part in parts_of(name))
        return sum((weight * costs[part] for part, weight in parts if part not in PLACED), start=Fraction(0))

    @cached_property
    def unit(self) -> int:
        """Of the objective, over one common denominator."""
        return lcm(self._tables[2], self._constant.denominator)

    @property
    def shift(self) -> int:
        """What every placement costs besides."""
        return int(self._constant * self.unit)

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Leaves and accelerators."""
        return [(f"leaf {leaf}", self.graph.sites) for leaf in range(self.graph.leaves)]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the given words and the placement."""
        return dict(self.strategies), tuple(choices)

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the placement to begin with: that of the start, else leaves in order."""
        leaves = self.graph.leaves
        if start.placement is None:
            return tuple(range(leaves))
        return sites_named(start.placement, self.graph.names, leaves, "leaf")

    def value(self, choices: Sequence[int]) -> int:
        """Return the cost."""
        return self.graph.value(choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether every leaf has an accelerator of its own, of its kind."""
        return self.graph.feasible(choices)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan with the placement, recounted route by route."""
        names = tuple(self.graph.names[site] for site in choices)
        fault = misplaced_kind(self.problem.instance, names)
        if fault is not None:
            return plan, fault
        plan, recounted, fault = self.problem.at(names).recounted(self.strategies, plan)
        value = Fraction(self.value(choices) + self.shift, self.unit)
        if fault is None and recounted != value:
            fault = f"by walked routes it costs {recounted}, by the leaves' traffic {value}"
        return replace(plan, placement=names, objective=value), fault
