"""What one tensor's way from a placement to another moves, followed on the index sets of devices.

First every device forgets what it need not have, which costs nothing. Partial sums are added up axis by axis, each
device of a group getting one part. One exchange changes the dimension along which the tensor is split, on all axes at
once. What is to be whole is gathered axis by axis. Sums begin with the fastest links and gathers with the slowest, so
that slow links carry parts of parts; without links sums begin with the innermost axis, and gathers with the outermost.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.evaluation.operators.index_sets import FLAT, common, held, measure
from hypar_opt.evaluation.operators.placements import WHOLE, AxisPlacement, Placement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Kind: TypeAlias = Literal["all-reduce", "reduce-scatter", "all-gather", "all-to-all", "collective-permute", "halo"]
"""What a program calls it."""
PART: Final = AxisPlacement(FLAT)
"""How a sum that nobody wants split is scattered: each device's numbers in a row, cut into equal parts."""


@dataclass(frozen=True)
class Share:
    """What a device receives in a conversion.

    Parameters
    ----------
    kind, axis
        As what, and along which axis, by its number.
    tensors
        How much, the tensor's whole being one.
    calls
        Of collectives; of an exchange along several axes the outermost has it.
    steps
        Of messages one after the other: one less than there are devices along the axis for every stage, by a ring.
    """

    kind: Kind
    axis: int
    tensors: Fraction
    calls: int
    steps: int


@cache
def converted(
    sizes: tuple[int, ...],
    have: Placement,
    need: Placement,
    fastest: tuple[int, ...] | None = None,
    shape: tuple[int, ...] | None = None,
) -> tuple[Share, ...]:
    """Return what each device receives.

    One device stands for all: adding a number to a coordinate of every device, and to that axis's digit of every index,
    changes no measure and no placement, and makes any device the first.

    Parameters
    ----------
    sizes
        Of the axes, outermost first.
    have, need
        Where the tensor lies and where it shall lie.
    fastest
        The axes, that of the fastest links first; the innermost first unless given.
    shape
        Of the tensor, where what parts do not divide is padded; else they are fractions.
    """
    need = tuple(_settled(*pair) for pair in zip(have, need, strict=True))
    axes = range(len(sizes))
    kinds = [_kind(*pair) for pair in zip(have, need, strict=True)]
    found: dict[int, Share] = {}
    for along, before, after in _stages(have, need, tuple(reversed(axes)) if fastest is None else fastest):
        received = _received(sizes, along, before, after, shape)
        outermost = min((axis for axis in along if axis in received), default=None)
        for axis, tensors in received.items():
            earlier = found.get(axis)
            calls = int(axis == outermost) if earlier is None else earlier.calls
            already = Fraction(0) if earlier is None else earlier.tensors
            steps = sizes[axis] - 1 + (0 if earlier is None else earlier.steps)
            found[axis] = Share(kinds[axis], axis, already + tensors, calls, steps)
    return tuple(found[axis] for axis in axes if axis in found)


@cache
def stages(
    sizes: tuple[int, ...],
    have: Placement,
    need: Placement,
    fastest: tuple[int, ...] | None = None,
    shape: tuple[int, ...] | None = None,
) -> tuple[Mapping[tuple[int, ...], Fraction], ...]:
    """Return stage by stage what each device receives of each other one, the tensor's whole being one.

    The other one is told by what has to be added to the device's coordinates, modulo the axes' sizes, to get there.

    Parameters
    ----------
    sizes, have, need, fastest, shape
        As of `converted`.
    """
    need = tuple(_settled(*pair) for pair in zip(have, need, strict=True))
    order = tuple(reversed(range(len(sizes)))) if fastest is None else fastest
    return tuple(_of_each(sizes, *stage, shape) for stage in _stages(have, need, order))


def _settled(have: AxisPlacement, need: AxisPlacement) -> AxisPlacement:
    """Return what a device does where partial sums are asked for: it keeps its part of what is none, adding zeros."""
    if not need.is_partial or have.is_partial:
        return need
    return PART if have == WHOLE else have


def _kind(have: AxisPlacement, need: AxisPlacement) -> Kind:
    if have.is_partial:
        return "all-reduce" if need == WHOLE else "reduce-scatter"
    return "all-gather" if need == WHOLE else "all-to-all"


def _stages(
    have: Placement, need: Placement, fastest: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], Placement, Placement]]:
    """Yield the axes along which devices exchange, and the placement before and after it."""
    pairs = list(enumerate(zip(have, need, strict=True)))
    now = tuple(other if one == WHOLE else one for one, other in zip(have, need, strict=True))
    for axis in fastest:
        one, other = have[axis], need[axis]
        if one.is_partial and not other.is_partial:
            after = _set(now, axis, PART if other == WHOLE else other)
            yield (axis,), now, after
            now = after
    turned = tuple(axis for axis, (_, other) in pairs if other != WHOLE and now[axis] != other)
    if turned:
        after = tuple(need[axis] if axis in turned else entry for axis, entry in enumerate(now))
        yield turned, now, after
        now = after
    for axis in reversed(fastest):
        if now[axis] != need[axis]:
            after = _set(now, axis, need[axis])
            yield (axis,), now, after
            now = after


def _set(placement: Placement, axis: int, entry: AxisPlacement) -> Placement:
    return (*placement[:axis], entry, *placement[axis + 1 :])


def _received(
    sizes: Sequence[int], axes: Sequence[int], before: Placement, after: Placement, shape: Sequence[int] | None
) -> dict[int, Fraction]:
    """Return what the first device gets from the others of its group, by the outermost axis on which those differ.

    Of partial sums each other device has a summand of all that the first one keeps; of anything else, what is its own.
    """
    found: dict[int, Fraction] = {}
    for coordinates, tensors in _of_each(sizes, axes, before, after, shape).items():
        outermost = next(axis for axis, coordinate in enumerate(coordinates) if coordinate)
        found[outermost] = found.get(outermost, Fraction(0)) + tensors
    return found


def _of_each(
    sizes: Sequence[int], axes: Sequence[int], before: Placement, after: Placement, shape: Sequence[int] | None
) -> dict[tuple[int, ...], Fraction]:
    """Return what the first device gets of each other of its group, by the other's coordinates."""
    first = (0,) * len(sizes)
    wanted = held(after, first)
    tensors = measure(common(wanted, held(before, first)), sizes, shape)  # which digits are held is the same everywhere
    found: dict[tuple[int, ...], Fraction] = {}
    for coordinates in product(*(range(sizes[axis]) for axis in axes)):
        if any(coordinates):
            device = list(first)
            for axis, coordinate in zip(axes, coordinates, strict=True):
                device[axis] = coordinate
            if common(wanted, held(before, device)) is not None:
                found[tuple(device)] = tensors
    return found
