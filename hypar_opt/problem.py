"""An instance compiled: its workload, its CostGraph, and the way between strategies and choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.boxes import Breakdown, Rules, Setting, communication
from hypar_opt.components import COMM_ENERGY, COMM_TIME, COMMUNICATION, HOP_BYTES
from hypar_opt.cost import CostModel, compile_workload
from hypar_opt.costgraph import CostGraph, Objective
from hypar_opt.errors import InputError, Refusal, did_you_mean
from hypar_opt.network import Workload, workload
from hypar_opt.placement import JointGraph, PlacementGraph, compile_placement, level_weights
from hypar_opt.traffic import Measured, measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Weight, Words
    from hypar_opt.instance import Instance

MOST_SITES = 1024
"""Accelerators among which a placement is decided."""


@dataclass(frozen=True)
class Problem:
    """What `solve` works on.

    Parameters
    ----------
    instance
        As read.
    """

    instance: Instance

    @cached_property
    def work(self) -> Workload:
        """The decided layers and the boundaries between them."""
        return workload(self.instance.network)

    @cached_property
    def base(self) -> CostGraph:
        """Strategies and the bytes that they exchange, each weighing 1."""
        return compile_workload(self.work, self._model, Objective({COMMUNICATION: Fraction(1)}))

    @property
    def _model(self) -> CostModel:
        instance = self.instance
        return CostModel(
            instance.batch,
            instance.levels,
            instance.accounting,
            instance.choices,
            instance.bytes_per_element,
            instance.splits == "divisible",
            instance.fix,
        )

    @property
    def is_free(self) -> bool:
        """Whether the objective depends on a placement that is to be decided."""
        return self.instance.is_placed and self.instance.spec.array.placement == "free"

    @property
    def placed(self) -> tuple[int, ...] | None:
        """The given placement where the objective depends on one: an accelerator's position for every leaf."""
        return self.instance.placement if self.instance.is_placed else None

    @cached_property
    def graph(self) -> CostGraph:
        """The problem of the strategies, as every formulation that decides those alone reads it.

        Raises
        ------
        Refusal
            If the placement is to be decided as well.
        """
        if self.is_free:
            raise Refusal(
                "the objective depends on the placement, which is to be decided too; try joint-enumeration or "
                "alternating, or give it: --placement identity"
            )
        return self.base.replace(objective=Objective({COMMUNICATION: self.weight}).divided(self._model.parts))

    @cached_property
    def by_communication(self) -> Problem:
        """The same network and array with the objective communication, compiled once for both."""
        spec = self.instance.spec.model_copy(update={"objective": {COMMUNICATION: Decimal(1)}})
        other = Problem(replace(self.instance, spec=spec))
        other.__dict__.update(work=self.work, base=self.base)
        return other

    def at(self, placement: Sequence[str]) -> Problem:
        """Return the same problem with the placement given: an accelerator's name for every leaf."""
        array = self.instance.spec.array.model_copy(update={"placement": tuple(placement)})
        other = Problem(replace(self.instance, spec=self.instance.spec.model_copy(update={"array": array})))
        other.__dict__.update(work=self.work, base=self.base)
        other.instance.__dict__["machine"] = self.instance.machine
        return other

    @cached_property
    def weight(self) -> Weight:
        """What a byte weighs in the objective: one number, or one a level for a given placement."""
        objective = self.instance.objective
        if self.placed is None:
            return objective[COMMUNICATION]
        return level_weights(self.instance.machine, objective, self.placed, self.instance.levels)

    @cached_property
    def joint(self) -> JointGraph:
        """Strategies and placement together.

        Raises
        ------
        Refusal
            If the placement is given or nothing depends on it, or the array is too large.
        """
        if not self.is_free:
            placed = self.instance.is_placed
            why = "the placement is given" if placed else "nothing depends on the placement"
            other = "--placement free" if placed else "--objective hop-bytes"
            raise Refusal(f"{why}, so that there is none to decide; try joint-dp, or {other}")
        return JointGraph(self.base, COMMUNICATION, self._placing((1,) * self.instance.levels))

    def _placing(self, volumes: Sequence[int]) -> PlacementGraph:
        count = self.instance.accelerators
        if count > MOST_SITES:
            raise Refusal(
                f"the array has {count:,} accelerators, and placements are decided on at most {MOST_SITES:,}; "
                "give one: --placement identity"
            )
        return compile_placement(self.instance.machine, self.instance.objective, self.instance.levels, volumes)

    @property
    def rules(self) -> Rules:
        """What a plan has to keep to."""
        one = self.instance
        return Rules(one.batch, one.levels, one.choices, one.splits == "divisible", one.fix)

    def strategies(self, choices: Sequence[int]) -> dict[str, str]:
        """Return each layer's word."""
        return {
            variable.name: variable.words.word(choice)
            for variable, choice in zip(self.base.variables, choices, strict=True)
            if variable.words is not None
        }

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices that a plan's words are.

        Raises
        ------
        InputError
            If a layer is missing or unknown, or a word does not fit this instance.
        """
        if not isinstance(strategies, Mapping):
            raise InputError(f"expected a word by layer, got {type(strategies).__name__}", field="plan")
        known = {variable.name: variable.words for variable in self.base.variables}
        for name in strategies:
            if name not in known:
                raise InputError(f"the plan has a layer '{name}', the instance has none{did_you_mean(name, known)}")
        found = []
        for name, words in known.items():
            if name not in strategies:
                raise InputError(f"the plan has no strategy for layer '{name}'", field="plan")
            word = strategies[name]
            if words is None or not _spells(words, word):
                need = f"{words.length} letters of '{words.alphabet}'" if words is not None else "no word"
                raise InputError(f"expected {need}, got {word!r}", field=f"plan.{name}")
            found.append(words.index(word))
        return tuple(found)

    def bytes_of(self, strategies: Mapping[str, str], accounting: str | None = None) -> Breakdown:
        """Return what a plan exchanges, by code that shares nothing with the CostGraph.

        Parameters
        ----------
        strategies
            By layer.
        accounting
            Another than the instance's.
        """
        instance = self.instance
        accounting = accounting or instance.accounting
        setting = Setting(instance.batch, instance.levels, accounting, instance.bytes_per_element)
        return communication(self.work, strategies, setting)

    def measured(self, breakdown: Breakdown, placed: Sequence[int]) -> Measured:
        """Return what a plan's bytes cost on their way, by walking every route.

        Parameters
        ----------
        breakdown
            Of the plan.
        placed
            An accelerator's position for every leaf.
        """
        levels = [breakdown.level(h) for h in range(self.instance.levels)]
        return measure(self.instance.machine, placed, levels)

    def objective_of(self, breakdown: Breakdown, placed: Sequence[int] | None = None) -> Fraction:
        """Return the objective of a plan, by code that shares nothing with the formulations' problems.

        Parameters
        ----------
        breakdown
            Of the plan.
        placed
            An accelerator's position for every leaf; the given placement, unless told.
        """
        objective = self.instance.objective
        sites = self.placed if placed is None else placed
        if not self.instance.is_placed or sites is None:
            return objective[COMMUNICATION] * breakdown.total
        costs = costs_of(self.measured(breakdown, sites))
        return sum((weight * costs[name] for name, weight in objective.items() if weight), start=Fraction(0))


def costs_of(measured: Measured) -> dict[str, Fraction]:
    """Return the components of a plan's cost, by name; without those that the links say nothing of."""
    found = {
        COMMUNICATION: measured.communication,
        HOP_BYTES: measured.hop_bytes,
        COMM_TIME: measured.comm_time,
        COMM_ENERGY: measured.comm_energy,
    }
    return {name: cost for name, cost in found.items() if cost is not None}


def _spells(words: Words, word: object) -> bool:
    return isinstance(word, str) and len(word) == words.length and set(word) <= set(words.alphabet)
