"""Random costs over words for Hypothesis, and the same costs by their definition."""

from __future__ import annotations

from math import prod

from hypothesis import strategies as st

from hypar_opt.costgraph import EdgeTerm, UnaryTerm, WordEdge, Words, WordUnary

ALPHABETS = st.sampled_from(["d", "m", "dm", "mo", "dmo"])
SHARES = st.one_of(st.integers(0, 5), st.integers(0, 2**34))
WEIGHTS = st.one_of(st.just(1), st.integers(0, 1000))


FACTORS = st.sampled_from([1, 2, 0, 1, 2, 3, 7, 10])


def level_factors(alphabet, levels):
    """By level and letter; halves as often as anything else."""
    return st.tuples(*[st.tuples(*[FACTORS] * len(alphabet))] * levels)


def _weights(levels):
    return st.tuples(*[WEIGHTS] * levels)


@st.composite
def word_unaries(draw, most_levels=4):
    words = Words(draw(ALPHABETS), draw(st.integers(0, most_levels)))
    size = len(words.alphabet)
    term = st.builds(
        UnaryTerm, st.tuples(*[SHARES] * size), level_factors(words.alphabet, words.length), _weights(words.length)
    )
    return WordUnary(words, tuple(draw(st.lists(term, max_size=3))))


@st.composite
def word_edges(draw, most_levels=3, least_levels=0):
    """A cost whose terms look at the letters above of either word, of both or of none.

    Terms that look at one word have one or two kinds of factors between them.
    """
    levels = draw(st.integers(least_levels, most_levels))
    words = [Words(draw(ALPHABETS), levels) for _ in range(2)]
    kinds = [
        st.sampled_from(draw(st.lists(level_factors(one.alphabet, levels), min_size=1, max_size=2))) for one in words
    ]
    row = st.tuples(*[SHARES] * len(words[1].alphabet))
    share = st.tuples(*[row] * len(words[0].alphabet))
    sides = [st.builds(EdgeTerm, share, st.just(side), kinds[side], _weights(levels)) for side in (0, 1)]
    term = st.one_of(sides)
    return WordEdge(*words, tuple(draw(st.lists(term, min_size=1, max_size=4))))


def unary_by_definition(cost, word):
    """The sum over levels of weight x share of the letter x the factors of the letters above."""
    letters = [cost.words.alphabet.index(letter) for letter in word]
    return sum(sum_by_definition(t.factors, t.weights, letters, [t.share[x] for x in letters]) for t in cost.terms)


def edge_by_definition(cost, first, second):
    """The same for a pair of words; the letters above are those of the term's side."""
    letters = [cost.first.alphabet.index(a) for a in first], [cost.second.alphabet.index(b) for b in second]
    return sum(
        sum_by_definition(
            term.factors, term.weights, letters[term.side], [term.share[a][b] for a, b in zip(*letters, strict=True)]
        )
        for term in cost.terms
    )


def sum_by_definition(factors, weights, letters, shares):
    """The sum over levels of weight x share x the factors of the letters above."""
    return sum(weights[h] * share * prod(factors[j][letters[j]] for j in range(h)) for h, share in enumerate(shares))
