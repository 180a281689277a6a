"""A tensor's way from one placement to another, stage by stage, each one collective.

What need not be there is sliced off; partial sums are added up by one reduce-scatter, or an all-reduce where nobody
wants parts; one all-to-all changes the dimension on all axes concerned; the rest is gathered. Every stage says which
digits of which dimension it cuts off or puts back, so that a program needs no other notion of where a tensor lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, Placement
from hypar_opt.export.lying import ANOTHER_ORDER, DealtAxes, Digit, Lying
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Name: TypeAlias = Literal["slice", "reduce-scatter", "all-reduce", "all-to-all", "all-gather", "embed", "keep"]
"""What a stage does; to embed is to put zeros around shards, to keep is to leave the first device's alone: summands."""


MOVING: Final = frozenset({"reduce-scatter", "all-reduce", "all-to-all", "all-gather"})
"""Stages in which devices exchange something."""


@dataclass(frozen=True)
class ConversionStage:
    """A step of a conversion.

    Parameters
    ----------
    name
        What is done.
    axes
        Along which axes, as a collective has them, by their numbers.
    cuts
        The digits that are cut off or put back, one after the other; none of sums that all get.
    into
        Of an all-to-all, the digits that are put back.
    """

    name: Name
    axes: tuple[int, ...]
    cuts: tuple[Digit, ...] = ()
    into: tuple[Digit, ...] = ()


def stages(
    shape: Sequence[int],
    orders: Sequence[tuple[int, ...]],
    sizes: Sequence[int],
    have: Placement,
    need: Placement,
    fastest: Sequence[int],
) -> Iterator[ConversionStage]:
    """Yield the stages from a placement to another.

    Parameters
    ----------
    shape
        Of the whole tensor.
    orders
        By dimension, the axes whose digits it has, outermost first.
    sizes
        Of the axes.
    have, need
        Where it lies, and where it shall lie.
    fastest
        The axes, that of the fastest links first: the innermost place of what is fused.

    Raises
    ------
    Refusal
        If parts that are filled up are not parts of what they are converted from or to.
    """
    lying = Lying(tuple(shape), list(orders), tuple(sizes), list(have))
    slowest = tuple(reversed(fastest))
    for stage in _stages(lying, need, slowest):
        if any(cut.before > 1 and lying.uneven(cut.dimension) for cut in (*stage.cuts, *stage.into)):
            raise Refusal(ANOTHER_ORDER)
        yield stage


def lacks_parts(found: Sequence[ConversionStage]) -> bool:
    """Return whether more is moved than has to be, because what a device has falls into no equal parts.

    So it is where sums that nobody wants in parts are added up whole although something comes between, and where of
    what becomes a summand all is moved.
    """
    moving = [stage.name for stage in found if stage.name in MOVING]
    return ("all-reduce" in moving and len(moving) > 1) or (bool(moving) and found[-1].name == "keep")


def _stages(lying: Lying, need: Placement, slowest: Sequence[int]) -> Iterator[ConversionStage]:
    yield from _slices(lying, need)
    yield from _sums(lying, need, slowest)
    turned = [axis for axis in slowest if need[axis].position is not None and lying.now[axis] != need[axis]]
    if turned:
        yield _exchange(lying, need, turned)
    gathered = [axis for axis in slowest if need[axis] == WHOLE and lying.now[axis] != WHOLE]
    alone = lying.is_uneven(gathered, tuple(lying.now))  # parts of parts are cut to size between
    for axes in [[axis] for axis in gathered] if alone else [gathered] if gathered else []:
        yield ConversionStage("all-gather", tuple(axes), lying.merge(axes, WHOLE))
    yield from _summands(lying, need, slowest)


def _slices(lying: Lying, need: Placement) -> Iterator[ConversionStage]:
    """Yield what every device forgets; of what is whole and shall be a summand, all but a part of its own."""
    places: dict[int, int] = {}
    for axis, (one, other) in enumerate(zip(lying.now, need, strict=True)):
        place = (
            lying.free(axis, need) if one == WHOLE and other == PARTIAL else other.position if one == WHOLE else None
        )
        if place is not None:
            places[axis] = place
    cuts = [lying.split(axis, places[axis]) for axis in lying.outermost_first(places)]
    if cuts:
        yield ConversionStage("slice", tuple(cut.axis for cut in cuts), tuple(cuts))


