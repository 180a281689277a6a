"""What words cost as tables is what plans of them cost, recounted one by one."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from helpers import instance_of
from hypothesis import given
from hypothesis import strategies as st
from mixed_brute_force import words_of
from mixed_documents import judged
from solver.mixed.random_mixed import random_mixed

from hypar_opt.evaluation.mixed import resident, waits
from hypar_opt.evaluation.mixed.division import Division
from hypar_opt.evaluation.mixed.word_sums import WordSums
from hypar_opt.util.errors import InputError


@given(st.integers(0, 10**6))
def test_sums_of_some_words(seed):
    rng = Random(seed)
    try:
        work, setting, rules = judged(instance_of(random_mixed(rng.randrange(1000), most_plans=10**6)))
    except InputError:  # the memory is seen to be too small when it is read
        return
    words = [words_of(layer, setting, rules) for layer in work.layers]
    if not all(words):  # a layer that no word is allowed for has nothing to sum
        return
    words = [rng.sample(own, min(4, len(own))) for own in words]
    shares = {name: Fraction(rng.randint(1, 11), 12) for name in setting.array.splits}
    classes = range(len(setting.array.classes))
    weights = tuple(
        tuple(Fraction(rng.randint(0, 5), 7) for _ in classes)
        for _ in range(setting.barrier.waits(work, setting.levels))
    )
    found = WordSums(work, Division(setting, shares), tuple(map(tuple, words)))
    own = [found.of_layer(at, weights) for at in range(len(words))]
    pairs = [found.of_boundary(at, weights) for at in range(len(work.boundaries))]
    chosen = [rng.randrange(len(one)) for one in words]
    plan = {layer.name: words[at][chosen[at]] for at, layer in enumerate(work.layers)}
    seconds = sum(costs[one] for costs, one in zip(own, chosen, strict=True))
    seconds += sum(one.table[chosen[one.producer], chosen[one.reader]] for one in pairs)
    rows = zip(waits(work, plan, shares, setting), weights, strict=True)
    weighed = sum(one * weight for row, by in rows for one, weight in zip(row, by, strict=True))
    assert seconds == pytest.approx(float(weighed), rel=1e-12)
    for place, kept in enumerate(resident(work, plan, shares, setting)):
        memory = sum(found.memory(at, place)[one] for at, one in enumerate(chosen))
        assert memory == pytest.approx(float(sum(kept.values())), rel=1e-12)
