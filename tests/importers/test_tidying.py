"""What frameworks write out, as the one layer that it is; and what only looks like it, as it was."""

from __future__ import annotations

import pytest

from hypar_opt.instance.operators.network import describe
from tests.importers.onnx_models import integers, weight

WORDS = {"x": [8, 5, 12]}
LAST = integers("i", 2)
GELU = [
    ("Mul", ("x", "x"), ["a"]),
    ("Mul", ("a", "x"), ["b"]),
    ("Add", ("x", "b"), ["c"]),
    ("Tanh", ("c",), ["d"]),
    ("Mul", ("x", "d")),
]
SOFTMAX = [
    ("ReduceMax", ("x", "i"), ["a"]),
    ("Sub", ("x", "a"), ["b"]),
    ("Exp", ("b",), ["c"]),
    ("ReduceSum", ("c", "i"), ["d"]),
    ("Div", ("c", "d")),
]
RMS = [
    ("Mul", ("x", "x"), ["a"]),
    ("ReduceMean", ("a", "i"), ["b"]),
    ("Sqrt", ("b",), ["c"]),
    ("Div", ("x", "c"), ["d"]),
    ("Mul", ("w", "d")),
]
LAYER = [
    ("ReduceMean", ("x", "i"), ["a"]),
    ("Sub", ("x", "a"), ["b"]),
    ("Mul", ("b", "b"), ["c"]),
    ("ReduceMean", ("c", "i"), ["d"]),
    ("Sqrt", ("d",), ["e"]),
    ("Div", ("b", "e")),
]
OTHER = [("ReduceMax", ("x", "i"), ["a"]), ("Exp", ("x",), ["b"]), ("Div", ("b", "a"))]


def rows(made):
    return describe(made.instance.spec.network, made.instance.batch, 4)


@pytest.mark.parametrize(
    ("nodes", "kind", "numbers"),
    [(GELU, "activation", 0), (SOFTMAX, "softmax", 2), (RMS, "norm", 1), (LAYER, "norm", 2)],
    ids=["gelu", "softmax", "rms", "layer"],
)
def test_what_is_written_out_is_one_layer(onnx_of, nodes, kind, numbers):
    made = onnx_of(nodes, WORDS, weights=[LAST, weight("w", 12)])
    (row,) = rows(made)
    assert (row.kind, tuple(row.output.values())) == (kind, (8, 5, 12))
    sums = made.instance.graph.operators[0].statistics
    assert sum(one.forward for one in sums) == numbers  # and none backward, for it reads the network's input
    assert row.parameters == (12 if nodes is RMS else 0)
    if nodes is GELU:
        assert made.instance.spec.network.layers[0].activation.kind == "gelu_tanh"


def test_what_only_looks_like_it_stays(onnx_of):
    kinds = [row.kind for row in rows(onnx_of(OTHER, WORDS, weights=[LAST]))]
    assert sorted(kinds) == ["einsum", "elementwise", "elementwise", "reshape"]


def test_what_others_read_stays(onnx_of):
    nodes = [*GELU[:-1], ("Mul", ("x", "d"), ["y"]), ("Softmax", ("c",), ["z"])]
    kinds = [row.kind for row in rows(onnx_of(nodes, WORDS, outputs=("y", "z")))]
    assert {"softmax", "multiply"} <= set(kinds)


def test_a_matrix_that_is_cut_is_several(onnx_of):
    nodes = [
        ("MatMul", ("x", "w"), ["a"]),
        ("Split", ("a",), ["q", "k", "v"], {"axis": 2, "num_outputs": 3}),
        ("Mul", ("q", "k"), ["b"]),
        ("Add", ("b", "v")),
    ]
    made = onnx_of(nodes, WORDS, weights=[weight("w", 12, 36)])
    assert [row.kind for row in rows(made)] == ["linear"] * 3 + ["multiply", "add"]
    assert (made.instance.graph.parameters, made.warnings) == (12 * 36, ())


def test_a_matrix_of_which_each_place_is_read_is_several(onnx_of):
    nodes = [
        ("MatMul", ("x", "w"), ["a"]),
        ("Reshape", ("a", "r"), ["b"]),
        ("Gather", ("b", "zero"), ["q"], {"axis": 2}),
        ("Gather", ("b", "one"), ["k"], {"axis": 2}),
        ("Mul", ("q", "k")),
    ]
    weights = [weight("w", 12, 24), integers("r", 8, 5, 2, 12)]
    from onnx import helper

    places = [("Constant", (), [name], {"value": helper.make_tensor(name, 7, [], [value])})
              for name, value in (("zero", 0), ("one", 1))]  # fmt: skip
    made = onnx_of([*places, *nodes], WORDS, weights=weights)
    assert [row.kind for row in rows(made) if row.kind != "reshape"] == ["linear", "linear", "multiply"]
    assert (made.instance.graph.parameters, made.warnings) == (12 * 24, ())
