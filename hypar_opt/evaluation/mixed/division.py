"""An array whose splits have shares, for all layers or for each: what halves have and lack, one in the other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.mixed.boxes import NOTHING, HalfCut, box_of, worked
from hypar_opt.instance.shares import own_share

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.evaluation.choices import Operand
    from hypar_opt.evaluation.mixed.boxes import Number
    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.hardware.mixed import Half, Path
    from hypar_opt.instance.network import WorkLayer

EQUAL: Final = Fraction(1, 2)
WHOLE: Final = Fraction(1)


@dataclass(frozen=True)
class Division:
    """An array whose splits have shares.

    Layers of one role with one word and the same shares are cut alike: what is found for one of them is kept for the
    others, where no layer has shares of its own.

    Parameters
    ----------
    setting
        Has the array.
    shares
        By name of a split, what its first half gets; of shares that a layer has of its own, by `own_share`.
    """

    setting: MixedSetting
    shares: Mapping[str, Number]

    def left(self, layer: WorkLayer, word: str, operand: Operand) -> Mapping[Path, Number]:
        """Return how much of a layer's tensor the halves of every path leave, one in the other; of none it is all."""
        key = self._like(layer), word, operand
        if key not in self._left:
            self._left[key] = self._products(word, lambda letter, half: self.has(layer, letter, operand, half))
        return self._left[key]

    def worked(self, layer: WorkLayer, word: str) -> Mapping[Path, Number]:
        """Return how much of a layer's operations the halves of every path leave to the last of them."""
        return self._products(word, lambda letter, half: self.does(layer, letter, half))

    def lacking(
        self, layers: tuple[WorkLayer, WorkLayer], letters: tuple[str, str], half: Half
    ) -> tuple[Number, Number]:
        """Return how much of its group's boundary tensor one half needs and lacks: of F[l+1], and of E[l+1].

        Parameters
        ----------
        layers, letters
            Of the producer and the reader.
        """
        (producer, reader), (first, second) = layers, letters
        key = self._like(producer), first, self._like(reader), second, half
        if key not in self._lacking:
            written = box_of(producer, first, "written", self._cuts(producer)[half])
            read = box_of(reader, second, "read", self._cuts(reader)[half])
            self._lacking[key] = read.lacking(written), written.lacking(read)
        return self._lacking[key]

    def has(self, layer: WorkLayer, letter: str, operand: Operand, half: Half) -> Number:
        """Return how much of its group's part of a layer's tensor one half has by a letter."""
        return box_of(layer, letter, operand, self._cuts(layer)[half]).size

    def does(self, layer: WorkLayer, letter: str, half: Half) -> Number:
        """Return how much of its group's operations on a layer one half does by a letter."""
        return worked(layer, letter, self._cuts(layer)[half])

    def _products(self, word: str, of_half: Callable[[str, Half], Number]) -> Mapping[Path, Number]:
        found: dict[Path, Number] = {(): WHOLE}
        for letter, paths in zip(word, self.setting.halves, strict=True):
            each = {half: of_half(letter, half) for half in {path[-1] for path in paths}}
            found |= {path: found[path[:-1]] * each[path[-1]] for path in paths}
        return found

    @cached_property
    def _left(self) -> dict[tuple[tuple[str, str], str, Operand], Mapping[Path, Number]]:
        return {}

    @cached_property
    def _lacking(self) -> dict[tuple[tuple[str, str], str, tuple[str, str], str, Half], tuple[Number, Number]]:
        return {}

    @cached_property
    def is_own(self) -> bool:
        """Whether layers have shares of their own."""
        return not all(name in self.shares for name in self.setting.array.splits)

    def _like(self, layer: WorkLayer) -> tuple[str, str]:
        """Return what layers have in common that are cut alike by one word."""
        return layer.role, layer.name if self.is_own else ""

    def _cuts(self, layer: WorkLayer) -> Mapping[Half, HalfCut]:
        whose = layer.name if self.is_own else ""
        if whose not in self._known_cuts:
            halves = {half for path in self.setting.halves[-1] for half in path}
            self._known_cuts[whose] = {half: self._cut(half, whose) for half in halves}
        return self._known_cuts[whose]

    def _cut(self, half: Half, whose: str) -> HalfCut:
        if half.split is None:  # both halves are called the first one: they do the same
            return HalfCut((Fraction(0), EQUAL))
        is_busy = self.setting.busy[half.split] == half.side
        split = self.setting.array.splits[half.split]
        share = self.shares.get(own_share(whose, split)) if self.is_own else self.shares[split]
        if share is None:  # of a layer that is not cut there
            return HalfCut(NOTHING, is_busy)
        return HalfCut((share, WHOLE) if half.side else (Fraction(0), share), is_busy)

    @cached_property
    def _known_cuts(self) -> dict[str, Mapping[Half, HalfCut]]:
        return {}
