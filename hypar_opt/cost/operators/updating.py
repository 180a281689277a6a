"""What the update of the parameters takes, by words: each device updates what it has the optimiser's states of.

For each number a device multiplies and adds as often as the optimiser says; parameter, gradient and states are read,
and all but the gradient written. Parts are ceil(size / parts) long; those of `zero-1` to `zero-3` are equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.operators.domains import FORWARD, Domain, codes, is_shared, names_of
from hypar_opt.cost.operators.model import REPLICATED
from hypar_opt.cost.operators.padding import held_padded
from hypar_opt.cost.operators.placements import needed, stored, written_gradient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.cost.operators.model import OperatorModel
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.operators import Operator, OperatorGraph, Tensor
    from hypar_opt.instance.operators.device import Device


@dataclass(frozen=True)
class UpdateWork:
    """What a device does to update its parameters.

    Parameters
    ----------
    seconds
        How long it takes.
    multiplies, adds
        Operations.
    bytes
        From and to the memory.
    """

    seconds: Fraction = Fraction(0)
    multiplies: Fraction = Fraction(0)
    adds: Fraction = Fraction(0)
    bytes: Fraction = Fraction(0)


@dataclass(frozen=True, eq=False)
class Updating:
    """The update of all parameters.

    Parameters
    ----------
    graph, model
        The operators, and how they may be split.
    device
        What each device can do.
    optimiser
        What updates parameters.
    """

    graph: OperatorGraph
    model: OperatorModel
    device: Device
    optimiser: Optimiser

    def works(self, domain: Domain, operator: Operator | None) -> list[UpdateWork]:
        """Return what is done by each value of a variable: of an operator's own parameters, or of a shared one."""
        held = list(self._held(domain, operator))
        rows = zip(*(numbers for _, numbers in held), strict=True) if held else [()] * len(domain.values)
        known: dict[tuple[int, ...], UpdateWork] = {}
        found = []
        for row in map(tuple, rows):
            if row not in known:
                elements = [one.element_bytes for one, _ in held]
                known[row] = self._work(list(zip(elements, row, strict=True)))
            found.append(known[row])
        return found

    def _held(self, domain: Domain, operator: Operator | None) -> Iterator[tuple[Tensor, Array]]:
        """Yield parameters and, by value, how many numbers of them a device updates, in units of 1 / devices."""
        if operator is None:
            tensor = self.graph.tensors.get(domain.name.removesuffix(FORWARD))
            if tensor is not None and tensor.role == "parameter" and tensor.has_gradient:
                yield (
                    tensor,
                    held_padded(tensor.sizes, self.model.axes, codes(domain, names_of(tensor.name, self.graph))),
                )
            return
        whole = np.array([value.storage == REPLICATED for value in domain.values])
        for operand in operator.operands:
            tensor = self.graph.tensors[operand.tensor]
            if tensor.role != "parameter" or not tensor.has_gradient or is_shared(tensor.name, self.graph):
                continue
            need = needed(operand, domain.words)
            parts = stored(written_gradient(operator, operand, domain.words), need)
            lies = np.where(whole[:, None], need, parts)
            yield tensor, held_padded(tensor.sizes, self.model.axes, lies)

    def _work(self, held: list[tuple[int, int]]) -> UpdateWork:
        """Return what is done to so many numbers of so many bytes."""
        rule, device = self.optimiser, self.device
        seconds = moved = count = Fraction(0)
        for element_bytes, units in held:
            numbers = Fraction(units, self.model.partition.leaves)
            fetched = numbers * element_bytes * (2 + rule.states + 1 + rule.states)
            if device.bandwidth is not None:
                seconds += max(numbers * (rule.multiplies + rule.adds) / device.rate, fetched / device.bandwidth)
            elif device.times is None:
                seconds += numbers * (rule.multiplies + rule.adds) / device.rate
            moved, count = moved + fetched, count + numbers
        return UpdateWork(seconds, count * rule.multiplies, count * rule.adds, moved)
