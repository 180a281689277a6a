"""What letters multiply the levels below by: terms cost what their factors say, however these are kept."""

from __future__ import annotations

import numpy as np
import pytest
from costgraph.word_costs import level_factors, sum_by_definition
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.costgraph import EdgeTerm, UnaryTerm, WordEdge, Words, WordUnary, minplus, words
from hypar_opt.costgraph.factors import products, products_by_level

SHARE, BOTH = (1, 20, 300), ((1, 20, 300), (4000, 50_000, 0), (7, 0, 80))
HUGE = 2**70


@st.composite
def cases(draw):
    levels = draw(st.integers(0, 4))
    weights = draw(st.tuples(*[st.integers(0, 9)] * levels))
    return draw(level_factors("dmo", levels)), weights, draw(st.tuples(*[st.integers(0, 2)] * levels))


@given(cases(), st.sampled_from([0, 1]))
def test_a_term_costs_what_the_factors_it_was_given_say(case, side):
    factors, weights, letters = case
    other = tuple((letter + 1) % 3 for letter in letters)
    pair = (letters, other) if side == 0 else (other, letters)
    shares = [BOTH[a][b] for a, b in zip(*pair, strict=True)]
    edge = EdgeTerm(BOTH, side, factors, weights)
    assert edge.total(pair) == sum_by_definition(factors, weights, letters, shares)
    unary = UnaryTerm(SHARE, factors, weights)
    assert unary.total(letters) == sum_by_definition(factors, weights, letters, [SHARE[x] for x in letters])


@given(cases(), st.sampled_from([1, 2**6]))
def test_sums_over_all_words_are_each_words_own(case, few):
    factors, weights, _ = case
    cost = WordUnary(Words("dmo", len(weights)), (UnaryTerm(SHARE, factors, weights),))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "FEW", few)
        assert cost.dense(np.int64).tolist() == [cost.value(i) for i in range(cost.size)]


@given(cases())
def test_terms_that_differ_in_weights_only_keep_the_same_factors(case):
    factors, weights, _ = case
    assert UnaryTerm(SHARE, factors, weights).factors == UnaryTerm(SHARE, factors, (1,) * len(weights)).factors


@pytest.mark.parametrize(
    ("factors", "free"),
    [
        (((5, 5), (1, 1), (3, 2)), True),  # the last level's multiply nothing
        (((5, 5), (0, 0), (3, 2)), True),
        (((0, 0), (3, 2), (1, 1)), True),
        (((0, 4), (1, 1), (1, 1)), False),
        (((1, 1), (6, 4), (1, 1)), False),
    ],
)
def test_a_term_is_free_where_all_letters_of_each_level_multiply_alike(factors, free):
    assert EdgeTerm(((1, 2), (3, 4)), 0, factors, (1, 1, 1)).free is free


def test_what_letters_have_in_common_is_a_weight():
    term = UnaryTerm((1, 2), ((14, 20), (3, 3), (9, 8)), (1, 2, 5))
    assert (term.factors, term.weights) == (((7, 10), (1, 1), (1, 1)), (1, 4, 30))


@pytest.mark.parametrize("side", [0, 1])
def test_factors_of_nothing_need_not_fit_64_bits(side, monkeypatch):
    """A level that weighs nothing is below them, or no share is."""
    monkeypatch.setattr(minplus, "LONG", 1)
    monkeypatch.setattr(words, "FEW", 1)
    monkeypatch.setattr(words, "SHORT", 1)
    both, factors = Words("dm", 4), ((1, 3), (HUGE, 1), (HUGE, 1), (HUGE, 1))
    terms = (
        EdgeTerm(((1, 2), (3, 4)), side, factors, (1, 1, 0, 0)),
        EdgeTerm(((0, 0), (0, 0)), side, factors, (1,) * 4),
    )
    cost = WordEdge(both, both, terms)
    assert cost.upper < 2**10
    exact, message = cost.dense(object), np.arange(16) * 7 % 5
    assert cost.dense(np.int64).tolist() == exact.tolist()
    assert [cost.column(j, np.int64).tolist() for j in range(16)] == exact.T.tolist()
    assert cost.minplus(message).tolist() == (message[:, None] + exact).min(axis=0).tolist()
    own = WordUnary(both, (UnaryTerm((1, 2), factors, (1, 1, 0, 0)), UnaryTerm((0, 0), factors, (1,) * 4)))
    assert own.dense(np.int64).tolist() == own.dense(object).tolist()


@given(cases())
def test_products_are_those_of_every_word(case):
    factors, _, letters = case
    place = Words("dmo", len(letters)).index("".join("dmo"[x] for x in letters))
    assert products(factors, object)[place] == np.prod([level[x] for level, x in zip(factors, letters, strict=True)])
    reached = list(products_by_level([factors, factors[::-1]], len(factors)))
    for h, found in enumerate(reached):
        both = zip(products(factors[:h], object), products(factors[::-1][:h], object), strict=True)
        assert found == set(both)
    assert list(products_by_level([], 2)) == [{()}] * 2
