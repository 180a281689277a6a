"""Bounds by prices: whether their sums fit 64 bits is known, and floats become the finest integers that fit."""

from __future__ import annotations

import numpy as np
from presolve_checks import tables_of

from hypar_opt.costgraph import Duals, Priced, rounded


def two(cost):
    """Two variables of two values, and an edge."""
    return tables_of([2, 2], [[0, cost], [0, 0]], [(0, 1, [[0, 1], [1, 0]])])


def test_the_least_number_of_64_bits_is_beyond_what_can_be_summed():
    least = np.array([-(2**63), 0])
    nothing = np.zeros(2, dtype=np.int64)
    for first, second in ((least, nothing), (nothing, least)):
        assert Priced(two(3), Duals(0, first, second, nothing[:0])).fault is not None


def test_where_only_whole_numbers_fit_these_are_taken():
    nothing = np.zeros(2)
    whole = rounded(two(2**61 - 8), np.array([0.0, 99.6]), nothing, nothing[:0])
    assert (whole.scale, whole.first.tolist()) == (0, [0, 100])
    finer = rounded(two(2**60 - 8), np.array([0.0, 99.6]), nothing, nothing[:0])
    assert (finer.scale, finer.first.tolist()) == (1, [0, 199])
