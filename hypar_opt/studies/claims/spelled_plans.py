"""Plans that are spelt for any number of levels: letters by layer in turn, words by layer, or a formulation's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field, model_validator

from hypar_opt.instance.build import word_fault
from hypar_opt.instance.fields import Given, Name, Spec, refusal
from hypar_opt.instance.network import workload
from hypar_opt.instance.text import shown
from hypar_opt.studies.claims.replacements import words_of
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance import Instance
    from hypar_opt.studies.claims.replacements import Case

MOST_IN_TURN = 1000


class SpelledPlan(Spec):
    """A plan."""

    formulation: Annotated[Name | None, Given] = Field(None, description="whose plan it is")
    in_turn: Annotated[tuple[str, ...] | None, Field(strict=False, min_length=1, max_length=MOST_IN_TURN), Given] = (
        Field(None, description="what layers have in turn, from the first on: a letter for all levels, or a word")
    )
    strategies: Annotated[dict[str, str] | None, Given] = Field(None, description="a word by layer, root level first")
    others: Annotated[str | None, Given] = Field(None, description="the word of all layers that are not listed")

    @property
    def says(self) -> str:
        """Which plan, in short."""
        if self.formulation is not None:
            return self.formulation
        if self.in_turn is not None:
            return ", ".join(self.in_turn)
        listed = [f"{layer} {word}" for layer, word in (self.strategies or {}).items()]
        return ", ".join(listed + ([] if self.others is None else [f"others {self.others}"]))

    @model_validator(mode="after")
    def _one_plan(self) -> Self:
        spelt = self.strategies is not None or self.others is not None
        given = [self.formulation is not None, self.in_turn is not None, spelt]
        if sum(given) != 1:
            got = "several" if any(given) else "none"
            raise refusal(f"expected a formulation, in_turn, or strategies and others, got {got}")
        return self

    def spelt(self, case: Case) -> dict[str, str]:
        """Return the words that are spelt, of a case; of a formulation none."""
        if self.in_turn is None:
            return words_of(case, self.strategies, self.others)
        levels, turns = case.instance.levels, self.in_turn
        names = case.instance.network.decision_names
        words = (turns[i % len(turns)] for i in range(len(names)))
        return {name: word * levels if len(word) == 1 else word for name, word in zip(names, words, strict=True)}

    def fault(self, case: Case) -> str | None:
        """Return what of the plan does not fit a case's layers, or None."""
        instance = case.instance
        names = instance.network.decision_names
        stranger = next((name for name in self.strategies or () if name not in names), None)
        if stranger is not None:
            return (
                f"{shown(stranger)} is no layer of {instance.name} that has a strategy{did_you_mean(stranger, names)}"
            )
        return None if self.formulation is not None else _fault_of(self.spelt(case), instance)


def _fault_of(words: Mapping[str, str], instance: Instance) -> str | None:
    for layer in workload(instance.network).layers:
        if layer.name not in words:
            return f"no strategy for layer {shown(layer.name)}; list it, or give a word for all others"
        fault = word_fault(words[layer.name], instance.spec, layer)
        if fault:
            return f"{layer.name}: {fault}"
    return None
