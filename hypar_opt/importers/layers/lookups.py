"""Rows of tables by their indices, and attention."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.importers.arrangement import arranged, reshaped, restored, transposed, without_batch
from hypar_opt.importers.draft import Sketch, Unreadable
from hypar_opt.importers.held import Constant, Viewed, Weight
from hypar_opt.importers.layers.parts import cut

if TYPE_CHECKING:
    from hypar_opt.importers.held import Held


def embedding(draft: Sketch, table: Weight, indices: Held, *, is_summed: bool = False) -> Viewed:
    """Return rows of a table of trained numbers.

    Where the indices are a constant, as numbers of positions are, these are so many of its first rows.
    """
    vocabulary, features = table.sizes
    if isinstance(indices, Constant):
        return _positions(draft, table, indices)
    if not isinstance(indices, Viewed):
        raise Unreadable("it reads indices that are trained")
    indices = _input_of(draft, indices)
    groups, batch = without_batch(indices)
    read = arranged(draft, indices, [(atom,) for group in groups for atom in group])
    fields = {"vocabulary": vocabulary, "features": features} | ({"sum": True} if is_summed else {})
    made = draft.add("embedding", fields, [read], {"weight": table})
    counts = [len(group) for group in groups][: -1 if is_summed else None]
    return restored(made, [*counts, 1], batch)


def _input_of(draft: Sketch, indices: Viewed) -> Viewed:
    """Return the network's input of which indices are a function: those below 0 are counted from the end."""
    found, todo = set[str](), [indices.layer]
    while todo:
        name = todo.pop()
        layer = draft.layers.get(name)
        if layer is None:
            found.add(name)
        elif layer.kind == "elementwise":
            todo += layer.inputs
        else:
            return indices
    if len(found) != 1 or indices.layer in found:
        return indices
    name = found.pop()
    tensor = draft.scratch.tensors.get(name)
    is_same = tensor is not None and tensor.role == "input" and tensor.sizes == indices.value.sizes
    return replace(indices, layer=name, value=replace(indices.value, tensor=name)) if is_same else indices


def _positions(draft: Sketch, table: Weight, indices: Constant) -> Viewed:
    rows, features = table.sizes
    count = prod(indices.sizes)
    if count > rows:
        raise Unreadable(f"it reads {count} rows of {rows} by indices that are a constant")
    made = draft.add("learned", {"sequence": rows, "features": features}, [], {"weight": table})
    seen = replace(made, axes=((1,), (2,)))
    if count < rows:
        part = cut(draft, seen, (count, features))
        seen = part if isinstance(part, Viewed) else seen
    places = [i for i, size in enumerate(indices.sizes) if size > 1]
    if len(places) > 1:
        raise Unreadable("it reads rows by indices of several axes that are a constant")
    axes = tuple(seen.axes[0] if i in places else () for i in range(len(indices.sizes)))
    return replace(seen, axes=(*axes, seen.axes[-1]))


def attention(draft: Sketch, q: Viewed, k: Viewed, v: Viewed, *, causal: bool) -> Viewed:
    """Return attention of queries, keys and values, each with axes of samples, heads, positions and features.

    Keys and values of fewer heads may be spread to as many as the queries have.
    """
    if len({len(one.axes) for one in (q, k, v)}) > 1 or len(q.axes) != 4:
        raise Unreadable("expected four axes: samples, heads, positions and features")
    heads, key_heads = q.sizes[1], prod(k.size(atom) for atom in k.rest(1) if isinstance(atom, int))
    reads = []
    for one, many in ((q, heads), (k, key_heads), (v, key_heads)):
        groups, batch = without_batch(one)
        if batch != (0, 0) or groups[0]:
            raise Unreadable("expected samples along the first axis alone")
        own = [atom for atom in groups[1] if isinstance(atom, int)] if one is not q else list(groups[1])
        if prod(map(one.size, own)) != many or own != list(groups[1])[: len(own)]:
            raise Unreadable("expected values of as many heads as the keys have")
        reads.append(arranged(draft, one, [groups[2], [*own, *groups[3]]], ["sequence", "features"]))
    fields = {"heads": heads} | ({"key_heads": key_heads} if key_heads != heads else {})
    made = draft.add("attention", fields | ({"causal": True} if causal else {}), reads)
    batch_size, length, width = made.value.sizes
    return transposed(reshaped(draft, made, (batch_size, length, heads, width // heads)), (0, 2, 1, 3))
