"""Communication of a plan by boxes: what each half of a group needs, less what it has.

A box is a part of a tensor that begins at its origin; its extents are powers of one half, written as how
often the tensor was halved along batch (or rows) and along channels (or columns). At a level each half of
a group has one box of the group's and needs another; what it needs and lacks is read from the other half.
One group of level h (from 1) stands for its 2^(h-1) copies. Written from the description of the model, not
from the tables that the cost model compiles: it is what every formulation's result is checked against.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from operator import mul
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.evaluation.choices import Box, Halving, Operand, boxes, halving_of
from hypar_opt.evaluation.communication.breakdown import (
    COLLECTIVE,
    LEAF_EXACT,
    Breakdown,
    Bytes,
    ExchangeSetting,
    whole,
)
from hypar_opt.evaluation.communication.collectives import needed, placed, received

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.network import Boundary, WorkLayer, Workload
    from hypar_opt.util.partition import Partition

Halvings: TypeAlias = "Sequence[Sequence[Halving]]"
"""Of a plan, by layer and level."""
FeatureAndError: TypeAlias = tuple[tuple[Bytes, ...], tuple[Bytes, ...]]
"""Bytes of F[l+1], and of E[l+1], at each level."""
Cut: TypeAlias = frozenset[str]
"""The dimensions that a level splits."""


def communication(work: Workload, strategies: Mapping[str, str], setting: ExchangeSetting) -> Breakdown:
    """Return the bytes that a plan exchanges, exactly.

    Parameters
    ----------
    strategies
        By layer, a word with a letter for every level.

    Raises
    ------
    ValueError
        If a level does not halve every group.
    """
    setting.partition.check_halves()
    plan = [[halving_of(layer, letter) for letter in strategies[layer.name]] for layer in work.layers]
    intra = tuple(
        tuple(_partial_sums(layer, halvings, h, setting) for h in range(setting.partition.levels))
        for layer, halvings in zip(work.layers, plan, strict=True)
    )
    if setting.accounting == COLLECTIVE:
        rows = [_of_collectives(edge, work.layers[edge.producer], plan, setting) for edge in work.boundaries]
    else:
        of_boundary = _of_leaves if setting.accounting == LEAF_EXACT else _of_groups
        rows = [
            _passing(edge, work.layers[edge.producer], plan, setting)
            if edge.is_skip
            else of_boundary(edge, plan, setting)
            for edge in work.boundaries
        ]
    forward, backward = tuple(one for one, _ in rows), tuple(one for _, one in rows)
    return Breakdown(intra, forward, backward, dict(strategies))


def _bytes(elements: int, quarters: int, group: Box, h: int, setting: ExchangeSetting) -> int:
    """Count all groups of the level, both halves of each: so many quarters of the group's box of a tensor."""
    if not quarters:  # which most boundaries are at most levels
        return 0
    every = elements * quarters * 2 * setting.bytes_per_element * setting.partition.groups(h)
    size, rest = divmod(every, 4 << sum(group))
    if rest:
        raise ArithmeticError(f"level {h + 1} would exchange a fraction of a byte")
    return size


def _partial_sums(layer: WorkLayer, halvings: Sequence[Halving], h: int, setting: ExchangeSetting) -> int:
    """Return what is added to partial sums: each half reads the group's whole box of the tensor summed."""
    operand = halvings[h].summed
    if operand is None or (setting.accounting == COLLECTIVE and _is_elsewhere(layer, operand)):
        return 0
    return _bytes(summed_elements(layer, operand, setting), 4, _group_box(halvings[:h], operand), h, setting)


def _is_elsewhere(layer: WorkLayer, operand: Operand) -> bool:
    """Return whether the next layer, or the one before, has what is summed reduced; nobody needs the input's error."""
    return operand == "read" or (operand == "written" and not layer.writes_output)


def summed_elements(layer: WorkLayer, operand: Operand, setting: ExchangeSetting) -> int:
    """Return the elements, over the whole batch, of a tensor of a layer where it is left in partial sums.

    mp's are of what the layer writes, for they are added up before its activation and pools; but for `leaf-exact` and
    `collective` the accountings take what is left of it behind the pools, as the paper does.
    """
    if operand == "weight":
        return layer.weight
    if operand == "read":
        return setting.batch * layer.feature_in if setting.input_error or not layer.reads_input else 0
    if setting.accounting not in (LEAF_EXACT, COLLECTIVE):
        return setting.batch * layer.feature_out
    return setting.batch * layer.out_sizes[0] * layer.groups * prod(layer.map_out)


def _of_groups(edge: Boundary, plan: Halvings, setting: ExchangeSetting) -> FeatureAndError:
    """Return what is read by the groups of every level."""
    rows = [_boundary(edge, plan, h, setting) for h in range(setting.partition.levels)]
    return tuple(feature for feature, _ in rows), tuple(error for _, error in rows)


