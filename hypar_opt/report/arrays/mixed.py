"""The kinds of an array's accelerators, and which of its groups are unlike: in lines, and for machines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.arrays.accelerator import accelerator_document, accelerator_line
from hypar_opt.report.numbers import in_bytes
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.instance.hardware.mixed import MixedArray

MOST_SPLITS: Final = 8
"""That are shown one by one."""


def kinds_text(mixed: MixedArray) -> str:
    """Return how many accelerators there are of each kind."""
    return _of_each(mixed, mixed.partition.types)


def mixed_lines(mixed: MixedArray) -> Iterator[str]:
    """Yield a line a kind, then one a split: a group whose halves are unlike, and what is in these."""
    counts = Counter(mixed.partition.types)
    for place, kind in enumerate(mixed.kinds):
        each = accelerator_line(kind.accelerator).removeprefix("each accelerator: ")
        yield f"{counts[place]:,} {kind.name}: reads at {in_bytes(kind.bandwidth)}/s; {each}"
    if mixed.reads == "group":
        yield "a group of any size reads as one accelerator of it does"
    for name, level in _splits(mixed)[:MOST_SPLITS]:
        first, second = (_of_each(mixed, half) for half in _halves(mixed, name, level))
        yield f"split {name} at level {level + 1}: {first} beside {second}"
    if len(mixed.splits) > MOST_SPLITS:
        yield f"and {len(mixed.splits) - MOST_SPLITS:,} splits more"


def mixed_document(mixed: MixedArray) -> dict[str, Any]:
    """Return the kinds and the splits, exact."""
    counts = Counter(mixed.partition.types)
    return {
        "kinds": [
            {
                "kind": kind.name,
                "count": counts[place],
                "bandwidth_bytes_per_s": exact(kind.bandwidth),
                "accelerator": accelerator_document(kind.accelerator),
            }
            for place, kind in enumerate(mixed.kinds)
        ],
        "reads": mixed.reads,
        "leaves": [mixed.kinds[place].name for place in mixed.partition.types],
        "splits": [{"split": name, "level": level + 1} for name, level in _splits(mixed)],
    }


def _splits(mixed: MixedArray) -> list[tuple[str, int]]:
    return list(zip(mixed.splits, mixed.split_levels, strict=True))


def _halves(mixed: MixedArray, name: str, level: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return by half of a split the kinds of its leaves."""
    size = mixed.partition.leaves // mixed.partition.groups(level)
    first = int(name, 2) * size if level else 0
    middle = first + size // 2
    return mixed.partition.types[first:middle], mixed.partition.types[middle : first + size]


def _of_each(mixed: MixedArray, leaves: Sequence[int]) -> str:
    counts = Counter(leaves)
    return ", ".join(f"{counts[place]:,} {kind.name}" for place, kind in enumerate(mixed.kinds) if counts[place])
