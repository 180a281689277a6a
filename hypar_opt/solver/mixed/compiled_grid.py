"""What is compiled once of an instance whose layers have shares of their own.

A layer's choice is a word with its shares; a search names it by both, and a plan says them apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.cost.mixed.grid_compile import GridCompiler
from hypar_opt.cost.mixed.grid_words import BEHIND
from hypar_opt.cost.mixed.seconds import Entries, PlanSeconds
from hypar_opt.instance.mixed_grid import too_fine_letters
from hypar_opt.instance.shares import own_share
from hypar_opt.solver.mixed.compiled import CompiledMixed
from hypar_opt.solver.spelt_plan import choices_of_words
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.cost.mixed.grid_words import GridWords
    from hypar_opt.cost.mixed.model import MixedModel, Shares
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.instance.network import Workload


MOST_SAID: Final = 8
"""Letters of layers that a note names."""


@dataclass(frozen=True, eq=False)
class CompiledGrid(CompiledMixed):
    """An instance whose layers have shares of their own on a grid.

    Parameters
    ----------
    grid
        Equal parts of what is cut at a split.
    """

    grid: int

    @cached_property
    def _compiler(self) -> GridCompiler:
        return GridCompiler.of(self.work, self.model, self.grid)

    @cached_property
    def own_words(self) -> Mapping[str, GridWords]:
        """By layer, what it may have."""
        return {layer.name: own for layer, own in zip(self.work.layers, self._compiler.words, strict=True)}

    @property
    def first(self) -> Mapping[str, str]:
        """By layer, the first word with the shares in the middle of those that it may have."""
        return {name: words.word(words.middle(words.at(0)[0]) or 0) for name, words in self.own_words.items()}

    @property
    def left_out(self) -> str | None:
        """Which letters are not tried of which layers, as a grid is finer than what they split."""
        fine = {
            layer.name: too_fine_letters(layer, self.model.words(layer).alphabet, self.instance.batch, self.grid)
            for layer in self.work.layers
        }
        each = [f"{letter} of '{name}'" for name, letters in fine.items() for letter in letters]
        if not each or not self.array.splits:
            return None
        more = f" and {len(each) - MOST_SAID:,} more" if len(each) > MOST_SAID else ""
        names = ", ".join(each[:MOST_SAID])
        return f"not tried, as {self.grid:,} parts are finer than what they split: {names}{more}"

    def word(self, name: str, choice: int) -> str:
        """Return the word and shares of a layer that are a choice, written as one."""
        return self.own_words[name].word(choice)

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices that words with shares are; of words without any, with shares that may be.

        Raises
        ------
        InputError
            If a layer is missing or unknown, or a word does not fit this instance.
        """
        choices_of_words(self.words, {name: word.split(BEHIND)[0] for name, word in strategies.items()})
        found = []
        for name, words in self.own_words.items():
            place = words.index(strategies[name])
            if place is None:
                raise InputError(f"expected a word that a grid of {self.grid:,} parts allows", field=f"plan.{name}")
            found.append(place)
        return tuple(found)

    def told(self, strategies: Mapping[str, str], shares: Shares) -> tuple[Mapping[str, str], dict[str, Fraction]]:
        """Return words, and shares by layer and split, as a plan has them."""
        read = {name: words.read(strategies[name]) for name, words in self.own_words.items()}
        splits = self.array.splits
        own = {own_share(name, splits[at]): share for name, (_, each) in read.items() for at, share in each.items()}
        return {name: word for name, (word, _) in read.items()}, own

    def plan_seconds(self, given: Shares | None) -> PlanSeconds:
        """Return what says how long plans take."""
        return GridSeconds(self.work, self.model, self._compiler)

    def sizing(self, shares: Shares) -> CostGraph:
        """Return a graph that is as large as those that are searched."""
        return self._compiler.of_bytes()

    def compiler(self, shares: Shares) -> GridCompiler:
        """Return what compiles costs."""
        return self._compiler


class GridSeconds(PlanSeconds):
    """The seconds of one plan after the other, whose layers have shares of their own."""

    def __init__(self, work: Workload, model: MixedModel, compiler: GridCompiler) -> None:
        super().__init__(work, model, ())
        self.compiler = compiler

    def of(self, choices: Sequence[int]) -> Entries:
        """Return what is known of the plan that choices are."""
        return Entries({(): self.compiler.seconds(choices)})
