"""In which order the axes cut each dimension, so that every part that a plan names is a part of the same numbers.

An index of a dimension is a number of digits, one for each axis that ever splits it and one for the rest. A device has
those indices whose digits are its coordinates on the axes that split the dimension, in their order. So to split what is
split already, on another axis, is to slice, whatever the order; which order there is matters where parts have to lie
side by side, as rows that windows slide over, or have to be whole blocks, as heads of features.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import permutations
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.evaluation.operators.placements import NONE
from hypar_opt.evaluation.operators.plan import is_shared, shared_placement
from hypar_opt.export.lying import DealtAxes
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hypar_opt.evaluation.operators import OperatorPlan
    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.util.partition import Partition

Node: TypeAlias = "tuple[str, int]"
"""A tensor's name and the number of one of its dimensions."""


@dataclass(frozen=True)
class SplitUse:
    """A dimension split on some axes.

    Parameters
    ----------
    node
        Of which tensor.
    axes
        By their numbers.
    size, blocks
        How many places the dimension has, and how many blocks that must not be cut.
    is_contiguous
        Whether the parts have to lie side by side.
    is_padded
        Whether what parts do not divide is filled up.
    who
        For messages: what splits it, and along which of its dimensions.
    """

    node: Node
    axes: frozenset[int]
    size: int
    blocks: int
    is_contiguous: bool
    is_padded: bool
    who: str

    def fits(self, order: Sequence[int], sizes: Sequence[int]) -> bool:
        """Return whether parts are blocks side by side where they have to be: also parts that are filled up."""
        last = max(order.index(axis) for axis in self.axes)
        is_outermost = last + 1 == len(self.axes)
        if self.blocks % prod(sizes[axis] for axis in order[: last + 1]) == 0:
            return is_outermost or not self.is_contiguous
        # parts of parts that are filled up leave gaps between what lies side by side
        return self.is_padded and is_outermost and (not self.is_contiguous or len(self.axes) == 1)


@dataclass(frozen=True)
class Layouts:
    """The order of axes, outermost digit first, of each dimension that a plan splits.

    Parameters
    ----------
    orders
        By tensor and dimension.
    sizes
        Of the axes.
    """

    orders: Mapping[Node, tuple[int, ...]]
    sizes: tuple[int, ...]

    @property
    def dealt(self) -> tuple[Node, ...]:
        """The dimensions that are dealt out to two axes."""
        return tuple(node for node, order in self.orders.items() if isinstance(order, DealtAxes))

    def of(self, tensor: str, dimensions: int) -> tuple[tuple[int, ...], ...]:
        """Return the orders of a tensor's dimensions."""
        return tuple(self.orders.get((tensor, place), ()) for place in range(dimensions))


def layouts(graph: OperatorGraph, partition: Partition, plan: OperatorPlan, fastest: Sequence[int] = ()) -> Layouts:
    """Return the orders in which a plan can be carried out; of equal ones the outermost axis first.

    A dimension that two axes cut into no equal parts is dealt out to them. Where parts are filled up otherwise it is
    the axis of the fastest links first: as sums are scattered along it first and gathered along it last, parts of parts
    are what is said to move.

    Raises
    ------
    Refusal
        If there is none for some dimension; names who splits it.
    """
    sizes = tuple(axis.size for axis in partition.axes)
    classes = _Classes()
    uses = list(_uses(graph, plan, classes))
    together: dict[Node, list[SplitUse]] = defaultdict(list)
    for use in uses:
        together[classes.root(use.node)].append(use)
    first = fastest if plan.is_padded and fastest else range(len(sizes))
    found = {root: _order(own, sizes, first) for root, own in together.items()}
    return Layouts({node: found[root] for node, root in classes.members() if root in found}, sizes)


def _order(uses: Sequence[SplitUse], sizes: Sequence[int], first: Sequence[int]) -> tuple[int, ...]:
    used = [axis for axis in first if any(axis in use.axes for use in uses)]
    if _is_dealt(uses, [sizes[axis] for axis in used]):
        return DealtAxes(used)
    distinct = {(use.axes, use.blocks, use.is_contiguous): use for use in uses}.values()
    for order in permutations(used):
        if all(use.fits(order, sizes) for use in distinct):
            return order
    several = {use.axes: use.who for use in reversed(list(distinct))}
    who = " and ".join(dict.fromkeys(several.values()))
    raise Refusal(f"{who} are split on axes that leave no common blocks; such a plan cannot be exported as a program")


def _is_dealt(uses: Sequence[SplitUse], parts: Sequence[int]) -> bool:
    """Return whether a dimension is dealt out to two axes, into no equal parts, of which none has to be a block."""
    size = uses[0].size
    is_free = all(use.is_padded and not use.is_contiguous and use.size == use.blocks == size for use in uses)
    return is_free and len(parts) == 2 and size % prod(parts) > 0


def _uses(graph: OperatorGraph, plan: OperatorPlan, classes: _Classes) -> Iterator[SplitUse]:
    for operator in graph.operators:
        word = plan.words[operator.name]
        for dim in dict.fromkeys(entry for entry in word if entry != NONE):
            axes = frozenset(axis for axis, entry in enumerate(word) if entry == dim)
            nodes = []
            for operand in (*operator.operands, operator.output):
                place = operand.position(dim)
                if place is not None:
                    nodes.append((operand.tensor, place))
                    size, slides = graph.tensors[operand.tensor].sizes[place], dim in operand.windows
                    who = f"{dim} of '{operator.name}'"
                    yield SplitUse(nodes[-1], axes, size, operator.sizes[dim], slides, plan.is_padded, who)
            classes.join(nodes)
    for name, tensor in graph.tensors.items():
        if is_shared(graph, name):
            for word in filter(None, plan.shared[name]):
                yield from _of_placement(name, tensor.sizes, shared_placement(graph, name, word), plan.is_padded)


def _of_placement(name: str, sizes: Sequence[int], placement: Placement, is_padded: bool) -> Iterator[SplitUse]:
    for place, size in enumerate(sizes):
        axes = frozenset(axis for axis, entry in enumerate(placement) if entry.position == place)
        if axes:
            yield SplitUse((name, place), axes, size, size, False, is_padded, f"dimension {place} of '{name}'")


class _Classes:
    """Dimensions that have one order, because an operator that is split along them pairs their indices."""

    def __init__(self) -> None:
        self._above: dict[Node, Node] = {}

    def root(self, node: Node) -> Node:
        above = self._above.setdefault(node, node)
        while above != node:
            node, above = above, self._above[above]
        return node

    def join(self, nodes: Iterable[Node]) -> None:
        first, *others = (self.root(node) for node in nodes)
        for other in others:
            self._above[other] = first

    def members(self) -> Iterator[tuple[Node, Node]]:
        return ((node, self.root(node)) for node in self._above)
