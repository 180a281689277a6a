"""Attention that PyTorch's models write out: product, scale, mask, softmax, product, read as what it is.

Only where it is exactly that: scores are read once, by functions of themselves and of constants, up to the softmax over
their last axis; what comes of it is read once, by the product with the values.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypar_opt.importers.graph import Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.importers.graph import FrameworkGraph

PRODUCTS: Final = frozenset({"aten.matmul", "aten.bmm"})
SOFTMAX: Final = frozenset({"aten.softmax", "aten._softmax"})
FUNCTIONS: Final = frozenset({"aten.mul", "aten.div", "aten.add", "aten.sub", "aten.where", "aten.masked_fill"})
"""What may be done to scores, with constants."""
NOTHING: Final = frozenset(
    {"aten.dropout", "aten.to", "aten._to_copy", "aten.type_as", "aten.clone", "aten.contiguous", "aten.float"}
)
"""What may be done to scores and to what the softmax makes of them."""
ATTENTION: Final = "aten.scaled_dot_product_attention"


def with_attention(source: FrameworkGraph) -> FrameworkGraph:
    """Return a model in which attention that is written out is one operator."""
    if not any(node.kind in SOFTMAX for node in source.nodes):
        return source
    found = {node.outputs[0]: node for node in _Eager(source).found()}
    return replace(source, nodes=tuple(found.get(node.outputs[0], node) for node in source.nodes)) if found else source


class _Eager:
    """Who writes and reads what, and what depends on no sample and on nothing that is trained."""

    def __init__(self, source: FrameworkGraph) -> None:
        self.source = source
        self.writers = {name: node for node in source.nodes for name in node.outputs if name}
        self.reads = Counter(name for node in source.nodes for name in node.inputs if name)
        self.reads.update(source.outputs)
        self.varies = _varying(source, self.writers)

    def found(self) -> Iterable[Node]:
        """Yield products with values that become attention."""
        for node in self.source.nodes:
            if node.kind in PRODUCTS and len(node.inputs) == 2:
                operands = self._attention(*node.inputs)
                if operands is not None:
                    yield Node(ATTENTION, operands, node.outputs, {}, node.module)

    def _attention(self, weights: str, values: str) -> tuple[str, str, str] | None:
        """Return queries, keys and values."""
        softmax = self._below(weights, NOTHING)
        if softmax is None or softmax.kind not in SOFTMAX or softmax.attributes.get("dim") not in (-1, 3):
            return None
        product = self._below(softmax.inputs[0], NOTHING | FUNCTIONS)
        if product is None or product.kind not in PRODUCTS or len(product.inputs) != 2:
            return None
        queries, turned = product.inputs
        keys = self._turned(turned)
        names = (queries, keys or "", values)
        sizes = [self.source.sizes.get(name, ()) for name in names]
        is_plain = all(len(one) == 4 for one in sizes) and len({one[:2] for one in sizes}) == 1
        return (queries, keys, values) if keys and is_plain else None

    def _below(self, name: str, passed: frozenset[str]) -> Node | None:
        """Return who writes what something is a function of, where all in between is read once."""
        while self.reads[name] == 1 and name in self.writers:
            node = self.writers[name]
            if node.kind not in passed:
                return node
            varying = [one for one in node.inputs if one in self.varies]
            if len(varying) != 1 or self.source.sizes[varying[0]] != self.source.sizes[name]:
                return None
            name = varying[0]
        return None

    def _turned(self, name: str) -> str | None:
        """Return keys whose last two axes have been exchanged."""
        node = self.writers.get(name)
        if node is None or node.kind not in ("aten.transpose", "aten.permute"):
            return None
        if node.kind == "aten.permute":
            is_it = list(node.attributes.get("dims", ())) == [0, 1, 3, 2]
        else:
            is_it = {node.attributes.get(f"dim{i}", 0) % 4 for i in (0, 1)} == {2, 3}
        return node.inputs[0] if is_it else None


def _varying(source: FrameworkGraph, writers: Mapping[str, Node]) -> frozenset[str]:
    found = {*source.inputs, *source.trained}
    for node in source.nodes:
        if any(name in found for name in node.inputs):
            found.update(name for name in node.outputs if name in writers)
    return frozenset(found)
