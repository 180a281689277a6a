"""What is compiled of an instance once, for all problems that a search over its shares makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.mixed.charges import LeafSites, charges_of
from hypar_opt.cost.mixed.compile import Compiler
from hypar_opt.cost.mixed.model import MixedModel
from hypar_opt.cost.mixed.seconds import PlanSeconds
from hypar_opt.costgraph import Capacity
from hypar_opt.evaluation.links import walk
from hypar_opt.evaluation.mixed import MixedSetting, traffic
from hypar_opt.instance.network import workload
from hypar_opt.instance.objective.components import PLACED, SUMMED, TIME, depends_on
from hypar_opt.instance.shares import GivenShares
from hypar_opt.solver.spelt_plan import choices_of_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.cost.mixed.model import MixedCompiler, Shares, WaitWeights
    from hypar_opt.costgraph import Array, CostGraph, Words
    from hypar_opt.evaluation.links import Walked
    from hypar_opt.evaluation.mixed import LeafTraffic, Number
    from hypar_opt.instance import Instance
    from hypar_opt.instance.hardware.mixed import MixedArray
    from hypar_opt.instance.network import Workload
    from hypar_opt.solver.mixed.box import ShareBox


@dataclass(frozen=True, eq=False)
class CompiledMixed:
    """An instance with an array of kinds, compiled as far as it is asked for.

    Parameters
    ----------
    instance
        As read.
    """

    instance: Instance

    @cached_property
    def array(self) -> MixedArray:
        """Its kinds, and which groups are unlike."""
        array = self.instance.mixed
        assert array is not None  # such instances are those of other problems
        return array

    @cached_property
    def work(self) -> Workload:
        """The decided layers and the boundaries between them."""
        return workload(self.instance.network)

    @cached_property
    def model(self) -> MixedModel:
        """How the network is charged."""
        one = self.instance
        return MixedModel(
            one.batch,
            self.array,
            one.barrier,
            one.optimiser,
            one.accounting,
            one.choices,
            one.bytes_per_element,
            one.fix,
            one.input_error,
            one.shares.first if one.splits == "divisible" and isinstance(one.shares, GivenShares) else None,
        )

    @cached_property
    def judged_by(self) -> MixedSetting:
        """What the evaluator is told."""
        one = self.instance
        return MixedSetting(
            one.batch, self.array, one.accounting, one.bytes_per_element, one.optimiser, one.barrier, one.input_error
        )

    @cached_property
    def words(self) -> Mapping[str, Words]:
        """By layer, what it may have."""
        return {layer.name: self.model.words(layer) for layer in self.work.layers}

    @cached_property
    def allowed(self) -> tuple[Array, ...]:
        """By layer, the positions of the words that it may have among all."""
        masks = (words.mask for words in self.words.values())
        sizes = (words.size for words in self.words.values())
        return tuple(
            np.arange(size) if mask is None else np.flatnonzero(mask) for size, mask in zip(sizes, masks, strict=True)
        )

    @property
    def first(self) -> Mapping[str, str]:
        """By layer, words that a search may begin with: each layer's first letter wherever none is given."""
        return {name: one.filled(one.alphabet[0]) for name, one in self.words.items()}

    @property
    def left_out(self) -> str | None:
        """What the instance would allow and is not tried, in a sentence; None where there is nothing."""
        return None

    def word(self, name: str, choice: int) -> str:
        """Return the word of a layer that is a choice."""
        return self.words[name].word(choice)

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices that words are.

        Raises
        ------
        InputError
            If a layer is missing or unknown, or a word does not fit this instance.
        """
        return choices_of_words(self.words, strategies)

    def told(self, strategies: Mapping[str, str], shares: Shares) -> tuple[Mapping[str, str], dict[str, Fraction]]:
        """Return words and shares as a plan has them."""
        return strategies, dict(zip(self.array.splits, shares, strict=True))

    def plan_seconds(self, given: Shares | None) -> PlanSeconds:
        """Return what says how long plans take at any shares, or at those that are given."""
        return PlanSeconds(self.work, self.model, given)

    def sizing(self, shares: Shares) -> CostGraph:
        """Return a graph that is as large as those that are searched."""
        return self.compiler(shares).of_bytes()

    def compiler(self, shares: Shares) -> MixedCompiler:
        """Return what compiles costs at some shares."""
        return Compiler(self.work, self.model, shares, tuple(self.words.values()))

    def sum_graph(self, shares: Shares, weights: Mapping[str, Fraction]) -> CostGraph:
        """Return a weighted sum of components that are no times, at some shares."""
        on_links = any(depends_on(name, PLACED) for name in weights)
        sites = LeafSites(self.instance.machine, self.placed) if on_links else None
        charges = charges_of(self.array, self.instance.bytes_per_element, weights, sites)
        return Compiler(self.work, self.model, shares, tuple(self.words.values())).of_sums(charges)

    @property
    def placed(self) -> tuple[int, ...]:
        """By leaf, the position of the accelerator that it stands on: in order, unless the array says otherwise."""
        return self.instance.placement or tuple(range(self.array.partition.leaves))

    def traffic(self, read: tuple[tuple[Number, ...], ...]) -> LeafTraffic:
        """Return what leaves that read so much put on the links; routes are walked once."""
        return traffic(self.instance.machine, self._walked, self.placed, read)

    @cached_property
    def _walked(self) -> Walked:
        return walk(self.instance.machine, self.placed, partition=self.array.partition)

    @property
    def sees_links(self) -> bool:
        """Whether it is said what links can do, or something depends on how many bytes cross."""
        spec = self.instance.spec
        summed = [name for name in spec.components if name in SUMMED]  # halves read at bandwidths of their own
        return spec.array.link is not None or any(depends_on(name, PLACED) for name in summed)

    def class_graph(self, shares: Shares, one: int) -> CostGraph:
        """Return the seconds of one class at some shares, all waits together; kept, as boxes have common corners."""
        key = shares, one
        if key not in self._class_graphs:
            waits = self.model.barrier.waits(self.work, self.array.levels)
            alone = tuple(Fraction(int(place == one)) for place in range(len(self.array.classes)))
            self._class_graphs[key] = self.compiler(shares).of_time((alone,) * waits)
        return self._class_graphs[key]

    def wait_graph(self, shares: Shares, wait: int, one: int) -> CostGraph:
        """Return the seconds of one class at some shares before one wait; kept, as boxes have common corners."""
        if self.model.barrier.waits(self.work, self.array.levels) == 1:
            return self.class_graph(shares, one)
        key = shares, wait, one
        if key not in self._wait_graphs:
            waits = range(self.model.barrier.waits(self.work, self.array.levels))
            classes = range(len(self.array.classes))
            alone = tuple(tuple(Fraction(int((i, g) == (wait, one))) for g in classes) for i in waits)
            self._wait_graphs[key] = self.compiler(shares).of_time(alone)
        return self._wait_graphs[key]

    def memory(self, shares: Shares, one: int) -> Capacity | None:
        """Return what has to fit into an accelerator of a class at some shares; None where its kind has no capacity."""
        key = shares, one
        if key not in self._memories:
            self._memories[key] = self.compiler(shares).memory(self.array.classes[one])
        return self._memories[key]

    def weighed_graph(self, shares: Shares, weights: WaitWeights, within: ShareBox) -> CostGraph:
        """Return the weighted sum of all classes' seconds at some shares, of words that fit somewhere in a box."""
        return self.limited(self.compiler(shares).of_time(weights), within)

    def limited(self, graph: CostGraph, box: ShareBox) -> CostGraph:
        """Return a graph with the memory of every class, as it is used at least in a box, and with what is bounded."""
        each = (self.memory(box.least_of(one), place) for place, one in enumerate(self.array.classes))
        found = (*(one for one in each if one is not None), *self._bounds(box))
        return graph.replace(capacities=found) if found else graph

    def _bounds(self, box: ShareBox) -> tuple[Capacity, ...]:
        """Return what components may come to at most, at shares that are given."""
        if not self.instance.bounds:
            return ()
        assert box.is_point  # others are refused
        if box.low not in self._bounded:
            self._bounded[box.low] = tuple(self._bounds_at(box.low))
        return self._bounded[box.low]

    def _bounds_at(self, shares: Shares) -> Iterator[Capacity]:
        """Yield a capacity for each bound; of time for each class, of which none is to take longer."""
        for name, most in self.instance.bounds.items():
            classes = range(len(self.array.classes)) if name == TIME else ()
            graphs = [self.class_graph(shares, one) for one in classes]
            for graph in graphs or [self.sum_graph(shares, {name: Fraction(1)})]:
                unit, usages = graph.objective.denominator, dict(enumerate(graph.unary_costs))
                yield Capacity(f"bound on {name}", floor(most * unit), usages, unit, graph.edge_costs)

    @cached_property
    def _class_graphs(self) -> dict[tuple[Shares, int], CostGraph]:
        return {}

    @cached_property
    def _bounded(self) -> dict[Shares, tuple[Capacity, ...]]:
        return {}

    @cached_property
    def _wait_graphs(self) -> dict[tuple[Shares, int, int], CostGraph]:
        return {}

    @cached_property
    def _memories(self) -> dict[tuple[Shares, int], Capacity | None]:
        return {}
