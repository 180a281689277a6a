"""What plans on accelerators of several kinds cost, and what formulations read of that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.evaluation.mixed import (
    MixedRules,
    communication_bytes,
    energies,
    fault_of,
    read_by_leaf,
    waits,
)
from hypar_opt.formulation.registry import choose
from hypar_opt.instance.objective.components import COMMUNICATION, ENERGY, TIME, TOTALS
from hypar_opt.instance.shares import ExactShares
from hypar_opt.solver.check import noted
from hypar_opt.solver.mixed.box import ShareBox
from hypar_opt.solver.mixed.compiled import CompiledMixed
from hypar_opt.solver.mixed.dual import step_seconds
from hypar_opt.solver.spelt_plan import choices_of_words
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.cost.mixed.model import MixedModel, Shares, WaitSeconds
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.evaluation.mixed import LeafTraffic, MixedSetting
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
        return CompiledMixed(self.instance)

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
        return MixedRules(self.instance.choices, self.instance.shares, self.instance.fix)

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
        shares = self.instance.shares
        if isinstance(shares, ExactShares):
            raise Refusal("shares that are any numbers are not searched yet; try --shares parts=512")
        return ShareBox.of(shares, len(self.array.splits))

    def named(self, shares: Shares) -> dict[str, Fraction]:
        """Return shares by the names of splits."""
        return dict(zip(self.array.splits, shares, strict=True))

    def fault_of(self, strategies: Mapping[str, str], shares: Shares) -> str | None:
        """Return what keeps words and shares from being a plan, by code that shares nothing with the search."""
        return fault_of(self.work, strategies, self.named(shares), self.judged_by, self.rules)

    def seconds(self, strategies: Mapping[str, str], shares: Shares) -> WaitSeconds:
        """Return the seconds of every class between barriers, recounted."""
        return waits(self.work, strategies, self.named(shares), self.judged_by)

    def bytes_of(self, strategies: Mapping[str, str], shares: Shares) -> Fraction:
        """Return what all groups read, recounted."""
        return Fraction(communication_bytes(self.work, strategies, self.named(shares), self.judged_by).total)

    def costs(self, strategies: Mapping[str, str], shares: Shares) -> dict[str, Fraction]:
        """Return what a plan costs by component, recounted."""
        said = self.work, strategies, self.named(shares), self.judged_by
        found = {
            COMMUNICATION: self.bytes_of(strategies, shares),
            TIME: step_seconds(self.seconds(strategies, shares)),
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

    def traffic_of(self, strategies: Mapping[str, str], shares: Shares) -> LeafTraffic:
        """Return what a plan puts on the links, route by route.

        Raises
        ------
        Refusal
            If the routes are too many or too long to be walked.
        """
        return self.compiled.traffic(read_by_leaf(self.work, strategies, self.named(shares), self.judged_by))

    def combined(self, costs: Mapping[str, Fraction]) -> Fraction:
        """Return the objective of what a plan costs by component."""
        return sum(
            (weight * costs[name] for name, weight in self.objective.weights.items() if weight), start=Fraction(0)
        )

    def complete(self, plan: Plan, strategies: Mapping[str, str], shares: Shares) -> Plan:
        """Return a plan with its words, its shares and what it costs."""
        costs = self.costs(strategies, shares)
        total = costs[COMMUNICATION]
        return replace(
            plan,
            strategies=strategies,
            shares=self.named(shares),
            communication_bytes=int(total) if total.denominator == 1 else total,
            costs=costs,
        )

    def strategies(self, choices: Sequence[int]) -> dict[str, str]:
        """Return each layer's word."""
        words = self.compiled.words.items()
        return {name: own.word(choice) for (name, own), choice in zip(words, choices, strict=True)}

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices that a plan's words are.

        Raises
        ------
        InputError
            If a layer is missing or unknown, or a word does not fit this instance.
        """
        return choices_of_words(self.compiled.words, strategies)

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
        """Decline: the time of a step is no sum.

        Raises
        ------
        Refusal
            Always.
        """
        raise Refusal("fronts are of sums over layers, and the time of unlike groups is a maximum; try solve")

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say why there is no plan: memory is all that can be short."""
        kinds = [one.name for one in self.array.kinds if one.accelerator.capacity is not None]
        why = f"no plan fits into the memories of {' and '.join(kinds)}" if kinds else None
        return noted(plan, why)