def _sums(lying: Lying, need: Placement, slowest: Sequence[int]) -> Iterator[ConversionStage]:
    """Yield how partial sums are added up: those that nobody wants in parts are scattered, too, and gathered at last.

    What comes in between then moves parts of parts; where nothing does, one all-reduce is the same.
    """
    summed = [axis for axis in slowest if lying.now[axis] == PARTIAL and need[axis] != PARTIAL]
    if not summed:
        return
    parts = {axis: need[axis].position for axis in summed}
    others = [axis for axis, entry in enumerate(need) if axis not in parts and entry not in (PARTIAL, lying.now[axis])]
    if all(place is None for place in parts.values()) and not others:
        for axis in summed:
            lying.now[axis] = WHOLE
        yield ConversionStage("all-reduce", tuple(summed))
        return
    everywhere = []
    for axis in summed:
        if parts[axis] is None:
            parts[axis] = lying.free(axis, need)
            if parts[axis] is None:
                everywhere.append(axis)
    scattered = [axis for axis in summed if axis not in everywhere]
    alone = any(lying.uneven(parts[axis]) for axis in scattered)
    cuts = []
    for axis in reversed(scattered) if alone else scattered:
        place = parts[axis]
        assert place is not None
        cuts.append(lying.split(axis, place))
    if alone:
        for cut in cuts:
            yield ConversionStage("reduce-scatter", (cut.axis,), (cut,))
    elif scattered:
        yield ConversionStage("reduce-scatter", tuple(scattered), tuple(cuts))
    if everywhere:
        for axis in everywhere:
            lying.now[axis] = WHOLE
        yield ConversionStage("all-reduce", tuple(everywhere))


def _exchange(lying: Lying, need: Placement, turned: Sequence[int]) -> ConversionStage:
    """Return the exchange of shards along one dimension for shards along another."""
    before = tuple(lying.now)
    turned = lying.outermost_first({axis: need[axis].position or 0 for axis in turned})
    out = [(axis, need[axis].position or 0) for axis in turned]
    cuts = _cut_off(lying, before, out)
    for axis in turned:
        lying.now[axis] = need[axis]
    back = [(axis, before[axis].position or 0) for axis in turned]
    return ConversionStage("all-to-all", tuple(turned), cuts, _cut_off(lying, tuple(lying.now), back))


def _cut_off(lying: Lying, now: Placement, places: Sequence[tuple[int, int]]) -> tuple[Digit, ...]:
    """Return digits of dimensions as they are cut off one after the other of what lies as `now` says."""
    cuts: list[Digit] = []
    for axis, place in places:
        order = lying.orders[place]
        gone = {cut.axis for cut in cuts if cut.dimension == place}
        there = [one for one in order[: order.index(axis)] if now[one].position != place and one not in gone]
        split = [one for one in order if one != axis and (now[one].position == place or one in gone)]
        if isinstance(order, DealtAxes):
            cuts.append(lying.dealt(axis, place, split))
            continue
        lying.refuse_inner(axis, place, split)
        size = -(-lying.shape[place] // prod(lying.sizes[one] for one in split))
        blocks = prod(lying.sizes[one] for one in there)
        cuts.append(Digit(axis, place, blocks, size if size % lying.sizes[axis] else None))
    return tuple(cuts)


def _summands(lying: Lying, need: Placement, slowest: Sequence[int]) -> Iterator[ConversionStage]:
    """Yield how what is none becomes a summand: zeros stand where other devices have something."""
    shards = [axis for axis in slowest if need[axis] == PARTIAL and lying.now[axis].position is not None]
    if shards:
        yield ConversionStage("embed", tuple(shards), lying.merge(shards, PARTIAL))
    whole = tuple(axis for axis in slowest if need[axis] == PARTIAL and lying.now[axis] == WHOLE)
    if whole:
        yield ConversionStage("keep", whole)
