"""What several variables say of the same block, that it runs once more or does not: they have to agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.operators.domains import FORWARD
from hypar_opt.costgraph import Edge, EdgeCost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.cost.operators.domains import Domain
    from hypar_opt.cost.operators.sharing import Sharing
    from hypar_opt.instance.operators import OperatorGraph

COSTS_NOTHING: Final[Mapping[str, EdgeCost]] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class DecidedTogether:
    """What is said of blocks by more than one variable.

    Parameters
    ----------
    graph
        The operators.
    domains
        What is decided.
    index
        By name, the places of `domains`.
    sharing
        What is the same for operators that are alike.
    """

    graph: OperatorGraph
    domains: Sequence[Domain]
    index: Mapping[str, int]
    sharing: Sharing

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Edges that cost nothing, and bar what does not agree."""
        return (*self._of_inside(), *self._of_longer())

    @cached_property
    def longer(self) -> Mapping[str, tuple[str, ...]]:
        """By name of where a map from outside lies for all, who may keep it longer than anyone does in any case."""
        if all(len(ways) < 2 for ways in self.sharing.again.offered):  # nothing is decided of blocks
            return {}
        found = {name + FORWARD: self.sharing.longer(name) for name in self.graph.writers}
        operators = self.graph.operators
        return {name: tuple(operators[number].name for number in longer) for name, longer in found.items() if longer}

    def _of_inside(self) -> Iterator[Edge]:
        """Yield that what touches the maps inside of a block says alike whether it runs once more."""
        for first, second in self.sharing.again.joined(self.graph):
            flags = [self.sharing.flags(self.domains[self.index[name]]) for name in (first, second)]
            barred = self.sharing.once(("barred", *map(id, flags)), partial(np.not_equal.outer, *flags))
            yield Edge(self.index[first], self.index[second], COSTS_NOTHING, barred)

    def _of_longer(self) -> Iterator[Edge]:
        """Yield that where a map lies says of the blocks that may keep it longer which is the first that does.

        Of each count and block: if the block runs once more, no later one is the first, and it is the first only then.
        """
        for name, readers in self.longer.items():
            until = self.sharing.lasting(self.domains[self.index[name]])
            for count, reader in enumerate(readers, start=1):
                flags = self.sharing.flags(self.domains[self.index[reader]])
                later = (until == 0) | (until > count)
                barred = (later[:, None] & flags) | ((until == count)[:, None] & ~flags)
                yield Edge(self.index[name], self.index[reader], COSTS_NOTHING, barred)
