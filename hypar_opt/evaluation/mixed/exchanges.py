"""What every half of a group reads: of a boundary what it needs and lacks, of partial sums the group's whole box."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Literal, TypeAlias

from hypar_opt.evaluation.choices import halving_of
from hypar_opt.evaluation.communication import Breakdown, whole
from hypar_opt.evaluation.mixed.boxes import NONE
from hypar_opt.evaluation.mixed.division import Division
from hypar_opt.instance.barriers import Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.evaluation.choices import Operand
    from hypar_opt.evaluation.mixed.boxes import Number
    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.hardware.mixed import Path
    from hypar_opt.instance.network import Boundary, WorkLayer, Workload

Moved: TypeAlias = Literal["sums", "feature", "error"]
"""What is read: the other half's partial sums, F[l+1] forward, or E[l+1] backward."""


@dataclass(frozen=True)
class HalfExchange:
    """What is read of one tensor at one level.

    Parameters
    ----------
    part
        The layer or boundary, and the level.
    moved
        The tensor.
    halves
        By path down to a half of the level, the bytes that each such half reads.
    """

    part: Part
    moved: Moved
    halves: Mapping[Path, Number]


@dataclass(frozen=True)
class ClassExchange:
    """What the half that a leaf is in reads of one tensor at one level.

    Parameters
    ----------
    part, moved
        As of `HalfExchange`.
    read
        By class of leaves, bytes.
    """

    part: Part
    moved: Moved
    read: tuple[Number, ...]


def exchanges(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting
) -> Iterator[HalfExchange]:
    """Yield what is read, layer by layer and then boundary by boundary.

    Parameters
    ----------
    strategies
        By layer, a word with a letter for every level.
    shares
        By split, what its first half gets.

    Raises
    ------
    ValueError
        If the network has sums as released: what passes by a block is sized behind a level's own cut.
    """
    division = Division(setting, shares)
    for at, layer in enumerate(work.layers):
        yield from of_layer(at, layer, strategies[layer.name], division)
    for at, edge in enumerate(work.boundaries):
        producer, reader = work.layers[edge.producer], work.layers[edge.reader]
        words = strategies[producer.name], strategies[reader.name]
        yield from of_boundary(at, edge, (producer, reader), words, division)


def of_layer(at: int, layer: WorkLayer, word: str, division: Division) -> Iterator[HalfExchange]:
    """Yield what is read of a layer's partial sums.

    Parameters
    ----------
    at
        Position of the layer.
    """
    for level, letter in enumerate(word):
        operand = None if letter == NONE else halving_of(layer, letter).summed
        if operand is not None:
            size = summed_elements(layer, operand, division.setting) * division.setting.bytes_per_element
            left = division.left(layer, word, operand)
            halves = {path: left[path[:-1]] * size for path in division.setting.halves[level]}
            yield HalfExchange(Part(at, level=level), "sums", halves)


def summed_elements(layer: WorkLayer, operand: Operand, setting: MixedSetting) -> int:
    """Return the elements of a tensor that is left in partial sums; nobody asks for the error of the input."""
    if operand == "weight":
        return layer.weight
    if operand == "written":
        return setting.batch * layer.feature_out
    return setting.batch * layer.feature_in if setting.input_error or not layer.reads_input else 0


def of_boundary(
    at: int, edge: Boundary, layers: tuple[WorkLayer, WorkLayer], words: tuple[str, str], division: Division
) -> Iterator[HalfExchange]:
    """Yield what is read at a boundary: forward by who reads F[l+1], backward by who wrote it.

    Parameters
    ----------
    at
        Position of the boundary.
    layers, words
        Of the producer and the reader.

    Raises
    ------
    ValueError
        If it stands for what passes by a block.
    """
    if edge.is_skip:
        raise ValueError("sums as released are not counted on several kinds of accelerators")
    setting = division.setting
    size = setting.batch * edge.feature * setting.bytes_per_element
    of_reader = of_producer = division.left(layers[1], words[1], "read")
    if setting.accounting == "receiver":
        of_producer = division.left(layers[0], words[0], "written")
    for level, letters in enumerate(zip(*words, strict=True)):
        if setting.accounting == "as-evaluated" and halving_of(layers[0], letters[0]).summed == "written":
            continue
        feature, error = {}, {}
        for path in setting.halves[level]:
            forward, backward = division.lacking(layers, letters, path[-1])
            feature[path] = of_reader[path[:-1]] * (forward * size) if forward > 0 else forward
            error[path] = of_producer[path[:-1]] * (backward * size) if backward > 0 else backward
        part = Part(edge.reader, at, level)
        yield HalfExchange(part, "feature", feature)
        yield HalfExchange(part, "error", error)


def exchanged(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting
) -> tuple[ClassExchange, ...]:
    """Return what every class of leaves reads, part by part; what nobody reads is left out."""
    found = (by_class(one, setting) for one in exchanges(work, strategies, shares, setting))
    return tuple(one for one in found if any(read > 0 for read in one.read))


def by_class(exchange: HalfExchange, setting: MixedSetting) -> ClassExchange:
    """Return an exchange by class of leaves: what the halves read that these are in."""
    assert exchange.part.level is not None  # only what is computed is of no level
    depth = exchange.part.level + 1
    read = tuple(exchange.halves[one.path[:depth]] for one in setting.array.classes)
    return ClassExchange(exchange.part, exchange.moved, read)


def communication_bytes(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting
) -> Breakdown:
    """Return the bytes that all halves of all groups read."""
    rows: dict[Moved, list[list[Number]]] = {
        "sums": _nothing(work.layers, setting),
        "feature": _nothing(work.boundaries, setting),
        "error": _nothing(work.boundaries, setting),
    }
    for one in exchanges(work, strategies, shares, setting):
        at, boundary, level = one.part
        assert level is not None  # only what is computed is of no level
        each = (setting.halves[level][path] * size for path, size in one.halves.items())
        rows[one.moved][at if boundary is None else boundary][level] = reduce(add, each)
    sums, feature, error = (tuple(tuple(map(whole, row)) for row in rows[moved]) for moved in rows)
    return Breakdown(sums, feature, error, dict(strategies))


def _nothing(parts: Sequence[object], setting: MixedSetting) -> list[list[Number]]:
    return [[Fraction(0)] * setting.levels for _ in parts]
