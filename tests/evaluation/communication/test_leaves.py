"""leaf-exact: against arrays whose every element every leaf has or needs, and against model.md's own figures."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from helpers import document, linear_chain, problem_of

from hypar_opt.evaluation.communication.levels import read_by_leaves
from hypar_opt.util.partition import halves

READ_AS, WRITTEN_AS = {"d": 0, "m": 1}, {"d": 0, "o": 1}


def boxes(words, as_read):
    """Return how the levels of two words halve a tensor: along axis 0, along axis 1."""
    axes = (READ_AS if as_read else WRITTEN_AS), READ_AS
    return [[tuple(int(own.get(letter) == axis) for axis in (0, 1)) for letter in word]
            for word, own in zip(words, axes, strict=True)]  # fmt: skip


def has(word, axes, leaf):
    """Mark the elements of a 2^H x 2^H tensor (batch x channel) that a leaf has: level h takes the half of bit h."""
    levels = len(word)
    index = np.arange(2**levels)
    mask = np.ones((2**levels, 2**levels), dtype=bool)
    for h, letter in enumerate(word):
        if letter in axes:
            bit = (index >> (levels - 1 - h)) & 1 == leaf[h]
            mask &= bit[:, None] if axes[letter] == 0 else bit[None, :]
    return mask


def walked(words, as_read):
    """Count, leaf by leaf and element by element, what is needed and lacked of F, and of E, by level of reading."""
    levels = len(words[0])
    tensors = []
    written_as = READ_AS if as_read else WRITTEN_AS
    everyone = list(product((0, 1), repeat=levels))
    for needs, holds in (((words[1], READ_AS), (words[0], written_as)), ((words[0], written_as), (words[1], READ_AS))):
        counts = [0] * levels
        tensors.append(counts)
        held = {leaf: has(*holds, leaf) for leaf in everyone}
        for leaf in everyone:
            lacked = has(*needs, leaf) & ~held[leaf]
            for element in zip(*np.nonzero(lacked), strict=True):
                # the nearest holder shares the longest beginning of the address
                shared = max(_common(leaf, other) for other in everyone if held[other][element])
                counts[shared] += 1
    return tensors


def _common(one, other):
    return next((h for h, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), len(one))


@pytest.mark.parametrize("as_read", [False, True])
@pytest.mark.parametrize("levels", [1, 2, 3])
def test_every_pair_of_words_against_a_walk_over_all_leaves(levels, as_read):
    before = ["".join(word) for word in product("dm" if as_read else "dmo", repeat=levels)]
    after = ["".join(word) for word in product("dmo", repeat=levels)]
    pairs = list(product(before, after))
    for words in pairs[:: 7 if levels == 3 else 1]:
        expected = walked(words, as_read)
        found = read_by_leaves(4**levels, *boxes(words, as_read), halves(levels))
        assert [list(tensor) for tensor in found] == expected


def test_dd_to_mm_reads_one_and_a_half_of_the_tensor():
    found = read_by_leaves(1, *boxes(("dd", "mm"), False), halves(2))
    assert sum(map(sum, found)) == Fraction(3, 2)


@pytest.mark.parametrize(("levels", "agreeing"), [(2, 13), (4, 121)])
def test_on_how_many_pairs_it_agrees_with_receiver(levels, agreeing):
    problem = problem_of(document(linear_chain(4, 4), [4], batch=16, levels=levels, accounting="receiver"))
    words = ["".join(word) for word in product("dm", repeat=levels)]
    same = 0
    for pair in product(words, repeat=2):
        strategies = dict(zip(("fc1", "fc2"), pair, strict=True))
        totals = {problem.bytes_of(strategies, name).total for name in ("receiver", "leaf-exact")}
        same += len(totals) == 1
    assert (same, len(words) ** 2) == (agreeing, 4**levels)


def test_fractions_of_a_byte_stay_exact():
    problem = problem_of(
        document(linear_chain(1, 1), [1], batch=1, levels=3, accounting="leaf-exact", bytes_per_element=2)
    )
    total = problem.bytes_of({"fc1": "ddd", "fc2": "mmm"}).total
    # F and E, each 2 bytes x 8 leaves x (1/8 - 1/64); intra 2 x 2 x (8 - 1) for each layer
    assert total == Fraction(7, 2) + 56
    assert problem.graph.value(problem.choices({"fc1": "ddd", "fc2": "mmm"})) == total * 8
