"""What may not change: halves exchanged, copies told apart; and a share enters as a polynomial of degree two."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from bank.random_networks import random_document
from helpers import each, instance_of
from mixed_machines import HALF, array_of, kinds_of, random_array, random_shares, random_words, setting_of

from hypar_opt.evaluation.mixed import (
    BY_LEVEL,
    communication_bytes,
    quadratics,
    resident,
    step_time,
    time_of,
    waits,
)
from hypar_opt.instance.barriers import BARRIERS
from hypar_opt.instance.hardware.mixed import ROOT
from hypar_opt.instance.network import workload
from hypar_opt.util.surd import surd


def drawn(seed, levels):
    """Return layers, a setting on a random array, and a random plan."""
    rng = Random(seed)
    work = workload(instance_of(random_document(seed, accounting="published", most_levels=1)).network)
    setting = setting_of(random_array(rng, levels), accounting=rng.choice(BY_LEVEL), barrier=rng.choice(list(BARRIERS)))
    return rng, work, setting, random_words(rng, work, setting, idle=True)


def with_array(setting, array):
    return setting_of(array, batch=setting.batch, accounting=setting.accounting, barrier=setting.barrier.name)


def flipped(name, splits):
    """Return the address of a split where the halves of every split are exchanged."""
    if name == ROOT:
        return ROOT
    above = [name[:depth] or ROOT for depth in range(len(name))]
    return "".join(str(1 - int(bit)) if group in splits else bit for bit, group in zip(name, above, strict=True))


@each("seed", range(60), quick=10)
def test_the_halves_of_every_split_exchanged(seed):
    rng, work, setting, words = drawn(seed, 1 + seed % 3)
    array = setting.array
    shares = random_shares(rng, array)
    other = with_array(setting, array_of(array.partition.types[::-1], array.kinds, array.reads))
    exchanged = {flipped(name, array.splits): 1 - share for name, share in shares.items()}
    busy = [other.busy[other.array.splits.index(flipped(name, array.splits))] for name in array.splits]
    if any(side == before for side, before in zip(busy, setting.busy, strict=True)):  # of equals it is the first
        words = {name: word.replace("n", "d") for name, word in words.items()}
    assert communication_bytes(work, words, exchanged, other) == communication_bytes(work, words, shares, setting)
    assert sorted(zip(*waits(work, words, exchanged, other), strict=True)) == sorted(
        zip(*waits(work, words, shares, setting), strict=True)
    )
    assert step_time(work, words, exchanged, other) == step_time(work, words, shares, setting)


@each("seed", range(60), quick=8)
def test_copies_do_what_groups_do_that_are_told_apart(seed):
    """A, B, A, B is A, B, C, D where C is as A and D as B, the halves are equal and both pairs share alike."""
    rng, work, setting, words = drawn(seed, 2)
    a, b = kinds_of(2)
    words = {name: word.replace("n", "d") for name, word in words.items()}
    copies = with_array(setting, array_of((0, 1, 0, 1), (a, b)))
    apart = with_array(setting, array_of((0, 1, 2, 3), (a, b, a, b)))
    assert (copies.array.splits, apart.array.splits) == (("0",), (ROOT, "0", "1"))
    share = Fraction(rng.randrange(1, 9), 9)
    shares = {ROOT: HALF, "0": share, "1": share}
    assert communication_bytes(work, words, {"0": share}, copies) == communication_bytes(work, words, shares, apart)
    assert resident(work, words, {"0": share}, copies) * 2 == resident(work, words, shares, apart)
    once = waits(work, words, {"0": share}, copies)
    assert waits(work, words, shares, apart) == tuple(of_wait * 2 for of_wait in once)


@each("seed", range(60), quick=8)
def test_a_share_enters_as_a_polynomial_of_degree_two(seed):
    rng, work, setting, words = drawn(seed, 1 + seed % 3)
    shares = random_shares(rng, setting.array, parts=30)
    found = waits(work, words, shares, setting)
    for name in setting.array.splits:
        entries = quadratics(work, words, {other: shares[other] for other in shares if other != name}, setting, name)
        assert tuple(tuple(one.at(shares[name]) for one in row) for row in entries) == found
        assert all(one.square <= 0 for row in entries for one in row)  # so that best shares are at crossings, or ends


@each("seed", range(40), quick=5)
def test_shares_may_be_numbers_that_are_no_fractions(seed):
    """Of sqrt(2) - 1 the recount is what polynomials say that know fractions alone."""
    _, work, setting, words = drawn(seed, 1 + seed % 2)
    silver = surd(Fraction(-1), Fraction(1), 2)
    for name in setting.array.splits:
        rest = dict.fromkeys(setting.array.splits, Fraction(1, 3))
        entries = quadratics(work, words, rest, setting, name)
        shares = {**rest, name: silver}
        found = waits(work, words, shares, setting)
        assert found == tuple(tuple(one.at(silver) for one in row) for row in entries)
        assert step_time(work, words, shares, setting) == time_of(found)
        assert communication_bytes(work, words, shares, setting).total >= 0
        resident(work, words, shares, setting)
