"""Every kind of ONNX's operators that is known, as a layer: its kind, its output, its parameters."""

from __future__ import annotations

import pytest

from hypar_opt.importers.records.onnx import ACTIVATIONS, FUNCTIONS, OF_SEVERAL, RECORDS
from hypar_opt.instance.operators.network import describe
from tests.importers.onnx_models import integers, weight

MAP = {"x": [8, 4, 6, 6]}
WORDS = {"x": [8, 5, 12]}
HEADS = {"q": [8, 3, 5, 4], "k": [8, 3, 5, 4], "v": [8, 3, 5, 4]}
W, B = weight("w", 12), weight("b", 12)
TRUTHS = (
    "Not",
    "IsNaN",
    "IsInf",
    "Where",
    "And",
    "Or",
    "Xor",
    "Equal",
    "Less",
    "LessOrEqual",
    "Greater",
    "GreaterOrEqual",
)
"""What reads or writes truths, which the inputs of these tests are not."""
CASES = {
    "Conv": (("x", "w", "b"), MAP, [weight("w", 6, 2, 3, 3), weight("b", 6)], {"group": 2, "pads": [1] * 4},
             "conv", (8, 6, 6, 6), 6 * 2 * 9 + 6),
    "ConvTranspose": (("x", "w"), MAP, [weight("w", 4, 3, 2, 2)], {"strides": [2, 2]},
                      "transposed_conv", (8, 3, 12, 12), 48),
    "MaxPool": (("x",), MAP, [], {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1},
                "pool", (8, 4, 3, 3), 0),
    "AveragePool": (("x",), MAP, [], {"kernel_shape": [2, 2], "auto_pad": "SAME_UPPER"}, "pool", (8, 4, 6, 6), 0),
    "GlobalMaxPool": (("x",), MAP, [], {}, "global_pool", (8, 4), 0),
    "GlobalAveragePool": (("x",), MAP, [], {}, "global_pool", (8, 4), 0),
    "Pad": (("x", "i"), MAP, [integers("i", 0, 0, 1, 2, 0, 0, 3, 4)], {}, "pool", (8, 4, 10, 12), 0),
    "Gemm": (("x", "w", "b"), {"x": [8, 12]}, [weight("w", 7, 12), weight("b", 7)], {"transB": 1},
             "linear", (8, 7), 91),
    "MatMul": (("x", "w"), WORDS, [weight("w", 12, 7)], {}, "linear", (8, 5, 7), 84),
    "Einsum": (("x", "w"), WORDS, [weight("w", 3, 12, 7)], {"equation": "bsi,hio->bhso"},
               "einsum", (8, 3, 5, 7), 252),
    "Attention": (("q", "k", "v"), HEADS, [], {"is_causal": 1}, "attention", (8, 5, 12), 0),
    "BatchNormalization": (("x", "w", "b", "m", "v"), MAP, [weight(name, 4) for name in "wbmv"], {},
                           "norm", (8, 4, 6, 6), 8),
    "LayerNormalization": (("x", "w", "b"), WORDS, [W, B], {}, "norm", (8, 5, 12), 24),
    "RMSNormalization": (("x", "w"), WORDS, [W], {}, "norm", (8, 5, 12), 12),
    "GroupNormalization": (("x", "w", "b"), MAP, [weight("w", 4), weight("b", 4)], {"num_groups": 2},
                           "einsum", (8, 4, 6, 6), 8),
    "InstanceNormalization": (("x", "w", "b"), MAP, [weight("w", 4), weight("b", 4)], {},
                              "einsum", (8, 4, 6, 6), 8),
    "Softmax": (("x",), WORDS, [], {"axis": 1}, "softmax", (8, 5, 12), 0),
    "LogSoftmax": (("x",), WORDS, [], {}, "softmax", (8, 5, 12), 0),
    "Dropout": (("x",), WORDS, [], {}, "dropout", (8, 5, 12), 0),
    "Add": (("x", "p"), WORDS, [weight("p", 5, 12)], {}, "add", (8, 5, 12), 60),
    "Sum": (("x", "z"), {**WORDS, "z": [8, 1, 12]}, [], {}, "elementwise", (8, 5, 12), 0),
    "Mul": (("x", "w"), WORDS, [W], {}, "einsum", (8, 5, 12), 12),
    "Gather": (("w", "i"), {"i": [8, 5]}, [weight("w", 30, 12)], {}, "embedding", (8, 5, 12), 360),
    "ReduceMean": (("x", "i"), WORDS, [integers("i", 1)], {}, "einsum", (8, 12), 0),
    "ReduceSum": (("x", "i"), WORDS, [integers("i", 2)], {"keepdims": 0}, "einsum", (8, 5), 0),
}  # fmt: skip


def rows(made):
    return describe(made.instance.spec.network, made.instance.batch, 4)


@pytest.mark.parametrize("kind", CASES)
def test_an_operator_is_a_layer(onnx_of, kind):
    read, inputs, weights, fields, expected, sizes, parameters = CASES[kind]
    made = onnx_of([(kind, read, ["y"], fields)], inputs, weights=weights)
    assert made.warnings == ()
    assert made.instance.graph.parameters == parameters
    found = next(row for row in rows(made) if row.kind == expected)
    assert tuple(found.output.values()) == sizes


