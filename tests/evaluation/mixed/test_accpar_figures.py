"""Steps of AccPar's AlexNet and VGG-11 on a TPU-v3 board beside a TPU-v2 board, in milliseconds.

Worked out before this evaluator was written, by formulas for two machines and one share. They count the operations of a
convolution in front of a pool on the positions that its pool takes: 54 x 54 of AlexNet's 55 x 55 are left of conv2.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import prod

import pytest
from mixed_machines import HALF, two_machines

from hypar_opt.evaluation.mixed import time_of, waits
from hypar_opt.instance import load
from hypar_opt.instance.network import Workload, workload

POOLED = {"accpar-alexnet": ("conv2", "conv3", "conv5"), "accpar-vgg-11": ()}
CLOSE = Fraction(1, 1000)
"""Milliseconds: figures are given to five digits."""


def work_of(network):
    """Return the layers, with operations where the pool looks: two by two positions for each that it leaves."""
    work = workload(load(network).network)
    maps = {
        one.name: (4 * one.feature_out // one.out_sizes[0], 1) if one.name in POOLED[network] else one.map_out
        for one in work.layers
    }
    return Workload(tuple(replace(one, map_in=maps[one.name]) for one in work.layers), work.boundaries)


def machines_of(network, word, share, **machines):
    """Return the seconds of both machines, by wait, where the last layers have some letters and the others d."""
    work = work_of(network)
    names = [layer.name for layer in work.layers]
    word = word if len(word) > 1 else word * len(names)
    words = dict(zip(names, word.rjust(len(names), "d"), strict=True))
    return waits(work, words, {"root": Fraction(share)}, two_machines(**machines))


def milliseconds(network, word, share, **machines):
    return 1000 * time_of(machines_of(network, word, share, **machines))


@pytest.mark.parametrize(
    ("network", "links", "word", "share", "expected"),
    [
        ("accpar-alexnet", (2, 1), "mom", "0.83745", "27.5335"),
        ("accpar-alexnet", (2, 1), "mom", HALF, "46.4155"),
        ("accpar-alexnet", (2, 1), "mom", "0.7", "35.7435"),
        ("accpar-alexnet", (2, 1), "d", HALF, "149.528"),
        ("accpar-alexnet", (2, 1), "n", HALF, "21.251"),
        ("accpar-alexnet", (2, 2), "mom", HALF, "35.604"),
        ("accpar-alexnet", (2, 2), "mom", "0.7", "25.310"),
        ("accpar-alexnet", (2, 2), "d", HALF, "87.160"),
        ("accpar-alexnet", (2, 2), "d", "0.7", "77.243"),
        ("accpar-vgg-11", (2, 1), "mom", "0.79742", "62.455"),
        ("accpar-vgg-11", (2, 1), "mom", HALF, "105.624"),
        ("accpar-vgg-11", (2, 1), "mom", "0.7", "77.5965"),
        ("accpar-vgg-11", (2, 1), "d", HALF, "330.634"),
        ("accpar-vgg-11", (2, 1), "n", HALF, "55.655"),
    ],
)
def test_where_machines_wait_at_the_end_of_a_step(network, links, word, share, expected):
    found = milliseconds(network, word, share, links=links)
    assert abs(found - Fraction(expected)) < CLOSE


@pytest.mark.parametrize(
    ("network", "share"), [("accpar-alexnet", Fraction(83745, 10**5)), ("accpar-vgg-11", Fraction(79742, 10**5))]
)
def test_where_both_machines_need_the_same(network, share):
    """To five digits; where links are alike and nothing is moved, exactly at the part of the rates."""
    close = Fraction(1, 10**5)
    (first, second), (before, behind) = (machines_of(network, "mom", at)[0] for at in (share - close, share + close))
    assert first < second
    assert before > behind
    fast, slow = machines_of(network, "mom", Fraction(420, 420 + 180), links=(2, 2))[0]
    assert fast == slow


@pytest.mark.parametrize(
    ("network", "share", "expected"),
    [("accpar-alexnet", "0.98483", "33.962"), ("accpar-vgg-11", "0.90926", "72.844")],
)
def test_where_they_wait_behind_every_layer(network, share, expected):
    assert abs(milliseconds(network, "mom", share, barrier="layer") - Fraction(expected)) < CLOSE


def test_what_the_operations_are_counted_on_matters_where_a_pool_leaves_something_over():
    """Milliseconds of one TPU-v3 board: what its pools take, all that is put out, and all that is read."""
    seconds = {
        network: [
            Fraction(6 * 512 * sum(of_layer(layer) for layer in work.layers), 420 * 10**9)
            for work, of_layer in (
                (work_of(network), lambda layer: layer.weight * prod(layer.map_in)),
                (workload(load(network).network), lambda layer: layer.macs),
                (workload(load(network).network), lambda layer: layer.macs_on_input),
            )
        ]
        for network in POOLED
    }
    assert [round(float(one), 3) for one in seconds["accpar-alexnet"]] == [21.251, 22.245, 34.264]
    assert [round(float(one), 3) for one in seconds["accpar-vgg-11"]] == [55.655, 55.655, 55.655]
