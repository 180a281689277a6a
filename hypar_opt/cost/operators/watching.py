"""Tables with the memory at some moments of the step as rows, exact.

Of a tensor that takes memory only where two variables' values differ, a further variable says whether they do: its
values are the placements that both can have, and the sizes of what is taken where they have not the same. What is
inconsistent is forbidden; where they have the same, that they differ is allowed, and only takes more. So every row is
used by single variables, as rows of tables have to be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Tables, TableUnary
from hypar_opt.costgraph.graph import memory_of, tables_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.cost.operators.holdings import Misfit
    from hypar_opt.cost.operators.memory import Occupancy
    from hypar_opt.costgraph import Array, CostGraph


@dataclass(frozen=True, eq=False)
class _Watch:
    """Whether a tensor lies otherwise than it is needed.

    Parameters
    ----------
    taken
        By value, what it takes.
    own, others
        By the value of the variable whose tensor it is, or of the other, and by value here, whether they go together.
    """

    taken: TableUnary
    own: Array
    others: Array

    @classmethod
    def of(cls, one: Misfit) -> _Watch:
        """Return what stands for a difference."""
        known: dict[bytes, int] = {}
        lies, there = (np.array([known.setdefault(row.tobytes(), len(known)) for row in np.ascontiguousarray(rows)])
                       for rows in (one.lies, one.there))  # fmt: skip
        sizes = sorted(set(one.taken.tolist()))
        alike = np.array(sorted(set(lies[one.taken > 0].tolist()) & set(there.tolist())), dtype=np.int64)
        own = np.concatenate([lies[:, None] == alike, one.taken[:, None] == np.array(sizes, dtype=object)], axis=1)
        others = np.concatenate([there[:, None] == alike, np.ones((len(there), len(sizes)), dtype=bool)], axis=1)
        taken = TableUnary(np.array([0] * len(alike) + sizes, dtype=object))
        return cls(taken, own.astype(bool), others)

    def value(self, own: int, other: int) -> int:
        """Return the value that takes least beside those of two variables."""
        return int(np.flatnonzero(self.own[own] & self.others[other])[0])


@dataclass(frozen=True, eq=False)
class WatchedTables:
    """The tables of a CostGraph, with the memory at some moments exact.

    Parameters
    ----------
    graph
        What is decided otherwise; none of its capacities is used by pairs.
    occupancy
        What is in the memory when.
    moments
        Which are exact.
    """

    graph: CostGraph
    occupancy: Occupancy
    moments: Sequence[int]

    @cached_property
    def _watched(self) -> Mapping[tuple[int, ...], Misfit]:
        """What further variables stand for."""
        found = (one for number in self.moments for one in self.occupancy.differences(number))
        return {one.key: one for one in found}

    @cached_property
    def _watches(self) -> tuple[_Watch, ...]:
        made: dict[tuple[int, ...], _Watch] = {}
        for key, one in self._watched.items():
            if key[2:] not in made:
                made[key[2:]] = _Watch.of(one)
        return tuple(made[key[2:]] for key in self._watched)

    @cached_property
    def tables(self) -> Tables:
        """The tables."""
        count = len(self.graph.variables)
        place = {key: count + number for number, key in enumerate(self._watched)}
        rows = [
            self.occupancy.row(
                number,
                [(place[one.key], self._watches[place[one.key] - count].taken)
                 for one in self.occupancy.differences(number)],
            )
            for number in self.moments
        ]  # fmt: skip
        plain = tables_of(self.graph)
        if not rows:
            return plain
        ends, edges = [plain.ends], [plain.edges]
        for key, watch in zip(self._watched, self._watches, strict=True):
            for end, pairs in ((key[0], watch.own), (key[1], watch.others)):
                if not pairs.all():
                    ends.append(np.array([[end, place[key]]]))
                    edges.append(np.where(pairs, 0, FORBIDDEN).reshape(-1))
        sizes = np.array([one.taken.size for one in self._watches], dtype=np.int64)
        whole = plain.replace(
            sizes=np.concatenate([plain.sizes, sizes]),
            unary=np.concatenate([plain.unary, np.zeros(int(sizes.sum()), dtype=np.int64)]),
            ends=np.concatenate(ends),
            edges=np.concatenate(edges),
        )
        return replace(whole, memory=memory_of((*self.graph.capacities, *rows)))

    def extended(self, choices: Sequence[int]) -> tuple[int, ...]:
        """Return choices with those of the further variables that take least."""
        pairs = zip(self._watched.values(), self._watches, strict=True)
        return (*choices, *(watch.value(choices[one.variable], choices[one.other]) for one, watch in pairs))
