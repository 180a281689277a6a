"""What plans on accelerators of several kinds cost, and what formulations read of that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.evaluation.communication import whole
from hypar_opt.evaluation.mixed import (
    MixedRules,
    communication_bytes,
    energies,
    fault_of,
    read_by_leaf,
    resident,
    time_of,
    waits,
)
from hypar_opt.formulation.registry import choose
from hypar_opt.instance.choices import IDLING
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS, ENERGY, TIME, TOTALS
from hypar_opt.instance.shares import ExactShares, GridShares
from hypar_opt.solver.check import noted
from hypar_opt.solver.mixed.box import ShareBox
from hypar_opt.solver.mixed.compiled import CompiledMixed
from hypar_opt.solver.mixed.compiled_grid import CompiledGrid
from hypar_opt.solver.mixed.exact_share import ShareRange, line, range_below
from hypar_opt.util.errors import Refusal
from hypar_opt.util.numbers import in_full
from hypar_opt.util.surd import fraction_near

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.cost.mixed.model import MixedModel, Shares
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.evaluation.mixed import LeafTraffic, MixedSetting, Waits
    from hypar_opt.formulation.protocol import Capabilities, Formulation, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.formulation.solution import Decides
    from hypar_opt.instance import Instance
    from hypar_opt.instance.hardware.mixed import MixedArray
    from hypar_opt.instance.network import Workload
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import AskWithin, Problem, Start, Task, Tell


@dataclass(frozen=True)
class MixedCosts:
    """An instance whose accelerators are of several kinds, and what its plans cost: what its problems have in common.

    Parameters
    ----------
    instance
        As read, with an array of kinds.
    """

    instance: Instance
    kind: ClassVar[str] = "mixed"
    is_explained: ClassVar[bool] = False
    presolve_counts: ClassVar[bool] = False
    certified_where: ClassVar[str] = ""
    refuted: ClassVar[None] = None
    axes_text: ClassVar[None] = None
    use: ClassVar[Use] = "network"
    uncertifiable: ClassVar[str] = "certificates are of one cost, and groups that are unlike each have their own time"

    @property
    def objective(self) -> ObjectiveFunction:
        """Time, or a weighted sum of what is none."""
        return self.instance.objective

    @property
    def setting(self) -> tuple[str, int, int]:
        """Accounting, batch and levels."""
        return self.instance.accounting, self.instance.batch, self.instance.levels

    @cached_property
    def compiled(self) -> CompiledMixed:
        """What does not depend on shares and weights."""
        shares = self.instance.shares
        return (
            CompiledGrid(self.instance, shares.grid) if isinstance(shares, GridShares) else CompiledMixed(self.instance)
        )

    @property
    def array(self) -> MixedArray:
        """Its kinds, and which groups are unlike."""
        return self.compiled.array

    @property
    def unfixed(self) -> Problem | None:
        """The same problem without the strategies that are given; None where none are."""
        return None

    @property
    def graph(self) -> CostGraph:
        """What formulations read."""
        raise NotImplementedError

    @property
    def sizing_graph(self) -> CostGraph:
        """What tells how large tables are."""
        return self.graph

    def recounted(self, strategies: Mapping[str, str], plan: Plan) -> tuple[Plan, Fraction, str | None]:
        """Return the plan of strategies, its objective, and what is wrong with it, by other code."""
        raise NotImplementedError

    @property
    def work(self) -> Workload:
        """The decided layers and the boundaries between them."""
        return self.compiled.work

    @property
    def model(self) -> MixedModel:
        """How the network is charged."""
        return self.compiled.model

    @property
    def judged_by(self) -> MixedSetting:
        """What the evaluator is told."""
        return self.compiled.judged_by

    @property
    def rules(self) -> MixedRules:
        """What a plan has to keep to."""
        one = self.instance
        return MixedRules(one.choices, one.shares, one.fix, one.splits == "divisible")

    @property
    def is_of_time(self) -> bool:
        """Whether a step's time is asked for, and no sum."""
        return self.objective.components == (TIME,)

    @property
    def weight(self) -> Fraction:
        """What the component that is asked for weighs."""
        (name,) = self.objective.components
        return self.objective.weights[name]

    @property
    def box(self) -> ShareBox:
        """All shares that the instance allows."""
        return ShareBox.of(self.instance.shares, len(self.array.splits), self.instance.batch)

    @property
    def open_split(self) -> int | None:
        """The split whose share may be any number; None where shares are given, or are of equal parts."""
        return 0 if isinstance(self.instance.shares, ExactShares) else None

    @property
    def has_boxes(self) -> bool:
        """Whether shares are searched apart from words, box by box, so that boxes are evidence."""
        return not isinstance(self.instance.shares, GridShares)

    def fault_of(self, strategies: Mapping[str, str], shares: Shares) -> str | None:
        """Return what keeps words and shares from being a plan, by code that shares nothing with the search."""
        return self.fault_of_plan(*self.compiled.told(strategies, shares))

    def fault_of_plan(self, strategies: Mapping[str, str], shares: Mapping[str, Fraction]) -> str | None:
        """Return what keeps words and shares, as a plan names them, from being one."""
        fault = fault_of(self.work, strategies, shares, self.judged_by, self.rules)
        return self._excess(strategies, shares) if fault is None and self.instance.bounds else fault

    def _excess(self, strategies: Mapping[str, str], shares: Mapping[str, Fraction]) -> str | None:
        """Return which bound a plan does not keep to, or None."""
        costs = self.costs_of_plan(strategies, shares)
        over = next((name for name, most in self.instance.bounds.items() if costs[name] > most), None)
        if over is None:
            return None
        most, unit = in_full(self.instance.bounds[over]), COMPONENTS[over].unit
        return f"the plan's {over} is {in_full(costs[over])} {unit}, above {most}"

    def fitting(self, strategies: Mapping[str, str], split: int) -> ShareRange | None:
        """Return the shares of one split at which a plan fits into all memories, or None where there are none.

        What a class keeps is linear in the share: its leaves are in one half of the split or not in it.
        """
        low, high = self.box.low, self.box.high
        within = ShareRange(low[split], high[split])
        capacities = [self.array.kinds[one.kind].accelerator.capacity for one in self.array.classes]
        if not any(one is not None for one in capacities):
            return within
        ends = zip(self._kept(strategies, low), self._kept(strategies, high), strict=True)
        needs = [
            (line(first, second, within), capacity)
            for (first, second), capacity in zip(ends, capacities, strict=True)
            if capacity is not None
        ]
        return range_below([need for need, _ in needs], [limit for _, limit in needs], within)

    def _kept(self, strategies: Mapping[str, str], shares: Shares) -> list[Fraction]:
        """Return by class what stays in an accelerator's memory."""
        each = resident(self.work, *self.compiled.told(strategies, shares), self.judged_by)
        return [sum((fraction_near(one) for one in layers.values()), start=Fraction(0)) for layers in each]

    def seconds(self, strategies: Mapping[str, str], shares: Shares) -> Waits:
        """Return the seconds of every class between barriers, recounted."""
        return waits(self.work, *self.compiled.told(strategies, shares), self.judged_by)

    def bytes_of(self, strategies: Mapping[str, str], shares: Shares) -> Fraction:
        """Return what all groups read, recounted."""
        words, named = self.compiled.told(strategies, shares)
        found = communication_bytes(self.work, words, named, self.judged_by).total
        return Fraction(found) if isinstance(found, int) else found

    def costs(self, strategies: Mapping[str, str], shares: Shares) -> dict[str, Fraction]:
        """Return what words and shares cost by component, recounted."""
        return self.costs_of_plan(*self.compiled.told(strategies, shares))

    def costs_of_plan(self, strategies: Mapping[str, str], shares: Mapping[str, Fraction]) -> dict[str, Fraction]:
        """Return what words and shares, as a plan names them, cost by component, recounted."""
        said = self.work, strategies, shares, self.judged_by
        moved = communication_bytes(*said).total
        found = {
            COMMUNICATION: Fraction(moved) if isinstance(moved, int) else moved,
            TIME: time_of(waits(*said)),
        }
        if self.spends or self.compiled.sees_links:
            read = read_by_leaf(*said)
            found |= energies(*said, read)
            if self.compiled.sees_links:
                found |= self.compiled.traffic(read).costs
            if all(part in found for part in TOTALS[ENERGY]):
                found[ENERGY] = sum((found[part] for part in TOTALS[ENERGY]), start=Fraction(0))
        return found

    @property
    def spends(self) -> bool:
        """Whether every kind says what it spends."""
        return all(kind.accelerator.energies is not None for kind in self.array.kinds)

    def traffic_of(self, strategies: Mapping[str, str], shares: Mapping[str, Fraction]) -> LeafTraffic:
        """Return what a plan's words and shares put on the links, route by route.

        Raises
        ------
        Refusal
            If the routes are too many or too long to be walked.
        """
        return self.compiled.traffic(read_by_leaf(self.work, strategies, shares, self.judged_by))

    def combined(self, costs: Mapping[str, Fraction]) -> Fraction:
        """Return the objective of what a plan costs by component."""
        return sum(
            (weight * costs[name] for name, weight in self.objective.weights.items() if weight), start=Fraction(0)
        )

    def complete(self, plan: Plan, strategies: Mapping[str, str], shares: Shares) -> Plan:
        """Return a plan with its words, its shares and what it costs."""
        words, named = self.compiled.told(strategies, shares)
        costs = self.costs_of_plan(words, named)
        total = costs[COMMUNICATION]
        return replace(
            plan,
            strategies=words,
            shares=named,
            communication_bytes=whole(total),
            costs=costs,
        )

    def note_of(self, strategies: Mapping[str, str], shares: Shares) -> str:
        """Return that a share that may be any number runs to an end; nothing where it does not, or cuts nothing."""
        split, told = self.open_split, self.instance.shares
        if split is None or not isinstance(told, ExactShares):
            return ""
        ends = told.ends(self.instance.batch)
        level = self.array.split_levels[split]
        if shares[split] not in ends or all(word[level] in IDLING for word in strategies.values()):
            return ""
        low, high = ends
        return (
            f"the share of {self.array.splits[split]} is at an end of what it may be, {low} to {high}: a half gets a "
            "sample of the batch at least; it may get nothing of a layer with the choice none"
        )

    def strategies(self, choices: Sequence[int]) -> dict[str, str]:
        """Return each layer's word."""
        pairs = zip(self.work.layers, choices, strict=True)
        return {layer.name: self.compiled.word(layer.name, choice) for layer, choice in pairs}

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices that a plan's words are.

        Raises
        ------
        InputError
            If a layer is missing or unknown, or a word does not fit this instance.
        """
        return self.compiled.choices(strategies)

    def encoded(self, strategies: Mapping[str, str]) -> tuple[int, ...] | None:
        """Return the choices that a search can begin with, if words can be."""
        return self.choices(strategies)

    def within(self, limits: Limits, *, presolved: bool = True) -> Self:
        """Return the problem: there is nothing to presolve."""
        return self

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Do nothing: no routes are followed."""

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes the problem."""
        return choose("network", self.sizing_graph, limits)

    def proves(self, able: Capabilities) -> bool:
        """Return whether a formulation hands over what a certificate is made of: there are none."""
        return False

    def check_decided(self, decides: Decides) -> None:
        """Check that a formulation decides strategies.

        Raises
        ------
        Refusal
            If it places accelerators.
        """
        if decides != "strategies":
            raise Refusal("accelerators of several kinds stand where the instance says, so that there is none to place")

    def check_start(self, start: Start) -> None:
        """Check that strategies are this problem's."""
        if start.strategies is not None:
            self.choices(start.strategies)

    def front(self, components: Sequence[str]) -> Task:
        """Decline: what has one weighted sum has nothing to trade.

        Raises
        ------
        Refusal
            Always.
        """
        raise Refusal("fronts are of the costs of plans; try them of the instance itself")

    def at(self, placement: Sequence[str]) -> Self:
        """Return the same problem with the placement given: an accelerator's name for every leaf."""
        array = self.instance.spec.array.model_copy(update={"placement": tuple(placement)})
        return replace(self, instance=self.instance.changed(self.instance.machine, array=array))

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say why there is no plan: memories and bounds are all that can be short."""
        kinds = [one.name for one in self.array.kinds if one.accelerator.capacity is not None]
        held = [f"fits into the memories of {' and '.join(kinds)}"] if kinds else []
        held += [f"keeps to the bounds on {' and '.join(self.instance.bounds)}"] if self.instance.bounds else []
        held += ["cuts every dimension into whole numbers"] if self.rules.divisible else []
        return noted(plan, f"no plan {' and '.join(held)}" if held else None)
