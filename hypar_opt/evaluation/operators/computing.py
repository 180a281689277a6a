"""What every device computes by a plan: its parts of all operators, phase by phase, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.placements import NONE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.evaluation.operators.program import Phase
    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph
    from hypar_opt.instance.operators.device import Device
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True)
class Work:
    """What the device with the largest part of an operator does in a phase.

    Parameters
    ----------
    operator, phase
        Of what, and when.
    products
        Multiplications, each with an addition.
    others
        Operations of another kind, one for each element.
    bytes
        That go to its memory or come from it.
    seconds
        How long it takes.
    multiplies
        Multiplications without an addition.
    """

    operator: str
    phase: Phase
    products: Fraction
    others: Fraction
    bytes: Fraction
    seconds: Fraction
    multiplies: Fraction = Fraction(0)


def works(
    graph: OperatorGraph,
    partition: Partition,
    plan: OperatorPlan,
    device: Device,
    only: Collection[str] | None = None,
) -> Iterator[Work]:
    """Yield what is done in a training step, but for the update.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what; one without faults.
    device
        What each can do.
    only
        Which operators do it; all unless told.

    Raises
    ------
    InputError
        If a row of the device's measured times is missing.
    """
    for operator in graph.operators:
        if only is not None and operator.name not in only:
            continue
        local = local_sizes(operator, plan.words[operator.name], partition)
        part = _Part(graph, operator, local)
        phases: list[tuple[Phase, Fraction, Fraction, Fraction]] = [("forward", *part.forward())]
        if operator.name in plan.recomputed.again:
            phases.append(("recompute", *part.forward()))
        if any(map(graph.has_gradient, operator.operands)):
            phases.append(("backward", *part.backward()))
        measured: dict[Phase, Fraction] = dict.fromkeys(("forward", "backward"), Fraction(0))
        if device.times is not None:
            measured = dict(zip(measured, device.measured(operator, local), strict=True))
        for phase, products, others, moved in phases:
            seconds = measured["forward" if phase == "recompute" else phase]
            if device.times is None:
                fetched = Fraction(0) if device.bandwidth is None else moved / device.bandwidth
                seconds = max((2 * products + others) / device.rate, fetched)
            yield Work(operator.name, phase, products, others, moved, seconds)


def local_sizes(operator: Operator, word: Sequence[str], partition: Partition) -> Mapping[str, int]:
    """Return the sizes of an operator's dimensions on the device that has the largest part of it."""
    found = dict(operator.sizes)
    for name in {entry for entry in word if entry != NONE}:
        parts = prod(axis.size for axis, entry in zip(partition.axes, word, strict=True) if entry == name)
        found[name] = -(-operator.sizes[name] // parts)
    return found


@dataclass(frozen=True)
class _Part:
    """The part of an operator that one device has."""

    graph: OperatorGraph
    operator: Operator
    local: Mapping[str, int]

    def _of(self, dims: Sequence[str | None]) -> Fraction:
        """Return the share that is left of what runs along dimensions."""
        sizes = self.operator.sizes
        return prod((Fraction(self.local[dim], sizes[dim]) for dim in dims if dim is not None), start=Fraction(1))

    def _elements(self, operand: Operand) -> Fraction:
        return self.graph.tensors[operand.tensor].elements * self._of(operand.dims)

    def _bytes(self, operand: Operand) -> Fraction:
        return self._elements(operand) * self.graph.tensors[operand.tensor].element_bytes

    def forward(self) -> tuple[Fraction, Fraction, Fraction]:
        """Return products, other operations and bytes: of operands that are read, and of the output."""
        products = self.operator.multiply_adds * self._of(tuple(self.operator.sizes))
        others = Fraction(0) if products else self._elements(self.operator.output)
        moved = sum(map(self._bytes, (*self.operator.operands, self.operator.output)), start=Fraction(0))
        return products, others, moved

    def backward(self) -> tuple[Fraction, Fraction, Fraction]:
        """Return the same of all gradients: what is saved and the output's gradient are read, others written."""
        whole, _, _ = self.forward()
        operator = self.operator
        trained = [one for one in operator.operands if self.graph.has_gradient(one)]
        factors = [one for one in trained if whole and not one.is_added]
        others = Fraction(0)
        for one in trained:
            if one not in factors:
                others += self._elements(operator.output if one.is_added else one)
        between = operator.products - 1 if factors else 0
        products = whole * (len(factors) + between) / operator.products
        read = [one for one in operator.operands if one.saved]
        moved = sum(map(self._bytes, (operator.output, *read, *trained)), start=Fraction(0))
        return products, others, moved
