"""Communication of a plan by boxes: what each half of a group needs, less what it has.

A box is a part of a tensor that begins at its origin; its extents are powers of one half, written as how
often the tensor was halved along batch (or rows) and along channels (or columns). At a level each half of
a group has one box of the group's and needs another; what it needs and lacks is read from the other half.
One group of level h (from 1) stands for its 2^(h-1) copies. Written from the description of the model, not
from the tables that the cost model compiles: it is what every formulation's result is checked against.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.boxes import leaves
from hypar_opt.boxes.breakdown import LEAF_EXACT, Breakdown, Bytes, Setting, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.network import Boundary, WorkLayer, Workload

Box: TypeAlias = tuple[int, int]
"""How often the tensor was halved along batch (or rows) and along channels (or columns)."""
FeatureAndError: TypeAlias = tuple[tuple[Bytes, ...], tuple[Bytes, ...]]
"""Bytes of F[l+1], and of E[l+1], at each level."""

WHOLE: Final[Box] = (0, 0)
INPUT_CUT: Final[Mapping[str, Box]] = {"d": (1, 0), "m": (0, 1)}
OUTPUT_CUT: Final[Mapping[str, Box]] = {"d": (1, 0), "o": (0, 1)}
WEIGHT_CUT: Final[Mapping[str, Box]] = {"m": (1, 0), "o": (0, 1)}
SUMMED_CUT: Final = {"d": WEIGHT_CUT, "m": OUTPUT_CUT, "o": INPUT_CUT}
"""By letter: how the tensor is cut that it leaves in partial sums."""
GROUPED_CUT: Final = {"d": WEIGHT_CUT, "m": INPUT_CUT}
"""The same where mp splits groups, so that F[l+1] is cut as F[l] is, and there is nothing of it to add up."""


def communication(work: Workload, strategies: Mapping[str, str], setting: Setting) -> Breakdown:
    """Return the bytes that a plan exchanges, exactly.

    Parameters
    ----------
    strategies
        By layer, a word of `setting.levels` letters.
    """
    words = [strategies[layer.name] for layer in work.layers]
    intra = tuple(
        tuple(_partial_sums(layer, word, h, setting) for h in range(setting.levels))
        for layer, word in zip(work.layers, words, strict=True)
    )
    of_boundary = _of_leaves if setting.accounting == LEAF_EXACT else _of_groups
    rows = [of_boundary(edge, work, words, setting) for edge in work.boundaries]
    forward, backward = tuple(one for one, _ in rows), tuple(one for _, one in rows)
    return Breakdown(intra, forward, backward, dict(strategies))


def _bytes(elements: int, quarters: int, group: Box, h: int, setting: Setting) -> int:
    """Count all groups of the level, both halves of each: so many quarters of the group's box of a tensor."""
    size, rest = divmod(elements * quarters * 2 * setting.bytes_per_element << h, 4 << sum(group))
    if rest:
        raise ArithmeticError(f"level {h + 1} would exchange a fraction of a byte")
    return size


def _partial_sums(layer: WorkLayer, word: str, h: int, setting: Setting) -> int:
    """Return what is added to partial sums: each half reads the group's whole box of the tensor summed."""
    cut = (GROUPED_CUT if layer.keeps_layout else SUMMED_CUT)[word[h]]
    return _bytes(summed_elements(layer, word[h], setting), 4, _group_box(word[:h], cut), h, setting)


def summed_elements(layer: WorkLayer, letter: str, setting: Setting) -> int:
    """Return the elements, over the whole batch, of the tensor of a layer that a letter leaves in partial sums.

    mp's are of what the layer writes, for they are added up before its activation and pools; but for `leaf-exact` the
    accountings take what is left of it behind the pools, as the paper does. Groups have no sums in common.
    """
    if letter == "d":
        return layer.weight
    if layer.keeps_layout:
        return 0
    if letter == "o":
        return setting.batch * layer.feature_in if setting.input_error or not layer.reads_input else 0
    if setting.accounting != LEAF_EXACT:
        return setting.batch * layer.feature_out
    return setting.batch * layer.out_sizes[0] * prod(layer.map_out)


def _of_groups(edge: Boundary, work: Workload, words: list[str], setting: Setting) -> FeatureAndError:
    """Return what is read by the groups of every level."""
    rows = [_boundary(edge, work, words, h, setting) for h in range(setting.levels)]
    return tuple(feature for feature, _ in rows), tuple(error for _, error in rows)


def _boundary(edge: Boundary, work: Workload, words: list[str], h: int, setting: Setting) -> tuple[int, int]:
    """Return what is read of F[l+1] forward and of E[l+1] backward."""
    producer = work.layers[edge.producer]
    before, after = words[edge.producer], words[edge.reader]
    if setting.accounting == "as-evaluated" and not producer.keeps_layout and before[h] == "m":
        return 0, 0
    output_cut = INPUT_CUT if producer.keeps_layout else OUTPUT_CUT
    left, right = output_cut.get(before[h], WHOLE), INPUT_CUT.get(after[h], WHOLE)
    read_by = _group_box(after[:h], INPUT_CUT)
    sent_by = _group_box(before[:h], output_cut) if setting.accounting == "receiver" else read_by
    elements = setting.batch * edge.feature
    feature = _bytes(elements, _lacking_quarters(needs=right, has=left), read_by, h, setting)
    error = _bytes(elements, _lacking_quarters(needs=left, has=right), sent_by, h, setting)
    return feature, error


def _of_leaves(edge: Boundary, work: Workload, words: list[str], setting: Setting) -> FeatureAndError:
    """Return what all leaves together read, by the level at which they read it."""
    pair = words[edge.producer], words[edge.reader]
    as_read = work.layers[edge.producer].keeps_layout
    forward, backward = leaves.by_tensor(setting.batch * edge.feature, pair, as_read=as_read)
    size = setting.bytes_per_element
    return tuple(whole(size * count) for count in forward), tuple(whole(size * count) for count in backward)


def _group_box(above: str, cut: Mapping[str, Box]) -> Box:
    """Return the box of a group after the choices of the levels above."""
    cuts = [cut.get(letter, WHOLE) for letter in above]
    return sum(rows for rows, _ in cuts), sum(columns for _, columns in cuts)


def _lacking_quarters(*, needs: Box, has: Box) -> int:
    """Return |needs| - |needs and has| in quarters of the group's box; the intersection is cut by both."""
    both = max(needs[0], has[0]), max(needs[1], has[1])
    return (4 >> sum(needs)) - (4 >> sum(both))
