"""Operators that no layer is like: only their sizes are kept."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from hypar_opt.importers.arrangement import restored
from hypar_opt.importers.draft import Sketch, distinct, generic
from hypar_opt.importers.held import Constant, Viewed, Weight

if TYPE_CHECKING:
    from hypar_opt.importers.graph import Node
    from hypar_opt.importers.held import Held


def opaque(draft: Sketch, node: Node) -> None:
    """Write an operator down as one that reads and writes all of its tensors, each output a layer.

    What it writes begins with the batch where its first axis is as long, or a multiple of it.
    """
    held = [draft.held[name] for name in node.inputs if name]
    seen = [one for one in held if isinstance(one, Viewed)]
    weights = [one for one in held if isinstance(one, Weight) and one.name not in draft.owners]
    if not seen and not weights:
        draft.held.update({name: Constant(draft.size_of(name)) for name in node.outputs if name})
        return
    if not seen:
        seen = [draft.seen(weights.pop(0))]
    for place, name in enumerate(one for one in node.outputs if one):
        draft.held[name] = _written(draft, node, seen, weights if place == 0 else [], draft.size_of(name))


def _written(draft: Sketch, node: Node, seen: list[Viewed], weights: list[Weight], sizes: tuple[int, ...]) -> Held:
    batch = None
    left = list(sizes)
    if sizes and sizes[0] % draft.batch == 0 and (sizes[0] == draft.batch or any(one.has_batch for one in seen)):
        batch = (0, 0)
        left[0] //= draft.batch
    counts = [int(size > 1) for size in left]
    kept = [size for size in left if size > 1] or [1]
    names = distinct(("batch", *(generic(i, len(kept), size) for i, size in enumerate(kept))))[1:]
    parameters = sum(prod(one.sizes) for one in weights)
    fields: dict[str, object] = {"shape": dict(zip(names, kept, strict=True)), "operator": node.kind}
    if parameters:
        fields["parameters"] = parameters
    reads = [(one.layer, one.value) for one in {one.layer: one for one in seen}.values()]
    made = draft.add(
        "opaque", fields, reads, {f"weight{i or ''}": one for i, one in enumerate(weights)}, what=node.kind
    )
    return restored(made, counts, batch)
