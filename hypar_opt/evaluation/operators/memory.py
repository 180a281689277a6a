"""What a plan of operators keeps in each device's memory from one step, or one phase, to the next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.evaluation.operators.conversion import PART
from hypar_opt.evaluation.operators.index_sets import held, measure
from hypar_opt.evaluation.operators.placements import Placement, needed, produced
from hypar_opt.evaluation.operators.plan import OperatorPlan, is_shared, shared_placement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.operators import OperatorGraph, Tensor
    from hypar_opt.util.partition import Partition

Kept: TypeAlias = Literal["parameters", "gradients", "states", "maps"]
"""Kinds of what is kept: parameters, their gradients, what the optimiser has for them, and what the backward phase
reads of what the forward phase read."""
STAGES: Final[Mapping[str, int]] = MappingProxyType({"replicated": 0, "zero-1": 1, "zero-2": 2, "zero-3": 3})
"""By storage, how much of an operator's own parameters lies in parts: states, gradients as well, the parameters too."""


def resident(
    graph: OperatorGraph, partition: Partition, plan: OperatorPlan, optimiser: Optimiser
) -> Mapping[str, Mapping[Kept, Fraction]]:
    """Return the bytes on each device, by operator and kind; what is 0 is left out.

    A map is kept as the operator needs that reads it again, and once where several need it alike: that is the first
    one's. So are copies of a parameter that several read; its gradient is kept where it is summed up. Halos are not
    counted, nor what only passes through. Of what does not divide it is the mean of all devices.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what; one without faults.
    optimiser
        How many numbers it has for each one trained.
    """
    sizes = [axis.size for axis in partition.axes]
    first = [0] * len(sizes)  # stands for all: their index sets are equally large
    found: dict[str, dict[Kept, Fraction]] = {one.name: defaultdict(Fraction) for one in graph.operators}
    for tensor in graph.tensors.values():
        for operator, kind, copies, placement in _kept(graph, tensor, plan, optimiser):
            if copies:
                found[operator][kind] += copies * tensor.bytes * measure(held(placement, first), sizes)
    return {name: dict(kinds) for name, kinds in found.items()}


def _kept(
    graph: OperatorGraph, tensor: Tensor, plan: OperatorPlan, optimiser: Optimiser
) -> Iterator[tuple[str, Kept, int, Placement]]:
    """Yield whose it is, of which kind, how many numbers of each and where."""
    readers = graph.readers[tensor.name]
    if not readers:
        return
    saved = _saved(graph, tensor, plan)
    if tensor.role != "parameter":
        yield from ((operator, "maps", 1, placement) for placement, operator in saved.items())
        return
    owner = graph.operators[readers[0][0]]
    if is_shared(graph, tensor.name):
        words = plan.shared[tensor.name]
        stored = owned = shared_placement(graph, tensor.name, words[0])
        summed = shared_placement(graph, tensor.name, words[1])
        yield from ((operator, "parameters", 1, place) for place, operator in saved.items() if place != stored)
    else:
        operand, word = owner.operands[readers[0][1]], plan.words[owner.name]
        used = needed(operand, word)
        parts = used
        if tensor.has_gradient:
            pairs = zip(produced(owner, operand, word), used, strict=True)
            parts = tuple(PART if made.is_partial else there for made, there in pairs)
        stage = STAGES[plan.storage.get(owner.name, "replicated")]
        stored, summed, owned = (parts if stage >= least else used for least in (3, 2, 1))
    yield owner.name, "parameters", 1, stored
    if tensor.has_gradient:
        yield owner.name, "gradients", 1, summed
        yield owner.name, "states", optimiser.states, owned


def _saved(graph: OperatorGraph, tensor: Tensor, plan: OperatorPlan) -> Mapping[Placement, str]:
    """Return where copies lie that the backward phase reads, and the first operator that does."""
    found: dict[Placement, str] = {}
    for number, place in graph.readers[tensor.name]:
        operator = graph.operators[number]
        if operator.operands[place].saved:
            found.setdefault(needed(operator.operands[place], plan.words[operator.name]), operator.name)
    return found
