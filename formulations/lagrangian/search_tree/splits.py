"""Divisions of a subproblem that are worth a trial: by what a variable takes of the memory, and by its values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from formulations.lagrangian.search_tree.subproblem import Subproblem
    from hypar_opt.costgraph import Array

TRIALS: Final = 8
"""Divisions that are tried of one subproblem."""
OF_MEMORY: Final = 4
"""How many of them may be by memory."""
LITTLE: Final = 0.02
"""Of the gap: what is less does not count."""
DECIDED: Final = 3.0
"""How much worse a variable is to divide of which one value alone is near the bound."""


def splits(sub: Subproblem, gap: float) -> list[Array]:
    """Return divisions, the most promising of either kind first.

    Parameters
    ----------
    gap
        From the subproblem's bound to what a better plan costs less than.

    Returns
    -------
    masks
        By value, whether it is in the first half; the second has the variable's others. Both halves have every value of
        all other variables.
    """
    masks = _by_memory(sub, LITTLE * gap)[:OF_MEMORY]
    return masks + _by_value(sub, LITTLE * gap, TRIALS - len(masks))


def _by_memory(sub: Subproblem, least: float) -> list[Array]:
    """Divide between the two uses of an item nearest to the bound, of those that prices tell apart most."""
    tables, memory = sub.tables, sub.tables.memory
    sums = np.concatenate([[0.0], np.cumsum(sub.prices)])
    each = sums[memory.spans[:, 1]] - sums[memory.spans[:, 0]]
    found = []
    for item in np.flatnonzero(each > 0.0).tolist():
        holder, uses = int(memory.holders[item]), memory.of(item)
        excess = sub.excess[tables.starts[holder] : tables.starts[holder + 1]]
        nearest = uses[excess.argmin()]
        others = uses != nearest
        if not others.any():
            continue
        second = uses[others][excess[others].argmin()]
        apart = float(each[item]) * abs(int(second) - int(nearest))
        if apart >= least:
            found.append((-apart, holder, uses <= min(nearest, second)))
    return [_mask(sub, holder, inside) for _, holder, inside in sorted(found, key=lambda one: one[:2])]


def _by_value(sub: Subproblem, near: float, most: int) -> list[Array]:
    """Part the nearest value from all others, of variables with few values and many neighbours."""
    tables = sub.tables
    several = tables.sizes > 1
    neighbours = np.maximum(np.diff(tables.incident[1]), 1)
    close = np.add.reduceat(sub.excess <= near, tables.starts[:-1], dtype=np.int64)
    rank = tables.sizes / neighbours * np.where(close > 1, 1.0, DECIDED)
    found = []
    for variable in np.lexsort((rank, ~several))[: min(most, int(several.sum()))].tolist():
        excess = sub.excess[tables.starts[variable] : tables.starts[variable + 1]]
        found.append(_mask(sub, variable, np.arange(len(excess)) == excess.argmin()))
    return found


def _mask(sub: Subproblem, variable: int, inside: Array) -> Array:
    mask = np.ones(len(sub.tables.unary), dtype=np.bool_)
    mask[sub.tables.starts[variable] : sub.tables.starts[variable + 1]] = inside
    return mask


def halves(sub: Subproblem, mask: Array) -> tuple[Subproblem, Subproblem]:
    """Return both halves of a division."""
    tables = sub.tables
    divided = np.repeat(~np.logical_and.reduceat(mask, tables.starts[:-1]), tables.sizes)
    return sub.among(mask, 1), sub.among(~mask | ~divided, 1)
