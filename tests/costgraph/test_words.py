"""Domains of words, against enumeration."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.costgraph import Words


@st.composite
def restricted_words(draw):
    alphabet = draw(st.sampled_from(["d", "dm", "mo", "dmo"]))
    length = draw(st.integers(0, 4))
    limit = st.one_of(st.none(), st.integers(0, 3))
    limits = draw(st.one_of(st.none(), st.tuples(*[limit] * len(alphabet))))
    word = st.text(alphabet + ".", min_size=length, max_size=length)
    return Words(alphabet, length, limits, draw(st.one_of(st.none(), word)))


def every_word(alphabet, length):
    return ["".join(letters) for letters in product(alphabet, repeat=length)]


def is_allowed(words, word):
    limits = words.limits or (None,) * len(words.alphabet)
    over = [
        limit is not None and word.count(letter) > limit for letter, limit in zip(words.alphabet, limits, strict=True)
    ]
    return not any(over) and (words.fixed is None or re.fullmatch(words.fixed, word) is not None)


@pytest.mark.parametrize("alphabet", ["d", "dm", "mo", "dmo"])
@pytest.mark.parametrize("length", range(4))
def test_positions_are_lexicographic_in_the_alphabets_order(alphabet, length):
    words, every = Words(alphabet, length), every_word(alphabet, length)
    assert words.size == len(every)
    assert [words.word(i) for i in range(words.size)] == every
    assert [words.index(word) for word in every] == list(range(words.size))


def test_letters_are_positions_in_the_alphabet_root_first():
    words = Words("mo", 3)
    assert words.letters(words.index("omo")) == (1, 0, 1)


@given(restricted_words())
def test_the_mask_allows_what_limits_and_a_given_word_allow(words):
    expected = [is_allowed(words, word) for word in every_word(words.alphabet, words.length)]
    assert words.mask.tolist() == expected


@given(restricted_words())
def test_a_prefix_is_allowed_if_some_allowed_word_begins_so(words):
    allowed = [word for word in every_word(words.alphabet, words.length) if is_allowed(words, word)]
    for h in range(words.length + 1):
        for prefix in every_word(words.alphabet, h):
            assert words.allows(prefix) is any(word.startswith(prefix) for word in allowed)


@given(restricted_words())
def test_words_without_restrictions_are_all_allowed(words):
    assert words.restricted or words.mask.all()
