"""Families and the chains that are drawn from them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.random_instances import FAMILIES, draw, family, instance_of
from hypar_opt.studies.random_instances.campaign import applicable
from hypar_opt.studies.random_instances.generator import Dice
from hypar_opt.util.errors import InputError

CHAINS = family("chains")
PLACES = st.tuples(st.sampled_from(list(FAMILIES)), st.integers(0, 2**31 - 1), st.integers(0, 10**9))


@settings(max_examples=100)
@given(PLACES)
def test_every_member_is_a_chain_within_its_familys_ranges(place):
    name, seed, index = place
    one = FAMILIES[name]
    instance = instance_of(draw(one, seed, index).document("published"))
    work = NetworkProblem(instance).work
    assert work.is_chain
    assert not any(layer.is_join for layer in work.layers)
    assert one.layers[0] <= len(work.layers) <= one.layers[1]
    assert one.levels[0] <= instance.levels <= one.levels[1]
    assert one.batch[0] <= instance.batch <= one.batch[1]
    kinds = [layer.kind for layer in work.layers]
    assert kinds == sorted(kinds)  # conv before linear
    assert {"linear": {"linear"}, "conv": {"conv"}}.get(name, {"conv", "linear"}) >= set(kinds)
    for layer in instance.spec.network.layers:
        if layer.linear is not None:
            assert one.features[0] <= layer.linear.features <= one.features[1]
        if layer.conv is not None:
            assert one.filters[0] <= layer.conv.filters <= one.filters[1]


@given(st.integers(0, 10**6))
def test_powers_of_two_are(index):
    chain = draw(FAMILIES["powers"], 0, index)
    sizes = [chain.batch, *chain.network["input"]]
    for layer in chain.network["layers"]:
        sizes += [layer.get("linear", {}).get("features", 1), layer.get("conv", {}).get("filters", 1)]
    assert all(size & (size - 1) == 0 for size in sizes)


def test_a_chain_is_what_it_was():
    """The draws are a part of the store's format: what is there cannot be continued with others."""
    assert draw(CHAINS, 0, 0).document("receiver") == {
        "schema": "hypar-opt/instance/1",
        "name": "chains-0-0",
        "batch": 23,
        "network": {
            "input": [12, 13, 13],
            "layers": [
                {"name": "conv1", "conv": {"filters": 39, "kernel": 5, "pad": 2}},
                {"name": "pool1", "pool": {"kernel": 2}},
                {"name": "conv2", "conv": {"filters": 254, "kernel": 5, "pad": 2}},
                {"name": "conv3", "conv": {"filters": 72, "kernel": 1, "pad": 0}},
                {"name": "pool3", "pool": {"kernel": 2}},
                {"name": "conv4", "conv": {"filters": 17, "kernel": 1, "pad": 0}},
                {"name": "pool4", "pool": {"kernel": 2}},
                {"name": "fc1", "linear": {"features": 63}},
                {"name": "fc2", "linear": {"features": 431}},
                {"name": "fc3", "linear": {"features": 3977}},
            ],
        },
        "array": {"topology": "h-tree", "levels": 4},
        "cost": {"accounting": "receiver", "choices": ["dp", "mp"], "bytes_per_element": 4, "splits": "any"},
    }


def test_another_seed_or_index_is_another_chain():
    networks = [draw(CHAINS, seed, index).network for seed in range(10) for index in range(10)]
    assert len({str(network) for network in networks}) == 100


def test_levels_and_choices_leave_the_network_as_it_is():
    others = [replace(CHAINS, levels=(6, 6)), replace(CHAINS, choices=("dp", "mp", "op"))]
    for index in range(50):
        one = draw(CHAINS, 3, index)
        for other in others:
            drawn = draw(other, 3, index)
            assert (drawn.network, drawn.batch) == (one.network, one.batch)


