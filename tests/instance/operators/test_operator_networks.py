"""Networks of operators: names, order, sharing, repetition."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import pytest

from hypar_opt.instance.operators import Repeat, compile_network, describe, path_of_layer
from hypar_opt.instance.operators.block_template import BlockTemplate
from hypar_opt.instance.operators.blocks import Copies, alike
from hypar_opt.util.errors import InputError, NetworkError
from tests.instance.operators.made import graph_of, spec_of

BLOCK = [
    {"name": "norm", "norm": {}},
    {"name": "up", "linear": {"features": 16}},
    {"name": "act", "activation": {}},
    {"name": "down", "linear": {"features": 8}},
    {"name": "sum", "inputs": ["block", "down"], "add": {}},
]
TABLE = {"name": "table", "embedding": {"vocabulary": 10, "features": 8}}


def repeated(times, layers=BLOCK):
    return {"name": "h", "repeat": {"times": times, "layers": layers}}


def written_out(times):
    """Return the blocks one after the other, by hand."""
    above, layers = "table", []
    for i in range(times):
        for layer, before in zip(BLOCK, ("block", "norm", "up", "act", None), strict=True):
            sources = ["block", "down"] if before is None else [before]
            inputs = [above if one == "block" else f"h.{i}.{one}" for one in sources]
            layers.append({**layer, "name": f"h.{i}.{layer['name']}", "inputs": inputs})
        above = f"h.{i}.sum"
    return layers


def test_repeating_is_writing_out():
    short, long = (graph_of([TABLE, *rest], {"sequence": 6}) for rest in ([repeated(3)], written_out(3)))
    assert short.operators == long.operators
    assert dict(short.tensors) == dict(long.tensors)
    assert (short.repeats, long.repeats) == ((Repeat(1, 5, 3),), ())


TIED = {"name": "it", "shared": "table", "linear": {"features": 10}}
INNER = {"name": "in", "repeat": {"times": 4, "layers": BLOCK}}
SHARING = [*BLOCK[:-1], {"name": "tied", "shared": "up", "linear": {"features": 8}, "inputs": ["act"]}]


@pytest.mark.parametrize(
    "layers",
    [
        BLOCK,
        [INNER, *BLOCK],
        [{"name": "out", "repeat": {"times": 3, "layers": [INNER]}}],
        SHARING,
        [
            *BLOCK,
            {"name": "it", "shared": "table", "linear": {"features": 10}},
            {"name": "up2", "linear": {"features": 8}},
        ],
        [*BLOCK[:-1], {"name": "sum", "inputs": ["block", "down", "table"], "add": {}}],
        [{"name": "wide", "concat": {"over": "features"}, "inputs": ["block", "table"]}],  # no two are alike
        [{"name": "turn", "transpose": ["features", "sequence"]}],
    ],
)
def test_blocks_written_out_from_the_one_before_are_as_if_made_by_themselves(layers, monkeypatch):
    network = [TABLE, repeated(5, layers)]
    found = graph_of(network, {"sequence": 6})
    monkeypatch.setattr(BlockTemplate, "of", lambda *_: None)
    made = graph_of(network, {"sequence": 6})
    assert found == made
    assert list(found.tensors) == list(made.tensors)


def test_a_first_block_that_differs_is_left_out():
    assert graph_of([repeated(3)]).repeats == (Repeat(5, 5, 2),)  # it reads an input, which has no gradient


@pytest.mark.parametrize("change", [{"products": 2}, {"multiply_adds": 7}, {"kind": "other"}, {"is_cheap": True}])
def test_a_block_with_an_operator_that_computes_something_else_is_not_alike(change):
    graph = graph_of([TABLE, repeated(3)], {"sequence": 6})
    copies = Copies((1, 6, 11, 16), ("h.0.", "h.1.", "h.2."), (), 3)
    assert alike(graph.operators, graph.tensors, [copies]) == (Repeat(1, 5, 3),)
    operators = list(graph.operators)
    operators[12] = replace(operators[12], **change)
    assert alike(operators, graph.tensors, [copies]) == ()


def test_a_block_within_blocks_is_what_is_alike_if_that_leaves_less():
    inner = {"name": "in", "repeat": {"times": 8, "layers": BLOCK}}
    twice = graph_of([TABLE, {"name": "out", "repeat": {"times": 2, "layers": [inner]}}], {"sequence": 6})
    assert twice.repeats == (Repeat(1, 5, 8), Repeat(41, 5, 8))
    assert twice.operators[80].name == "out.1.in.7.sum"
    often = graph_of([TABLE, {"name": "out", "repeat": {"times": 30, "layers": [inner]}}], {"sequence": 6})
    assert often.repeats == (Repeat(1, 40, 30),)


def test_blocks_may_read_what_is_outside():
    layers = [*BLOCK[:-1], {"name": "sum", "inputs": ["block", "down", "table"], "add": {}}]
    graph = graph_of([TABLE, {"name": "a", "activation": {}}, repeated(3, layers)], {"sequence": 6})
    assert len(graph.readers["table"]) == 4
    assert graph.repeats == (Repeat(2, 5, 3),)


@pytest.mark.parametrize("times", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_many_blocks_take_memory_in_proportion(times):
    tracemalloc.start()
    try:
        graph = graph_of([TABLE, repeated(times)], {"sequence": 6})
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert graph.repeats == (Repeat(1, 5, times),)
    assert len(graph.operators) == 5 * times + 1
    assert most < 2**20 + times * 30_000


def test_layers_share_parameters_also_transposed():
    layers = [
        TABLE,
        {"name": "fc", "linear": {"features": 4}},
        {"name": "back", "shared": "fc", "linear": {"features": 8}},
        {"name": "head", "shared": "table", "linear": {"features": 10, "bias": True}},
    ]
    graph = graph_of(layers, {"sequence": 6})
    assert graph.parameters == 10 * 8 + 8 * 4 + 10
    back, head = graph.operators[-2:]
    assert (back.operands[1].tensor, back.operands[1].dims) == ("fc.weight", ("in", "out"))
    assert (head.operands[1].tensor, head.operands[1].dims) == ("table.weight", ("out", "in"))


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        ({"shared": "tabel", "linear": {"features": 10}}, "which no layer is called; did you mean 'table'?"),
        ({"shared": "table", "linear": {"features": 9}}, "a weight of 9 x 8, and that of 'table' is 10 x 8"),
        ({"shared": "table", "activation": {}}, "'table' has no parameters that activation could use"),
        ({"inputs": ["tabel"], "activation": {}}, "reads 'tabel', which no layer is called; did you mean 'table'?"),
        ({"inputs": ["table", "input"], "activation": {}}, "activation reads one tensor, got 2"),
        ({"inputs": ["it"], "activation": {}}, "a cycle: it -> it"),
        ({"split": {"over": "features", "into": 2**40}}, "at most 100,000 layers in all"),
        ({"repeat": {"times": 10**9, "layers": BLOCK}}, "at most 100,000 layers in all"),
    ],
)
def test_layers_that_do_not_go_together(layer, message):
    with pytest.raises(NetworkError) as refused:
        graph_of([TABLE, {"name": "it", **layer}], {"sequence": 6})
    assert message in str(refused.value)
    assert refused.value.layer == "it"


def test_names_are_given_once():
    with pytest.raises(NetworkError, match="'table' is the name of another layer"):
        graph_of([TABLE, TABLE], {"sequence": 6})
    with pytest.raises(NetworkError, match="'x' is the name of an input"):
        graph_of([{"name": "x", "inputs": ["y"], "activation": {}}], x=[3], y=[3])


def test_of_several_inputs_a_layer_says_which_it_reads():
    with pytest.raises(NetworkError, match="layer 'a': expected `inputs`: the network has several"):
        graph_of([{"name": "a", "activation": {}}], x=[3], y=[3])
    graph = graph_of([{"name": "c", "inputs": ["x", "y"], "concat": {}}], x=[3], y=[4])
    assert graph.tensors["c"].sizes == (4, 7)


def test_layers_may_stand_in_any_order():
    layers = [{"name": "b", "inputs": ["a"], "activation": {}}, {"name": "a", "inputs": ["input"], "activation": {}}]
    assert [one.name for one in graph_of(layers).operators] == ["a", "b"]


def test_repetitions_have_a_greatest_depth():
    layers = BLOCK
    for i in range(4):
        layers = [{"name": f"r{i}", "repeat": {"times": 1, "layers": layers}}]
    with pytest.raises(NetworkError, match="expected repeat in repeat 3 deep at most"):
        graph_of(layers)


@pytest.mark.parametrize(
    ("layer", "message"),
    [
        ({"lineer": {"features": 3}}, "layers[0].lineer: unknown field 'lineer'; did you mean 'linear'?"),
        ({}, "layers[0]: expected one of linear, "),
        ({"linear": {"features": 3}, "add": {}}, "got several: linear, add"),
        (
            {"split": {"over": "a", "into": 0}},
            "into: expected a number of parts of at least 1, or names",
        ),
        ({"learned": {}}, "layers[0].learned: expected names with their sizes, got none"),
        ({"reshape": {"batch": 3}}, "'batch' cannot be the name of a dimension here"),
        ({"repeat": {"times": 2, "layers": []}}, "layers[0].repeat.layers: expected a list that is not empty"),
    ],
)
def test_fields_that_are_wrong(layer, message):
    with pytest.raises(InputError) as refused:
        spec_of([{"name": "it", **layer}])
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ({"none": 3}, "'none' cannot be the name of a dimension here"),
        ({"a b": 3}, "expected the name of a dimension"),
        ({"a": 0}, "expected an integer of 1 to 2^40 as the size of a, got 0"),
        ([1, 2, 3, 4, 5], "or [channels, depth, height, width], got a list of 5"),
    ],
)
def test_shapes_that_cannot_be(shape, message):
    with pytest.raises(InputError) as refused:
        spec_of([{"name": "a", "activation": {}}], shape)
    assert message in str(refused.value)


def test_where_a_layer_stands():
    spec = spec_of([TABLE, repeated(3)], {"sequence": 6})
    assert path_of_layer(spec, "table") == ("network", "layers", 0)
    assert path_of_layer(spec, "h.2.down") == ("network", "layers", 1, "repeat", "layers", 3)
    assert path_of_layer(spec, None) == ("network",)


def test_every_layer_has_a_row():
    spec = spec_of(
        [TABLE, repeated(2), {"name": "head", "shared": "table", "linear": {"features": 10}}], {"sequence": 6}
    )
    rows = describe(spec, 4, 4)
    graph = compile_network(spec, 4, 4)
    assert [row.layer for row in rows] == [one.name for one in graph.operators]
    assert sum(row.parameters for row in rows) == graph.parameters
    assert sum(row.multiply_adds for row in rows) == sum(one.multiply_adds for one in graph.operators)
    assert rows[2].output == {"batch": 4, "sequence": 6, "features": 16}
    assert rows[-1].parameters == 0
