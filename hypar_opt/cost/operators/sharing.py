"""What is computed once for all operators that are alike: their words, and what depends on these."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

from hypar_opt.cost.operators.domains import (
    KEPT,
    STORAGE,
    Domain,
    OperatorModel,
    is_shared,
    operator_domain,
    placement_domain,
)
from hypar_opt.costgraph import Repeats

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Tensor

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Sharing:
    """Results by what they depend on.

    Parameters
    ----------
    graph, model
        The operators, and how they may be split.
    """

    graph: OperatorGraph
    model: OperatorModel
    _found: dict[Hashable, object] = field(default_factory=dict)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what was made for a key, or make it."""
        if key not in self._found:
            self._found[key] = make()
        return cast("T", self._found[key])

    @cached_property
    def shared(self) -> frozenset[str]:
        """The tensors that have placements of their own."""
        return frozenset(name for name in self.graph.tensors if is_shared(name, self.graph))

    @cached_property
    def likeness(self) -> Mapping[str, int]:
        """By operator a number, the same for those that differ in names only, and in what others do."""
        return {one.name: self.once(self._of_operator(one), lambda: len(self._found)) for one in self.graph.operators}

    def domain(self, operator: Operator) -> Domain:
        """Return what an operator can choose."""
        number = self.likeness[operator.name]
        found = self.once(("domain", number), lambda: operator_domain(operator, self.graph, self.model))
        return Domain(operator.name, found.values)

    def placements(self, tensor: Tensor, names: Sequence[str | None], name: str, *, partial: bool = False) -> Domain:
        """Return where a tensor can lie for those who read it, or its gradient."""
        key = tensor.sizes, tuple(names), partial, self.model.fix.get(name)
        made = self.once(key, lambda: placement_domain(tensor, names, self.model, name, partial=partial))
        return Domain(name, made.values)

    def _of_operator(self, one: Operator) -> Hashable:
        given = (self.model.fix.get(one.name + what) for what in ("", STORAGE, KEPT))
        operands = (self._of_operand(operand) for operand in (*one.operands, one.output))
        return tuple(one.sizes.items()), one.splits, one.is_cheap, one.statistics, *given, *operands

    def _of_operand(self, one: Operand) -> Hashable:
        tensor = self.graph.tensors[one.tensor]
        whose = (tensor.sizes, tensor.role, tensor.element_bytes, tensor.has_gradient, one.tensor in self.shared)
        return one.dims, tuple(one.windows.items()), one.saved, one.is_added, *whose


def repeats_of(graph: OperatorGraph, index: Mapping[str, int], count: int) -> tuple[Repeats, ...]:
    """Return the blocks of variables that blocks of operators have become, as many as are of one length.

    Parameters
    ----------
    index
        By operator, its variable; those between it and the next one's belong to it.
    count
        How many variables there are.
    """
    found = []
    for one in graph.repeats:
        behind = [*(index[operator.name] for operator in graph.operators), count]
        starts = [behind[one.first + number * one.length] for number in range(one.times + 1)]
        length = starts[1] - starts[0]
        times = next((n for n in range(one.times) if starts[n + 1] - starts[n] != length), one.times)
        found.append(Repeats(starts[0], length, times))
    return tuple(found)
