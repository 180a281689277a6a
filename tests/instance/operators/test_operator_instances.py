"""Instances of operators: told from others, read, replaced, written and hashed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

import hypar_opt
from hypar_opt.instance import Instance
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.instance.read import load_axes
from hypar_opt.instance.shipped import shipped_axes, shipped_operators

BLOCK = Path(__file__).parent / "block.yaml"


def document(**changed):
    """Return the block as data, with some fields of its own."""
    return {**yaml.safe_load(BLOCK.read_text()), **changed}


def written(data):
    return yaml.safe_dump(data, sort_keys=False)


def sizes(instance):
    return [(axis.name, axis.size) for axis in instance.partition.axes]


def test_a_block_is_read_from_a_file_and_from_data():
    one, other = hypar_opt.load(BLOCK), OperatorInstance.from_dict(document())
    assert isinstance(one, OperatorInstance)
    assert (one.name, one.batch, one.devices, one.accounting, one.splits) == ("block", 8, 4, "collective", "divisible")
    assert len(one.graph.operators) == 12
    assert (one.sha256, one.to_dict()) == (other.sha256, other.to_dict())
    assert repr(one) == "OperatorInstance('block', batch=8, axes=(node=2, gpu=2))"


@pytest.mark.parametrize("name", sorted(shipped_operators())[:4])
def test_what_is_written_says_the_same(name, tmp_path):
    one = hypar_opt.load(name)
    (tmp_path / "again.yaml").write_text(one.to_yaml("a comment"))
    (tmp_path / "again.json").write_text(json.dumps(hypar_opt.instance.exact.plain(one.to_dict())))
    again = [hypar_opt.load(tmp_path / f"again.{form}") for form in ("yaml", "json")]
    assert [other.sha256 for other in again] == [one.sha256] * 2
    assert again[0].to_yaml() == one.to_yaml()


def test_what_is_as_it_would_be_anyway_is_not_hashed():
    plain = OperatorInstance.from_dict(document())
    spelt = {"accounting": "collective", "splits": "divisible", "storage": ["replicated"], "bytes_per_element": 4}
    array = {**document()["array"], "axes": [{"name": "node", "size": 2}, {"name": "gpu", "size": 2}]}
    assert (
        OperatorInstance.from_dict(document(cost=spelt, objective={"communication": 1}, array=array)).sha256
        == plain.sha256
    )
    assert OperatorInstance.from_dict(document(batch=4)).sha256 != plain.sha256


NAMED = {"p": 4, "q": 4}
ORDERED = {
    "input": lambda sizes: {"input": sizes, "layers": [{"name": "a", "elementwise": {}}]},
    "inputs": lambda sizes: {"inputs": {"x": sizes}, "layers": [{"name": "a", "inputs": ["x"], "elementwise": {}}]},
    "reshape": lambda sizes: {"input": {"n": 16}, "layers": [{"name": "a", "reshape": sizes}]},
    "learned": lambda sizes: {
        "input": {"p": 4, "q": 4, "r": 4},
        "layers": [{"name": "l", "learned": sizes}, {"name": "a", "elementwise": {}}],
    },
    "split": lambda sizes: {
        "input": {"n": 8},
        "layers": [
            {"name": "s", "split": {"over": "n", "into": sizes}},
            {"name": "a", "inputs": ["s.p", "s.q"], "concat": {}},
        ],
    },
}


def hash_of(network):
    array = {"axes": [{"name": "gpu", "size": 2}]}
    whole = {"schema": "hypar-opt/instance/1", "name": "a", "batch": 4, "network": network, "array": array}
    return OperatorInstance.from_dict(whole).sha256


@pytest.mark.parametrize("field", ORDERED)
def test_the_order_of_dimensions_is_hashed_and_that_of_fields_is_not(field):
    network = ORDERED[field](NAMED)
    assert hash_of(network) != hash_of(ORDERED[field](dict(reversed(NAMED.items()))))
    fields = [dict(reversed(layer.items())) for layer in network["layers"]]
    assert hash_of(network) == hash_of({"layers": fields, **{k: v for k, v in network.items() if k != "layers"}})


def test_parts_stand_in_files_of_their_own(write):
    whole = document()
    write("parts/network.yaml", written(whole["network"]))
    write("parts/array.yaml", written(whole["array"]))
    refer = {"network": {"file": "parts/network.yaml"}, "array": {"file": "parts/array.yaml"}}
    path = write("block.yaml", written({**whole, **refer}))
    assert hypar_opt.load(path).sha256 == hypar_opt.load(BLOCK).sha256


MAP = {"input": [2, 8, 8], "layers": [{"name": "c", "conv": {"filters": 4, "kernel": 3}}]}


def convolved(**fields):
    """Return a network of one convolution with other fields."""
    return {**MAP, "layers": [{"name": "c", "conv": {"filters": 4, "kernel": 3, **fields}}]}


CHAIN = {"input": [12], "layers": [{"name": "fc1", "linear": {"features": 8}}]}


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"array": {"topology": "h-tree", "levels": 1}}, Instance),
        ({"array": {"topology": "h-tree", "levels": 1}, "cost": {"choices": ["dp", "op"]}}, Instance),
        ({"array": {"axes": [{"name": "gpu", "size": 3}]}}, OperatorInstance),
        ({"array": {"levels": 1}, "cost": {"choices": ["batch", "in"]}}, OperatorInstance),
        ({"array": {"levels": 1}, "network": {**CHAIN, "input": {"features": 12}}}, OperatorInstance),
        ({"array": {"levels": 1}, "network": {"inputs": {"x": [12]}, "layers": CHAIN["layers"]}}, OperatorInstance),
        (
            {
                "array": {"levels": 1},
                "network": {**CHAIN, "layers": [{"name": "a", "linear": {"features": 8, "bias": True}}]},
            },
            OperatorInstance,
        ),
        ({"array": {"levels": 1}, "network": {**CHAIN, "layers": [{"name": "a", "norm": {}}]}}, OperatorInstance),
        ({"array": {"levels": 1}, "network": {**CHAIN, "input": [12, 4]}}, OperatorInstance),
        ({"array": {"levels": 1}, "network": {**MAP, "input": [2, 4, 4, 4]}}, OperatorInstance),
        ({"array": {"levels": 1}, "network": convolved(kernel=[3])}, OperatorInstance),
        ({"array": {"levels": 1}, "network": convolved(pad=[1, 1, 0, 0])}, OperatorInstance),
        ({"array": {"topology": "h-tree", "levels": 1}, "network": convolved(kernel=[3, 3], pad=[1, 1])}, Instance),
    ],
)
def test_an_instance_is_of_operators_where_it_says_what_only_these_can(changed, kind, write):
    data = {"schema": "hypar-opt/instance/1", "name": "chain", "batch": 12, "network": CHAIN, **changed}
    assert type(hypar_opt.load(write("chain.yaml", written(data)))) is kind


def test_axes_make_any_instance_one_of_operators():
    one = hypar_opt.load("lenet-c", axes="node=2,gpu=3")
    assert (type(one), sizes(one), one.splits) == (OperatorInstance, [("node", 2), ("gpu", 3)], "any")
    assert one.sha256 == hypar_opt.load("lenet-c").sha256
    assert hypar_opt.load("lenet-c", array="a100-2x8").devices == 16
    levels = hypar_opt.load("lenet-c", choices="batch,out")
    assert (levels.devices, levels.choices) == (16, ("batch", "out"))


def test_overrides_replace_fields_of_operators():
    one = hypar_opt.load(
        BLOCK, batch=16, axes="a=3,gpu=2", choices="dp,heads,none", splits="any", objective="communication=2",
        fix={"q": "batch ."}, accounting="collective",
    )  # fmt: skip
    assert (one.batch, sizes(one), one.splits) == (16, [("a", 3), ("gpu", 2)], "any")
    assert (one.choices, one.fix) == (("batch", "heads", "none"), {"q": ("batch", None)})
    assert one.without_fix().fix == {}
    assert list(one.overrides) == ["accounting", "batch", "objective", "splits", "fix", "choices", "axes"]
    assert hypar_opt.load(BLOCK, levels=3).devices == 8
    assert hypar_opt.load(BLOCK).replace(batch=16).batch == 16
    assert one.sha256 == hypar_opt.load(BLOCK).sha256


def test_an_axis_keeps_its_link_and_devices_their_accelerator():
    one = hypar_opt.load(BLOCK, array="a100-2x8")
    cut = one.replace(axes="gpu=4,rack=3")
    gpu, rack = cut.spec.array.axes
    assert (gpu.link.bandwidth, rack.link) == (300 * 10**9, None)
    assert cut.accelerator.capacity == 80 * 10**9


def test_choices_of_an_operator():
    def choices(**replaced):
        one = hypar_opt.load(BLOCK, **replaced)
        return {operator.name: one.choices_of(operator) for operator in one.graph.operators}

    every = choices()
    assert set(every["attend"]) == {"batch", "sequence", "heads"}
    assert every["gelu"][-1] == "none"
    few = choices(choices="heads,none")
    assert (few["attend"], few["up"]) == (("heads", "none"), ("none",))
    assert choices(choices="heads")["up"] == ("none",)  # nothing else is left to it


@pytest.mark.parametrize("name", sorted(shipped_axes()))
def test_shipped_arrays_of_axes_say_what_links_and_devices_can_do(name):
    array = load_axes(shipped_axes()[name])
    nodes, gpus = (int(size) for size in name.split("-")[1].split("x"))
    assert [axis.size for axis in array.axes] == [nodes, gpus]
    assert array.devices == nodes * gpus
    outside, inside = (axis.link.bandwidth for axis in array.axes)
    assert outside < inside
    assert array.accelerator.memory.capacity
