"""Attention that models write out: product, scale, mask, softmax, product, read as what it is.

Only where it is exactly that: scores are read once, by functions of themselves and of constants, up to the softmax over
their last axis; what comes of it is read once, by the product with the values.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.importers.eager_spellings import SPELLINGS
from hypar_opt.importers.graph import Node

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.importers.eager_spellings import Spelling
    from hypar_opt.importers.graph import FrameworkGraph

QUERIES_BY_KEYS = [0, 1, 3, 2]
"""How keys are turned for the product, whose axes are samples, heads, positions and features."""


def with_attention(source: FrameworkGraph) -> FrameworkGraph:
    """Return a model in which attention that is written out is one operator."""
    for spelling in SPELLINGS:
        if any(node.kind in spelling.softmax for node in source.nodes):
            found = {one.product.outputs[0]: one for one in _Eager(source, spelling).found()}
            source = _replaced(source, spelling, found) if found else source
    return source


@dataclass(frozen=True)
class _Attention:
    """Attention that was found.

    Parameters
    ----------
    product
        With the values.
    queries, keys, values
        What it is of.
    order
        Of the keys' axes.
    """

    product: Node
    queries: str
    keys: str
    values: str
    order: list[int]


class _Eager:
    """Who writes and reads what, and what depends on no sample and on nothing that is trained."""

    def __init__(self, source: FrameworkGraph, spelling: Spelling) -> None:
        self.source = source
        self.spelling = spelling
        self.writers = {name: node for node in source.nodes for name in node.outputs if name}
        self.reads = Counter(name for node in source.nodes for name in node.inputs if name)
        self.reads.update(source.outputs)
        self.varies = _varying(source, spelling)

    def found(self) -> Iterator[_Attention]:
        """Yield attention by its product with values."""
        for node in self.source.nodes:
            if node.kind in self.spelling.products and len(node.inputs) == 2:
                found = self._attention(node)
                if found is not None:
                    yield found

    def _attention(self, node: Node) -> _Attention | None:
        weights, values = node.inputs
        softmax = self._below(weights, self.spelling.nothing)
        if softmax is None or self.spelling.axis(softmax) not in (-1, 3):
            return None
        product = self._below(softmax.inputs[0], self.spelling.nothing | self.spelling.functions)
        if product is None or product.kind not in self.spelling.products or len(product.inputs) != 2:
            return None
        queries, turned = (self._unscaled(name) for name in product.inputs)
        turn = self.writers.get(turned)
        order = self.spelling.order(turn) if turn else None
        sizes = [self.source.sizes.get(name, ()) for name in (queries, turned, values)]
        if turn is None or order is None or len(order) != 4 or any(len(one) != 4 for one in sizes):
            return None
        is_plain = len({one[:2] for one in sizes}) == 1
        keys = self._unscaled(turn.inputs[0])
        return _Attention(node, queries, keys, values, [order[i] for i in QUERIES_BY_KEYS]) if is_plain else None

    def _below(self, name: str, passed: frozenset[str]) -> Node | None:
        """Return who writes what something is a function of, where all in between is read once."""
        while self.reads[name] == 1 and name in self.writers:
            node = self.writers[name]
            if node.kind not in passed and not self._is_checked(node):
                return node
            varying = [one for one in node.inputs if one in self.varies and not self._is_check(one)]
            if len(varying) != 1 or self.source.sizes[varying[0]] != self.source.sizes[name]:
                return None
            name = varying[0]
            if self._is_checked(node) and name in self.writers:  # which reads it twice
                return self.writers[name] if self.reads[name] == 2 else None
        return None

    def _is_check(self, name: str) -> bool:
        """Return whether something says where numbers are none."""
        return name in self.writers and self.writers[name].kind in self.spelling.checks

    def _is_checked(self, node: Node) -> bool:
        """Return whether an operator replaces what of its operand is no number."""
        checks = [self.writers[name].inputs[0] for name in node.inputs if self._is_check(name)]
        return bool(checks) and node.kind in self.spelling.choices and set(checks) < set(node.inputs)

    def _unscaled(self, name: str) -> str:
        """Return what was multiplied by a constant of one number."""
        while name in self.writers and self.writers[name].kind in self.spelling.scales:
            node = self.writers[name]
            varying = [one for one in node.inputs if one in self.varies]
            others = [self.source.sizes.get(one, ()) for one in node.inputs if one not in self.varies]
            if len(varying) != 1 or node.inputs[0] not in varying or any(prod(one) > 1 for one in others):
                break
            name = varying[0]
        return name


def _replaced(source: FrameworkGraph, spelling: Spelling, found: Mapping[str, _Attention]) -> FrameworkGraph:
    """Return a model with attention in place of products, without what nobody reads any more."""
    sizes, nodes = dict(source.sizes), list[Node]()
    for node in source.nodes:
        one = found.get(node.outputs[0])
        if one is None:
            nodes.append(node)
            continue
        keys = one.keys
        if one.order != [0, 1, 2, 3]:
            keys = f"{node.outputs[0]}:keys"
            sizes[keys] = tuple(sizes[one.keys][i] for i in one.order)
            nodes.append(Node(spelling.permuting[0], (one.keys,), (keys,), {spelling.permuting[1]: one.order}))
        nodes.append(Node(spelling.attention, (one.queries, keys, one.values), node.outputs, {}, node.module))
    read, kept = {*source.outputs}, list[Node]()
    before = {name for node in source.nodes for name in node.inputs}
    for node in reversed(nodes):
        if not read.isdisjoint(node.outputs) or before.isdisjoint(node.outputs):
            read.update(node.inputs)
            kept.append(node)
    return replace(source, nodes=tuple(reversed(kept)), sizes=sizes)


def _varying(source: FrameworkGraph, spelling: Spelling) -> frozenset[str]:
    found = {*source.inputs, *source.trained}
    for node in source.nodes:
        if node.kind not in spelling.sizes and any(name in found for name in node.inputs):
            found.update(name for name in node.outputs if name)
    return frozenset(found)
