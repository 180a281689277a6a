"""What operators compute by their words: seconds of the device with the largest part, joules of all devices.

Parts are ceil(size / parts) long. In the forward phase an operator multiplies and adds as often as it says, or, where
it says nothing, does one operation for each element of its output; it reads its operands and writes its output. In the
backward phase the gradient of every operand takes as many multiplications as the forward phase, or an operation for
each of the operand's elements; of what is added to the output one for each of the output's. What is saved of the
operands is read, and the output's gradient; the operands' gradients are written.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.operators.recompute import recomputed
from hypar_opt.cost.operators.updating import UpdateWork, Updating
from hypar_opt.costgraph import TableUnary
from hypar_opt.instance.objective.components import ADD_ENERGY, COMPUTE_TIME, DRAM_ENERGY, MULTIPLY_ENERGY
from hypar_opt.util.interrupt import asking, never

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.cost.operators.domains import Domain
    from hypar_opt.cost.operators.model import OperatorModel
    from hypar_opt.cost.operators.recompute import Recomputed
    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph
    from hypar_opt.instance.operators.device import Device

WORD: Final = 4
"""Bytes of an access that an energy is told of."""
Parts = tuple[int, ...]
"""Into how many each dimension of an operator is split, in the order of its sizes."""


@dataclass(frozen=True)
class PhaseWork:
    """What one device does of an operator in a phase.

    Parameters
    ----------
    products, others
        Multiplications with additions, and operations of another kind.
    bytes
        From and to the memory.
    """

    products: Fraction
    others: Fraction
    bytes: Fraction

    def seconds(self, device: Device) -> Fraction:
        """Return how long it takes: by its operations, or by its bytes if that is longer."""
        computing = (2 * self.products + self.others) / device.rate
        return computing if device.bandwidth is None else max(computing, self.bytes / device.bandwidth)


@dataclass(frozen=True, eq=False)
class Computing:
    """What operators compute.

    Parameters
    ----------
    graph, model, domains
        The operators, how they may be split, and what can be chosen.
    device
        What each device can do.
    over
        Asked now and then whether to stop, which raises `Interrupted`.
    optimiser
        What updates the parameters; None where that is not counted.
    """

    graph: OperatorGraph
    model: OperatorModel
    domains: Sequence[Domain]
    device: Device
    over: Callable[[], bool] = never
    optimiser: Optimiser | None = None

    def unary(self, component: str) -> tuple[tuple[TableUnary, ...], int]:
        """Return a component's costs of every variable, and how many of their units make a second or a joule.

        Raises
        ------
        InputError
            If a row of the device's measured times is missing.
        """
        found = self._costs[component]
        unit = lcm(*{value.denominator for values in found for value in values})
        whole = ([value.numerator * (unit // value.denominator) for value in values] for values in found)
        return tuple(TableUnary(_whole(values)) for values in whole), unit

    @cached_property
    def _costs(self) -> Mapping[str, list[list[Fraction]]]:
        """By component, for every variable the cost of each value; of placements what updates a parameter."""
        operators = {one.name: one for one in self.graph.operators}
        names = (COMPUTE_TIME, *(() if self.device.energies is None else (MULTIPLY_ENERGY, ADD_ENERGY, DRAM_ENERGY)))
        found: dict[str, list[list[Fraction]]] = {name: [] for name in names}
        for domain in asking(self.domains, self.over, "while it was found out what operators compute"):
            operator = operators.get(domain.name)
            known: dict[tuple[Parts, int], tuple[Fraction, ...]] = {}
            rows = []
            for value in domain.values:
                parts = () if operator is None else self._parts(operator, value.word)
                runs = 1 + (value.again and domain.name in self._again.operators)
                if (parts, runs) not in known:
                    nothing = (Fraction(0),) * len(names)
                    known[parts, runs] = nothing if operator is None else self._rated(operator, parts, runs)
                rows.append(known[parts, runs])
            if self.optimiser is not None:
                updated = Updating(self.graph, self.model, self.device, self.optimiser).works(domain, operator)
                pairs = {(id(row), id(work)): (row, work) for row, work in zip(rows, updated, strict=True)}
                both = {key: self._with(*pair) for key, pair in pairs.items()}  # few pairs, of many words
                rows = [both[id(row), id(work)] for row, work in zip(rows, updated, strict=True)]
            for name, column in zip(names, zip(*rows, strict=True), strict=True):
                found[name].append(list(column))
        return found

    @cached_property
    def _again(self) -> Recomputed:
        """What can be computed once more."""
        one = self.model
        return recomputed(self.graph, one.recompute, one.fix, is_limited=one.memory is not None)

    def _with(self, row: tuple[Fraction, ...], update: UpdateWork) -> tuple[Fraction, ...]:
        """Return the costs of a value with those of the update."""
        first, *others = row
        one, devices = self.device.energies, self.model.partition.leaves
        if one is None:
            return (first + update.seconds,)
        spent = (one.multiply * update.multiplies, one.add * update.adds, one.dram * update.bytes / WORD)
        return (first + update.seconds, *(a + devices * b for a, b in zip(others, spent, strict=True)))

    def _parts(self, operator: Operator, word: Sequence[str]) -> Parts:
        axes = self.model.axes
        return tuple(
            prod(size for size, letter in zip(axes, word, strict=True) if letter == name) if name in word else 1
            for name in operator.sizes
        )

    def _rated(self, operator: Operator, parts: Parts, runs: int) -> tuple[Fraction, ...]:
        """Return seconds and, where energies are known, joules of multiplications, additions and the memory.

        Parameters
        ----------
        runs
            Of the forward phase: 1, or 2 where it runs once more.
        """
        local = {name: -(-size // into) for (name, size), into in zip(operator.sizes.items(), parts, strict=True)}
        forward, backward = self._phases(operator, local)
        done = [*[forward] * runs, *([] if backward is None else [backward])]
        if self.device.times is None:
            seconds = sum((one.seconds(self.device) for one in done), start=Fraction(0))
        else:
            ahead, back = self.device.measured(operator, local)
            seconds = runs * ahead + (0 if backward is None else back)
        if self.device.energies is None:
            return (seconds,)
        one, devices = self.device.energies, self.model.partition.leaves
        products = sum((work.products for work in done), start=Fraction(0))
        others = sum((work.others for work in done), start=Fraction(0))
        moved = sum((work.bytes for work in done), start=Fraction(0)) / WORD
        return (
            seconds,
            devices * one.multiply * products,
            devices * one.add * (products + others),
            devices * one.dram * moved,
        )

    def _phases(self, operator: Operator, local: Mapping[str, int]) -> tuple[PhaseWork, PhaseWork | None]:
        """Return what is done forward and backward; nothing backward where no operand has a gradient."""
        tensors = self.graph.tensors

        def elements(operand: Operand) -> Fraction:
            held, whole = tensors[operand.tensor].elements, 1  # of whole numbers: products of fractions take long
            for name in operand.dims:
                if name is not None:
                    held, whole = held * local[name], whole * operator.sizes[name]
            return Fraction(held, whole)

        done, whole = operator.multiply_adds * prod(local.values()), prod(operator.sizes.values())
        products, written = Fraction(done, whole), elements(operator.output)
        read = [(one, tensors[one.tensor], elements(one)) for one in operator.operands]
        sizes = [count * tensor.element_bytes for _, tensor, count in read]
        output = written * tensors[operator.output.tensor].element_bytes
        forward = PhaseWork(products, Fraction(0) if products else written, sum(sizes, start=output))
        gradients = [(one, count) for one, tensor, count in read if one.has_gradient and tensor.has_gradient]
        if not gradients:
            return forward, None
        added = sum(one.is_added for one, _ in gradients)
        plain = Fraction(0) if products else sum((count for one, count in gradients if not one.is_added), Fraction(0))
        factors = len(gradients) - added if products else 0
        between = operator.products - 1 if factors else 0
        again = (bool(one.saved) + (one.has_gradient and tensor.has_gradient) for one, tensor, _ in read)
        moved = sum((times * size for times, size in zip(again, sizes, strict=True) if times), start=output)
        return forward, PhaseWork(products * (factors + between) / operator.products, plain + added * written, moved)


def _whole(values: list[int]) -> np.ndarray:
    """Return whole numbers in 64 bits if all fit."""
    dtype = np.int64 if max(values, default=0) < 2**62 else object
    return np.array(values, dtype=dtype)
