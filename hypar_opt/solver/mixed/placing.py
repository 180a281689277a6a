"""Where accelerators of several kinds stand, for words and shares that are given: each on a node of its kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hypar_opt.evaluation.mixed import read_by_leaf
from hypar_opt.instance.objective.components import PLACED, parts_of
from hypar_opt.solver.network_costs import MOST_SITES
from hypar_opt.solver.sites import sites_named
from hypar_opt.solver.traffic_task import TrafficTask
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.instance import Instance
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.solver.mixed.costs import MixedCosts
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Start
    from hypar_opt.util.partition import Partition


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
class MixedPlacementTask(TrafficTask):
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
    standing: ClassVar[str] = "leaf"

    @property
    def machine(self) -> Machine:
        """The graph that leaves are to stand on.

        Raises
        ------
        Refusal
            If it is too large.
        """
        machine = self.problem.instance.machine
        if len(machine.accelerators) > MOST_SITES:
            raise Refusal(f"placements are decided on at most {MOST_SITES:,} accelerators; try --placement identity")
        return machine

    @property
    def partition(self) -> Partition:
        """How the array is cut."""
        return self.problem.array.partition

    @cached_property
    def _weights(self) -> Mapping[str, Fraction]:
        """What the objective's parts weigh."""
        found: dict[str, Fraction] = {}
        for name, weight in self.problem.objective.weights.items():
            for part in parts_of(name):
                found[part] = found.get(part, Fraction(0)) + weight
        return found

    @property
    def placed_weights(self) -> Mapping[str, Fraction]:
        """What parts weigh that depend on the placement."""
        return {part: weight for part, weight in self._weights.items() if part in PLACED}

    @property
    def sent(self) -> Array:
        """What leaves read of each other, by who sends it."""
        count = self.partition.leaves
        sent = np.full((count, count), Fraction(0))
        words, shares = self.problem.compiled.told(self.strategies, self.problem.box.low)
        for level, sizes in enumerate(read_by_leaf(self.problem.work, words, shares, self.problem.judged_by)):
            for leaf, size in enumerate(sizes):
                sent[self.partition.peers(leaf, level)[0], leaf] += size
        return sent

    @property
    def may_stand(self) -> Array:
        """Each leaf stands on an accelerator of its kind."""
        of_site = self.problem.instance.spec.array.site_kinds
        kinds = [of_site.get(site, -1) for site in range(len(self.machine.accelerators))]
        leaves = range(self.partition.leaves)
        return np.array([[self.partition.accelerator(leaf) == kind for kind in kinds] for leaf in leaves])

    @cached_property
    def constant(self) -> Fraction:
        """What the plan costs wherever leaves stand."""
        costs = self.problem.costs(self.strategies, self.problem.box.low)
        return sum(
            (weight * costs[part] for part, weight in self._weights.items() if part not in PLACED), start=Fraction(0)
        )

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the placement to begin with: that of the start, else leaves in order."""
        return tuple(range(self.partition.leaves)) if start.placement is None else self.sites(start.placement)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan with the placement, recounted route by route."""
        names = self.names(choices)
        fault = misplaced_kind(self.problem.instance, names)
        if fault is not None:
            return plan, fault
        plan, recounted, fault = self.problem.at(names).recounted(self.strategies, plan)
        value = Fraction(self.value(choices) + self.shift, self.unit)
        if fault is None and recounted != value:
            fault = f"by walked routes it costs {recounted}, by the leaves' traffic {value}"
        return replace(plan, placement=names, objective=value), fault
