"""The reduction of a network to decided layers and boundaries; all sizes by hand."""

from __future__ import annotations

from hypar_opt.instance import load
from hypar_opt.instance.network import (
    Activation,
    Add,
    Boundary,
    Concat,
    Conv,
    Flatten,
    Layer,
    Linear,
    Network,
    Pool,
    workload,
)

HALF = Pool((2, 2), (2, 2))


def reduced(shape, *layers):
    return workload(Network(shape, tuple(Layer(name, op, tuple(inputs)) for name, op, *inputs in layers)))


def boundaries(work):
    names = [layer.name for layer in work.layers]
    return [(names[edge.producer], names[edge.reader], edge.feature) for edge in work.boundaries]


def features_out(work):
    return {layer.name: layer.feature_out for layer in work.layers}


def test_sizes_and_macs_of_a_convolution():
    (conv,) = reduced((3, 9, 7), ("conv", Conv(8, (3, 5), (2, 1)), "input")).layers
    # output 4 x 3; every output value takes 3 x 5 x 3 products
    assert (conv.feature_in, conv.weight, conv.feature_out) == (3 * 9 * 7, 8 * 3 * 3 * 5, 8 * 4 * 3)
    assert (conv.in_sizes, conv.out_sizes) == ((3,), (8,))
    assert conv.macs == 8 * 4 * 3 * 45
    assert conv.macs_on_input == 9 * 7 * 45 * 8


def test_a_grouped_convolution_reads_its_groups_channels_only():
    (conv,) = reduced((12, 5, 5), ("conv", Conv(8, (3, 3), groups=4), "input")).layers
    assert conv.weight == 8 * 3 * 9
    assert (conv.in_sizes, conv.out_sizes) == ((3,), (2,))
    assert conv.macs == 8 * 9 * (3 * 9)
    assert conv.macs_on_input == 25 * 8 * (3 * 9)


def test_sizes_and_macs_of_a_linear_layer_on_a_map():
    (fc,) = reduced((50, 4, 4), ("fc", Linear(500), "input")).layers
    assert (fc.feature_in, fc.weight, fc.feature_out) == (800, 400_000, 500)
    assert (fc.in_sizes, fc.out_sizes) == ((800,), (500,))
    assert fc.macs == fc.macs_on_input == 400_000


def test_a_join_has_no_weights_and_no_macs():
    work = reduced(
        (4, 6, 6),
        ("a", Conv(2, (1, 1)), "input"),
        ("b", Conv(3, (1, 1)), "input"),
        ("cat", Concat(), "a", "b"),
    )
    cat = work.layers[2]
    assert (cat.is_join, cat.weight, cat.macs, cat.macs_on_input) == (True, 0, 0, 0)
    assert (cat.feature_in, cat.feature_out) == (5 * 36, 5 * 36)
    assert (cat.in_sizes, cat.out_sizes) == ((2, 3), (5,))


def test_a_feature_map_is_measured_behind_the_pool_where_it_is_read():
    work = reduced(
        (1, 8, 8),
        ("conv", Conv(2, (1, 1)), "input"),
        ("act", Activation(), "conv"),
        ("pool", HALF, "act"),
        ("fc", Linear(3), "pool"),
    )
    assert boundaries(work) == [("conv", "fc", 2 * 16)]
    assert features_out(work) == {"conv": 2 * 16, "fc": 3}


def test_the_networks_output_is_measured_behind_its_last_pool():
    work = reduced((1, 8, 8), ("conv", Conv(2, (1, 1)), "input"), ("pool", HALF, "conv"))
    assert features_out(work) == {"conv": 2 * 16}


def test_of_several_readers_the_largest_counts():
    work = reduced(
        (1, 8, 8),
        ("conv", Conv(2, (1, 1)), "input"),
        ("pool", HALF, "conv"),
        ("small", Linear(3), "pool"),
        ("large", Linear(3), "conv"),
    )
    assert boundaries(work) == [("conv", "small", 2 * 16), ("conv", "large", 2 * 64)]
    assert features_out(work)["conv"] == 2 * 64


def test_a_pool_that_nothing_reads_counts_as_an_output():
    work = reduced(
        (1, 8, 8),
        ("conv", Conv(2, (1, 1)), "input"),
        ("wide", Activation(), "conv"),
        ("pool", HALF, "conv"),
        ("fc", Linear(3), "pool"),
    )
    assert features_out(work)["conv"] == 2 * 64
    assert boundaries(work) == [("conv", "fc", 2 * 16)]


def test_transparent_layers_pass_their_producer_on():
    work = reduced(
        (1, 8, 8),
        ("act", Activation(), "input"),
        ("conv", Conv(2, (1, 1)), "act"),
        ("pool", HALF, "conv"),
        ("act2", Activation(), "pool"),
        ("flat", Flatten(), "act2"),
        ("fc", Linear(3), "flat"),
    )
    assert boundaries(work) == [("conv", "fc", 2 * 16)]
    assert work.is_chain


def test_the_input_is_free():
    work = reduced((5,), ("fc", Linear(5), "input"), ("sum", Add(), "fc", "input"))
    assert boundaries(work) == [("fc", "sum", 5)]


def test_a_tensor_added_to_itself_is_charged_twice():
    work = reduced((5,), ("fc", Linear(5), "input"), ("act", Activation(), "fc"), ("sum", Add(), "fc", "act"))
    assert work.boundaries == (Boundary(0, 1, 5), Boundary(0, 1, 5))


def test_a_tensor_named_twice_is_charged_twice():
    work = reduced((5,), ("fc", Linear(5), "input"), ("sum", Add(), "fc", "fc"))
    assert work.boundaries == (Boundary(0, 1, 5), Boundary(0, 1, 5))


def test_a_branch_is_no_chain():
    work = reduced(
        (5,), ("a", Linear(5), "input"), ("b", Linear(5), "a"), ("c", Linear(5), "a"), ("s", Add(), "b", "c")
    )
    assert not work.is_chain
    assert boundaries(work) == [("a", "b", 5), ("a", "c", 5), ("b", "s", 5), ("c", "s", 5)]


def test_two_separate_layers_are_no_chain():
    assert not reduced((5,), ("a", Linear(5), "input"), ("b", Linear(5), "input")).is_chain


def test_a_shipped_network_has_the_weights_and_macs_of_its_paper():
    # VGG-E: 143.67 M parameters, biases (a thousandth of a percent) left out
    layers = workload(load("vgg-e").network).layers
    assert sum(layer.weight for layer in layers) == 143_652_544
    assert sum(layer.macs for layer in layers) == 19_632_062_464