def _boundary(edge: Boundary, plan: Halvings, h: int, setting: ExchangeSetting) -> tuple[int, int]:
    """Return what is read of F[l+1] forward and of E[l+1] backward."""
    before, after = plan[edge.producer], plan[edge.reader]
    if setting.accounting == "as-evaluated" and before[h].summed == "written":
        return 0, 0
    left, right = before[h].written, after[h].read
    read_by = _group_box(after[:h], "read")
    sent_by = _group_box(before[:h], "written") if setting.accounting == "receiver" else read_by
    elements = setting.batch * edge.feature
    feature = _bytes(elements, _lacking_quarters(needs=right, has=left), read_by, h, setting)
    error = _bytes(elements, _lacking_quarters(needs=left, has=right), sent_by, h, setting)
    return feature, error


def _passing(edge: Boundary, first: WorkLayer, plan: Halvings, setting: ExchangeSetting) -> FeatureAndError:
    """Return what passes by a block: of the input of its first layer, as it lies behind each level's own cut."""
    before, after = plan[edge.producer], plan[edge.reader]
    rows = []
    for h in range(setting.partition.levels):
        group = _group_box(before[: h + 1], "read")
        left, right = before[h].written, after[h].read
        ways = _lacking_quarters(needs=right, has=left), _lacking_quarters(needs=left, has=right)
        rows.append(tuple(_bytes(setting.batch * first.feature_in, way, group, h, setting) for way in ways))
    return tuple(feature for feature, _ in rows), tuple(error for _, error in rows)


def _of_leaves(edge: Boundary, plan: Halvings, setting: ExchangeSetting) -> FeatureAndError:
    """Return what all leaves together read, by the level at which they read it."""
    written, read = boxes(plan[edge.producer], "written"), boxes(plan[edge.reader], "read")
    forward, backward = read_by_leaves(setting.batch * edge.feature, written, read, setting.partition)
    size = setting.bytes_per_element
    return tuple(whole(size * count) for count in forward), tuple(whole(size * count) for count in backward)


def _of_collectives(edge: Boundary, producer: WorkLayer, plan: Halvings, setting: ExchangeSetting) -> FeatureAndError:
    """Return what all leaves together are sent, by the topmost level on which sender and receiver differ.

    The pools' work is done where a leaf holds its part, behind the reduce-scatter and, backward, before the all-gather:
    these two are of what the producer writes, all else of what is read.
    """
    before, after = plan[edge.producer], plan[edge.reader]
    written, read = summed_elements(producer, "written", setting), setting.batch * edge.feature

    def moved(shares: Sequence[Sequence[Fraction]], elements: Sequence[int]) -> tuple[Bytes, ...]:
        sizes = [setting.bytes_per_element * count for count in elements]
        return tuple(whole(sum(map(mul, row, sizes), start=Fraction(0))) for row in zip(*shares, strict=True))

    forward = received(placed(before, "written"), needed(after, "read"))
    backward = received(placed(after, "read"), needed(before, "written"))
    return moved(forward, (written, read, read)), moved(backward, (read, read, written))


def _group_box(above: Sequence[Halving], operand: Operand) -> Box:
    """Return the box of a group after the choices of the levels above."""
    halved = boxes(above, operand)
    return sum(rows for rows, _ in halved), sum(columns for _, columns in halved)


def _lacking_quarters(*, needs: Box, has: Box) -> int:
    """Return |needs| - |needs and has| in quarters of the group's box; the intersection is cut by both."""
    both = max(needs[0], has[0]), max(needs[1], has[1])
    return (4 >> sum(needs)) - (4 >> sum(both))


def read_by_leaves(
    elements: int, written: Sequence[Box], read: Sequence[Box], partition: Partition
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return the elements of F[l+1], and those of E[l+1], that all leaves together read remotely, by level.

    A level cuts a dimension into one part for each of its groups, and a leaf takes its own group's part. So what a leaf
    has of a tensor is the set of all elements that agree with the leaf's coordinates on some levels: (batch, h) for
    every level that split the batch, and (channel, h) for every level that split the channels. Each of these leaves its
    group's share of the tensor, and what a leaf needs and has is what agrees with it on the levels of both. Summed over
    all leaves that is a product over the levels: of level h the sum over its groups of share^(dimensions that it
    splits).

    An element that a leaf lacks is held nearest by the leaves that first part from it at the topmost level on which the
    element misses: that is the level at which it is read.

    Parameters
    ----------
    elements
        Of the tensor.
    written, read
        How each level of the layer that writes F[l+1], and of the one that reads it, splits the tensor.
    partition
        Axes of any sizes and shares.
    """
    had, needed = list(map(_cut, written)), list(map(_cut, read))
    return _lacking(elements, needed, had, partition), _lacking(elements, had, needed, partition)


def _cut(halved: Box) -> Cut:
    rows, columns = halved
    return frozenset(name for name, times in (("batch", rows), ("channel", columns)) if times)


def _lacking(elements: int, needed: list[Cut], had: list[Cut], partition: Partition) -> tuple[Fraction, ...]:
    """Return by level what is needed, agrees with what is had on all levels above, and not there; over all leaves."""
    left = Fraction(elements)
    for axis, cut in zip(partition.axes, needed, strict=True):
        left *= 1 if cut else axis.size
    lacking = []
    for axis, cut, other in zip(partition.axes, needed, had, strict=True):
        agreeing = left
        if other - cut:
            agreeing = left * axis.squares if cut else left / axis.size
        lacking.append(left - agreeing)
        left = agreeing
    return tuple(lacking)
