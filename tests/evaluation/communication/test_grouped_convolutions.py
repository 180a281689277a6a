"""What grouped convolutions exchange, against convolutions that are computed piece by piece."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from helpers import document, problem_of

from tests.evaluation.communication.real_convolutions import Piece, backward, forward, gradient

BATCH, CHANNELS, LEVELS = 4, 8, 2
KERNELS = (1, 3, 3)
LEAVES = list(product((0, 1), repeat=LEVELS))
WORDS = ["".join(word) for word in product("dmo", repeat=LEVELS)]


def words_of(groups):
    """The words of a layer: groups stay whole."""
    if groups == 1:
        return WORDS
    return [word for word in WORDS if "o" not in word and groups % 2 ** word.count("m") == 0]


def bits_of(words, groups):
    """Which bit of an index every level takes: where there are two groups only, mp's level takes the topmost."""
    if groups != 2 or "m" not in words:
        return (0, 1)
    return (0, 1) if words[0] == "m" else (1, 0)


def network(groups):
    """A dense convolution, a grouped one and a dense one."""
    each = zip(("a", "b", "c"), KERNELS, (1, groups, 1), strict=True)
    layers = [
        {"name": name, "conv": {"filters": CHANNELS, "kernel": k, "pad": k // 2, "groups": g}} for name, k, g in each
    ]
    return problem_of(
        document(
            layers, [CHANNELS, 3, 3], batch=BATCH, levels=LEVELS, accounting="leaf-exact", choices=["dp", "mp", "op"]
        )
    )


def kernels_of(groups):
    rng = np.random.default_rng(groups)
    return [rng.integers(-3, 4, (CHANNELS, CHANNELS // g, k, k)) for k, g in zip(KERNELS, (1, groups, 1), strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("groups", [1, 2, 8])
def test_the_convolutions_are_convolutions(groups):
    from scipy.signal import correlate2d

    rng, kernel = np.random.default_rng(2), kernels_of(groups)[1]
    x, e = (rng.integers(-3, 4, (BATCH, CHANNELS, 3, 3)) for _ in range(2))
    y, width = forward(x, kernel, groups), CHANNELS // groups
    for filters in range(CHANNELS):
        first = filters // width * width
        maps = [correlate2d(x[1, first + c], kernel[filters, c], mode="same") for c in range(width)]
        assert (sum(maps) == y[1, filters]).all()
    # backward and gradient are the derivatives: e . dy, of x and of w
    assert (y * e).sum() == (x * backward(e, kernel, groups)).sum()
    assert (y * e).sum() == (kernel * gradient(x, e, (3, 3), groups)).sum()


@pytest.mark.parametrize("groups", [2, 4, 8])
def test_with_its_groups_split_a_piece_has_all_that_its_sums_are_of(groups):
    """Forward and backward no piece lacks anything but what is fetched; only dp leaves the gradient in parts."""
    rng, kernel = np.random.default_rng(1), kernels_of(groups)[1]
    x, e = (rng.integers(-3, 4, (BATCH, CHANNELS, 3, 3)) for _ in range(2))
    whole = forward(x, kernel, groups), backward(e, kernel, groups), gradient(x, e, (3, 3), groups)
    for word in words_of(groups):
        bits, gradients = bits_of(word, groups), []
        for leaf in LEAVES:
            piece = Piece.of(word, leaf, BATCH, CHANNELS, CHANNELS, groups, bits)
            own = piece.kernel(kernel, groups)
            assert (forward(piece.read(x), own, groups) == piece.written(whole[0])).all()
            assert (backward(piece.written(e), own, groups) == piece.read(whole[1])).all()
            gradients.append(gradient(piece.read(x), piece.written(e), (3, 3), groups))
            assert (gradients[-1] == piece.kernel(whole[2], groups)).all() == ("d" not in word)
        assert (sum(gradients) == whole[2]).all()


def test_a_dense_convolution_split_so_is_left_in_partial_sums():
    """The test above can fail: with all channels in one group the halves have to be added up."""
    rng, kernel = np.random.default_rng(1), kernels_of(1)[1]
    x = rng.integers(-3, 4, (BATCH, CHANNELS, 3, 3))
    pieces = [Piece.of("md", leaf, BATCH, CHANNELS, CHANNELS, 1, (0, 1)) for leaf in LEAVES]
    sums = [forward(piece.read(x), piece.kernel(kernel, 1), 1) for piece in pieces]
    whole = forward(x, kernel, 1)
    assert not any((one == piece.written(whole)).all() for one, piece in zip(sums, pieces, strict=True))
    assert (sum(sums) == whole).all()


@pytest.mark.parametrize("groups", [2, 4, 8])
def test_a_layer_in_groups_is_charged_its_gradient_only(groups):
    problem, size = network(groups), CHANNELS * CHANNELS // groups * 9
    for word in words_of(groups):
        breakdown = problem.bytes_of({"a": "dd", "b": word, "c": "dd"})
        # 2^m times, once for every piece of the groups, 2^d copies of size / 2^m elements
        assert sum(breakdown.intra[1]) == 2 * 4 * (2 ** word.count("d") - 1) * size


@pytest.mark.parametrize("groups", [2, 4, 8])
def test_at_its_boundaries_what_the_pieces_lack_is_charged(groups):
    """Element by element: what a piece needs of F or E and its own piece of the other layer does not leave it."""
    problem = network(groups)
    for before, word, after in list(product(WORDS, words_of(groups), WORDS))[::5]:
        words, in_groups, bits = (before, word, after), (1, groups, 1), bits_of(word, groups)
        lacking = np.zeros((2, 2), dtype=int)
        for leaf in LEAVES:
            pieces = [
                Piece.of(one, leaf, BATCH, CHANNELS, CHANNELS, g, bits) for one, g in zip(words, in_groups, strict=True)
            ]
            for edge in range(2):
                tensor = np.ones((BATCH, CHANNELS, 3, 3), dtype=int)
                has, needs = pieces[edge].written(tensor), pieces[edge + 1].read(tensor)
                lacking[edge] += (needs > has).sum(), (has > needs).sum()
        breakdown = problem.bytes_of(dict(zip("abc", words, strict=True)))
        found = zip(breakdown.forward, breakdown.backward, strict=True)
        assert [[sum(feature), sum(error)] for feature, error in found] == (4 * lacking).tolist()
