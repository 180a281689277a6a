"""Communication of a plan by boxes: what each half of a group needs, less what it has.

A tensor of a group is the box [0, batch) x [0, channel), in shares of the whole tensor. At a level each
half has one box of it and needs another; what it needs and lacks is read from the other half. One group
of level h (from 1) stands for its 2^(h-1) copies. Written from the description of the model, not from
the tables that the cost model compiles: it is what every formulation's result is checked against.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.network import Boundary, WorkLayer, Workload

Box: TypeAlias = tuple[Fraction, Fraction]
"""Extents along batch (or rows) and channel (or columns); every box begins at the origin."""

WHOLE: Final[Box] = (Fraction(1), Fraction(1))
HALF: Final = Fraction(1, 2)
INPUT_CUT: Final[Mapping[str, Box]] = MappingProxyType({"d": (HALF, Fraction(1)), "m": (Fraction(1), HALF)})
OUTPUT_CUT: Final[Mapping[str, Box]] = MappingProxyType({"d": (HALF, Fraction(1)), "o": (Fraction(1), HALF)})
WEIGHT_CUT: Final[Mapping[str, Box]] = MappingProxyType({"m": (HALF, Fraction(1)), "o": (Fraction(1), HALF)})


@dataclass(frozen=True)
class Setting:
    """What the bytes of a plan depend on beside the network.

    Parameters
    ----------
    batch, levels, accounting, bytes_per_element
        As in the instance.
    """

    batch: int
    levels: int
    accounting: str
    bytes_per_element: int


@dataclass(frozen=True)
class Breakdown:
    """Where the bytes of a plan go.

    Parameters
    ----------
    intra
        By layer, bytes at each level.
    inter
        By boundary (in the workload's order), bytes at each level.
    """

    intra: tuple[tuple[int, ...], ...]
    inter: tuple[tuple[int, ...], ...]

    @property
    def total(self) -> int:
        """All bytes."""
        return sum(map(sum, (*self.intra, *self.inter)))

    def level(self, h: int) -> int:
        """Return the bytes of one level (from 0)."""
        return sum(row[h] for row in (*self.intra, *self.inter))


def communication(work: Workload, strategies: Mapping[str, str], setting: Setting) -> Breakdown:
    """Return the bytes that a plan exchanges, exactly.

    Parameters
    ----------
    strategies
        By layer, a word of `setting.levels` letters.
    """
    words = [strategies[layer.name] for layer in work.layers]
    intra = tuple(
        tuple(_bytes(_partial_sums(layer, word, h, setting.batch), h, setting) for h in range(setting.levels))
        for layer, word in zip(work.layers, words, strict=True)
    )
    inter = tuple(
        tuple(_bytes(_boundary(edge, work, words, h, setting), h, setting) for h in range(setting.levels))
        for edge in work.boundaries
    )
    return Breakdown(intra, inter)


def _bytes(amount: Fraction, h: int, setting: Setting) -> int:
    """Count all groups of the level and both halves of each; a whole number because the cuts above are halves."""
    total = amount * 2**h * 2 * setting.bytes_per_element
    if total.denominator != 1:
        raise ArithmeticError(f"level {h + 1} would exchange {total} bytes")
    return int(total)


def _partial_sums(layer: WorkLayer, word: str, h: int, batch: int) -> Fraction:
    """Return what one half adds to its own partial sums: the group's whole box of the tensor summed."""
    if layer.is_join:
        return Fraction(0)
    elements, cut = {
        "d": (layer.weight, WEIGHT_CUT),
        "m": (batch * layer.feature_out, OUTPUT_CUT),
        "o": (batch * layer.feature_in, INPUT_CUT),
    }[word[h]]
    return elements * _area(_group_box(word[:h], cut))


def _boundary(edge: Boundary, work: Workload, words: list[str], h: int, setting: Setting) -> Fraction:
    """Return what one half reads of F[l+1] forward and of E[l+1] backward."""
    producer = work.layers[edge.producer]
    before, after = words[edge.producer], words[edge.reader]
    if setting.accounting == "as-evaluated" and not producer.is_join and before[h] == "m":
        return Fraction(0)
    output_cut = INPUT_CUT if producer.is_join else OUTPUT_CUT
    left, right = output_cut.get(before[h], WHOLE), INPUT_CUT.get(after[h], WHOLE)
    read_by = _group_box(after[:h], INPUT_CUT)
    sent_by = _group_box(before[:h], output_cut) if setting.accounting == "receiver" else read_by
    feature = _area(read_by) * _lacking(needs=right, has=left)
    error = _area(sent_by) * _lacking(needs=left, has=right)
    return setting.batch * edge.feature * (feature + error)


def _group_box(above: str, cut: Mapping[str, Box]) -> Box:
    """Return the box of a group after the choices of the levels above."""
    batch, channel = WHOLE
    for letter in above:
        rows, columns = cut.get(letter, WHOLE)
        batch, channel = batch * rows, channel * columns
    return batch, channel


def _lacking(*, needs: Box, has: Box) -> Fraction:
    return _area(needs) - _area((min(needs[0], has[0]), min(needs[1], has[1])))


def _area(box: Box) -> Fraction:
    return box[0] * box[1]
