"""Equal blocks of layers, one after the other, written once.

A block is a row of layers that come again with the same kinds and fields, and read what lies as far before them, or the
same layers outside. What stands before it a block reads through the last layer of the block before alone, and others
read its own last layer alone: so `repeat` says it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypar_opt.importers.items import Item, item_of, renamed
from hypar_opt.importers.runs import BlockRun, runs_of
from hypar_opt.importers.series import series_of
from hypar_opt.instance.operators.network_schema import BLOCK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.importers.draft import DraftLayer

DEEPEST = 3
"""Blocks in blocks."""


def folded(layers: Sequence[DraftLayer], first: str | None) -> list[dict[str, Any]]:
    """Return layers as instance files have them, equal blocks of them folded.

    Parameters
    ----------
    layers
        Each after those that it reads.
    first
        What the first layer reads where it says nothing; None where it has to.
    """
    items = _folded([item_of(layer) for layer in layers], 0)
    return _documents(items, first)


def _folded(items: list[Item], depth: int) -> list[Item]:
    """Fold the blocks by which the most is saved, then those that are left, until there are none."""
    while depth < DEEPEST:
        run = _best(items)
        if run is None:
            return items
        items = _with(items, run, depth)
    return items


def _best(items: Sequence[Item]) -> BlockRun | None:
    """Return the blocks that save the most layers; of equal ones, those whose names count them, then the first."""
    found = [(run, series_of(items, run)) for run in runs_of(items)]
    worth = [run for run, series in found if series is not None or run.saved >= 4]
    named = {run for run, series in found if series is not None}
    return max(worth, key=lambda run: (run.saved, run in named, -run.start), default=None)


def _with(items: Sequence[Item], run: BlockRun, depth: int) -> list[Item]:
    """Return layers with blocks of them folded."""
    block, last = items[run.start : run.start + run.length], items[run.stop - 1].name
    taken = Counter(one.name for one in (*items[: run.start], *items[run.stop :]))
    series = series_of(items, run)
    name, inner = series if series is not None else ("blocks", tuple(one.name for one in block))
    free = next(one for one in (name, *(f"{name}_{i}" for i in range(2, len(items) + 3))) if one not in taken)
    before = {items[run.start + run.length - 1].name: BLOCK}
    # the second block says which of what is read is the last layer of the block before
    second = items[run.start + run.length : run.start + 2 * run.length]
    outside = {name for one in second for name in one.references}
    inner = tuple(f"{one}_" if one in outside else one for one in inner)  # which would hide what is meant
    own = dict(zip((one.name for one in second), inner, strict=True))
    body = [replace(renamed(one, before | own), name=own[one.name]) for one in second]
    made = Item(free, "repeat", {"times": run.times}, (run.entry,), body=tuple(_folded(body, depth + 1)))
    behind = [renamed(one, {last: free}) for one in items[run.stop :]]
    return [*items[: run.start], made, *behind]


def _documents(items: Sequence[Item], first: str | None) -> list[dict[str, Any]]:
    """Return layers as files have them: what the layer above writes is read where nothing else is said."""
    above, found = first, []
    for item in items:
        said: dict[str, Any] = {"name": item.name}
        if item.inputs and item.inputs != (above,):
            said["inputs"] = list(item.inputs)
        if item.shared is not None:
            said["shared"] = item.shared
        said[item.kind] = dict(item.fields) | {"layers": _documents(item.body, BLOCK)} if item.body else item.fields
        found.append(said)
        above = item.name
    return found
