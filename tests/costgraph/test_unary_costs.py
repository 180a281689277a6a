"""Costs of one word: every way of asking gives the definition."""

from __future__ import annotations

import numpy as np
import pytest
from costgraph.word_costs import unary_by_definition, word_unaries
from hypothesis import given

from hypar_opt.costgraph import TableEdge, TableUnary, UnaryCost, UnaryTerm, Words, WordUnary, words


def definition(cost):
    return [unary_by_definition(cost, cost.words.word(i)) for i in range(cost.size)]


@given(word_unaries())
def test_value_dense_and_levels_agree_with_the_definition(cost):
    expected = definition(cost)
    assert [cost.value(i) for i in range(cost.size)] == expected
    assert cost.dense(np.int64).tolist() == expected
    assert cost.dense(object).tolist() == expected
    for i, value in enumerate(expected):
        letters = cost.words.letters(i)
        levels = [cost.level(h, letters[:h])[letter] for h, letter in enumerate(letters)]
        assert sum(levels) == value


@given(word_unaries())
def test_no_value_exceeds_upper(cost):
    assert max(definition(cost)) <= cost.upper


@given(word_unaries())
def test_scaling_weighs_every_level(cost):
    weights = tuple(range(3, 3 + cost.words.length))
    scaled = cost.scaled(weights)
    for i in range(cost.size):
        letters = cost.words.letters(i)
        levels = [w * cost.level(h, letters)[letters[h]] for h, w in enumerate(weights)]
        assert scaled.value(i) == sum(levels)


@given(cost=word_unaries(most_levels=5))
def test_long_sums_are_the_same_in_halves(cost):
    expected = definition(cost)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "SHORT", 2)
        patch.setattr(words, "FEW", 1)
        assert cost.dense(np.int64).tolist() == expected


def test_dense_is_exact_beyond_63_bits():
    cost = WordUnary(Words("dm", 2), (UnaryTerm((2**80, 1), ((2, 1),) * 2, (1, 1)),))
    assert cost.dense(object).tolist() == [3 * 2**80, 2**80 + 2, 1 + 2**80, 2]


def test_a_table_is_a_unary_cost_too():
    cost = TableUnary(np.array([5, 0, 2**70], dtype=object))
    assert isinstance(cost, UnaryCost)
    assert (cost.size, cost.upper, cost.value(2)) == (3, 2**70, 2**70)
    assert cost.dense(object).tolist() == [5, 0, 2**70]


def test_only_tables_of_the_same_numbers_have_the_same_content():
    for dtype in (np.int64, object):
        first, same, other = (np.array(one, dtype=dtype) for one in ([1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 5]))
        assert TableUnary(first).content() == TableUnary(same).content() != TableUnary(other).content()
        square, line = (TableEdge(first.reshape(shape)) for shape in ((2, 2), (1, 4)))
        assert square.content() != line.content()
        assert square.transposed().content() == TableEdge(np.array([[1, 3], [2, 4]], dtype=dtype)).content()
