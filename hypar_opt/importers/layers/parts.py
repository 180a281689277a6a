"""Tensors cut and put side by side, and axes that are summed over."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.importers.arrangement import arranged, restored, without_batch
from hypar_opt.importers.draft import Sketch, Unreadable
from hypar_opt.importers.held import BATCH_ATOM, Constant, Spread, Viewed
from hypar_opt.importers.layers.windows import whole_pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.importers.held import Held
    from hypar_opt.instance.operators.layers.value import Value


def _one_dim(draft: Sketch, x: Viewed, axis: int) -> tuple[tuple[str, Value], list[int], tuple[int, int] | None, int]:
    """Return a tensor with one dimension for an axis; counts and batch as `restored` takes them; the dimension."""
    groups, batch = without_batch(x)
    if batch is not None and batch[0] == axis:
        raise Unreadable("it cuts samples off, or puts them together")
    parts = [[group] if i == axis else [(atom,) for atom in group] for i, group in enumerate(groups)]
    read = arranged(draft, x, [part for one in parts for part in one])
    place = 1 + sum(len(one) for one in parts[:axis])
    return read, [len(one) for one in parts], batch, place


def cut(draft: Sketch, x: Held, sizes: Sequence[int], *, dropped: int | None = None, place: int | None = None) -> Held:
    """Return a part of a tensor.

    Parameters
    ----------
    sizes
        Of what is left along each axis.
    dropped
        The axis that is left out, having the size 1 now.
    place
        Which of its places is read, where that is known.
    """
    if isinstance(x, Constant):
        return Constant(tuple(n for i, n in enumerate(sizes) if i != dropped))
    seen = draft.seen(x)
    for axis, size in enumerate(sizes):
        if seen.sizes[axis] == size:
            continue
        if all(isinstance(atom, Spread) for atom in seen.axes[axis]):
            left = (Spread(size),) if size > 1 else ()
            seen = replace(seen, axes=(*seen.axes[:axis], left, *seen.axes[axis + 1 :]))
            continue
        seen = _cut_one(draft, seen, axis, size, place if axis == dropped else None)
    if dropped is not None:
        if dropped < len(seen.axes) and any(seen.size(atom) > 1 for atom in seen.axes[dropped]):
            raise Unreadable("it leaves an axis out that has more than one place")
        seen = replace(seen, axes=(*seen.axes[:dropped], *seen.axes[dropped + 1 :]))
    return seen


def _cut_one(draft: Sketch, seen: Viewed, axis: int, size: int, place: int | None) -> Viewed:
    """Return a part along one axis; other dimensions stay where they are if the axis is one of them."""
    own = seen.axes[axis]
    if len(own) == 1 and isinstance(own[0], int) and own[0] != BATCH_ATOM:
        fields = {"over": seen.value.names[own[0]], "size": size}
        return replace(draft.add("part", fields, [(seen.layer, seen.value)], place=place), axes=seen.axes)
    read, counts, batch, at = _one_dim(draft, seen, axis)
    return restored(draft.add("part", {"over": read[1].names[at], "size": size}, [read]), counts, batch)


def parted(draft: Sketch, x: Held, axis: int, sizes: Sequence[int]) -> list[Held]:
    """Return the parts of a tensor along an axis."""
    if isinstance(x, Constant):
        return [Constant((*x.sizes[:axis], size, *x.sizes[axis + 1 :])) for size in sizes]
    seen = draft.seen(x)
    read, counts, batch, place = _one_dim(draft, seen, axis)
    into = len(sizes) if len(set(sizes)) == 1 else {f"part{i}": size for i, size in enumerate(sizes)}
    return list(draft.split(read, read[1].names[place], into, len(sizes), lambda made: restored(made, counts, batch)))


def beside(draft: Sketch, held: Sequence[Held], axis: int) -> Held:
    """Return tensors side by side along an axis."""
    if all(isinstance(one, Constant) for one in held):
        total = sum(one.sizes[axis] for one in held)
        return Constant((*held[0].sizes[:axis], total, *held[0].sizes[axis + 1 :]))
    if len(held) == 1:
        return held[0]
    reads = [_one_dim(draft, draft.seen(one), axis) for one in held]
    if any(counts != reads[0][1] or batch not in (None, reads[0][2]) for _, counts, batch, _ in reads):
        batches = {batch for _, _, batch, _ in reads} - {None}
        if len(batches) > 1 or any(counts != reads[0][1] for _, counts, _, _ in reads):
            raise Unreadable("it puts tensors together whose dimensions are not alike")
    _, counts, _, place = reads[0]
    batch = next((one for _, _, one, _ in reads if one is not None), None)
    over = reads[0][0][1].names[place]
    return restored(draft.add("concat", {"over": over}, [read for read, _, _, _ in reads]), counts, batch)


def reduced(draft: Sketch, x: Held, axes: Sequence[int], *, keeps: bool, what: str, pools: str = "") -> Held:
    """Return a tensor summed up, or the like, over axes.

    Parameters
    ----------
    keeps
        Whether the axes are left with a size of 1.
    pools
        The kind of pooling that it is, where it is over all of a map's places.
    """
    mine = {axis % len(x.sizes) for axis in axes}
    left = tuple(1 if i in mine else n for i, n in enumerate(x.sizes) if keeps or i not in mine)
    if isinstance(x, Constant):
        return Constant(left)
    seen = draft.seen(x)
    groups, batch = without_batch(seen)
    if batch is not None and batch[0] in mine:
        raise Unreadable("it sums over the samples")
    if pools and seen.value.names[1:2] == ("channels",) and mine == set(range(2, len(seen.axes))) and len(mine) <= 3:
        made: Viewed = whole_pool(draft, seen, pools)
        return made if keeps else replace(made, axes=made.axes[:2])
    read = arranged(draft, seen, [(atom,) for group in groups for atom in group])
    names = iter(read[1].names[1:])
    named = [[next(names) for _ in group] for group in groups]
    kept = [name for i, group in enumerate(named) if i not in mine for name in group]
    if len(kept) == len(read[1].names) - 1:
        raise Unreadable("it sums over axes of size 1")
    equation = f"{' '.join(read[1].names)} -> {' '.join(('batch', *kept))}"
    made = draft.add("einsum", {"equation": equation}, [read], what=what)
    counts = [0 if i in mine else len(group) for i, group in enumerate(named) if keeps or i not in mine]
    if batch is not None and not keeps:
        batch = (batch[0] - sum(axis < batch[0] for axis in mine), batch[1])
    return restored(made, counts, batch)
