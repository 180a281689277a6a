"""What a plan of operators keeps in each device's memory from one step, or one phase, to the next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.evaluation.operators.conversion import PART
from hypar_opt.evaluation.operators.index_sets import local_sizes
from hypar_opt.evaluation.operators.likeness import Likeness, Near
from hypar_opt.evaluation.operators.placements import Placement, needed, produced
from hypar_opt.evaluation.operators.plan import OperatorPlan, is_shared, readers_that_keep_first, shared_placement
from hypar_opt.evaluation.operators.recomputation import keeps_output, lies_for_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.operators import OperatorGraph, Tensor
    from hypar_opt.util.partition import Partition

Kept: TypeAlias = Literal["parameters", "gradients", "states", "maps", "recomputed"]
"""Kinds of what is kept: parameters, their gradients, what the optimiser has for them, what the backward phase reads of
what the forward phase read, and of the block that takes most of it the maps inside while it runs once more."""
STAGES: Final[Mapping[str, int]] = MappingProxyType({"replicated": 0, "zero-1": 1, "zero-2": 2, "zero-3": 3})
"""By storage, how much of an operator's own parameters lies in parts: states, gradients as well, the parameters too."""


def resident(
    graph: OperatorGraph, partition: Partition, plan: OperatorPlan, optimiser: Optimiser, near: Near | None = None
) -> Mapping[str, Mapping[Kept, Fraction]]:
    """Return the bytes on each device, by operator and kind; what is 0 is left out.

    A map is kept as the operator needs it that reads it again. One that several read is kept as it lies for all of
    them, which is the first one's, and beside that as a copy by each that needs it otherwise and does not convert it
    once more; one that is only read again to run once more is kept by each who does that, as it needs it. What its own
    operator reads again that keeps as it wrote it, which serves a single reader that needs it so. A parameter that
    several read is kept with its gradient and states as it is stored. Halos are not counted, nor what only passes
    through. Of what does not divide it is the mean of all devices, or, where the plan pads, the size of the largest
    part. Maps inside of blocks that run once more are there for one block at a time: of that which takes most they are
    counted, as `recomputed`.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what; one without faults.
    optimiser
        How many numbers it has for each one trained.
    near
        Of which operators, where nothing runs once more; of all unless given.
    """
    size_of = local_sizes(partition, is_padded=plan.is_padded)
    alike = Likeness.of(graph, plan).tensors if near is None else near.tensors
    names = [one.name for one in graph.operators] if near is None else near.operators
    found: dict[str, dict[Kept, int]] = {name: {} for name in names}
    inside: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    known: dict[str, list[tuple[int, Kept, int]]] = {}
    for name, first in alike.items():
        if name == first:
            tensor, touching = graph.tensors[name], _touching(graph, name)
            known[name] = [
                (touching.index(operator), kind, copies * size_of(tensor, placement))
                for operator, kind, copies, placement in _kept(graph, tensor, plan, optimiser)
                if copies
            ]
        if not known[first]:
            continue
        touching, block = _touching(graph, name), plan.recomputed.inside.get(name)
        for place, kind, size in known[first]:
            operator = touching[place]
            if near is not None and operator not in found:
                continue
            if block is None:
                found[operator][kind] = found[operator].get(kind, 0) + size
            else:
                inside[block][operator] += size
    largest = max(inside.values(), key=lambda one: sum(one.values()), default={})
    for operator, size in largest.items():
        found[operator]["recomputed"] = size
    amounts = {size: Fraction(size, partition.leaves) for own in found.values() for size in own.values()}
    return {name: {kind: amounts[size] for kind, size in own.items()} for name, own in found.items()}


def _touching(graph: OperatorGraph, tensor: str) -> list[str]:
    """Return who writes a tensor, if anybody does, and who reads it; of tensors that are alike in the same order."""
    names = [graph.operators[number].name for number, _ in graph.readers[tensor]]
    return [graph.operators[graph.writers[tensor]].name, *names] if tensor in graph.writers else names


