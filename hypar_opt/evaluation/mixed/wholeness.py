"""Whether what a word cuts is cut into whole numbers of elements, in every half of every group."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.choices import halving_of
from hypar_opt.evaluation.legality import LONGEST, sizes_of
from hypar_opt.evaluation.mixed.boxes import NONE
from hypar_opt.evaluation.mixed.division import EQUAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.mixed.boxes import Number
    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.hardware.mixed import Half, Path
    from hypar_opt.instance.network import WorkLayer


def unwhole(layer: WorkLayer, word: str, shares: Mapping[str, Number], setting: MixedSetting) -> str | None:
    """Return which dimension leaves a half a part of an element, as the rest of a sentence about a layer, or None.

    A half that does nothing of a layer has no elements of it, nor have halves of it.
    """
    whole = {name: tuple(map(Fraction, sizes)) for name, sizes in sizes_of(layer, setting.batch).items()}
    left: dict[Path, Mapping[str, tuple[Number, ...]]] = {(): whole}
    for level, letter in enumerate(word):
        for path in setting.halves[level]:
            above, half = left[path[:-1]], path[-1]
            if letter == NONE:
                busy = half.split is not None and setting.busy[half.split] == half.side
                left[path] = above if busy else {name: (Fraction(0),) * len(sizes) for name, sizes in above.items()}
                continue
            cut = halving_of(layer, letter).splits
            share = _share(half, shares, setting)
            left[path] = {
                name: tuple(size * share for size in sizes) if name == cut else sizes for name, sizes in above.items()
            }
            if cut is not None and any(getattr(size, "denominator", 0) != 1 for size in left[path][cut]):
                size, part = next(pair for pair in zip(above[cut], left[path][cut], strict=True) if pair[1] % 1)
                return f"has '{word[:LONGEST]}', and of its {cut} of {size} a half at level {level + 1} gets {part}"
    return None


def _share(half: Half, shares: Mapping[str, Number], setting: MixedSetting) -> Number:
    if half.split is None:
        return EQUAL
    first = shares[setting.array.splits[half.split]]
    return 1 - first if half.side else first
