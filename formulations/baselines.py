"""The plans that others are compared with: one rule for all levels.

* data-parallel: dp everywhere;
* model-parallel: mp everywhere;
* one-weird-trick (Krizhevsky, 2014): dp for convolutions and joins, mp for linear layers.

Of operators with named dimensions data-parallel is `formulations.split_rules`' rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from formulations.split_rules import BATCH_EVERYWHERE, SplitRule, has_splits
from hypar_opt.costgraph.words import OPEN
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import GIVEN, Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import CostGraph, Variable
    from hypar_opt.formulation.run import Run

MOST_NAMES: Final = 4
"""Layers that a note names."""


@dataclass(frozen=True)
class Baseline:
    """A fixed letter for every kind of layer, at every level.

    Parameters
    ----------
    name, summary
        For tables.
    usual
        The letter of a layer.
    linear
        The letter of a linear layer.
    rank
        As in `Capabilities`.
    of_splits
        What it is of operators with named dimensions, if it is anything.
    """

    name: str
    summary: str
    usual: str
    linear: str
    rank: int
    of_splits: SplitRule | None = None

    @property
    def capabilities(self) -> Capabilities:
        """A rule proves nothing."""
        return Capabilities(
            exact=False,
            needs_words=True,
            reads_splits=self.of_splits is not None,
            capacities=True,
            pairwise_capacities=True,
            rank=self.rank,
        )

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Accept graphs whose layers have the letters, or operators that the rule is one of."""
        if self.of_splits is not None and has_splits(graph):
            return self.of_splits.refusal(graph, run)
        for variable in graph.variables:
            if variable.words is not None and self._letter(variable) not in variable.words.alphabet:
                return f"'{variable.name}' cannot choose '{self._letter(variable)}' here; try joint-dp"
        return None

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Apply the rule; strategies that are given stay as they are."""
        if self.of_splits is not None and has_splits(graph):
            return self.of_splits.solution(graph, run)
        choices = tuple(self._choice(variable) for variable in graph.variables)
        if not graph.feasible(choices):
            note = f"the rule's plan breaks a split or capacity rule of this instance{self._broken(graph, choices)}"
            return Solution(Status.NO_SOLUTION, native_status="rule not allowed", note=note)
        run.incumbent(graph.value(choices), choices)
        given = [f"'{one.name}'" for one in graph.variables if self._is_other(one)]
        several = ", ".join(given) if len(given) <= MOST_NAMES else f"{len(given)} layers"
        note, statistics = (f"the rule, but for {several}, as given", {GIVEN: len(given)}) if given else ("", {})
        return Solution(Status.FEASIBLE, choices, None, "a rule, not a search", note, statistics)

    def _is_other(self, variable: Variable) -> bool:
        """Return whether the strategy that is given is not the rule's."""
        given = "" if variable.words is None else variable.words.fixed or ""
        return bool(given.strip(self._letter(variable) + OPEN))

    def _broken(self, graph: CostGraph, choices: Sequence[int]) -> str:
        """Return the first layer that may not have its word; or which capacities are too small."""
        for variable, choice in zip(graph.variables, choices, strict=True):
            if variable.mask is not None and variable.words is not None and not variable.mask[choice]:
                return f": '{variable.name}' cannot have '{variable.words.word(choice)}'"
        return f": it exceeds the {' and the '.join(graph.exceeded(choices))}"

    def _letter(self, variable: Variable) -> str:
        return self.linear if variable.attributes.get("kind") == "linear" else self.usual

    def _choice(self, variable: Variable) -> int:
        words = variable.words
        if words is None:
            raise TypeError(f"'{variable.name}' has no words")
        return words.index(words.filled(self._letter(variable)))


DATA_PARALLEL = Baseline("data-parallel", "dp for every layer and level", "d", "d", 70, BATCH_EVERYWHERE)
MODEL_PARALLEL = Baseline("model-parallel", "mp for every layer and level", "m", "m", 80)
ONE_WEIRD_TRICK = Baseline("one-weird-trick", "dp for convolutions and joins, mp for linear layers", "d", "m", 90)