def total_resident(graph: OperatorGraph, partition: Partition, plan: OperatorPlan, optimiser: Optimiser) -> Fraction:
    """Return the bytes on each device of all operators together; as `resident` takes it."""
    size_of = local_sizes(partition, is_padded=plan.is_padded)

    def size(tensor: Tensor) -> int:
        return sum(copies * size_of(tensor, there) for _, _, copies, there in _kept(graph, tensor, plan, optimiser))

    inside, blocks = plan.recomputed.inside, defaultdict[int, int](int)
    for name, block in inside.items():
        blocks[block] += size(graph.tensors[name])
    alike = Likeness.of(graph, plan).tensor_counts.items()
    all_along = sum(times * size(graph.tensors[name]) for name, times in alike if name not in inside)
    return Fraction(all_along + max(blocks.values(), default=0), partition.leaves)


def _kept(
    graph: OperatorGraph, tensor: Tensor, plan: OperatorPlan, optimiser: Optimiser
) -> Iterator[tuple[str, Kept, int, Placement]]:
    """Yield whose it is, of which kind, how many numbers of each and where."""
    readers = graph.readers[tensor.name]
    if not readers:
        return
    if tensor.role != "parameter":
        yield from _maps(graph, tensor, plan)
        return
    owner, (stored, summed, owned) = lies_of_parameter(graph, tensor, plan)
    yield owner, "parameters", 1, stored
    if tensor.has_gradient:
        yield owner, "gradients", 1, summed
        yield owner, "states", optimiser.states, owned


def lies_of_parameter(
    graph: OperatorGraph, tensor: Tensor, plan: OperatorPlan
) -> tuple[str, tuple[Placement, Placement, Placement]]:
    """Return whose a parameter is, who reads it first, and where it lies, its gradient, and the optimiser's states."""
    number, place = graph.readers[tensor.name][0]
    owner = graph.operators[number]
    if is_shared(graph, tensor.name):
        lies = shared_placement(graph, tensor.name, plan.shared[tensor.name][0])
        return owner.name, (lies, lies, lies)
    operand, word = owner.operands[place], plan.words[owner.name]
    used = parts = needed(operand, word)
    if tensor.has_gradient:
        pairs = zip(produced(owner, operand, word), used, strict=True)
        parts = tuple(PART if made.is_partial else there for made, there in pairs)
    stage = STAGES[plan.storage.get(owner.name, "replicated")]
    stored, summed, owned = (parts if stage >= least else used for least in (3, 2, 1))
    return owner.name, (stored, summed, owned)


def _maps(graph: OperatorGraph, tensor: Tensor, plan: OperatorPlan) -> Iterator[tuple[str, Kept, int, Placement]]:
    """Yield the copies of a map that are kept for who reads it backward, or runs once more."""
    stored: Placement | None = None
    held_already = set[tuple[int, Placement]]()
    writer = None if tensor.role == "input" else graph.operators[graph.writers[tensor.name]]
    own: Placement | None = None
    if writer is not None and keeps_output(graph, writer):
        own = needed(writer.output, plan.words[writer.name])
        yield writer.name, "maps", 1, own
    for number, place in readers_that_keep_first(graph, tensor.name):
        operator = graph.operators[number]
        if not plan.recomputed.is_kept(operator, operator.operands[place]):
            continue
        if is_shared(graph, tensor.name) and stored is None and lies_for_all(graph, tensor.name):
            stored = shared_placement(graph, tensor.name, plan.shared[tensor.name][0])
            if stored != own:
                yield operator.name, "maps", 1, stored
        need = needed(operator.operands[place], plan.words[operator.name])
        if (number, need) in held_already:
            continue  # it keeps what it reads twice alike but once
        held_already.add((number, need))
        if stored is None:
            if need != own or is_shared(graph, tensor.name):
                yield operator.name, "maps", 1, need
        elif need != stored and not plan.keeps_no_copy(graph, operator, place):
            yield operator.name, "maps", 1, need
