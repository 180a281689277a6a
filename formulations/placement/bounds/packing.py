"""A packing of cuts: how multipliers are proposed, and what they then prove.

Multipliers lambda_S >= 0 of sets S of sites pack the pair costs D if for all sites u, v

`sum over the S that separate u and v of lambda_S <= D[u, v]`.

Then what adds up over pairs is at least `sum over S of lambda_S x e(|S|)`: every pair that exchanges pays D, hence
at least all the lambda_S that separate it, and at least e(|S|) of volume is separated by S. A linear programme
proposes lambda; what it proposes is turned into whole numbers, and if those violate a pair they are divided by
how much.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.run import Limits

DENOMINATORS = (1, 2, 3, 4, 12, 1 << 20)
"""Of the whole numbers that multipliers become."""
ROOM = 2.0**60
"""For the sum of multipliers as whole numbers."""
ROUNDS = 40
"""Of adding violated pairs."""
AT_ONCE = 2000
"""Pairs that a round adds."""


def claimed(sets: Array, multipliers: Array, costs: Array, least: Sequence[int]) -> Fraction:
    """Return what some multipliers prove: exact, whatever they are.

    Parameters
    ----------
    sets
        Of truth values, shape (sets, sites).
    multipliers
        In floating point, shape (sets,); for `costs` as they are.
    costs
        Pair costs.
    least
        By number of sites, what crosses at least.
    """
    values = [least[int(k)] for k in sets.sum(axis=1)]
    # what separates two sites are sums of all multipliers, twice, in 64 bits
    fitting = [one for one in DENOMINATORS if float(np.abs(multipliers).sum()) * one < ROOM]
    return max((_proven(sets, multipliers, costs, values, one) for one in fitting), default=Fraction(0))


def _proven(sets: Array, multipliers: Array, costs: Array, values: Sequence[int], denominator: int) -> Fraction:
    whole = np.maximum(np.round(multipliers * denominator), 0).astype(np.int64)
    kept = np.flatnonzero(whole)
    if not len(kept):
        return Fraction(0)
    separated = separations(sets[kept], whole[kept])
    used = separated > 0
    if (costs[used] == 0).any():
        return Fraction(0)
    total = sum(int(whole[i]) * values[i] for i in kept.tolist())
    # the least of D / separated, found in floating point and settled exactly among those near it
    ratios = costs[used].astype(float) / separated[used]
    near = ratios <= ratios.min() * (1 + 1e-9)
    pairs = zip(costs[used][near], separated[used][near], strict=True)
    return total * min(Fraction(int(cost), int(count)) for cost, count in set(pairs))


def separations(sets: Array, multipliers: Array) -> Array:
    """Return for every two sites the sum of the multipliers of the sets that separate them."""
    weighed = sets * multipliers[:, None]
    inside = weighed.sum(axis=0)
    both: Array = weighed.T @ sets.astype(weighed.dtype)
    apart: Array = inside[:, None] + inside[None, :] - 2 * both
    return apart


def proposed(
    sets: Array, costs: Array, least: Sequence[int], pairs: Array, limits: Limits
) -> tuple[Array, Array, Array]:
    """Return multipliers that solve the packing's linear programme up to rounding.

    Pairs are added as they are violated: in a graph's own metric those of neighbours imply the rest.

    Parameters
    ----------
    pairs
        Rows to begin with, as u * sites + v; shape (rows,).
    limits
        After one, multipliers may violate pairs that no row has yet; what they prove is less then.

    Returns
    -------
    Array
        Multipliers.
    Array
        The rows at the end.
    Array
        What the linear programme would pay for every row.
    """
    values = np.array([float(least[k]) for k in sets.sum(axis=1)])
    scale, height = float(costs.max()), max(values.max(), 1.0)
    for _ in range(ROUNDS):
        first, second = np.divmod(pairs, len(costs))
        rows = sets[:, first] ^ sets[:, second]
        result = _solved(rows.T, values / height, costs.ravel()[pairs].astype(float) / scale, limits.remaining_s())
        if result is None:
            return np.zeros(len(sets)), pairs, np.zeros(len(pairs))
        multipliers = result.x * scale
        over = np.triu(separations(sets, multipliers) - costs.astype(float), 1).ravel()
        worst = np.argsort(over)[::-1][:AT_ONCE]
        fresh = np.setdiff1d(worst[over[worst] > 1e-7 * scale], pairs)
        if not len(fresh) or limits.over:
            break
        pairs = np.concatenate([pairs, fresh])
    return multipliers, pairs, -result.ineqlin.marginals * height


def _solved(rows: Array, values: Array, limits: Array, seconds: float | None) -> Any:
    """Maximise; no multiplier need exceed the largest pair cost, which bounds those that no row limits yet."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    options = {} if seconds is None else {"time_limit": max(seconds, 0.01)}
    matrix = csr_array(rows.astype(float))
    result = linprog(-values, A_ub=matrix, b_ub=limits, bounds=(0, 1), method="highs", options=options)
    return result if result.status == 0 else None
