"""An array of several kinds of accelerators: its kinds, its splits with who is at both sides, and its classes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hypar_opt.evaluation.mixed import NONE
from hypar_opt.instance.hardware.mixed import ROOT
from hypar_opt.instance.shares import own_share, share_of
from hypar_opt.report.arrays.accelerator import accelerator_document
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import in_bytes, in_operations, percent
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from rich.console import Console

    from hypar_opt.instance.hardware.mixed import LeafClass, MixedArray


def kinds_of(array: MixedArray, start: int = 0, size: int | None = None) -> Counter[str]:
    """Return how many accelerators of each kind stand on some leaves in a row, by its name; by default on all."""
    leaves = range(start, start + (array.partition.leaves if size is None else size))
    return Counter(array.kinds[array.partition.accelerator(leaf)].name for leaf in leaves)


def kinds_text(counts: Mapping[str, int]) -> str:
    """Return kinds and how many there are of each."""
    return " and ".join(f"{name} x {count:,}" for name, count in counts.items())


def half_kinds(array: MixedArray, split: int, side: int) -> Counter[str]:
    """Return how many accelerators of each kind stand in one half of a split."""
    name, level = array.splits[split], array.split_levels[split]
    size = array.partition.leaves // array.partition.groups(level)
    first = 0 if name == ROOT else int(name, 2) * size
    return kinds_of(array, first + side * (size // 2), size // 2)


def copies(array: MixedArray, split: int) -> int:
    """Return for how many groups that are alike a split stands."""
    ends = array.halves(array.split_levels[split])
    return sum(count for path, count in ends.items() if path[-1].split == split and path[-1].side == 0)


def shares_at(
    array: MixedArray, shares: Mapping[str, Fraction], strategies: Mapping[str, str]
) -> dict[str, list[Fraction]]:
    """Return by split the shares that layers have there, in rising order; one where all have the same."""
    each = {name: (share_of(shares, layer, name) for layer in strategies) for name in array.splits}
    return {name: sorted({share for share in found if share is not None}) for name, found in each.items()}


def own_shares_text(array: MixedArray, shares: Mapping[str, Fraction], layer: str) -> str:
    """Return the shares that a layer has of its own, of several splits by name; nothing where it has none."""
    own = {name: shares.get(own_share(layer, name)) for name in array.splits}
    found = {name: share for name, share in own.items() if share is not None}
    return str(*found.values()) if len(array.splits) == 1 else " ".join(f"{at}:{one}" for at, one in found.items())


def share_text(share: Fraction) -> str:
    """Return a share as a fraction and in per cent."""
    return f"{share} = {percent(share)}"


def share_lines(array: MixedArray, shares: Mapping[str, Fraction], strategies: Mapping[str, str]) -> list[str]:
    """Return a line a split: who gets what share of whatever is cut there, and who the rest."""
    lines = []
    found = shares_at(array, shares, strategies)
    for split, name in enumerate(array.splits):
        first, second = (kinds_text(half_kinds(array, split, side)) for side in range(2))
        many = f" (each of {copies(array, split):,} groups that are alike)" if copies(array, split) > 1 else ""
        cut = {word[array.split_levels[split]] for word in strategies.values()} != {NONE}
        nothing = "" if cut else f"; no layer is cut there, all is done by {(first, second)[array.busy_side(split)]}"
        ends = dict.fromkeys((found[name][0], found[name][-1])) if found[name] else ()
        gets = " to ".join(map(share_text, ends)) + (", layer by layer" if name not in shares else "")
        who = f"{first} gets {gets}, {second} the rest{many}{nothing}" if ends else nothing.removeprefix("; ") + many
        lines.append(f"{name}: {who}")
    return lines


def class_text(one: LeafClass) -> str:
    """Return a class and how many leaves it has."""
    return f"{one.name} x {one.count:,}"


def kind_rows(array: MixedArray) -> list[dict[str, str]]:
    """Return a row a kind: how many there are, and what one can do."""
    counts = kinds_of(array)
    return [
        {
            "kind": kind.name,
            "accelerators": f"{counts[kind.name]:,}",
            "peak": in_operations(float(kind.accelerator.rate)),
            "reached": percent(kind.accelerator.utilisation or 1),
            "memory": "-" if kind.accelerator.capacity is None else in_bytes(kind.accelerator.capacity),
            "reads": f"{in_bytes(kind.bandwidth)}/s",
        }
        for kind in array.kinds
    ]


def split_rows(array: MixedArray) -> list[dict[str, str]]:
    """Return a row a split: where it is, who stands at both sides, and which would do what is not split."""
    return [
        {
            "split": name,
            "level": str(array.split_levels[split] + 1),
            "groups": f"{copies(array, split):,}",
            "first half": kinds_text(half_kinds(array, split, 0)),
            "second half": kinds_text(half_kinds(array, split, 1)),
            "faster": ("first", "second")[array.busy_side(split)],
        }
        for split, name in enumerate(array.splits)
    ]


def level_rows(array: MixedArray) -> list[dict[str, str]]:
    """Return a row a level: how many groups it cuts, how many unlike, and at what pace the half of each class reads."""
    rows = []
    for level in range(array.levels):
        unlike = sum(count for path, count in array.halves(level).items() if path[-1].split is not None) // 2
        row = {"level": str(level + 1), "groups": f"{array.partition.groups(level):,}", "unlike": f"{unlike:,}"}
        paces = {class_text(one): f"{in_bytes(array.bandwidth(one.leaf, level))}/s" for one in array.classes}
        rows.append(row | paces)
    return rows


def array_lines(name: str, array: MixedArray) -> list[str]:
    """Return what an array is, in lines."""
    which = f": {', '.join(array.splits)}" if array.splits else ""
    idle = [str(level + 1) for level, may in enumerate(array.may_idle) if may]
    lines = [
        f"{name}: {_counted(array.partition.leaves, 'accelerator')} of {_counted(len(array.kinds), 'kind')}, "
        f"{_counted(array.levels, 'level')}",
        f"{_counted(len(array.splits), 'group')} with unlike halves{which}",
        f"{_counted(len(array.classes), 'class', 'classes')} of accelerators that do the same",
    ]
    if array.reads == "group":
        lines.append("a group of any size reads as fast as one accelerator of it")
    if idle:
        lines.append(f"a layer may be left to one half (none) at level{'s' if len(idle) > 1 else ''} {', '.join(idle)}")
    return lines


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def show_mixed_array(console: Console, name: str, array: MixedArray) -> None:
    """Print an array: its kinds, its splits, and how fast the halves of every level read."""
    console.print("\n".join(array_lines(name, array)))
    tables = {"": kind_rows(array), "groups with unlike halves": split_rows(array)}
    tables["halves of groups, and the pace at which they read"] = level_rows(array)
    for title, rows in tables.items():
        if rows:
            console.print(f"\n{title}" if title else "")
            show_folded(console, rows)


def mixed_array_document(name: str, array: MixedArray) -> dict[str, Any]:
    """Return an array for machines, exact."""
    counts = kinds_of(array)
    return {
        "name": name,
        "levels": array.levels,
        "accelerators": array.partition.leaves,
        "reads": array.reads,
        "leaves": [array.kinds[array.partition.accelerator(leaf)].name for leaf in range(array.partition.leaves)],
        "kinds": [
            {
                "kind": kind.name,
                "count": counts[kind.name],
                "bandwidth_bytes_per_s": exact(kind.bandwidth),
                "accelerator": accelerator_document(kind.accelerator),
            }
            for kind in array.kinds
        ],
        "splits": [
            {
                "split": split,
                "level": array.split_levels[place] + 1,
                "groups": copies(array, place),
                "halves": [dict(half_kinds(array, place, side)) for side in range(2)],
                "faster_half": array.busy_side(place) + 1,
            }
            for place, split in enumerate(array.splits)
        ],
        "classes": [
            {"class": one.name, "kind": array.kinds[one.kind].name, "count": one.count} for one in array.classes
        ],
        "by_level": [
            {
                "level": level + 1,
                "groups": array.partition.groups(level),
                "may_idle": array.may_idle[level],
                "bandwidth_bytes_per_s": {one.name: exact(array.bandwidth(one.leaf, level)) for one in array.classes},
            }
            for level in range(array.levels)
        ],
    }
