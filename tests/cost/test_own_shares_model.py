"""What plans whose layers have shares of their own are optimised by is what they are recounted as."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from cost.test_mixed_cost_model import RULES, amount, drawn
from helpers import each
from mixed_brute_force import with_own_shares, words_of

from hypar_opt.cost.mixed.grid_compile import GridCompiler
from hypar_opt.evaluation.mixed import communication_bytes, fault_of, overflow, waits
from hypar_opt.instance.shares import GridShares, own_share
from hypar_opt.util.errors import InputError, Refusal


def compiled(seed):
    """Return a random problem with a grid, and what compiles it; no compiler where a layer has no word or too many."""
    rng, work, setting, model, _ = drawn(seed)
    grid = rng.randint(2, 4)
    work = replace(work, layers=tuple(replace(one, groups=1) if rng.random() < 0.5 else one for one in work.layers))
    setting, model = (replace(one, batch=max(one.batch, grid)) for one in (setting, model))
    try:
        return rng, work, setting, grid, GridCompiler.of(work, model, grid)
    except (InputError, Refusal):
        return rng, work, setting, grid, None


def plan_of(work, setting, compiler, choices):
    """Return words and shares as a plan has them."""
    read = [words.at(choice) for words, choice in zip(compiler.words, choices, strict=True)]
    names = [layer.name for layer in work.layers]
    shares = {
        own_share(name, setting.array.splits[split]): share
        for name, (_, own) in zip(names, read, strict=True)
        for split, share in own.items()
    }
    return dict(zip(names, (word for word, _ in read), strict=True)), shares


@each("seed", range(30), quick=3)
def test_seconds_bytes_and_memory(seed):
    rng, work, setting, grid, compiler = compiled(seed)
    if compiler is None:
        return
    choices = tuple(rng.randrange(words.size) for words in compiler.words)
    plan, shares = plan_of(work, setting, compiler, choices)

    seconds = waits(work, plan, shares, setting)
    assert compiler.seconds(choices) == seconds
    weights = tuple(tuple(Fraction(rng.randrange(5), 7) for _ in row) for row in seconds)
    pairs = zip(seconds, weights, strict=True)
    weighed = sum(second * weight for rows in pairs for second, weight in zip(*rows, strict=True))
    assert amount(compiler.of_time(weights), choices) == weighed
    assert amount(compiler.of_bytes(), choices) == communication_bytes(work, plan, shares, setting).total

    limits = [one for one in map(compiler.memory, setting.array.classes) if one is not None]
    fits = all(sum(one.usages[at].value(choice) for at, choice in enumerate(choices)) <= one.limit for one in limits)
    assert fits == (overflow(work, plan, shares, setting) is None)
    rules = replace(RULES, shares=GridShares(grid))
    assert fits == (fault_of(work, plan, shares, setting, rules) is None)


@each("seed", range(40), quick=4)
def test_words_with_shares_are_all_that_are_allowed(seed):
    _, work, setting, grid, compiler = compiled(seed)
    for layer, words in zip(work.layers, compiler.words if compiler else (), strict=compiler is not None):
        allowed = with_own_shares(layer, words_of(layer, setting, RULES), setting, grid)
        found = [words.at(index) for index in range(words.size)]
        assert sorted(spelt(word, {own_share(layer.name, setting.array.splits[at]): k for at, k in own.items()})
                      for word, own in found) == sorted(spelt(*one) for one in allowed)  # fmt: skip
        assert [words.index(words.word(index)) for index in range(words.size)] == [*range(words.size)]


def spelt(word, shares):
    return word, sorted(shares.items())


@pytest.mark.parametrize("level", range(3))
def test_layers_with_the_same_shares_cost_what_one_share_for_all_does(level):
    rng, work, setting, grid, compiler = compiled(3 + level)
    if compiler is None:
        return
    share = Fraction(rng.randrange(1, grid), grid)
    words = [words.at(words.size // 2)[0] for words in compiler.words]
    plan = {layer.name: word for layer, word in zip(work.layers, words, strict=True)}
    common = dict.fromkeys(setting.array.splits, share)
    own = {own_share(name, split): share for name in plan for split in common}
    assert waits(work, plan, own, setting) == waits(work, plan, common, setting)
