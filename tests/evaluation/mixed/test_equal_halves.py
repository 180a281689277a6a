"""With equal shares everything is as on arrays of one kind; with others what is turned moves 4ab as much."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from bank.random_networks import random_document
from helpers import each, instance_of
from mixed_machines import HALF, array_of, kind_of, random_array, random_words, setting_of

from hypar_opt.evaluation.choices import halving_of
from hypar_opt.evaluation.communication import ExchangeSetting, communication
from hypar_opt.evaluation.mixed import BY_LEVEL, communication_bytes, resident, step_time
from hypar_opt.evaluation.step import StepSetting, phase_seconds
from hypar_opt.evaluation.step import resident as resident_of_one_kind
from hypar_opt.instance import load
from hypar_opt.instance.network import workload
from hypar_opt.util.partition import halves

BATCH = 1024
"""So that no level exchanges a fraction of a byte at equal shares."""


def exchanged_by_halves(work, words, setting):
    one = ExchangeSetting(
        setting.batch, halves(setting.levels), setting.accounting, setting.bytes_per_element, setting.input_error
    )
    return communication(work, words, one)


@each("seed", range(200), quick=15)
def test_bytes_at_equal_shares_are_those_of_arrays_of_one_kind(seed):
    rng = Random(seed)
    instance = instance_of(random_document(seed, accounting="published", most_levels=1))
    work, levels = workload(instance.network), rng.choice((1, 2, 3))
    setting = setting_of(
        random_array(rng, levels), batch=BATCH, accounting=rng.choice(BY_LEVEL), input_error=instance.input_error
    )
    words = random_words(rng, work, setting)
    found = communication_bytes(work, words, dict.fromkeys(setting.array.splits, HALF), setting)
    assert found == exchanged_by_halves(work, words, setting)


@pytest.mark.parametrize("accounting", BY_LEVEL)
def test_so_are_those_of_resnet_18(accounting):
    work = workload(load("resnet-18").network)
    setting = setting_of(array_of((0, 1, 1, 2)), batch=64, accounting=accounting)
    words = random_words(Random(1), work, setting)
    found = communication_bytes(work, words, dict.fromkeys(setting.array.splits, HALF), setting)
    assert found == exchanged_by_halves(work, words, setting)
    assert found.total > 0


def turned(work, edge, words, level):
    """Return whether a boundary's tensor is cut along different dimensions before and behind."""
    producer, reader = work.layers[edge.producer], work.layers[edge.reader]
    written = halving_of(producer, words[producer.name][level]).written
    read = halving_of(reader, words[reader.name][level]).read
    return any(written) and any(read) and written != read


@each("seed", range(150), quick=12)
def test_unequal_shares_change_only_what_is_turned(seed):
    """Of 900 levels, all groups of a level with one share."""
    rng = Random(seed)
    work = workload(instance_of(random_document(seed, accounting="published", most_levels=1)).network)
    levels = 2 + seed % 3
    array = array_of(range(2**levels))
    setting = setting_of(array, batch=BATCH, accounting=rng.choice(BY_LEVEL))
    by_level = [Fraction(rng.randrange(1, 12), 12) for _ in range(levels)]
    words = random_words(rng, work, setting)
    shares = {name: by_level[level] for name, level in zip(array.splits, array.split_levels, strict=True)}
    assert len(shares) == 2**levels - 1
    found, equal = communication_bytes(work, words, shares, setting), exchanged_by_halves(work, words, setting)
    assert found.intra == equal.intra
    for at, edge in enumerate(work.boundaries):
        for level, a in enumerate(by_level):
            factor = 4 * a * (1 - a) if turned(work, edge, words, level) else 1
            assert found.inter[at][level] == factor * equal.inter[at][level]


def test_one_kind_computes_and_keeps_what_an_array_of_it_does():
    instance = load("lenet-c")
    work = workload(instance.network)
    kind = kind_of("only", rate=1000, bandwidth=7)
    setting = setting_of(array_of((0,) * 8, (kind,)), batch=64, optimiser="adam", barrier="level")
    words = random_words(Random(3), work, setting)
    one = StepSetting(kind.accelerator, setting.optimiser, 64, halves(3), 4)
    assert resident(work, words, {}, setting) == (resident_of_one_kind(work, words, one),)
    bytes_of = exchanged_by_halves(work, words, setting)
    reading = sum(
        # 2^h groups of two halves, each of which has 2^(2 - h) accelerators that read 7 bytes a second
        Fraction(bytes_of.level(level)) / (2 * 2**level) / (7 * 2 ** (2 - level))
        for level in range(3)
    )
    computing = sum(phase_seconds(work, words, one).values())
    assert step_time(work, words, {}, setting) == computing + reading
    assert step_time(work, words, {}, replace(setting, input_error=False)) < computing + reading
