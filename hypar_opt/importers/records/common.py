"""What operators of all frameworks have in common."""

from __future__ import annotations

from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.importers.arrangement import reshaped, transposed
from hypar_opt.importers.draft import Sketch, Unreadable
from hypar_opt.importers.held import Constant, Viewed, Weight
from hypar_opt.importers.layers import pointwise
from hypar_opt.importers.layers.functions import activation_fields, function_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.importers.graph import Node
    from hypar_opt.importers.held import Held


def written(draft: Sketch, node: Node) -> tuple[int, ...]:
    """Return the sizes of what an operator writes first."""
    return draft.size_of(node.outputs[0])


def trained(draft: Sketch, node: Node, place: int) -> Weight:
    """Return trained numbers that an operator reads; raise `Unreadable` where it reads something else."""
    held = draft.reads(node, place)
    if not isinstance(held, Weight):
        raise Unreadable(f"its input {place} is not trained")
    return held


def maybe_trained(draft: Sketch, node: Node, place: int) -> Weight | None:
    """Return trained numbers that an operator reads, None where it reads nothing or a constant."""
    held = draft.optional(node, place)
    if isinstance(held, Viewed):
        raise Unreadable(f"its input {place} is not trained")
    return held if isinstance(held, Weight) else None


def warn_of_mask(draft: Sketch, node: Node, place: int) -> None:
    """Say what is left out where what attention adds to its scores is trained, or depends on the samples."""
    mask = draft.optional(node, place)
    if mask is not None and not isinstance(mask, Constant):
        size = prod(mask.sizes) * draft.source.element_bytes
        shown = " x ".join(map(str, mask.sizes))
        draft.warnings.append(
            f"what is added to the scores by {node.where} is not counted: {shown} numbers, {size:,} bytes"
        )


def called(node: Node) -> str:
    """Return what an operator is called, without its family."""
    return node.kind.rpartition(".")[2].lower()


def permuted(x: Held, order: Sequence[int]) -> Held:
    """Return a tensor with its axes in another order."""
    if isinstance(x, Viewed):
        return transposed(x, order)
    sizes = tuple(x.sizes[i] for i in order)
    return Weight(x.name, sizes) if isinstance(x, Weight) else Constant(sizes)


def function(kind: str) -> Callable[[Sketch, Node], Held]:
    """Return what reads a function of every element."""
    fields = FIELDS.get(kind, _none)

    def read(draft: Sketch, node: Node) -> Held:
        said = fields(called(node), node.attributes)
        return pointwise.function(draft, draft.reads(node, 0), kind, said, what=called(node))

    return read


def _none(_: str, __: Mapping[str, Any]) -> dict[str, str]:
    return {}


FIELDS: Final[Mapping[str, Callable[[str, Mapping[str, Any]], dict[str, str]]]] = MappingProxyType(
    {"activation": activation_fields, "elementwise": function_fields}
)
"""By kind of layer, from what an operator is called and told to the layer's fields."""


def same(draft: Sketch, node: Node) -> Held:
    """Return what an operator reads first, which it leaves as it is."""
    return draft.reads(node, 0)


def combined(kind: str) -> Callable[[Sketch, Node], Held]:
    """Return what reads a function of several tensors' elements that stand in one place."""

    def read(draft: Sketch, node: Node) -> Held:
        held = [draft.reads(node, i) for i in range(len(node.inputs)) if node.inputs[i]]
        said = function_fields(called(node), node.attributes)
        return pointwise.combined(draft, kind, held, written(draft, node), said, what=called(node))

    return read


def reshape(draft: Sketch, node: Node) -> Held:
    """Return the same numbers with other axes."""
    x, sizes = draft.reads(node, 0), written(draft, node)
    if isinstance(x, Viewed):
        return reshaped(draft, x, sizes)
    return Weight(x.name, sizes) if isinstance(x, Weight) else Constant(sizes)