def test_records_name_each_operator_once():
    assert len(RECORDS) == sum(len(one.kinds) for one in set(RECORDS.values()))
    assert set(CASES) <= RECORDS.keys()


@pytest.mark.parametrize("kind", [kind for kind in (*ACTIVATIONS, *FUNCTIONS) if kind not in TRUTHS])
def test_a_function_of_every_element(onnx_of, kind):
    (row,) = rows(onnx_of([(kind, ("x",))], WORDS))
    assert row.kind in ("activation", "elementwise")
    assert tuple(row.output.values()) == (8, 5, 12)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (("Relu", ("x",)), {"activation": {}}),
        (("Swish", ("x",)), {"activation": {"kind": "silu"}}),
        (("HardSigmoid", ("x",)), {"activation": {"kind": "hard_sigmoid"}}),
        (("ThresholdedRelu", ("x",)), {"activation": {}}),  # no other is like it
        (("Sub", ("x", "v")), {"elementwise": {"function": "subtract"}}),
        (("Div", ("x", "v")), {"elementwise": {}}),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else None,
)
def test_functions_have_names(onnx_of, node, expected):
    (layer,) = onnx_of([node], {**WORDS, "v": WORDS["x"]}).instance.to_dict()["network"]["layers"]
    assert {name: layer[name] for name in expected} == expected


@pytest.mark.parametrize("kind", [kind for kind in OF_SEVERAL if kind not in TRUTHS])
def test_a_function_of_two_tensors_spreads_one(onnx_of, kind):
    (row,) = rows(onnx_of([(kind, ("x", "z"))], {**WORDS, "z": [8, 1, 12]}))
    assert (row.kind, tuple(row.output.values())) == ("elementwise", (8, 5, 12))


def test_views_are_written_where_they_are_needed(onnx_of):
    nodes = [
        ("Reshape", ("x", "a"), ["r"]),
        ("Transpose", ("r",), ["t"], {"perm": [0, 2, 1, 3]}),
        ("Relu", ("t",), ["u"]),
        ("Transpose", ("u",), ["v"], {"perm": [0, 2, 1, 3]}),
        ("Reshape", ("v", "b"), ["s"]),
        ("MatMul", ("s", "w")),
    ]
    weights = [integers("a", 8, 5, 3, 4), integers("b", 40, 12), weight("w", 12, 7)]
    found = rows(onnx_of(nodes, WORDS, weights=weights))
    assert [row.kind for row in found] == ["reshape", "activation", "reshape", "linear"]
    assert found[-1].output == {"batch": 8, "sequence": 5, "features": 7}


def test_parts_of_a_tensor(onnx_of):
    nodes = [
        ("Split", ("x",), ["a", "b", "c"], {"axis": 2, "num_outputs": 3}),
        ("Concat", ("a", "c"), ["d"], {"axis": 2}),
        ("Gather", ("d", "i"), ["e"], {"axis": 1}),
        ("Slice", ("e", "i", "j", "k")),
    ]
    weights = [integers(name, value) for name, value in (("i", 0), ("j", 2), ("k", 2))]
    found = rows(onnx_of(nodes, WORDS, weights=weights))
    assert [row.kind for row in found] == ["split", "concat", "part", "part"]
    assert tuple(found[-1].output.values()) == (8, 1, 2)


def test_a_map_is_made_larger(onnx_of):
    from onnx import helper

    scales = helper.make_tensor("s", 1, [4], [1.0, 1.0, 2.0, 2.0])
    nodes = [("Constant", (), ["s"], {"value": scales}), ("Resize", ("x", "", "s"))]
    (row,) = rows(onnx_of(nodes, MAP))
    assert (row.kind, tuple(row.output.values())) == ("upsample", (8, 4, 12, 12))


def test_a_bias_behind_a_product_is_the_layers_own(onnx_of):
    made = onnx_of([("MatMul", ("x", "w"), ["z"]), ("Add", ("b", "z"))], WORDS, weights=[weight("w", 12, 12), B])
    (row,) = rows(made)
    assert (row.kind, row.parameters) == ("linear", 12 * 12 + 12)


def test_shared_parameters_are_counted_once(onnx_of):
    nodes = [
        ("Gather", ("w", "i"), ["e"]),
        ("Transpose", ("w",), ["t"], {"perm": [1, 0]}),
        ("MatMul", ("e", "t")),
    ]
    made = onnx_of(nodes, {"i": [8, 5]}, weights=[weight("w", 30, 12)])
    assert made.instance.graph.parameters == 360
    assert made.instance.spec.network.layers[-1].shared == made.instance.spec.network.layers[0].name


def test_what_is_added_to_scores_is_not_counted_and_said(onnx_of):
    inputs = {**HEADS, "mask": [8, 3, 5, 5]}
    made = onnx_of([("Attention", ("q", "k", "v", "mask"))], inputs)
    said = "what is added to the scores by Attention of n0 is not counted: 8 x 3 x 5 x 5 numbers, 2,400 bytes"
    assert made.warnings == (said,)
