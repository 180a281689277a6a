"""Functions of every element, sums and products of tensors, normal ones and with trained numbers."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.importers.arrangement import arranged, expanded, restored, without_batch
from hypar_opt.importers.draft import Sketch, Unreadable
from hypar_opt.importers.held import Constant, Spread, Viewed, Weight

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.importers.held import Atom, Held
    from hypar_opt.instance.operators.layers.value import Value

WITH_BIAS = ("linear", "conv", "transposed_conv")
"""Layers that can add a trained number to each of their features."""


NONE: Final[Mapping[str, str]] = MappingProxyType({})


def function(
    draft: Sketch, x: Held, kind: str = "activation", fields: Mapping[str, str] = NONE, *, what: str = ""
) -> Held:
    """Return a function of every element of a tensor."""
    if isinstance(x, Constant):
        return x
    seen = draft.seen(x)  # what is spread is so afterwards, and the order of its dimensions does not matter
    made = draft.add(kind, dict(fields), [(seen.layer, seen.value)], what=what)
    return replace(made, axes=seen.axes)


def combined(
    draft: Sketch,
    kind: str,
    held: Sequence[Held],
    sizes: Sequence[int],
    fields: Mapping[str, str] = NONE,
    *,
    what: str = "",
) -> Held:
    """Return a function of elements of several tensors that stand in one place.

    Parameters
    ----------
    kind
        `add`, `multiply` or `elementwise`.
    held
        What is read; constants cost nothing.
    sizes
        Of what is written.
    fields
        Of an `elementwise` of all that is read.
    """
    if not any(isinstance(one, Viewed) for one in held) and all(isinstance(one, Constant) for one in held):
        return Constant(tuple(sizes))
    biased = _biased(draft, kind, held)
    if biased is not None:
        return biased
    scaled = _scaled(draft, kind, held)
    if scaled is not None:
        return scaled
    seen = [_spread_to(draft.seen(one), sizes) for one in held if not isinstance(one, Constant)]
    if len(seen) == 1:
        return function(draft, expanded(draft, seen[0], sizes), "elementwise", what=what)
    return _together(draft, kind, seen, fields if len(seen) == len(held) else NONE, what)


def _spread_to(seen: Viewed, sizes: Sequence[int]) -> Viewed:
    """Return a tensor with as many axes as what is written has."""
    return replace(seen, axes=(*((),) * (len(sizes) - len(seen.axes)), *seen.axes))


def _together(draft: Sketch, kind: str, seen: Sequence[Viewed], fields: Mapping[str, str], what: str) -> Viewed:
    """Write a layer that reads several tensors, whose dimensions are made alike axis by axis."""
    count = len(seen[0].axes)
    split = [without_batch(one) for one in seen]
    places = {place for _, place in split if place is not None}
    if len(places) > 1:
        raise Unreadable("it reads tensors whose samples stand along different axes")
    batch = next(iter(places), None)
    pairs = zip(seen, split, strict=True)
    if batch is not None and any(place is None and one.sizes[batch[0]] != 1 for one, (_, place) in pairs):
        raise Unreadable("it reads tensors of which one does not depend on the samples, and has as many places")
    groups: list[list[Sequence[Atom]]] = [[] for _ in seen]
    counts = []
    for axis in range(count):
        own = [_bare(one, parts[axis]) for one, (parts, _) in zip(seen, split, strict=True)]
        parts = _parts(seen, own)
        counts.append(parts)
        for mine, atoms in zip(groups, own, strict=True):
            is_whole = len(atoms) == parts
            mine += (
                [(atom,) for atom in atoms] if is_whole else [tuple(atoms)] if atoms and parts == 1 else [()] * parts
            )
    read = [arranged(draft, one, mine) for one, mine in zip(seen, groups, strict=True)]
    is_same = len({value.sizes for _, value in read}) == 1
    called, kind = kind, kind if is_same else "elementwise"
    made = draft.add(kind, dict(fields) if kind == "elementwise" else {}, read, what=what or called)
    return restored(made, counts, batch)


def _bare(seen: Viewed, atoms: Sequence[Atom]) -> list[Atom]:
    """Return the atoms that have more than one place; what is spread is left to what reads it."""
    left = [atom for atom in atoms if seen.size(atom) > 1]
    return [] if all(isinstance(atom, Spread) for atom in left) else left


def _parts(seen: Sequence[Viewed], own: Sequence[Sequence[Atom]]) -> int:
    """Return into how many dimensions an axis falls: as many as it does in all tensors, or one."""
    signatures = {tuple(one.size(atom) for atom in atoms) for one, atoms in zip(seen, own, strict=True) if atoms}
    if not signatures:
        return 0
    return len(next(iter(signatures))) if len(signatures) == 1 else 1


def _biased(draft: Sketch, kind: str, held: Sequence[Held]) -> Held | None:
    """Return what a layer writes that adds trained numbers to its features from now on, if that is what is meant."""
    weights = [one for one in held if isinstance(one, Weight)]
    seen = [one for one in held if isinstance(one, Viewed)]
    if kind != "add" or len(weights) != 1 or len(seen) != 1:
        return None
    (x,), (weight,) = seen, weights
    layer = draft.layers.get(x.layer)
    if layer is None or layer.kind not in WITH_BIAS or layer.fields.get("bias") or layer.shared or x.origin is not None:
        return None
    at = x.value.features
    if (at,) not in x.axes or prod(weight.sizes) != x.value.dims[at].size:
        return None
    behind = len(x.axes) - x.axes.index((at,))
    if len(weight.sizes) < behind or weight.sizes[-behind] != x.value.dims[at].size or not _read_once(draft, held):
        return None
    draft.add_bias(x, weight)
    return x


def _read_once(draft: Sketch, held: Sequence[Held]) -> bool:
    names = draft.node.inputs if draft.node is not None else ()
    return all(draft.readers.get(name, 0) <= 1 for name in names if isinstance(draft.held.get(name), Viewed))


def _scaled(draft: Sketch, kind: str, held: Sequence[Held]) -> Held | None:
    """Return a product with trained numbers along some axes, which stand once for all samples."""
    weights = [one for one in held if isinstance(one, Weight)]
    seen = [one for one in held if isinstance(one, Viewed)]
    if kind != "multiply" or len(weights) != 1 or len(seen) != 1 or len(held) != 2:
        return None
    return scaled(draft, seen[0], weights[0])


def scaled(draft: Sketch, x: Viewed, weight: Weight, bias: Weight | None = None) -> Viewed:
    """Return a tensor times trained numbers, which may spread along axes, and plus others of the same sizes."""
    if len(weight.sizes) > len(x.axes):
        raise Unreadable(f"it multiplies {list(x.sizes)} with {list(weight.sizes)}")
    groups, batch = without_batch(x)
    sizes = (*(1,) * (len(x.axes) - len(weight.sizes)), *weight.sizes)
    merged = [
        [tuple(group)] if size > 1 else [(atom,) for atom in group] for group, size in zip(groups, sizes, strict=True)
    ]
    if any(n not in (1, own) for n, own in zip(sizes, x.sizes, strict=True)):
        raise Unreadable(f"it multiplies {list(x.sizes)} with {list(weight.sizes)}")
    layer, value = arranged(draft, x, [part for group in merged for part in group])
    is_own = [size > 1 for group, size in zip(merged, sizes, strict=True) for _ in group]
    own = [place for place, is_one in enumerate(is_own, start=1) if is_one]
    return _product(draft, layer, value, own, weight, bias, [len(group) for group in merged], batch)


def _product(
    draft: Sketch,
    layer: str,
    value: Value,
    own: Sequence[int],
    weight: Weight,
    bias: Weight | None,
    counts: Sequence[int],
    batch: tuple[int, int] | None,
) -> Viewed:
    names = value.names
    trained = [names[i] for i in own]
    if not trained:
        raise Unreadable("it multiplies by one trained number")
    equation = f"{' '.join(names)}, {' '.join(trained)} -> {' '.join(names)}"
    fields = {"equation": equation} | ({"bias": True} if bias else {})
    weights = {"weight": weight} | ({"bias": bias} if bias else {})
    made = draft.add("einsum", fields, [(layer, value)], weights, what="scale")
    return restored(made, counts, batch)
