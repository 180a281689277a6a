"""Which words cut every group into whole numbers of elements, at shares that are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.cost.mixed.parts import part_of
from hypar_opt.costgraph.words import BASE, Pattern
from hypar_opt.instance.choices import Dimension, choices_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from hypar_opt.cost.mixed.parts import HalfPart
    from hypar_opt.instance.hardware.mixed import MixedArray
    from hypar_opt.instance.network import WorkLayer

OTHER, CUTS, IDLES = range(BASE)
"""What a letter does to a dimension: nothing, cut it, or leave all of the layer to one half."""


def dividing(
    layer: WorkLayer, alphabet: str, batch: int, array: MixedArray, shares: tuple[Fraction, ...]
) -> Iterator[Pattern]:
    """Yield by letter that cuts what words have to be, so that all its parts are whole.

    Parameters
    ----------
    alphabet
        The layer's letters.
    shares
        By split, what its first half gets.
    """
    splits = choices_of(layer)
    sizes = {
        Dimension.BATCH: (batch,),
        Dimension.INPUT: layer.in_sizes,
        Dimension.OUTPUT: layer.out_sizes,
        Dimension.GROUPS: layer.in_sizes if layer.is_join else (layer.groups,),
    }
    paths = {tuple(part_of(array, half, shares) for half in one.path) for one in array.classes}
    idle = [splits[letter] is Dimension.NOTHING for letter in alphabet]
    for letter in alphabet:
        if splits[letter] in sizes:
            digits = tuple(
                CUTS if other == letter else IDLES if idles else OTHER
                for other, idles in zip(alphabet, idle, strict=True)
            )
            yield Pattern(digits, _numbers(sizes[splits[letter]], list(paths), array.may_idle, any(idle)))


def _numbers(
    sizes: Sequence[int], paths: Sequence[tuple[HalfPart, ...]], may_idle: Sequence[bool], idles: bool
) -> frozenset[int]:
    """Return the numbers of all words that leave whole parts of some sizes in the halves of every path."""
    begun = {0: [tuple(sizes)] * len(paths)}
    for level, may in enumerate(may_idle):
        grown = {}
        for number, left in begun.items():
            grown[number * BASE + OTHER] = left
            cut = [tuple(size * path[level].share for size in own) for own, path in zip(left, paths, strict=True)]
            if all(one.denominator == 1 for own in cut for one in own):
                grown[number * BASE + CUTS] = [tuple(map(int, own)) for own in cut]
            if idles and may:
                kept = [own if path[level].is_busy else (0,) * len(own) for own, path in zip(left, paths, strict=True)]
                grown[number * BASE + IDLES] = kept
        begun = grown
    return frozenset(begun)
