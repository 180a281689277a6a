"""What frameworks call the operators that attention is written out in, a record a framework."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.importers.graph import Node


@dataclass(frozen=True)
class Spelling:
    """Kinds of operators.

    Parameters
    ----------
    products, softmax
        Of which attention consists.
    functions
        What may be done to scores, with constants.
    nothing
        What may be done to scores and to what the softmax makes of them.
    scales
        What may be done to queries and keys, with a constant of one number.
    checks, choices
        What says where a number is none, and what puts another there.
    sizes
        What depends on sizes alone.
    attention
        What all of it is as one operator.
    permuting
        What brings axes into another order, and the name of its order.
    order
        From an operator to the order into which it brings four axes; None where it does not.
    axis
        From a softmax to its axis.
    """

    products: frozenset[str]
    softmax: frozenset[str]
    functions: frozenset[str]
    nothing: frozenset[str]
    scales: frozenset[str]
    checks: frozenset[str]
    choices: frozenset[str]
    sizes: frozenset[str]
    attention: str
    permuting: tuple[str, str]
    order: Callable[[Node], list[int] | None]
    axis: Callable[[Node], int | None]


def _aten(*names: str) -> frozenset[str]:
    return frozenset(f"aten.{name}" for name in names)


def _torch_order(node: Node) -> list[int] | None:
    if node.kind == "aten.permute":
        return [one % 4 for one in node.attributes.get("dims", ())]
    if node.kind != "aten.transpose":
        return None
    first, second = (node.attributes.get(f"dim{i}", 0) % 4 for i in (0, 1))
    return [second if i == first else first if i == second else i for i in range(4)]


TORCH: Final = Spelling(
    products=_aten("matmul", "bmm"),
    softmax=_aten("softmax", "_softmax"),
    functions=_aten("mul", "div", "add", "sub", "where", "masked_fill"),
    nothing=_aten("dropout", "to", "_to_copy", "type_as", "clone", "contiguous", "float"),
    scales=_aten("mul", "div"),
    checks=_aten("isnan"),
    choices=_aten("where"),
    sizes=frozenset(),
    attention="aten.scaled_dot_product_attention",
    permuting=("aten.permute", "dims"),
    order=_torch_order,
    axis=lambda node: node.attributes.get("dim"),
)
ONNX: Final = Spelling(
    products=frozenset({"MatMul"}),
    softmax=frozenset({"Softmax"}),
    functions=frozenset({"Mul", "Div", "Add", "Sub", "Where"}),
    nothing=frozenset({"Dropout", "Identity", "Cast", "CastLike"}),
    scales=frozenset({"Mul", "Div"}),
    checks=frozenset({"IsNaN"}),
    choices=frozenset({"Where"}),
    sizes=frozenset({"Shape", "Size"}),
    attention="Attention",
    permuting=("Transpose", "perm"),
    order=lambda node: node.attributes.get("perm") if node.kind == "Transpose" else None,
    axis=lambda node: node.attributes.get("axis", -1),
)
SPELLINGS: Final = (TORCH, ONNX)
"""Of all frameworks that are read so."""
