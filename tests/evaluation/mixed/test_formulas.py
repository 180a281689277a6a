"""Chains of linear layers on two unlike machines, by the formulas of one share for all layers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from random import Random

from helpers import each, linear_chain
from mixed_machines import array_of, kind_of, setting_of

from hypar_opt.evaluation.mixed import exchanged, quadratics, waits
from hypar_opt.instance.network import Network, workload

BATCH, SIZE = 6, 2
A = Fraction(5, 7)
B = 1 - A


def chain_of(*features):
    """Return linear layers of so many features; the first number is what the first one reads."""
    return workload(Network(features[:1], linear_chain(*features[1:])))


def setting_with(rates=(300, 100), paces=(20, 7), **options):
    pairs = zip("AB", rates, paces, strict=True)
    kinds = tuple(kind_of(name, rate=rate, bandwidth=pace) for name, rate, pace in pairs)
    return setting_of(array_of((0, 1), kinds), batch=BATCH, size=SIZE, **options)


def test_what_both_halves_read_between_two_layers():
    """By the letters before and behind: parts of F and of E that the first half reads, and the second."""
    turned, behind, whole = (A * B, A * B), (B, A), (0, 0)
    read = {
        "dd": (whole, whole), "dm": (turned, turned), "do": (behind, whole),
        "md": (whole, behind), "mm": (whole, behind), "mo": (whole, whole),
        "od": (turned, turned), "om": (whole, whole), "oo": (behind, whole),
    }  # fmt: skip
    work, tensor = chain_of(5, 9, 4), BATCH * 9 * SIZE
    assert set(read) == set(map("".join, product("dmo", repeat=2)))
    for (first, second), parts in read.items():
        found = exchanged(work, {"fc1": first, "fc2": second}, {"root": A}, setting_with())
        passed = {one.moved: one.read for one in found if one.part.boundary is not None}
        nothing = (0, 0)
        each_way = passed.get("feature", nothing), passed.get("error", nothing)
        assert each_way == tuple(tuple(part * tensor for part in both) for both in parts)
        assert all(one.part.layer == 1 for one in found if one.part.boundary is not None)


def test_partial_sums_are_read_whole_by_both():
    work = chain_of(5, 9)
    sizes = {"d": 5 * 9, "m": BATCH * 9, "o": BATCH * 5}
    for letter, elements in sizes.items():
        (sums,) = exchanged(work, {"fc1": letter}, {"root": A}, setting_with())
        assert (sums.moved, sums.read) == ("sums", (elements * SIZE,) * 2)
    assert exchanged(work, {"fc1": "o"}, {"root": A}, setting_with(input_error=False)) == ()


def counts(features, word):
    """Return the operations of a chain, its partial sums, and what is moved and what is turned, in elements."""
    operations = 3 * 2 * BATCH * sum(before * after for before, after in pairwise(features))
    sums = sum(
        {"d": before * after, "m": BATCH * after, "o": BATCH * before}[letter]
        for letter, (before, after) in zip(word, pairwise(features), strict=True)
    )
    moved = turned = 0
    for (first, second), between in zip(pairwise(word), features[1:], strict=False):
        moved += BATCH * between * (f"{first}{second}" in ("do", "oo", "md", "mm"))
        turned += 2 * BATCH * between * (f"{first}{second}" in ("dm", "od"))
    return operations, sums, moved, turned


@each("seed", range(60), quick=20)
def test_the_times_of_both_machines(seed):
    rng = Random(seed)
    features = rng.choices(range(1, 40), k=rng.randint(2, 7))
    word = "".join(rng.choices("dmo", k=len(features) - 1))
    rates, paces = rng.choices(range(1, 99), k=2), rng.choices(range(1, 99), k=2)
    c, s, m, r = counts(features, word)
    work = chain_of(*features)
    words = {layer.name: letter for layer, letter in zip(work.layers, word, strict=True)}
    a, setting = Fraction(rng.randrange(1, 50), 50), setting_with(rates, paces)
    b = 1 - a
    expected = (
        a * c / rates[0] + SIZE * (s + b * m + a * b * r) / paces[0],
        b * c / rates[1] + SIZE * (s + a * m + a * b * r) / paces[1],
    )
    assert waits(work, words, {"root": a}, setting) == (expected,)
    ((first, second),) = quadratics(work, words, {}, setting, "root")
    assert (first.at(a), second.at(a)) == expected
    assert (first.square, second.square) == tuple(-Fraction(SIZE * r, pace) for pace in paces)