@given(st.integers(1, 2000), st.integers(0, 2000), st.integers(0, 10**6))
def test_sizes_stay_in_their_range_and_reach_its_ends(least, more, seed):
    dice = Dice(Random(seed))
    assert all(least <= dice.size((least, least + more)) <= least + more for _ in range(50))
    assert {Dice(Random(seed + i)).size((least, least + 1)) for i in range(60)} == {least, least + 1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layers": (3, 2)}, "layers: expected a range within 1 to 1,000, got 3 to 2"),
        ({"levels": (1, 13)}, "levels: expected a range within 1 to 12"),
        ({"batch": (0, 4)}, "batch: expected a range"),
        ({"kernels": (2,)}, "kernels: expected a tuple of odd numbers"),
        ({"conv_share": 1.5}, "conv_share: expected a chance"),
        ({"choices": ("mp", "dp")}, "in this order"),
        ({"choices": ()}, "choices: expected a tuple of some of dp, mp, op"),
        ({"choices": ["dp", "mp"]}, "choices: expected a tuple of some of dp, mp, op"),
        ({"layers": (2.5, 3)}, r"layers: expected a tuple of two whole numbers, got \(2.5, 3\)"),
        ({"layers": 3}, "layers: expected a tuple of two whole numbers, got 3"),
        ({"levels": (1, 2, 3)}, "levels: expected a tuple of two whole numbers"),
        ({"kernels": (3.0,)}, r"kernels: expected a tuple of odd numbers, got \(3.0,\)"),
        ({"kernels": 3}, "kernels: expected a tuple of odd numbers, got 3"),
        ({"pool_share": "half"}, "pool_share: expected a chance between 0 and 1, got 'half'"),
        ({"name": "../mine"}, "name: expected letters, digits"),
        ({"name": None}, "name: expected letters, digits"),
    ],
)
def test_what_is_no_family_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        replace(CHAINS, **change)


def test_an_unknown_family_gets_the_nearest_name():
    with pytest.raises(InputError, match="did you mean 'chains'"):
        family("chain")


def test_accountings_that_fit_join_by_themselves():
    assert applicable(CHAINS) == tuple(ACCOUNTINGS)
    assert applicable(replace(CHAINS, choices=("dp", "mp", "op"))) == (
        "published", "receiver", "leaf-exact", "collective",
    )  # fmt: skip
    assert applicable(replace(CHAINS, levels=(2, 7))) == ("published", "as-evaluated", "receiver")
    assert applicable(CHAINS, ["receiver", "published", "published"]) == ("published", "receiver")


@pytest.mark.parametrize(
    ("change", "wanted", "message"),
    [
        ({"choices": ("dp", "mp", "op")}, ["as-evaluated"], "'as-evaluated' does not fit"),
        ({"levels": (2, 7)}, ["leaf-exact"], "'leaf-exact' does not fit"),
        ({}, ["recever"], "did you mean 'receiver'"),
        ({}, [], "expected at least one"),
        ({}, "published", r"expected a list of names, such as \['published'\], got the text 'published'"),
    ],
)
def test_accountings_that_do_not_fit_are_refused(change, wanted, message):
    with pytest.raises(InputError, match=message):
        applicable(replace(CHAINS, **change), wanted)


def test_documents_are_checked_as_files_are():
    whole = draw(CHAINS, 0, 0).document("published")
    with pytest.raises(InputError, match="batch: expected an integer of at least 1"):
        instance_of({**whole, "batch": 0})
    for nothing in ([], None, "published"):
        with pytest.raises(InputError, match="expected a mapping with an instance's fields, got a"):
            instance_of(nothing)
    with pytest.raises(InputError, match="does not fit a map"):
        layers = [{"name": "conv1", "conv": {"filters": 1, "kernel": 9}}]
        instance_of({**whole, "network": {"input": [1, 2, 2], "layers": layers}})
    with pytest.raises(InputError, match="fix"):
        instance_of({**whole, "fix": {"fc1": "d"}})
