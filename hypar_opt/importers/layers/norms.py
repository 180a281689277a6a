"""Normalisations and softmax."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.importers.arrangement import arranged, reshaped, restored, without_batch
from hypar_opt.importers.draft import Sketch, Unreadable, distinct
from hypar_opt.importers.held import Viewed, Weight
from hypar_opt.importers.layers.pointwise import scaled
from hypar_opt.importers.layers.windows import as_map, check_first

if TYPE_CHECKING:
    from collections.abc import Mapping


def _weights(weight: Weight | None, bias: Weight | None) -> Mapping[str, Weight]:
    found = {"weight": weight, "bias": bias}
    return {name: one for name, one in found.items() if one is not None}


def batch_norm(draft: Sketch, x: Viewed, weight: Weight | None, bias: Weight | None) -> Viewed:
    """Return a normalisation over samples and places."""
    check_first(x)
    read = as_map(draft, x) if len(x.axes) > 2 else arranged(draft, x, [x.rest(1)], ["features"])
    return draft.add("norm", _fields("batch", weight), [read], _weights(weight, bias))


def _fields(kind: str, weight: Weight | None) -> dict[str, object]:
    return {"kind": kind} | ({"parameters": False} if weight is None else {})


def last_norm(draft: Sketch, x: Viewed, kind: str, axes: int, weight: Weight | None, bias: Weight | None) -> Viewed:
    """Return a normalisation over so many of the last axes, `layer` or `rms`.

    One that scales and does not shift has trained numbers of its own behind it.
    """
    groups, batch = without_batch(x)
    if batch is None or batch[0] >= len(groups) - axes:
        raise Unreadable("it normalises over the samples")
    lead = [(atom,) for group in groups[:-axes] for atom in group]
    mine = [atom for group in groups[-axes:] for atom in group]
    names = [x.value.names[atom] if isinstance(atom, int) else "sequence" for (atom,) in lead]
    names = ["rows" if name == "channels" else name for name in names]
    read = arranged(draft, x, [*lead, mine], distinct(("batch", *names, "features"))[1:])
    is_own = kind == "rms" or (weight is None) == (bias is None)
    own = weight if is_own else None
    made = draft.add("norm", _fields(kind, own), [read], _weights(own, bias if is_own else None))
    counts = [*(len(group) for group in groups[:-axes]), 1]
    seen = restored(made, counts, batch)
    if not is_own and weight is not None:
        seen = scaled(draft, seen, Weight(weight.name, (made.value.sizes[-1],)))
    return seen if axes == 1 else reshaped(draft, seen, x.sizes)


def group_norm(draft: Sketch, x: Viewed, groups: int, weight: Weight | None, bias: Weight | None) -> Viewed:
    """Return a normalisation over groups of channels with their places, behind which each channel is scaled."""
    check_first(x)
    behind = len(x.axes) - 2
    parted = reshaped(draft, x, (x.sizes[0], groups, x.sizes[1] // groups, *x.sizes[2:]))
    made = reshaped(draft, last_norm(draft, parted, "layer", 1 + behind, None, None), x.sizes)
    if weight is None:
        return made
    ones = (1,) * behind
    shift = None if bias is None else Weight(bias.name, (*bias.sizes, *ones))
    return scaled(draft, made, Weight(weight.name, (*weight.sizes, *ones)), shift)


def softmax(draft: Sketch, x: Viewed, axis: int) -> Viewed:
    """Return softmax over an axis."""
    groups, batch = without_batch(x)
    axis %= len(groups)
    if batch is not None and batch[0] == axis:
        raise Unreadable("it sums over the samples")
    own = groups[axis][0] if len(groups[axis]) == 1 else None
    if isinstance(own, int):
        over = x.value.names[own]
        return replace(draft.add("softmax", {"over": over}, [(x.layer, x.value)]), axes=x.axes)
    parts = [[group] if i == axis else [(atom,) for atom in group] for i, group in enumerate(groups)]
    read = arranged(draft, x, [part for one in parts for part in one])
    place = 1 + sum(len(one) for one in parts[:axis])
    made = draft.add("softmax", {"over": read[1].names[place]}, [read])
    return restored(made, [len(one) for one in parts], batch)
