"""What a program moves beside what is predicted of its plan: conversion by conversion, to the byte."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.count.received import Mesh, received

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from hypar_opt.count.hlo import Collective
    from hypar_opt.evaluation.operators import Movement

Source: TypeAlias = "tuple[str, str, str | None]"
"""A tensor, a phase, and for whom."""
UNKNOWN: Source = ("", "", None)
"""Of collectives that no conversion has asked for."""
_Moves: TypeAlias = "defaultdict[tuple[str, str], Fraction]"
"""By kind and axis, what is counted."""
NAMES: Final = {"halo": "collective-permute"}
"""What a compiler calls it, where it is called otherwise here."""


@dataclass(frozen=True)
class Line:
    """What a conversion moves along an axis.

    Parameters
    ----------
    tensor, phase, reader
        Which conversion; an empty tensor where the program has a collective that none has asked for.
    kind, axis
        As what, and along which axis, by its name.
    predicted, counted
        Bytes that all devices together receive.
    why
        What explains a difference, where that is known.
    """

    tensor: str
    phase: str
    reader: str | None
    kind: str
    axis: str
    predicted: Fraction
    counted: Fraction
    why: str = ""

    @property
    def difference(self) -> Fraction:
        """What is counted above what is predicted."""
        return self.counted - self.predicted


def compared(
    moved: Iterable[Movement],
    counted: Iterable[Collective],
    sources: Mapping[str, Source],
    axes: Sequence[str],
    mesh: Mesh,
    element_bytes: int,
) -> tuple[Line, ...]:
    """Return a line for each conversion and axis, in the order of what is predicted.

    Parameters
    ----------
    moved
        What is predicted.
    counted
        The program's collectives.
    sources
        By what a program calls them, its conversions.
    axes
        Their names.
    mesh, element_bytes
        As `received` takes them.
    """
    predicted: dict[tuple[Source, str, str], Fraction] = defaultdict(Fraction)
    for one in moved:
        predicted[(one.tensor, one.phase, one.reader), one.kind, one.axis] += one.bytes
    moves: dict[str, _Moves] = defaultdict(lambda: defaultdict(Fraction))
    for collective in counted:
        name = _name(collective.op_name, sources)
        for (kind, axis), size in received(collective, mesh, element_bytes).items():
            moves[name][kind, axes[axis]] += size
    real: dict[tuple[Source, str, str], Fraction] = defaultdict(Fraction)
    names = Counter(sources.values())
    for name, own in moves.items():
        source = sources.get(name, UNKNOWN)
        wanted = {(kind, axis) for one, kind, axis in predicted if one == source}
        for (kind, along), size in _as_predicted(own, wanted, is_one=names[source] > 1).items():
            real[source, kind, along] += size
    keys = dict.fromkeys((*predicted, *real))
    lines = (Line(*source, kind, axis, predicted[source, kind, axis], real[source, kind, axis])
             for source, kind, axis in keys)  # fmt: skip
    return tuple(line for line in lines if line.predicted or line.counted)


def in_all(
    moved: Iterable[Movement], counted: Iterable[Collective], axes: Sequence[str], mesh: Mesh, element_bytes: int
) -> tuple[Line, ...]:
    """Return a line for each kind and axis.

    An all-reduce is a reduce-scatter and an all-gather in both, and rows of neighbours are permutations. Collectives of
    a single number, as losses are, are left out.

    Parameters
    ----------
    moved, counted, axes, mesh, element_bytes
        As `compared` takes them.
    """
    sums: dict[tuple[str, str], list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
    for one in moved:
        kinds = ("reduce-scatter", "all-gather") if one.kind == "all-reduce" else (NAMES.get(one.kind, one.kind),)
        for kind in kinds:
            sums[kind, one.axis][0] += one.bytes / len(kinds)
    for collective in counted:
        for (kind, axis), size in received(collective, mesh, element_bytes).items() if collective.elements > 1 else ():
            sums[NAMES.get(kind, kind), axes[axis]][1] += size
    found = (Line("", "", None, kind, axis, one, other) for (kind, axis), (one, other) in sums.items())
    return tuple(line for line in found if line.predicted or line.counted)


def _name(op_name: str, sources: Mapping[str, Source]) -> str:
    """Return what the conversion is called that a collective belongs to; '' of none."""
    parts = op_name.split("/")
    names = ("/".join(parts[end - 3 : end]) for end in range(len(parts), 2, -1))
    return next((name for name in names if name in sources), "")


def _as_predicted(moves: _Moves, wanted: Container[tuple[str, str]], *, is_one: bool) -> _Moves:
    """Return what a name's conversions move, sums and gathers along an axis as the all-reduce that they are.

    Parameters
    ----------
    moves
        What is counted under the name.
    wanted
        Kinds and axes of what is predicted for the same tensor, phase and reader.
    is_one
        Whether the name is that of one conversion, others of these having their own; else there may be several.
    """
    found: _Moves = defaultdict(Fraction, moves)
    for axis in dict.fromkeys(axis for _, axis in moves):
        scattered, gathered = ("reduce-scatter", axis), ("all-gather", axis)
        summed, back = found[scattered], found[gathered]
        if ("all-reduce", axis) not in wanted or (is_one and not (summed and back)):
            continue
        if not is_one:
            summed = Fraction(0) if scattered in wanted else summed
            # of gathers that are predicted, too, as much belongs to the sum as was scattered
            back = min(summed, back) if gathered in wanted else back
        found[scattered] -= summed
        found[gathered] -= back
        found["all-reduce", axis] += summed + back
    return found
