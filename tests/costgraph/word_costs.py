"""Random costs over words for Hypothesis, and the same costs by their definition."""

from __future__ import annotations

from hypothesis import strategies as st

from hypar_opt.costgraph import EdgeTerm, UnaryTerm, WordEdge, Words, WordUnary

ALPHABETS = st.sampled_from(["d", "m", "dm", "mo", "dmo"])
SHARES = st.one_of(st.integers(0, 5), st.integers(0, 2**34))
WEIGHTS = st.one_of(st.just(1), st.integers(0, 1000))


def _growing(alphabet):
    return st.tuples(*[st.booleans()] * len(alphabet))


def _weights(levels):
    return st.tuples(*[WEIGHTS] * levels)


@st.composite
def word_unaries(draw, most_levels=4):
    words = Words(draw(ALPHABETS), draw(st.integers(0, most_levels)))
    size = len(words.alphabet)
    term = st.builds(UnaryTerm, st.tuples(*[SHARES] * size), _growing(words.alphabet), _weights(words.length))
    return WordUnary(words, tuple(draw(st.lists(term, max_size=3))))


@st.composite
def word_edges(draw, most_levels=3, least_levels=0):
    """A cost whose terms look at the letters above of either word, of both or of none.

    Terms that look at one word all count the same letters, as those that the accountings compile to do.
    """
    levels = draw(st.integers(least_levels, most_levels))
    words = [Words(draw(ALPHABETS), levels) for _ in range(2)]
    growing = [draw(_growing(word.alphabet)) for word in words]
    row = st.tuples(*[SHARES] * len(words[1].alphabet))
    share = st.tuples(*[row] * len(words[0].alphabet))
    side = st.sampled_from([0, 1])
    term = st.builds(lambda share, side, w: EdgeTerm(share, side, growing[side], w), share, side, _weights(levels))
    return WordEdge(*words, tuple(draw(st.lists(term, min_size=1, max_size=4))))


def unary_by_definition(cost, word):
    """The sum over levels of weight x share of the letter x 2^(growing letters above)."""
    total = 0
    for term in cost.terms:
        for h, letter in enumerate(word):
            above = sum(term.growing[cost.words.alphabet.index(x)] for x in word[:h])
            total += term.weights[h] * term.share[cost.words.alphabet.index(letter)] * 2**above
    return total


def edge_by_definition(cost, first, second):
    """The same for a pair of words; the letters above are those of the term's side."""
    alphabets, total = (cost.first.alphabet, cost.second.alphabet), 0
    for term in cost.terms:
        looked_at, alphabet = (first, second)[term.side], alphabets[term.side]
        for h, (a, b) in enumerate(zip(first, second, strict=True)):
            above = sum(term.growing[alphabet.index(x)] for x in looked_at[:h])
            share = term.share[alphabets[0].index(a)][alphabets[1].index(b)]
            total += term.weights[h] * share * 2**above
    return total
