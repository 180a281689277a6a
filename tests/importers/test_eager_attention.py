"""Attention that is written out is one layer where it is exactly that, and else products and a softmax."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hypar_opt.importers.assembly import imported
from hypar_opt.importers.graph import FrameworkGraph, Node
from hypar_opt.importers.records.torch import RECORDS
from hypar_opt.importers.wishes import Wishes
from hypar_opt.instance.operators.network import describe
from tests.importers.onnx_models import integers, weight

BATCH, HEADS, LENGTH, WIDTH = 4, 2, 5, 6
OF_HEADS, SCORES = (BATCH, HEADS, LENGTH, WIDTH), (BATCH, HEADS, LENGTH, LENGTH)
MAP = (BATCH, LENGTH, HEADS * WIDTH)


def eager(between=(), read_twice=False):
    """Return attention of three linear layers, with nodes between the scores and the softmax."""
    sizes = {"x": MAP, "mask": (1, 1, LENGTH, LENGTH), "bias": (1, HEADS, LENGTH, LENGTH)}
    nodes = []
    for name in "qkv":
        sizes |= {f"{name}.weight": (12, 12), f"{name}_map": MAP, f"{name}_parts": (BATCH, LENGTH, HEADS, WIDTH)}
        sizes[name] = OF_HEADS
        nodes += [
            Node("aten.linear", ("x", f"{name}.weight"), (f"{name}_map",), {}, name),
            Node("aten.view", (f"{name}_map",), (f"{name}_parts",), {"size": [BATCH, LENGTH, HEADS, WIDTH]}),
            Node("aten.transpose", (f"{name}_parts",), (name,), {"dim0": 1, "dim1": 2}),
        ]
    sizes |= {"turned": (BATCH, HEADS, WIDTH, LENGTH), "scores": SCORES, "weights": SCORES, "mixed": OF_HEADS}
    nodes += [
        Node("aten.transpose", ("k",), ("turned",), {"dim0": -2, "dim1": -1}),
        Node("aten.matmul", ("q", "turned"), ("scores",), {}, "attention"),
    ]
    last = "scores"
    for place, (kind, *others) in enumerate(between):
        sizes[f"s{place}"] = SCORES
        nodes.append(Node(kind, (last, *others), (f"s{place}",), {} if others else {"other": 2.0}, "attention"))
        last = f"s{place}"
    nodes += [
        Node("aten.softmax", (last,), ("weights",), {"dim": -1}, "attention"),
        Node("aten.matmul", ("weights", "v"), ("mixed",), {}, "attention"),
    ]
    outputs = ("mixed", "weights") if read_twice else ("mixed",)
    return FrameworkGraph(
        "eager", "torch 2.14", ("x",), ("q.weight", "k.weight", "v.weight", "bias"), sizes, tuple(nodes), outputs
    )


def kinds(graph):
    made = imported(graph, RECORDS, Wishes())
    return [one.kind for one in made.instance.graph.operators], made.instance.graph


@pytest.mark.parametrize(
    "between", [(), (("aten.div",),), (("aten.mul",), ("aten.add", "mask")), (("aten.dropout",),)], ids=len
)
def test_what_is_attention_is_one_layer(between):
    found, graph = kinds(eager(between))
    assert found == ["linear", "linear", "linear", "attention"]
    (attention,) = (one for one in graph.operators if one.kind == "attention")
    assert attention.sizes["heads"] == HEADS
    assert attention.multiply_adds == 2 * BATCH * HEADS * LENGTH * LENGTH * WIDTH


@pytest.mark.parametrize(
    "graph",
    [
        eager((("aten.add", "bias"),)),  # trained
        eager(read_twice=True),
        replace(eager(), nodes=tuple(
            replace(node, attributes={"dim": 2}) if node.kind == "aten.softmax" else node for node in eager().nodes
        )),
    ],
    ids=["trained", "read twice", "over queries"],
)  # fmt: skip
def test_what_is_not_exactly_that_stays_products_and_a_softmax(graph):
    found, _ = kinds(graph)
    assert found.count("matmul") == 2
    assert "attention" not in found
    assert "softmax" in found


SHARES = [("Softmax", ("scores",), ["shares"])]
PLAIN = [("Transpose", ("k_parts",), ["turned"], {"perm": [0, 2, 3, 1]}), ("MatMul", ("q", "turned"), ["product"])]
SCALED = [("Div", ("product", "c"), ["scores"])]
ONNX = {
    "masked": [*PLAIN, ("Mul", ("product", "c"), ["s"]), ("Add", ("s", "mask"), ["scores"]), *SHARES],
    "turned alone": [("Transpose", ("k",), ["turned"], {"perm": [0, 1, 3, 2]}),
                     ("MatMul", ("q", "turned"), ["product"]), *SCALED, *SHARES],
    "scaled before": [("Mul", ("q", "c"), ["scaled"]), ("Transpose", ("k",), ["t"], {"perm": [0, 1, 3, 2]}),
                      ("Mul", ("t", "c"), ["turned"]), ("MatMul", ("scaled", "turned"), ["scores"]), *SHARES],
    "checked": [*PLAIN, *SCALED, ("Softmax", ("scores",), ["soft"]), ("IsNaN", ("soft",), ["none"]),
                ("Where", ("none", "c", "soft"), ["shares"])],
    "hidden": [*PLAIN, ("Where", ("truths", "product", "c"), ["scores"]), *SHARES],
}  # fmt: skip
NOT_ATTENTION = {
    "trained": [*PLAIN, ("Add", ("product", "bias"), ["scores"]), *SHARES],
    "over queries": [*PLAIN, *SCALED, ("Softmax", ("scores",), ["shares"], {"axis": 2})],
    "read twice": [*PLAIN, *SCALED, *SHARES, ("Relu", ("shares",), ["other"])],
    "not turned": [("Reshape", ("k", "turn"), ["turned"]), ("MatMul", ("q", "turned"), ["scores"]), *SHARES],
}  # fmt: skip


def onnx_model(onnx_of, core):
    """Return three linear layers, what is between them and their heads, and one behind."""
    from onnx import TensorProto, helper

    mask = helper.make_tensor("m", 1, [1, 1, LENGTH, LENGTH], [0.0] * LENGTH**2)
    truths = helper.make_tensor("t", TensorProto.BOOL, [1, 1, LENGTH, LENGTH], [True] * LENGTH**2)
    number = helper.make_tensor("n", 1, [], [0.5])
    nodes = [("Constant", (), [name], {"value": value})
             for name, value in (("mask", mask), ("c", number), ("truths", truths))]  # fmt: skip
    for name in "qkv":
        nodes += [("MatMul", ("x", f"{name}.weight"), [f"{name}_map"]), ("Reshape", (f"{name}_map", "parts"),
                  [f"{name}_parts"]), ("Transpose", (f"{name}_parts",), [name], {"perm": [0, 2, 1, 3]})]  # fmt: skip
    nodes += [*core, ("Transpose", ("mixed",), ["back"], {"perm": [0, 2, 1, 3]}),
              ("Reshape", ("back", "map"), ["all"]), ("MatMul", ("all", "out.weight"), ["y"])]  # fmt: skip
    weights = [weight(f"{name}.weight", 12, 12) for name in ("q", "k", "v", "out")]
    if any("bias" in node[1] for node in core):
        weights.append(weight("bias", 1, HEADS, LENGTH, LENGTH))
    weights += [integers("parts", BATCH, LENGTH, HEADS, WIDTH), integers("map", *MAP)]
    weights.append(integers("turn", BATCH, HEADS, WIDTH, LENGTH))
    outputs = ("y", *(["other"] if any(node[0] == "Relu" for node in core) else []))
    made = onnx_of(nodes, {"x": list(MAP)}, weights=weights, outputs=outputs)
    return made.instance, [(row.kind, row.output, row.parameters) for row in describe(made.instance.spec.network, 4, 4)]


@pytest.mark.parametrize("between", ONNX)
def test_what_onnx_writes_out_is_what_it_says_in_one(onnx_of, between):
    found, rows = onnx_model(onnx_of, [*ONNX[between], ("MatMul", ("shares", "v"), ["mixed"])])
    expected, same = onnx_model(onnx_of, [("Attention", ("q", "k", "v"), ["mixed"])])
    assert [kind for kind, _, _ in rows] == ["linear", "linear", "linear", "attention", "linear"]
    assert rows == same
    assert found.graph.parameters == expected.graph.parameters == 4 * 12 * 12


@pytest.mark.parametrize("between", NOT_ATTENTION)
def test_what_onnx_writes_out_otherwise_stays_products_and_a_softmax(onnx_of, between):
    _, rows = onnx_model(onnx_of, [*NOT_ATTENTION[between], ("MatMul", ("shares", "v"), ["mixed"])])
    found = [kind for kind, _, _ in rows]
    assert "attention" not in found
    assert found.count("matmul") == 2
