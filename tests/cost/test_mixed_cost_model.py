"""What plans on arrays of several kinds are optimised by is what they are recounted as, at random words and shares."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from bank.random_networks import random_document
from helpers import each, instance_of
from mixed_machines import array_of, kind_of, random_array, random_shares, setting_of

from hypar_opt.cost.mixed.compile import Compiler
from hypar_opt.cost.mixed.model import MixedModel
from hypar_opt.evaluation.mixed import (
    BY_LEVEL,
    MixedRules,
    communication_bytes,
    forbidden,
    overflow,
    waits,
)
from hypar_opt.evaluation.mixed.wholeness import unwhole
from hypar_opt.instance.barriers import BARRIERS
from hypar_opt.instance.network import workload
from hypar_opt.instance.shares import ExactShares

RULES = MixedRules("dmon", ExactShares(), {})


def drawn(seed):
    """Return layers, what they are judged for, how they are charged, and what every layer may have."""
    rng = Random(seed)
    work = workload(instance_of(random_document(seed, accounting="published", most_levels=1)).network)
    array, capacity = random_array(rng, 1 + seed % 3), rng.choice((None, 1000, 10**5))
    kinds = tuple(
        kind_of(one.name, rate=one.accelerator.rate, bandwidth=one.bandwidth, capacity=capacity) for one in array.kinds
    )
    one = setting_of(
        array_of(array.partition.types, kinds, array.reads),
        batch=rng.choice((1, 6, 8)),
        accounting=rng.choice(BY_LEVEL),
        size=rng.choice((2, 4)),
        optimiser=rng.choice(("sgd", "adam")),
        barrier=rng.choice(list(BARRIERS)),
        input_error=rng.random() < 0.5,
    )
    model = MixedModel(
        one.batch, one.array, one.barrier, one.optimiser, one.accounting, RULES.choices, one.bytes_per_element, {},
        one.input_error,
    )  # fmt: skip
    return rng, work, one, model, [model.words(layer) for layer in work.layers]


def amount(graph, choices):
    return Fraction(graph.value(choices), graph.objective.denominator)


@each("seed", range(60), quick=3)
def test_seconds_bytes_and_memory(seed):
    rng, work, setting, model, domains = drawn(seed)
    choices = tuple(rng.choice([i for i in range(words.size) if words.mask[i]]) for words in domains)
    plan = {layer.name: words.word(i) for layer, words, i in zip(work.layers, domains, choices, strict=True)}
    shares = random_shares(rng, setting.array)
    compiler = Compiler(work, model, tuple(shares[name] for name in setting.array.splits))

    seconds = waits(work, plan, shares, setting)
    weights = tuple(tuple(Fraction(rng.randrange(5), 7) for _ in row) for row in seconds)
    pairs = zip(seconds, weights, strict=True)
    weighed = sum(second * weight for rows in pairs for second, weight in zip(*rows, strict=True))
    assert amount(compiler.of_time(weights), choices) == weighed
    assert amount(compiler.of_bytes(), choices) == communication_bytes(work, plan, shares, setting).total

    limits = [one for one in map(compiler.memory, setting.array.classes) if one is not None]
    fits = all(sum(one.usages[at].value(choice) for at, choice in enumerate(choices)) <= one.limit for one in limits)
    assert fits == (overflow(work, plan, shares, setting) is None)


@each("seed", range(40), quick=4)
def test_words(seed):
    _, work, setting, _, domains = drawn(seed)
    for layer, words in zip(work.layers, domains, strict=True):
        for index in range(words.size):
            assert words.mask[index] == (forbidden(layer, words.word(index), setting, RULES) is None)


@each("seed", range(100, 140), quick=3)
def test_words_that_cut_into_whole_numbers(seed):
    rng, work, setting, model, _ = drawn(seed)
    shares = {name: Fraction(rng.randrange(1, 4), 4) for name in setting.array.splits}
    model = replace(model, divided=tuple(shares[name] for name in setting.array.splits))
    for layer in work.layers:
        words = model.words(layer)
        for index in range(words.size):
            word = words.word(index)
            allowed = forbidden(layer, word, setting, RULES) is None and unwhole(layer, word, shares, setting) is None
            assert words.mask[index] == allowed, word
            assert words.allows(word[:1]) or not allowed
