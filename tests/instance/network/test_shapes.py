"""Shape inference, one kind of layer at a time."""

from __future__ import annotations

import pytest

from hypar_opt.instance.network import (
    Activation,
    Add,
    Concat,
    Conv,
    Flatten,
    GlobalPool,
    Layer,
    Linear,
    Network,
    Pool,
)

SHAPES = [
    (Conv(20, (5, 5)), (1, 28, 28), (20, 24, 24)),
    (Conv(48, (11, 11), (4, 4), (2, 2)), (3, 224, 224), (48, 55, 55)),  # (224 + 4 - 11) / 4 + 1, rounded down
    (Conv(8, (3, 1), (1, 2), (1, 0)), (4, 6, 9), (8, 6, 5)),
    (Conv(8, (3, 3), dilation=(2, 3)), (4, 9, 9), (8, 5, 3)),  # the kernel spans 5 and 7
    (Conv(6, (1, 1), groups=3), (9, 4, 4), (6, 4, 4)),
    (Conv(2, (4, 4)), (1, 4, 4), (2, 1, 1)),  # a kernel as large as the map
    (Linear(10), (500,), (10,)),
    (Linear(10), (50, 4, 4), (10,)),  # flattens what it gets
    (Pool((2, 2), (2, 2)), (20, 24, 24), (20, 12, 12)),
    (Pool((3, 3), (2, 2)), (48, 55, 55), (48, 27, 27)),
    (Pool((2, 2), (2, 2)), (4, 5, 7), (4, 2, 3)),  # rounds down
    (Pool((3, 3), (2, 2), (1, 1)), (64, 112, 112), (64, 56, 56)),
    (GlobalPool(), (512, 7, 7), (512,)),
    (Flatten(), (3, 4, 5), (60,)),
    (Flatten(), (7,), (7,)),
    (Activation(), (3, 4, 5), (3, 4, 5)),
    (Activation(), (7,), (7,)),
]


@pytest.mark.parametrize(("op", "shape", "expected"), SHAPES, ids=lambda value: getattr(value, "kind", None))
def test_output_shape(op, shape, expected):
    assert Network(shape, (Layer("x", op, ("input",)),)).shapes["x"] == expected


@pytest.mark.parametrize(
    ("op", "shapes", "expected"),
    [
        (Add(), [(4, 5, 6), (4, 5, 6)], (4, 5, 6)),
        (Add(), [(7,), (7,), (7,)], (7,)),
        (Concat(), [(4, 5, 6), (2, 5, 6)], (6, 5, 6)),
        (Concat(), [(7,), (1,), (2,)], (10,)),
    ],
)
def test_output_shape_of_a_join(op, shapes, expected):
    assert op.infer(*shapes) == expected


def test_shapes_follow_the_order_of_reading_not_of_writing():
    layers = (
        Layer("last", Linear(5), ("middle",)),
        Layer("middle", Pool((2, 2), (2, 2)), ("first",)),
        Layer("first", Conv(3, (3, 3)), ("input",)),
    )
    network = Network((1, 8, 8), layers)
    assert [layer.name for layer in network.ordered] == ["first", "middle", "last"]
    assert network.shapes["middle"] == (3, 3, 3)


def test_independent_layers_stay_in_the_given_order():
    layers = tuple(Layer(name, Linear(2), ("input",)) for name in "cab")
    assert [layer.name for layer in Network((1,), layers).ordered] == ["c", "a", "b"]


def test_what_a_plan_decides_is_weighted_layers_and_joins():
    layers = (
        Layer("conv", Conv(3, (1, 1)), ("input",)),
        Layer("act", Activation(), ("conv",)),
        Layer("sum", Add(), ("act", "conv")),
        Layer("pool", Pool((2, 2), (2, 2)), ("sum",)),
        Layer("cat", Concat(), ("pool", "pool")),
        Layer("flat", Flatten(), ("cat",)),
        Layer("fc", Linear(2), ("flat",)),
    )
    assert Network((1, 4, 4), layers).decision_names == ("conv", "sum", "cat", "fc")
