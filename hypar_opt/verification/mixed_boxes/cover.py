"""Whether boxes of shares are what they have to be: together all shares, each once, with weights that bound a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.instance.shares import ExactShares, GivenShares, WholeShares
from hypar_opt.solver.share_evidence import CLOSINGS, WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.instance.shares import Shares
    from hypar_opt.solver.share_evidence import SearchedBox, ShareEvidence

Ends: TypeAlias = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
"""The least and the largest shares, by split."""


@dataclass(frozen=True)
class BoxesAsked:
    """What boxes have to be for an instance.

    Parameters
    ----------
    shares, batch
        What decides them.
    splits, waits, classes
        How many there are.
    """

    shares: Shares
    batch: int
    splits: int
    waits: int
    classes: int

    @property
    def parts(self) -> int | None:
        """Shares are multiples of one over this; None where they are given."""
        return self.shares.parts if isinstance(self.shares, WholeShares) else None

    @property
    def ends(self) -> Ends | None:
        """Of all shares that all layers have; None where layers have their own."""
        match self.shares:
            case GivenShares(first):
                return first, first
            case WholeShares(parts):
                low, high = Fraction(1, parts), Fraction(parts - 1, parts)
            case ExactShares():
                low, high = self.shares.ends(self.batch)
            case _:
                return None
        return (low,) * self.splits, (high,) * self.splits


def count(box: SearchedBox, parts: int | None) -> int:
    """Return how many vectors of shares are in a box."""
    if parts is None:
        return int(box.low == box.high)
    return prod(int((high - low) * parts) + 1 for low, high in zip(box.low, box.high, strict=True))


def parts_of(evidence: ShareEvidence) -> Mapping[int, Sequence[SearchedBox]]:
    """Return by number the boxes that each was cut into."""
    found: dict[int, list[SearchedBox]] = {one.number: [] for one in evidence.boxes}
    for one in evidence.boxes:
        if one.within:
            found[one.within].append(one)
    return found


def cover_fault(evidence: ShareEvidence, asked: BoxesAsked) -> str | None:
    """Return why boxes are no list of all shares, or None."""
    return next(_faults(evidence, asked), None)


def _faults(evidence: ShareEvidence, asked: BoxesAsked) -> Iterator[str]:
    boxes = evidence.boxes
    if evidence.parts != asked.parts:
        yield f"boxes are of {_parts(evidence.parts)}, the instance has {_parts(asked.parts)}"
    if not boxes or boxes[0].within:
        yield "expected a first box with all shares"
        return
    first = boxes[0]
    assert asked.ends is not None  # there are no boxes of other shares
    if (first.low, first.high) != asked.ends:
        yield f"the first box holds shares {_range(*_ends(first))}, expected all, {_range(*asked.ends)}"
    known: set[int] = set()
    for one in boxes:
        yield from _own_faults(one, asked)
        if one.number in known:
            yield f"two boxes have the number {one.number}"
        if one is not first and one.within not in known:
            yield f"box {one.number} is within box {one.within}, expected one that stands before it"
            return
        known.add(one.number)
    for number, cut in parts_of(evidence).items():
        whole = next(one for one in boxes if one.number == number)
        if cut:
            yield from _cut_faults(whole, cut, evidence.parts)


def _own_faults(one: SearchedBox, asked: BoxesAsked) -> Iterator[str]:
    """Yield what is wrong with a box by itself."""
    name = f"box {one.number}"
    if {len(one.low), len(one.high)} != {asked.splits}:
        yield f"{name} has ends of {len(one.low)} and {len(one.high)} splits, expected {asked.splits}"
        return
    if any(low > high for low, high in zip(*_ends(one), strict=True)):
        yield f"{name} holds nothing: {_range(*_ends(one))}"
    if asked.parts and any((share * asked.parts).denominator != 1 for share in (*one.low, *one.high)):
        yield f"{name} has ends {_range(*_ends(one))}, expected multiples of 1/{asked.parts}"
    if one.closed is not None and one.closed not in CLOSINGS:
        yield f"{name} is closed by '{one.closed}', expected one of {', '.join(CLOSINGS)}"
    if one.weights is None:
        if one.closed == WEIGHTS.name:
            yield f"{name} is closed by weights, and has none"
        return
    if len(one.weights) != asked.waits or {len(row) for row in one.weights} != {asked.classes}:
        yield f"{name} has other weights than expected: {asked.waits} waits, {asked.classes} classes each"
        return
    for row in one.weights:
        if min(row) < 0:
            yield f"{name} has the weight {min(row)}, expected none below 0"
        if sum(row) != 1:
            yield f"{name} has weights that add up to {sum(row)} at a wait, expected 1"


def _cut_faults(whole: SearchedBox, cut: Sequence[SearchedBox], parts: int | None) -> Iterator[str]:
    """Yield what is wrong with the boxes that one was cut into."""
    if whole.closed is not None:
        yield f"box {whole.number} is closed by {whole.closed}, and cut into others"
    for one in cut:
        if not all(a <= b <= c <= d for a, b, c, d in zip(whole.low, one.low, one.high, whole.high, strict=True)):
            yield f"box {one.number} is not within box {whole.number}"
    for one, other in combinations(cut, 2):
        ends = [*zip(one.low, one.high, other.low, other.high, strict=True)]
        if all(max(a, c) <= min(b, d) for a, b, c, d in ends) and not (parts is None and _touch(ends)):
            yield f"boxes {one.number} and {other.number} have shares in common"
    if parts is None:
        yield from _length_faults(whole, cut)
        return
    held, needed = sum(count(one, parts) for one in cut), count(whole, parts)
    if held != needed:
        names = ", ".join(str(one.number) for one in cut)
        yield f"box {whole.number} has {needed:,} vectors of shares, the boxes within it ({names}) hold {held:,}"


def _touch(ends: Sequence[tuple[Fraction, Fraction, Fraction, Fraction]]) -> bool:
    """Return whether boxes of any shares have nothing in common but an end."""
    return any(max(a, c) == min(b, d) and (a, b) != (c, d) for a, b, c, d in ends)


def _length_faults(whole: SearchedBox, cut: Sequence[SearchedBox]) -> Iterator[str]:
    """Yield that boxes of any shares leave something out of the one that was cut into them."""
    held, needed = sum(map(_volume, cut), start=Fraction(0)), _volume(whole)
    if held != needed:
        names = ", ".join(str(one.number) for one in cut)
        yield f"box {whole.number} has shares that the boxes within it ({names}) leave out: {held} of {needed}"


def _volume(box: SearchedBox) -> Fraction:
    return prod((high - low for low, high in zip(box.low, box.high, strict=True)), start=Fraction(1))


def _ends(box: SearchedBox) -> Ends:
    return box.low, box.high


def _range(low: Sequence[Fraction], high: Sequence[Fraction]) -> str:
    return ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in zip(low, high, strict=True)) or "none"


def _parts(parts: int | None) -> str:
    return "given or any shares" if parts is None else f"shares k of {parts:,}"
