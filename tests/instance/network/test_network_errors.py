"""Networks that cannot be, each with the layer that is to blame."""

from __future__ import annotations

import pytest

from hypar_opt.instance.network import (
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
from hypar_opt.util.errors import NetworkError


def conv(name, source="input", filters=4, **fields):
    return Layer(name, Conv(filters, (1, 1), **fields), (source,))


FLAT = Layer("flat", Flatten(), ("input",))
BAD = {
    "kernel larger than the map": (
        [Layer("c", Conv(4, (3, 5)), ("input",))],
        "layer 'c': a kernel that spans 5 does not fit a map of 4 with padding 0",
    ),
    "dilated kernel larger than the padded map": (
        [Layer("c", Conv(4, (3, 3), pad=(1, 1), dilation=(3, 3)), ("input",))],
        "layer 'c': a kernel that spans 7 does not fit a map of 4 with padding 1",
    ),
    "pool larger than the map": (
        [Layer("p", Pool((5, 5), (5, 5)), ("input",))],
        "layer 'p': a kernel that spans 5 does not fit a map of 4 with padding 0",
    ),
    "convolution behind flatten": (
        [FLAT, conv("c", "flat")],
        "layer 'c': conv reads [channels, height, width], got [32]",
    ),
    "pool behind flatten": (
        [FLAT, Layer("p", Pool((2, 2), (2, 2)), ("flat",))],
        "layer 'p': pool reads [channels, height, width], got [32]",
    ),
    "global pool behind a linear layer": (
        [Layer("fc", Linear(3), ("input",)), Layer("g", GlobalPool(), ("fc",))],
        "layer 'g': global_pool reads [channels, height, width], got [3]",
    ),
    "channels not divisible into groups": (
        [conv("c", groups=4)],
        "layer 'c': 2 input channels are not divisible into 4 groups",
    ),
    "filters not divisible into groups": (
        [conv("c", filters=3, groups=2)],
        "layer 'c': 3 filters are not divisible into 2 groups",
    ),
    "add of different shapes": (
        [conv("a"), conv("b", filters=3), Layer("s", Add(), ("a", "b"))],
        "layer 's': add reads tensors of one shape, got [4, 4, 4], [3, 4, 4]",
    ),
    "concat of different maps": (
        [conv("a"), conv("b", stride=(2, 2)), Layer("s", Concat(), ("a", "b"))],
        "layer 's': concat reads maps of one height and width, got [4, 4, 4], [4, 2, 2]",
    ),
    "concat of a map and features": (
        [conv("a"), FLAT, Layer("s", Concat(), ("a", "flat"))],
        "layer 's': concat reads maps of one height and width, got [4, 4, 4], [32]",
    ),
    "add of one tensor": (
        [Layer("s", Add(), ("input",))],
        "layer 's': add joins two or more tensors, got 1",
    ),
    "concat of one tensor": (
        [Layer("s", Concat(), ("input",))],
        "layer 's': concat joins two or more tensors, got 1",
    ),
    "convolution of two tensors": (
        [conv("a"), Layer("c", Conv(4, (1, 1)), ("input", "a"))],
        "layer 'c': conv reads one tensor, got 2",
    ),
    "a name that is not there": (
        [conv("conv1"), conv("conv2", "cnov1")],
        "layer 'conv2': reads 'cnov1', which no layer is called; did you mean 'conv1'?",
    ),
    "a name like no other": (
        [conv("conv1", "zzz")],
        "layer 'conv1': reads 'zzz', which no layer is called",
    ),
    "two layers of one name": (
        [conv("a"), conv("a")],
        "layer 'a': 'a' is the name of another layer",
    ),
    "a layer that reads itself": (
        [conv("a", "a")],
        "layer 'a': a cycle: a -> a",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_network_that_cannot_be(case):
    layers, message = BAD[case]
    with pytest.raises(NetworkError) as error:
        Network((2, 4, 4), tuple(layers))
    assert str(error.value) == message


def test_a_cycle_is_spelt_out():
    layers = (conv("a", "c"), conv("b", "a"), conv("c", "b"))
    with pytest.raises(NetworkError) as error:
        Network((4, 4, 4), layers)
    start, *path = str(error.value).split("a cycle: ")[1].split(" -> ")
    assert path[-1] == start
    assert sorted(path) == ["a", "b", "c"]
    assert error.value.layer == start
