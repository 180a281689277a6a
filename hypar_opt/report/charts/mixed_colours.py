"""The colours of kinds and of classes of accelerators, none of which is that of a letter; texts on them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from hypar_opt.report.mixed.array import class_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.instance.hardware.mixed import MixedArray

COLOURS: Final = ("#56B4E9", "#D55E00", "#F0E442", "#6A3D9A", "#B2DF8A", "#8C564B", "#A6CEE3", "#000000")
"""Kinds have the first ones; after all of them they return."""
DARK: Final = frozenset({"#6A3D9A", "#8C564B", "#000000"})
LINE: Final = 110
"""Letters of a line above a picture."""


def kind_colours(array: MixedArray) -> Mapping[str, str]:
    """Return by kind its colour."""
    return {kind.name: COLOURS[place % len(COLOURS)] for place, kind in enumerate(array.kinds)}


def class_colours(array: MixedArray) -> Mapping[str, str]:
    """Return by class its colour: of the first class of a kind that of the kind."""
    free = len(array.kinds)
    found: dict[str, str] = {}
    taken: set[int] = set()
    for one in array.classes:
        place = one.kind if one.kind not in taken else free
        free += one.kind in taken
        taken.add(one.kind)
        found[class_text(one)] = COLOURS[place % len(COLOURS)]
    return found


def ink_on(colour: str) -> str:
    """Return the colour of texts on another."""
    return "white" if colour in DARK else "black"


def folded(lines: Iterable[str]) -> list[str]:
    """Return lines that are as wide as a picture."""
    return [part for line in lines for part in textwrap.wrap(line, LINE)]
