"""An instance compiled: its workload, its CostGraph, and the way between strategies and choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.boxes import Breakdown, Bytes, Rules, Setting, communication
from hypar_opt.components import COMMUNICATION
from hypar_opt.cost import CostModel, compile_workload
from hypar_opt.costgraph import CostGraph, Objective
from hypar_opt.errors import InputError, did_you_mean
from hypar_opt.network import Workload, workload

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from hypar_opt.costgraph import Words
    from hypar_opt.instance import Instance


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
    def graph(self) -> CostGraph:
        """The problem as every formulation reads it."""
        instance = self.instance
        model = CostModel(
            instance.batch,
            instance.levels,
            instance.accounting,
            instance.choices,
            instance.bytes_per_element,
            instance.splits == "divisible",
            instance.fix,
        )
        return compile_workload(self.work, model, Objective(instance.objective))

    @property
    def rules(self) -> Rules:
        """What a plan has to keep to."""
        one = self.instance
        return Rules(one.batch, one.levels, one.choices, one.splits == "divisible", one.fix)

    def strategies(self, choices: Sequence[int]) -> dict[str, str]:
        """Return each layer's word."""
        return {
            variable.name: variable.words.word(choice)
            for variable, choice in zip(self.graph.variables, choices, strict=True)
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
        known = {variable.name: variable.words for variable in self.graph.variables}
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

    def objective_of(self, total_bytes: Bytes) -> Fraction:
        """Return the objective of a plan that exchanges so many bytes."""
        return self.instance.objective[COMMUNICATION] * total_bytes


def _spells(words: Words, word: object) -> bool:
    return isinstance(word, str) and len(word) == words.length and set(word) <= set(words.alphabet)
