"""The shipped networks of operators have as many parameters as were published; their files name the sources."""

from __future__ import annotations

from functools import cache

import pytest

from hypar_opt.instance.faults import checked
from hypar_opt.instance.formats import read_document
from hypar_opt.instance.operators import OperatorNetworkSpec, compile_network
from hypar_opt.instance.shipped import shipped_folder

FOLDER = shipped_folder() / "operators"
PUBLISHED = {
    "gpt2-block": 7_087_872,
    "gpt2-small": 124_439_808,
    "llama-3-8b": 8_030_261_248,
    "mixtral-8x7b": 46_702_792_704,
    "vit-b-16": 86_567_656,
    "resnet50": 25_557_032,
    "bert-large": 335_141_888,
    "u-net": 31_037_633,
    "mobilenet-v2": 3_504_872,
    "dlrm": 540_201_232 + 475_985,
    "lstm": 4 * (128 * 256 + 256 * 256 + 2 * 256),
}


@cache
def graph_of(name):
    data = read_document(FOLDER / f"{name}.yaml").data
    return compile_network(checked(OperatorNetworkSpec, data["network"]), data["batch"], 4), data["batch"]


def multiply_adds(name):
    graph, batch = graph_of(name)
    return sum(one.multiply_adds for one in graph.operators) / batch


def test_each_shipped_network_is_compared_with_what_was_published():
    assert {file.stem for file in FOLDER.glob("*.yaml")} == set(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_parameters_are_as_published(name):
    assert graph_of(name)[0].parameters == PUBLISHED[name]


def test_the_tables_of_dlrm_alone():
    graph, _ = graph_of("dlrm")
    tables = [one for one in graph.tensors.values() if one.role == "parameter" and one.name.startswith("table")]
    assert sum(one.elements for one in tables) == 540_201_232


@pytest.mark.parametrize(("name", "billions"), [("vit-b-16", 17.56), ("mobilenet-v2", 0.30), ("resnet50", 4.09)])
def test_multiply_adds_are_as_torchvision_says(name, billions):
    assert multiply_adds(name) / 1e9 == pytest.approx(billions, abs=0.005)


@pytest.mark.parametrize(("name", "times"), [("gpt2-small", 12), ("llama-3-8b", 32), ("bert-large", 24)])
def test_equal_blocks_are_known_to_be(name, times):
    assert [one.times for one in graph_of(name)[0].repeats] == [times]


def test_the_steps_of_an_lstm_share_their_weights():
    graph, _ = graph_of("lstm")
    assert len(graph.readers["recurrent0.weight"]) == 8


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_can_be_split_falls_into_equal_parts(name):
    graph, _ = graph_of(name)
    for one in graph.operators:
        assert all(one.sizes[dim] > 1 for dim in one.splits)
        assert None not in one.output.dims
        for operand in (*one.operands, one.output):
            assert set(operand.windows) <= set(operand.dims)
            for dim, size in zip(operand.dims, graph.tensors[operand.tensor].sizes, strict=True):
                assert dim not in one.splits or size % one.sizes[dim] == 0
