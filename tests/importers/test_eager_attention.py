"""Attention that is written out is one layer where it is exactly that, and else products and a softmax."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hypar_opt.importers.assembly import imported
from hypar_opt.importers.graph import FrameworkGraph, Node
from hypar_opt.importers.records.torch import RECORDS
from hypar_opt.importers.wishes import Wishes

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
