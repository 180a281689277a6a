"""All words that no bound leaves out, layer by layer: as simple as can be, for the few words that weights leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hypar_opt.verification.mixed_boxes.elimination import TooLarge

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.verification.mixed_boxes.elimination import Floats, LayerElimination
    from hypar_opt.verification.mixed_boxes.elimination_order import EliminationOrder

MOST_BEGINNINGS: Final = 2**16
"""Words of some layers that are looked at side by side."""
Chosen: TypeAlias = "Mapping[int, NDArray[np.int64]]"
"""By variable that has a value, its value in every beginning."""


@dataclass(frozen=True)
class WordRule:
    """What words have to keep to.

    Parameters
    ----------
    sums
        Rows: their values are added up; columns: of a row the most counts, or the least.
    of_row
        Which.
    below
        What the value has to be below.
    """

    sums: tuple[tuple[LayerElimination, ...], ...]
    of_row: Literal["max", "min"]
    below: float

    def kept(self, beginnings: Chosen, layer: int) -> NDArray[np.bool_]:
        """Return which values of a layer the rule lets beginnings go on with; shape (beginnings, values).

        Every sum is its least over all ends of a beginning.
        """
        of = np.maximum if self.of_row == "max" else np.minimum
        rows = [of.reduce([_least(one, beginnings, layer) for one in row]) for row in self.sums]
        kept: NDArray[np.bool_] = sum(rows[1:], start=rows[0]) < self.below
        return kept


def words_within(rules: Sequence[WordRule], order: EliminationOrder, sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return the values, by variable, of all assignments that keep to rules; shape (assignments, variables).

    Raises
    ------
    TooLarge
        If there are too many beginnings of such.
    """
    begun: dict[int, NDArray[np.int64]] = {}
    count = 1
    for one in reversed(order.order):
        if count * sizes[one] > MOST_BEGINNINGS:
            raise TooLarge(f"{count * sizes[one]:,} beginnings")
        kept = np.ones((count, sizes[one]), dtype=bool)
        for rule in rules:
            kept &= np.broadcast_to(rule.kept(begun, one), kept.shape)
        rows, values = np.nonzero(kept)
        begun = {other: column[rows] for other, column in begun.items()} | {one: values}
        count = len(rows)
    return np.array([begun[one] for one in range(len(sizes))]).T


def _least(one: LayerElimination, begun: Chosen, layer: int) -> Floats:
    """Return the least sums of all that begin so and go on with each value of a layer; shape (beginnings or 1, values).

    What has values is charged; the others stand for themselves by their messages.
    """
    count = len(next(iter(begun.values()))) if begun else 1
    found = np.zeros((count, len(one.sums.unary[layer])))
    for table, variables in _charges(one, {*begun, layer}):
        found = found + _at(table, variables, begun, layer)
    return found


def _charges(one: LayerElimination, known: set[int]) -> Iterator[tuple[Floats, tuple[int, ...]]]:
    """Yield all tables over variables that have values."""
    for variable in known:
        yield one.sums.unary[variable], (variable,)
    for pair in one.sums.pairs:
        if {pair.first, pair.second} <= known:
            yield pair.rows(pair.first, slice(None)), (pair.first, pair.second)
    for variable in one.order.order:
        scope = one.order.scopes[variable]
        if variable not in known and known.issuperset(scope):
            yield one.messages[variable], scope


def _at(table: Floats, variables: tuple[int, ...], begun: Chosen, layer: int) -> Floats:
    """Return a table's entries; shape (beginnings or 1, values or 1)."""
    if layer not in variables:
        return np.atleast_1d(table[tuple(begun[one] for one in variables)])[:, None]
    place = variables.index(layer)
    turned = np.moveaxis(table, place, -1)
    if len(variables) == 1:
        return turned[None, :]
    found: Floats = turned[tuple(begun[one] for one in variables if one != layer)]
    return found
