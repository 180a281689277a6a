"""Least sums by eliminating variables are those of trying all values."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.verification.mixed_boxes.elimination import LayerElimination, PairCost, WordCosts
from hypar_opt.verification.mixed_boxes.elimination_order import order_of
from hypar_opt.verification.mixed_boxes.word_search import WordRule, words_within


def random_sums(seed):
    """Up to five variables of up to three values, with whole costs; pairs in either direction, some twice."""
    rng = Random(seed)
    sizes = [rng.randint(1, 3) for _ in range(rng.randint(1, 5))]

    def table(*shape):
        return np.array([rng.randint(0, 9) for _ in range(int(np.prod(shape)))], dtype=float).reshape(shape)

    pairs = []
    for first, second in product(range(len(sizes)), repeat=2):
        if first == second or rng.random() > 0.3:
            continue
        if rng.random() < 0.5:
            pairs.append(PairCost(first, second, table(sizes[first], 2), table(sizes[second], 2)))
        else:
            pairs.append(PairCost(first, second, table(sizes[first], sizes[second]), None))
    sums = WordCosts(tuple(table(size) for size in sizes), tuple(pairs))
    return LayerElimination(sums, order_of(sizes, [(one.first, one.second) for one in pairs])), sizes


def value(sums, chosen):
    own = sum(costs[one] for costs, one in zip(sums.unary, chosen, strict=True))
    return own + sum(one.rows(one.second, slice(None))[chosen[one.second], chosen[one.first]] for one in sums.pairs)


@given(st.integers(0, 10**6))
def test_least_sums(seed):
    found, sizes = random_sums(seed)
    values = {chosen: value(found.sums, chosen) for chosen in product(*map(range, sizes))}
    assert found.least == min(values.values())
    for one, size in enumerate(sizes):
        least = [min(v for chosen, v in values.items() if chosen[one] == own) for own in range(size)]
        assert list(found.marginals[one]) == least


@given(st.integers(0, 10**6), st.sampled_from(["max", "min"]))
def test_what_keeps_to_a_rule(seed, of_row):
    """Of two sums in two rows and columns: their most or least, added up."""
    one, sizes = random_sums(seed)
    other = LayerElimination(WordCosts(tuple(reversed_costs(one.sums.unary)), one.sums.pairs[:1]), one.order)
    rows = ((one, other), (other, other))
    pick = max if of_row == "max" else min
    values = {
        chosen: sum(pick(value(sums.sums, chosen) for sums in row) for row in rows)
        for chosen in product(*map(range, sizes))
    }
    below = sorted(values.values())[len(values) // 3] + 0.5
    found = words_within([WordRule(rows, of_row, below)], one.order, sizes)
    assert sorted(map(tuple, found.tolist())) == sorted(chosen for chosen, v in values.items() if v < below)


def reversed_costs(unary):
    return (costs[::-1].copy() for costs in unary)
