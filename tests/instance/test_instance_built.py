"""Instances built in Python from networks, layers and arrays: checked as files are, with the same messages."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from helpers import document, instance_of

from hypar_opt import Activation, Add, Array, Conv, Flatten, GlobalPool, Instance, Layer, Linear, Network, Pool, load
from hypar_opt.util.errors import InputError, NetworkError

LAYERS = [Layer("conv1", Conv(32, 3, pad=1)), Layer("pool1", Pool(2)), Layer("fc1", Linear(10))]
NETWORK = Network((3, 32, 32), LAYERS)
ARRAY = Array("h-tree", levels=3)
FILE = {
    "schema": "hypar-opt/instance/1",
    "name": "mine",
    "batch": 64,
    "network": {
        "input": [3, 32, 32],
        "layers": [
            {"name": "conv1", "conv": {"filters": 32, "kernel": 3, "pad": 1}},
            {"name": "pool1", "pool": {"kernel": 2}},
            {"name": "fc1", "linear": {"features": 10}},
        ],
    },
    "array": {"topology": "h-tree", "levels": 3},
}


def test_what_is_built_is_what_the_file_says():
    built, read = Instance(NETWORK, ARRAY, 64, name="mine"), instance_of(FILE)
    assert (built.sha256, built.network, built.overrides) == (read.sha256, read.network, {})
    assert (built.source, built.name) == (None, "mine")


@pytest.mark.parametrize("name", ["vgg-a", "resnet-18", "alexnet"])
def test_shipped_networks_are_built_again(name):
    read = load(name)
    layers = [Layer(one.name, one.op, one.inputs) for one in read.network.layers]
    built = Instance(Network(read.network.input, layers), read.spec.array, read.batch, name=read.name)
    assert (built.sha256, built.network) == (read.sha256, read.network)


def test_parts_by_name_or_as_files_have_them(tmp_path):
    (tmp_path / "array.yaml").write_text("topology: ring\nlevels: 2\n", encoding="utf-8")
    assert Instance(FILE["network"], "hypar-16", 64).levels == 4
    assert Instance(NETWORK, {"topology": "ring", "levels": 2}, 64).spec == Instance(
        FILE["network"], tmp_path / "array.yaml", 64
    ).spec.model_copy(update={"network": Instance(NETWORK, ARRAY, 64).spec.network})
    assert load("lenet-c", array=ARRAY).levels == load("lenet-c").replace(array=ARRAY).levels == 3


def test_cost_objective_and_given_strategies():
    array = Array("torus", 2, link={"bandwidth": 2e8, "energy": 0.1})
    built = Instance(
        NETWORK, array, 64, cost={"accounting": "receiver"}, objective="hop-bytes=1,comm-time=0.5", fix={"fc1": "mm"}
    )
    written = {**FILE, "cost": {"accounting": "receiver"}, "objective": {"hop-bytes": 1, "comm-time": 0.5}}
    written |= {"array": {"topology": "torus", "levels": 2, "link": {"bandwidth": 2e8, "energy": 0.1}}}
    assert built.sha256 == instance_of({**written, "name": "unnamed", "fix": {"fc1": "mm"}}).sha256
    assert Instance(NETWORK, array, 64, objective={"comm-time": 0.1}).objective.weights == {
        "comm-time": Fraction(1, 10)
    }


def test_a_layer_reads_the_one_above_or_those_that_it_names():
    branches = [Layer("a", Linear(4)), Layer("b", Linear(4), ("input",)), Layer("sum", Add(), ("a", "b"))]
    network = Network([8], [*branches, Layer("act", Activation()), Layer("flat", Flatten())])
    assert [layer.inputs for layer in network.layers] == [("input",), ("input",), ("a", "b"), ("sum",), ("act",)]
    assert Network([8], network.document["layers"]) == network


def test_single_numbers_stand_for_pairs_and_numpy_counts():
    assert Conv(np.int64(8), 3, 2) == Conv(8, (3, 3), (2, 2), (0, 0), 1, (1, 1))
    assert Pool(2) == Pool((2, 2), 2)
    assert GlobalPool() == GlobalPool("avg")


WRONG = {
    "no filters": (lambda: Conv(0, 3), "filters", {"conv": {"filters": 0, "kernel": 3}}),
    "filters that are text": (lambda: Conv("six", 3), "filters", {"conv": {"filters": "six", "kernel": 3}}),
    "half a filter": (lambda: Conv(1.5, 3), "filters", {"conv": {"filters": 1.5, "kernel": 3}}),
    "a kernel of three": (lambda: Conv(1, [1, 2, 3]), "kernel", {"conv": {"filters": 1, "kernel": [1, 2, 3]}}),
    "a pad below 0": (lambda: Conv(1, 1, pad=-1), "pad", {"conv": {"filters": 1, "kernel": 1, "pad": -1}}),
    "no features": (lambda: Linear(0), "features", {"linear": {"features": 0}}),
    "a pool of another kind": (lambda: Pool(2, kind="mx"), "kind", {"pool": {"kernel": 2, "kind": "mx"}}),
    "a global pool of another kind": (lambda: GlobalPool("min"), "kind", {"global_pool": {"kind": "min"}}),
}


@pytest.mark.parametrize(("make", "argument", "layer"), WRONG.values(), ids=WRONG)
def test_an_operation_that_cannot_be(make, argument, layer):
    with pytest.raises(InputError) as built:
        make()
    with pytest.raises(InputError) as read:
        instance_of(document([{"name": "x", **layer}], [8, 8, 8]))
    kind = next(iter(layer))
    assert built.value.field == argument
    assert (read.value.field, read.value.message) == (f"network.layers[0].{kind}.{argument}", built.value.message)


ARRAYS = {
    "another topology": ({"topology": "htree", "levels": 2}, "topology"),
    "too many levels": ({"topology": "h-tree", "levels": 25}, "levels"),
    "dims of another number": ({"topology": "torus", "levels": 2, "dims": [3, 1]}, "dims"),
    "links without a bandwidth": ({"topology": "ring", "levels": 2, "link": {"bandwidth": 0}}, "link.bandwidth"),
    "links of another field": ({"topology": "ring", "levels": 2, "link": {"bandwith": 1}}, "link.bandwith"),
    "a custom array without a graph": ({"topology": "custom", "levels": 2}, "graph"),
    "a placement on one twice": (
        {"topology": "ring", "levels": 1, "placement": ["a0", "a0"]}, "placement[1]"
    ),
    "an accelerator without a rate": (
        {"topology": "ring", "levels": 1, "accelerator": {"model": "as-evaluated"}}, "accelerator.rate"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "argument"), ARRAYS.values(), ids=ARRAYS)
def test_an_array_that_cannot_be(fields, argument):
    with pytest.raises(InputError) as built:
        Array(**fields)
    with pytest.raises(InputError) as read:
        instance_of({**FILE, "array": fields})
    assert built.value.field == argument
    assert (read.value.field, read.value.message) == (f"array.{argument}", built.value.message)


INSTANCES = {
    "no samples": ({"batch": 0}, {"batch": 0}, "batch"),
    "no name": ({"name": ""}, {"name": ""}, "name"),
    "another accounting": ({"cost": {"accounting": "publishd"}},) * 2 + ("cost.accounting",),
    "another component": ({"objective": {"tim": 1}},) * 2 + ("objective.tim",),
    "time that the array knows nothing of": ({"objective": "time"}, {"objective": {"time": 1}}, "array.accelerator"),
    "a layer fixed that is none": ({"fix": {"fc2": "ddd"}},) * 2 + ("fix.fc2",),
    "a word too short": ({"fix": {"fc1": "dd"}},) * 2 + ("fix.fc1",),
}


@pytest.mark.parametrize(("given", "written", "field"), INSTANCES.values(), ids=INSTANCES)
def test_an_instance_that_cannot_be(given, written, field):
    with pytest.raises(InputError) as built:
        Instance(**{"network": NETWORK, "array": ARRAY, "batch": 64} | given)
    with pytest.raises(InputError) as read:
        instance_of(FILE | written)
    assert built.value.field == field
    assert (read.value.field, read.value.message) == (field, built.value.message)


OTHERS = {
    "no layers": (lambda: Network([8], []), "layers: expected a list that is not empty, got []"),
    "layers that are none": (lambda: Network([8], 5), "layers: expected a list, got 5"),
    "an input of two": (lambda: Network([8, 8], LAYERS), "input: expected [channels, height, width] or [features]"),
    "an operation without a name": (lambda: Network([8], [Linear(3)]), "layers[0]: expected a Layer, got an operation"),
    "a layer of text": (lambda: Network([8], [Layer("x", "y")]), "layers[0].op: expected one of Conv, Linear, Pool, "),
    "a layer called input": (
        lambda: Network([8], [Layer("input", Linear(3))]),
        "layers[0].name: 'input' is the name of the network's input",
    ),
    "an objective of other words": (
        lambda: Instance(NETWORK, ARRAY, 64, objective="time=x"), "objective.time: expected a number, got 'x'"
    ),
    "an array of no name": (lambda: Instance(NETWORK, "hypar-17", 64), "hypar-17: neither a file nor the name of a"),
    "a network that is none": (lambda: Instance(5, ARRAY, 64), "network: expected a mapping, got 5"),
    "a bandwidth that is no number": (
        lambda: Array("ring", 1, link={"bandwidth": float("nan")}),
        "link.bandwidth: expected a number of at least 0, got NaN",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("make", "message"), OTHERS.values(), ids=OTHERS)
def test_what_only_python_can_get_wrong(make, message):
    with pytest.raises(InputError) as error:
        make()
    assert str(error.value).startswith(message)


def test_layers_that_do_not_go_together():
    with pytest.raises(NetworkError, match="layer 'b': reads 'c', which no layer is called"):
        Network([8], [Layer("a", Linear(3)), Layer("b", Linear(3), ("c",))])


def test_representations_are_short():
    assert repr(NETWORK) == "Network(input=[3, 32, 32], 3 layers)"
    assert f"{ARRAY!r} {ARRAY}" == "Array('h-tree', levels=3) Array('h-tree', levels=3)"
