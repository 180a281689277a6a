"""Costs of a pair of words: every way of asking gives the definition; the factored product the dense one."""

from __future__ import annotations

import numpy as np
import pytest
from costgraph.word_costs import edge_by_definition, word_edges
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.costgraph import EdgeCost, EdgeTerm, TableEdge, WordEdge, Words, minplus

BATCHES = st.sampled_from([(), (1,), (3,), (2, 2)])
DTYPES = st.sampled_from([np.int64, object])


def definition(cost):
    firsts = [cost.first.word(i) for i in range(cost.first.size)]
    seconds = [cost.second.word(i) for i in range(cost.second.size)]
    return [[edge_by_definition(cost, s, q) for q in seconds] for s in firsts]


def message_of(seed, shape, dtype):
    values = np.random.default_rng(seed).integers(0, 2**40, size=shape)
    return values.astype(dtype) * (2**60 if dtype is object else 1)


def dense_minplus(cost, message):
    """Minimise every sum of a message's entry and a cost; Python integers throughout."""
    table = np.array(definition(cost), dtype=object)
    return (message.astype(object)[..., :, None] + table).min(axis=-2)


@given(word_edges())
def test_value_dense_columns_and_levels_agree_with_the_definition(cost):
    expected = definition(cost)
    assert [[cost.value(i, j) for j in range(cost.shape[1])] for i in range(cost.shape[0])] == expected
    assert cost.dense(np.int64).tolist() == cost.dense(object).tolist() == expected
    columns = [cost.column(j, np.int64).tolist() for j in range(cost.shape[1])]
    assert [list(row) for row in zip(*columns, strict=True)] == expected
    for i in range(cost.shape[0]):
        for j in range(cost.shape[1]):
            s, q = cost.first.letters(i), cost.second.letters(j)
            levels = [int(cost.level(h, (s[:h], q[:h]))[s[h], q[h]]) for h in range(len(s))]
            assert sum(levels) == expected[i][j]


@given(word_edges())
def test_no_value_exceeds_upper(cost):
    assert max(map(max, definition(cost))) <= cost.upper


@given(word_edges(), BATCHES, DTYPES, st.integers(0, 2**32))
def test_the_factored_product_is_the_dense_one(cost, batch, dtype, seed):
    message = message_of(seed, (*batch, cost.shape[0]), dtype)
    before = message.copy()
    product = cost.minplus(message)
    assert product.tolist() == dense_minplus(cost, message).tolist()
    assert product.dtype == message.dtype
    assert (message == before).all()


@given(word_edges(), st.integers(0, 2**32))
def test_the_product_of_the_exchanged_cost_is_that_of_the_definition(cost, seed):
    message = message_of(seed, (cost.shape[1],), np.int64)
    table = np.array(definition(cost), dtype=object)
    assert cost.transposed().minplus(message).tolist() == (message[None, :] + table).min(axis=1).tolist()
    assert cost.transposed().dense(object).tolist() == table.T.tolist()
    assert cost.transposed().transposed() == cost


@given(word_edges(), st.integers(0, 2**32))
def test_argmin_is_the_first_value_that_attains_the_product(cost, seed):
    message = message_of(seed, (cost.shape[0],), np.int64) % 7
    product, table = cost.minplus(message), definition(cost)
    for j in range(cost.shape[1]):
        sums = [int(message[i]) + table[i][j] for i in range(cost.shape[0])]
        assert cost.argmin(message, j) == sums.index(int(product[j]))


@given(word_edges(least_levels=1, most_levels=4), st.sampled_from([1, 2]), st.integers(0, 2**32))
def test_the_product_in_blocks_is_the_same(cost, workers, seed):
    message = message_of(seed, (cost.shape[0],), np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(minplus, "LONG", 1)
        patch.setattr(minplus, "BLOCK", 4)
        product = cost.minplus(message, workers)
    assert product.tolist() == dense_minplus(cost, message).tolist()


@pytest.mark.parametrize("sides", [(0,), (1,), (0, 1)], ids=["first", "second", "both"])
def test_a_long_product_agrees_with_dense_columns(sides):
    rng = np.random.default_rng(12)
    words = Words("dm", 12)
    terms = tuple(
        EdgeTerm(tuple(map(tuple, rng.integers(0, 1000, (2, 2)).tolist())), side, ((2, 1),) * 12, (1,) * 12)
        for side in sides
    )
    cost = WordEdge(words, words, terms)
    message = rng.integers(0, 2**30, words.size)
    product = cost.minplus(message, 2)
    for second in rng.integers(0, words.size, 40).tolist():
        assert product[second] == (message + cost.column(second, np.int64)).min()


@given(word_edges())
def test_scaling_weighs_every_level(cost):
    weights = tuple(range(3, 3 + cost.first.length))
    scaled = cost.scaled(weights)
    for i in range(cost.shape[0]):
        for j in range(cost.shape[1]):
            s, q = cost.first.letters(i), cost.second.letters(j)
            levels = [w * int(cost.level(h, (s, q))[s[h], q[h]]) for h, w in enumerate(weights)]
            assert scaled.value(i, j) == sum(levels)


def test_a_cost_without_terms_is_nothing():
    cost = WordEdge(Words("dm", 2), Words("dm", 2), ())
    assert cost.value(0, 3) == cost.upper == 0
    assert not cost.dense(np.int64).any()


def test_the_product_of_a_cost_without_terms_is_the_least_of_the_message():
    cost = WordEdge(Words("dm", 2), Words("dm", 2), ())
    assert cost.minplus(np.array([3, 1, 2, 5])).tolist() == [1, 1, 1, 1]


def test_terms_may_count_different_letters_of_one_word():
    share = ((1, 2), (3, 4))
    words = Words("dm", 2)
    factors = [(0, (2, 1)), (0, (1, 2)), (1, (2, 1))]
    cost = WordEdge(words, words, tuple(EdgeTerm(share, side, (level,) * 2, (1, 1)) for side, level in factors))
    message = np.array([3, 1, 2, 5])
    assert cost.minplus(message).tolist() == dense_minplus(cost, message).tolist()


@given(st.integers(1, 4), st.integers(1, 4), BATCHES, st.integers(0, 2**32))
def test_a_table_gives_the_dense_product_too(n, n2, batch, seed):
    values = np.random.default_rng(seed).integers(0, 50, (n, n2))
    cost, message = TableEdge(values), message_of(seed, (*batch, n), np.int64)
    assert isinstance(cost, EdgeCost)
    assert cost.minplus(message).tolist() == (message[..., :, None] + values).min(axis=-2).tolist()
    assert cost.transposed().dense(np.int64).tolist() == values.T.tolist()
    assert [cost.column(j, np.int64).tolist() for j in range(n2)] == values.T.tolist()
    assert cost.value(n - 1, n2 - 1) == values[-1, -1]
    assert cost.upper == values.max()
