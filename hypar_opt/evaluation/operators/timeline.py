"""The moments of a training step by a plan, and what is in a device's memory from one to another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.evaluation.operators.program import Phase
    from hypar_opt.instance.operators import Operator, OperatorGraph, Tensor

Use: TypeAlias = Literal[
    "parameters", "gradients", "states", "maps",
    "unread maps", "copies", "gathered parameters", "gradients of maps", "unscattered gradients",
]  # fmt: skip
"""What a buffer is for. Kept: parameters, their gradients and what the optimiser has for them, and maps for the
backward phase. Work space: maps that wait to be read, copies that are made to be read, parameters that are gathered,
gradients of maps, and gradients of parameters before they are scattered."""
KEPT: Final[tuple[Use, ...]] = ("parameters", "gradients", "states", "maps")
"""What is no work space."""


@dataclass(frozen=True)
class Buffer:
    """A tensor in the memory of every device.

    Parameters
    ----------
    tensor, placement
        Which, and how it lies.
    use
        What for.
    first, last
        Moments, both included.
    times
        Numbers for each of the tensor's.
    """

    tensor: Tensor
    placement: Placement
    use: Use
    first: int
    last: int
    times: int = 1


@dataclass(frozen=True)
class Timeline:
    """The moments of a training step.

    Parameters
    ----------
    graph, plan
        Which plan of what; one without faults.
    """

    graph: OperatorGraph
    plan: OperatorPlan

    @cached_property
    def moments(self) -> tuple[tuple[Phase, str], ...]:
        """Phases and operators, in order."""
        names, recomputed = [one.name for one in self.graph.operators], self.plan.recomputed
        found: list[tuple[Phase, str]] = [("forward", name) for name in names]
        lengths = {
            repeat.first + block * repeat.length - 1: repeat.length
            for repeat in self.graph.repeats
            for block in range(1, repeat.times + 1)
        }  # by the last operator of a block
        for number in reversed(range(len(names))):
            block = names[number + 1 - lengths.get(number, 0) : number + 1]
            found += [("recompute", name) for name in block if name in recomputed.again]
            found.append(("backward", names[number]))
        return tuple(found)

    @cached_property
    def at(self) -> Mapping[tuple[Phase, str], int]:
        """The moments' numbers."""
        return {moment: number for number, moment in enumerate(self.moments)}

    def forward(self, operator: Operator) -> int:
        """When an operator runs."""
        return self.at["forward", operator.name]

    def again(self, operator: Operator) -> int | None:
        """When it runs once more; None where it does not."""
        return self.at.get(("recompute", operator.name))

    def backward(self, operator: Operator) -> int:
        """When its backward phase is."""
        return self.at["backward", operator.name]
