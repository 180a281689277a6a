"""Tensors as layers need them: reshapes, transpositions and expansions, written down only where they are needed."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.importers.draft import Sketch, Unreadable, distinct, generic
from hypar_opt.importers.held import BATCH_ATOM, SeenBefore, Spread, Viewed, plain, regrouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.importers.held import Atom
    from hypar_opt.instance.operators.layers.value import Value


def arranged(
    draft: Sketch, seen: Viewed, groups: Sequence[Sequence[Atom]], names: Sequence[str] | None = None
) -> tuple[str, Value]:
    """Return a layer's output with one dimension for each group of its atoms, the batch before them.

    Parameters
    ----------
    groups
        Behind the batch; together all atoms but those of size 1. An empty group is a dimension of size 1.
    names
        Of those dimensions; those that they have unless given.
    """
    spread = [atom for group in groups for atom in group if isinstance(atom, Spread)]
    if spread:
        return arranged(draft, *_expanded(draft, seen, groups), names=names)
    order = [atom for group in groups for atom in group if isinstance(atom, int)]
    missing = [i for i, dim in enumerate(seen.value.dims) if i and dim.size > 1 and i not in order]
    if missing or len(set(order)) < len(order):
        raise Unreadable(f"it reads {seen.value} in part")
    found = _original(seen, groups, names)
    if found is not None:
        return found
    wanted = tuple(names or _names(seen, groups))
    source = (seen.layer, seen.value)
    if order != sorted(order):
        left = [i for i in range(1, len(seen.value.dims)) if i not in order]
        said = [seen.value.names[i] for i in (*order, *left)]
        moved = draft.add("transpose", said, [source])
        source = (moved.layer, moved.value)
    sizes = [prod(map(seen.size, group)) for group in groups]
    is_same = source[1].names[1:] == wanted and list(source[1].sizes[1:]) == sizes
    if is_same or not sizes:
        return source
    made = draft.add("reshape", dict(zip(wanted, sizes, strict=True)), [source])
    return made.layer, made.value


def _original(seen: Viewed, groups: Sequence[Sequence[Atom]], names: Sequence[str] | None) -> tuple[str, Value] | None:
    """Return what a layer wrote before it was reshaped, where that is what is needed."""
    here: Viewed | None = seen
    needed = [tuple(group) for group in groups]
    while here is not None:
        own = [(i,) for i in range(1, len(here.value.dims))]
        if needed == own and (names is None or tuple(names) == here.value.names[1:]):
            return here.layer, here.value
        if here.origin is None:
            return None
        before = _before(needed, here.origin)
        if before is None:
            return None
        here, needed = here.origin.seen, before
    return None


def _before(groups: Sequence[tuple[Atom, ...]], origin: SeenBefore) -> list[tuple[Atom, ...]] | None:
    """Return the same groups in dimensions as they were; None where one of those falls apart."""
    found: list[tuple[Atom, ...]] = []
    for group in groups:
        left = list(group)
        made: list[Atom] = []
        while left:
            whole = next((i for i, part in enumerate(origin.parts) if part and left[: len(part)] == list(part)), None)
            if whole is None:
                return None
            made.append(whole)
            left = left[len(origin.parts[whole]) :]
        found.append(tuple(made))
    return found


def _names(seen: Viewed, groups: Sequence[Sequence[Atom]]) -> Sequence[str]:
    """Return a name for each group: that of its dimension, or of several what they are together."""
    named = []
    for place, group in enumerate(groups):
        known = [seen.value.names[atom] for atom in group if isinstance(atom, int)]
        if len(known) == 1:
            named.append(known[0])
        elif set(known) & {"features", "channels"} or not known:
            named.append("features" if known else generic(place, len(groups), 1))
        else:
            named.append("sequence")
    return distinct(("batch", *named))[1:]


def _expanded(draft: Sketch, seen: Viewed, groups: Sequence[Sequence[Atom]]) -> tuple[Viewed, list[list[Atom]]]:
    """Write down what is spread, and return it with the groups in its dimensions."""
    flat = [atom for group in groups for atom in group]
    layer, value = arranged(draft, seen, [() if isinstance(atom, Spread) else (atom,) for atom in flat])
    sizes = {value.names[1 + i]: atom.size for i, atom in enumerate(flat) if isinstance(atom, Spread)}
    made = draft.add("expand", sizes, [(layer, value)])
    numbers = iter(range(1, len(flat) + 1))
    return made, [[next(numbers) for _ in group] for group in groups]


def reshaped(draft: Sketch, seen: Viewed, target: Sequence[int]) -> Viewed:
    """Return a tensor with other axes, of as many numbers in the same order.

    Raises
    ------
    Unreadable
        If samples would be torn apart.
    """
    atoms = [atom for axis in seen.axes for atom in axis if seen.size(atom) > 1]
    known = [seen.size(atom) for atom in atoms]
    found = regrouped(known, target)
    if found is None or any(atom == BATCH_ATOM and len(parts) > 1 for atom, parts in zip(atoms, found[0], strict=True)):
        return _flat(draft, seen, target)
    parts, groups = found
    refined, places = _refined(draft, seen, atoms, parts)
    axes = [tuple(places[atom][part] for atom, part in group) for group in groups]
    if seen.has_batch and seen.size(BATCH_ATOM) == 1:
        before = next(i for i, axis in enumerate(seen.axes) if BATCH_ATOM in axis)
        read = prod(seen.sizes[:before])
        place = next((i for i, n in enumerate(target) if n == 1 and prod(target[:i]) == read), None)
        if place is None:
            place = next((i for i in range(len(target)) if prod(target[: i + 1]) > read), 0)
        axes[place] = (BATCH_ATOM, *axes[place])
    return replace(refined, axes=tuple(axes))


def _refined(
    draft: Sketch, seen: Viewed, atoms: Sequence[Atom], parts: Sequence[Sequence[int]]
) -> tuple[Viewed, list[tuple[Atom, ...]]]:
    """Return a tensor whose atoms have fallen into parts, and for each of them what its parts are now."""
    of_dim = {atom: sizes for atom, sizes in zip(atoms, parts, strict=True) if isinstance(atom, int)}
    spread = [
        tuple(map(Spread, sizes)) if isinstance(atom, Spread) else () for atom, sizes in zip(atoms, parts, strict=True)
    ]
    if all(len(one) == 1 for one in of_dim.values()):
        return seen, [mine or (atom,) for atom, mine in zip(atoms, spread, strict=True)]
    now: list[tuple[int, ...]] = [(0,)]
    names: list[str] = ["batch"]
    sizes: list[int] = []
    for i, dim in enumerate(seen.value.dims[1:], start=1):
        mine = list(of_dim.get(i, [dim.size]))
        now.append(tuple(range(len(names), len(names) + len(mine))))
        names += [dim.name] if len(mine) == 1 else part_names(dim.name, len(mine))
        sizes += mine
    fields = dict(zip(distinct(names)[1:], sizes, strict=True))
    made = draft.add("reshape", fields, [(seen.layer, seen.value)])
    refined = replace(made, origin=SeenBefore(seen, tuple(now)))
    return refined, [now[atom] if isinstance(atom, int) else mine for atom, mine in zip(atoms, spread, strict=True)]


def part_names(name: str, count: int) -> list[str]:
    """Return what the parts of a dimension are called: features fall into heads of features."""
    if name in ("features", "channels"):
        return [*(f"parts{i}" if i else "parts" for i in range(count - 2)), "heads", "features"]
    return [f"{name}_blocks", *(f"{name}_{i}" if i > 1 else name for i in range(1, count))]


def _flat(draft: Sketch, seen: Viewed, target: Sequence[int]) -> Viewed:
    """Return a tensor whose numbers fall otherwise: whole samples, one after the other."""
    if not seen.axes or seen.axes[0] != (BATCH_ATOM,) or not target or target[0] != seen.size(BATCH_ATOM):
        raise Unreadable(f"it reshapes {list(seen.sizes)} to {list(target)}, which is not sample by sample")
    if prod(target) != prod(seen.sizes) or len(target) < 2:
        raise Unreadable(f"it reshapes {list(seen.sizes)} to {list(target)}")
    layer, value = arranged(draft, seen, [seen.rest(i) for i in range(1, len(seen.axes))])
    count = len(target) - 1
    fields = {generic(i, count, size): size for i, size in enumerate(target[1:])}
    return draft.add("reshape", fields, [(layer, value)])


def transposed(seen: Viewed, order: Sequence[int]) -> Viewed:
    """Return a tensor with its axes in another order, which is written down where a layer needs it."""
    return replace(seen, axes=tuple(seen.axes[i] for i in order))


def expanded(draft: Sketch, seen: Viewed, target: Sequence[int]) -> Viewed:
    """Return a tensor that is the same along axes of size 1, and along new ones in front.

    What does not depend on the sample does so from here on where it is spread along the samples.
    """
    axes = [*((),) * (len(target) - len(seen.axes)), *seen.axes]
    made: list[tuple[Atom, ...]] = []
    for i, (axis, size) in enumerate(zip(axes, target, strict=True)):
        now = prod(map(seen.size, axis))
        if now == size:
            made.append(axis)
        elif now == 1 and not seen.has_batch and i == 0 and size == draft.batch:
            made.append((BATCH_ATOM,))
        elif now == 1:
            made.append((Spread(size),))
        else:
            raise Unreadable(f"it spreads {list(seen.sizes)} to {list(target)}")
    return replace(seen, axes=tuple(made))


def without_batch(seen: Viewed) -> tuple[list[tuple[Atom, ...]], tuple[int, int] | None]:
    """Return the atoms of each axis but for the batch, and in which axis and at which place of it that stands."""
    place = next(((i, axis.index(BATCH_ATOM)) for i, axis in enumerate(seen.axes) if BATCH_ATOM in axis), None)
    return [seen.rest(i) for i in range(len(seen.axes))], place


def restored(made: Viewed, counts: Sequence[int], batch: tuple[int, int] | None) -> Viewed:
    """Return what a layer wrote with the axes of a framework.

    Parameters
    ----------
    made
        As the layer wrote it.
    counts
        For each axis how many dimensions it has there, but for the batch.
    batch
        The axis that has the batch, and its place there; None where none has.
    """
    numbers = iter(range(1, len(made.value.dims)))
    axes = [tuple(next(numbers) for _ in range(count)) for count in counts]
    if batch is not None:
        axis, place = batch
        axes[axis] = (*axes[axis][:place], BATCH_ATOM, *axes[axis][place:])
    return replace(plain(made.layer, made.value), axes=tuple(axes))
