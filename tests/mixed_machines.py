"""Arrays of several kinds of accelerators for tests, from records."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypar_opt.evaluation.choices import halvings_of
from hypar_opt.evaluation.mixed import NONE, MixedSetting, is_split
from hypar_opt.instance.barriers import BARRIERS
from hypar_opt.instance.hardware.accelerator import OPTIMISERS, Accelerator
from hypar_opt.instance.hardware.mixed import AcceleratorKind, MixedArray
from hypar_opt.util.partition import halved_to

HALF = Fraction(1, 2)
NAMES = "ABCDEFGHIJKLMNOP"


def kind_of(name, *, rate=100, bandwidth=10, capacity=None):
    """Return accelerators that do so many operations, and read so many bytes, a second."""
    capacity = None if capacity is None else Fraction(capacity)
    chip = Accelerator("as-evaluated", Fraction(rate), utilisation=Fraction(1), capacity=capacity)
    return AcceleratorKind(name, chip, Fraction(bandwidth))


def kinds_of(count):
    """Return kinds A, B, ..., each of which computes and reads more slowly than the one before.

    Groups of up to 16 accelerators are equally fast only if they are alike.
    """
    rates = [1000 - 37 * i + Fraction(17**i, 17**16) for i in range(count)]
    return tuple(kind_of(NAMES[i], rate=rate, bandwidth=50 - 3 * i) for i, rate in enumerate(rates))


def array_of(types, kinds=None, reads="accelerator"):
    """Return an array whose leaves are of these kinds, by position."""
    kinds = kinds or kinds_of(max(types) + 1)
    return MixedArray(kinds, replace(halved_to(len(types)), types=tuple(types)), reads)


def setting_of(array, *, batch=8, accounting="published", size=4, optimiser="sgd", barrier="step", input_error=True):
    """Return what plans on an array are judged for."""
    return MixedSetting(
        batch, array, accounting, size, OPTIMISERS[optimiser], BARRIERS[barrier], input_error=input_error
    )


def two_machines(*, rates=(420, 180), links=(2, 1), **training):
    """Return the setting of one TPU-v3 board beside one TPU-v2 board: TFLOPS, and GB/s that each reads."""
    names = "v3", "v2"
    each = zip(names, rates, links, strict=True)
    kinds = tuple(kind_of(name, rate=rate * 10**12, bandwidth=pace * 10**9) for name, rate, pace in each)
    return setting_of(array_of((0, 1), kinds), **({"batch": 512, "size": 2} | training))


def random_array(rng, levels, most_kinds=4):
    """Return an array of random kinds; now and then groups are alike."""
    count = 2**levels
    types = [rng.randrange(most_kinds) for _ in range(count)]
    if rng.random() < 0.4:  # the halves of the array are copies of each other
        types = types[: count // 2] * 2
    used = sorted(set(types))
    return array_of([used.index(one) for one in types], kinds_of(len(used)), rng.choice(("accelerator", "group")))


def random_shares(rng, array, parts=12):
    """Return a share for every split."""
    return {name: Fraction(rng.randrange(1, parts), parts) for name in array.splits}


def random_words(rng, work, setting, *, idle=False):
    """Return a word for every layer, of letters that cut; where one half may idle, of that as well if asked for."""
    may = [idle and is_split(setting, level) for level in range(setting.levels)]
    return {layer.name: "".join(rng.choice(_letters(layer, one)) for one in may) for layer in work.layers}


def _letters(layer, idle):
    return [letter for letter in halvings_of(layer) if letter != NONE] + [NONE] * idle
