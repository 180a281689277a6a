"""Least sums level by level are those of the table of all pairs of words."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
from helpers import linear_chain
from hypothesis import given
from hypothesis import strategies as st
from mixed_machines import array_of, kind_of, setting_of

from hypar_opt.evaluation.mixed.division import Division
from hypar_opt.evaluation.mixed.word_sums import WordSums
from hypar_opt.instance.network import Network, workload
from hypar_opt.verification.mixed_boxes.word_tree import WordTree

TWO = workload(Network((5,), linear_chain(9, 4)))


@given(st.integers(0, 10**6))
def test_least_sums_of_pairs(seed):
    rng = Random(seed)
    kinds = [kind_of(name, rate=100, bandwidth=rng.randint(1, 20)) for name in ("one", "other")]
    accounting = rng.choice(("published", "as-evaluated", "receiver"))
    setting = setting_of(array_of((0, 0, 0, 1), kinds), accounting=accounting, barrier=rng.choice(("step", "level")))
    shares = {name: Fraction(rng.randint(1, 6), 7) for name in setting.array.splits}
    waits = setting.barrier.waits(TWO, setting.levels)
    weights = tuple(tuple(Fraction(rng.randint(0, 4)) for _ in setting.array.classes) for _ in range(waits))
    every = [a + b for a in "dmo" for b in "dmo"]
    words = tuple(tuple(rng.sample(every, rng.randint(1, 9))) for _ in TWO.layers)
    found = WordSums(TWO, Division(setting, shares), words)
    tree = WordTree(found.by_levels(0, weights), found.numbers(0), found.numbers(1))
    table = found.of_boundary(0, weights).table
    costs = [np.array([rng.random() for _ in own]) for own in words]
    np.testing.assert_allclose(tree.by_reader(costs[0]), (costs[0][:, None] + table).min(axis=0), rtol=1e-12)
    np.testing.assert_allclose(tree.by_producer(costs[1]), (costs[1][None, :] + table).min(axis=1), rtol=1e-12)
