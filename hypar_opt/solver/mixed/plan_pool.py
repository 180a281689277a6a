"""The plans that a search over shares knows, the best of them, and what they say of boxes."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from hypar_opt.solver.mixed.dual import best_weights, even_weights, step_seconds
from hypar_opt.solver.mixed.exact_share import best_exact_share
from hypar_opt.solver.mixed.shares_of_plan import best_shares

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.cost.mixed.model import Shares, WaitWeights
    from hypar_opt.cost.mixed.seconds import Entries, PlanSeconds
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.solver.mixed.box import ShareBox
    from hypar_opt.solver.mixed.costs import MixedCosts

CLOSE: Final = 1e-6
"""What better weights can gain at most where they are good enough, as a part of the bound."""
FEW: Final = 2
"""Plans without which weights are even."""
Words: TypeAlias = tuple[str, ...]
"""By layer."""


@dataclass
class PlanPool:
    """Words that a search came upon, each at its best shares.

    Parameters
    ----------
    problem
        Whose.
    best
        What a step of the best plan takes, its words and its shares.
    known
        By words, what they take at any shares.
    """

    problem: MixedCosts
    best: tuple[Fraction, Words, Shares] | None = None
    known: dict[Words, Entries] = field(default_factory=dict)

    def offer_first(self, box: ShareBox) -> None:
        """Take into account words to begin with, so that a search that is stopped has a plan."""
        strategies = self.problem.compiled.first
        if self.problem.fault_of(strategies, box.low) is None:
            self.offer(strategies, box.low)

    def offer(self, strategies: Mapping[str, str], shares: Shares) -> None:
        """Take words into account, at these shares, and when they are new at the best that a descent from these finds.

        A descent need not find what is best of several shares, or where memories are short: words that are known
        already may be better at other shares.
        """
        words = tuple(strategies.values())
        is_new = words not in self.known
        if is_new:
            self.known[words] = self.entries.of(self.problem.choices(strategies))
        entries = self.known[words]
        if self.problem.open_split is not None:
            if is_new:  # which says all of these words
                self._offer_exactly(strategies, entries, self.problem.open_split)
            return

        def fits(there: Shares) -> bool:
            return not self.has_memory or self.problem.fault_of(strategies, there) is None

        for there in (shares, *([best_shares(entries, self.problem.box, shares, fits)] if is_new else [])):
            time = step_seconds(entries.at(there))
            if (self.best is None or time < self.best[0]) and fits(there):
                self.best = time, words, there

    def _offer_exactly(self, strategies: Mapping[str, str], entries: Entries, split: int) -> None:
        """Take words into account at their best share, which may be any number."""
        within = self.problem.fitting(strategies, split)
        if within is not None:
            time, shares = best_exact_share(entries, self.problem.box, split, within)
            if self.best is None or time < self.best[0]:
                self.best = time, tuple(strategies.values()), shares

    @cached_property
    def entries(self) -> PlanSeconds:
        """Says what plans take at any shares."""
        box = self.problem.box
        is_given = box.is_point and self.problem.open_split is None  # of two samples a share that may be any is 1/2
        return self.problem.compiled.plan_seconds(box.low if is_given else None)

    @property
    def bar(self) -> Fraction | None:
        """What a step has to take less than."""
        return None if self.best is None else self.best[0]

    @property
    def close_to_bar(self) -> float:
        """Somewhat less than what a step has to take less than: no weights that reach less leave a box out."""
        return 0.0 if self.best is None else float(self.best[0]) * (1 - CLOSE)

    def limit(self, graph: CostGraph) -> int:
        """Return what a better plan's weighted sum is below: no more than what is not allowed costs."""
        if self.best is None:
            return graph.forbidden
        return min(graph.forbidden, ceil(self.best[0] * graph.objective.denominator))

    def may_be_better(self, bound: Fraction) -> bool:
        """Return whether a plan that takes no less than a bound can be better than the best known."""
        return self.best is None or bound < self.best[0]

    def weights(self, box: ShareBox) -> tuple[WaitWeights, float]:
        """Return the best weights by what is known of plans, and what no weights bound a box by more than."""
        if len(self.known) < FEW:  # of one plan the best weights are those of its slowest class alone
            return even_weights(*self.entries.shape), float("inf")
        cuts = [entries.near(corner) for entries in self.known.values() for corner in box.corners]
        return best_weights(np.array(cuts))

    def by_layer(self, words: Words) -> dict[str, str]:
        """Return words by their layers' names."""
        return {layer.name: word for layer, word in zip(self.problem.work.layers, words, strict=True)}

    @property
    def has_memory(self) -> bool:
        """Whether plans have to fit into memories, or keep to bounds."""
        held = any(one.accelerator.capacity is not None for one in self.problem.array.kinds)
        return held or bool(self.problem.instance.bounds)
