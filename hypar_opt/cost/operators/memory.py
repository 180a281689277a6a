"""What a plan keeps on every device: parameters, gradients, what the optimiser remembers, and maps.

It is the sum at the turn from the forward phase to the backward one, when every map is there that the backward phase
reads. Of blocks that are run once more, the maps inside come on top, those of one block at a time. What operators need
while they run (copies that collectives make, gradients of maps, rows of halos) comes on top, too, and is not counted.
"""

from __future__ import annotations

from functools import partial
from math import floor
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.operators.domains import COPY, FORWARD, Domain, DomainValue, codes, copied, is_shared, names_of
from hypar_opt.cost.operators.model import REPLICATED, SHARDED, OperatorModel
from hypar_opt.cost.operators.padding import held_padded
from hypar_opt.cost.operators.placements import held, needed, needed_before, needed_gradient, stored, written_gradient
from hypar_opt.cost.operators.recompute import is_read_backward, keeps_output
from hypar_opt.costgraph import Capacity, TableUnary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.cost.operators.recompute import Recomputed
    from hypar_opt.cost.operators.sharing import Sharing
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Operator, OperatorGraph, Tensor

MEMORY = "memory"
"""The capacity's name."""
SHARED_GRADIENTS = ("zero-2", SHARDED)
"""Storages under which gradients are shared out, too."""


def memory_of(
    graph: OperatorGraph, model: OperatorModel, domains: Sequence[Domain], sharing: Sharing
) -> tuple[Capacity, ...]:
    """Return the memory as capacities, in units of 1 / devices of a byte; none where it does not matter.

    There is one; of blocks that are run once more one for each, of what is kept all along and of the maps inside.
    """
    if model.memory is None:
        return ()
    index = {domain.name: place for place, domain in enumerate(domains)}
    again = sharing.again
    usages: dict[int, TableUnary] = {}
    inside: list[dict[int, TableUnary]] = [{} for _ in again.offered]
    for one in graph.operators:
        place = index[one.name]
        own = (one.output,) if keeps_output(one, graph) else ()
        kept = (*own, *(operand for operand in one.operands if operand.saved))
        blocks = {again.interior[x.tensor] for x in kept if True in again.ways_of_map(x.tensor)}
        for block, into in ((None, usages), *((block, inside[block]) for block in blocks)):
            into[place] = sharing.once(
                ("kept", sharing.likeness[one.name], block is None),
                partial(_keeping, one, graph, model, domains[place], again, block is not None),
            )
    for name, tensor in graph.tensors.items():
        times = _times(name, graph, model)
        if times:
            domain, names = domains[index[name + FORWARD]], names_of(name, graph)
            ways = again.ways_of_map(name)
            for flag, into in ((False, usages), *((True, inside[again.interior[name]]) for one in ways if one)):
                if flag in ways:
                    into[index[domain.name]] = sharing.once(
                        ("lies", id(domain.values), names, tensor.sizes, tensor.bytes * times, flag),
                        partial(_lying, domain, names, tensor, times, model, sharing.flags(domain) == flag),
                    )
    unit = model.partition.leaves
    rows = {f"{MEMORY} of block {n}": _joined(usages, one, sharing) for n, one in enumerate(inside) if one}
    limit = floor(model.memory * unit)
    return tuple(Capacity(name, limit, row, unit) for name, row in (rows or {MEMORY: usages}).items())


def _joined(usages: dict[int, TableUnary], inside: dict[int, TableUnary], sharing: Sharing) -> dict[int, TableUnary]:
    """Return what is used all along and by one block together."""

    def added(one: TableUnary, other: TableUnary | None) -> TableUnary:
        if other is None:
            return one
        return sharing.once(("both", id(one), id(other)), lambda: TableUnary(one.values + other.values))

    found = {place: added(one, inside.get(place)) for place, one in usages.items()}
    return found | {place: one for place, one in inside.items() if place not in usages}


def _lying(
    domain: Domain, names: Sequence[str | None], tensor: Tensor, times: int, model: OperatorModel, there: Array
) -> TableUnary:
    """Return what a shared tensor takes by its placements, by those where it is `there`."""
    return TableUnary(times * np.where(there, _held(tensor, codes(domain, names), model), 0))


def _held(tensor: Tensor, placements: Placements, model: OperatorModel) -> Array:
    """Return the bytes that a device has of a tensor, in units of 1 / devices; shape (words,)."""
    if model.padded:
        return tensor.element_bytes * held_padded(tensor.sizes, model.axes, placements)
    return tensor.bytes * held(placements, model.axes)


def _times(name: str, graph: OperatorGraph, model: OperatorModel) -> int:
    """Return how many numbers are kept for each of a shared tensor's as it lies for all readers."""
    if not is_shared(name, graph):
        return 0
    if graph.tensors[name].role == "parameter":
        return 2 + model.states if graph.tensors[name].has_gradient else 1
    return int(is_read_backward(name, graph))


def _keeping(
    operator: Operator, graph: OperatorGraph, model: OperatorModel, domain: Domain, again: Recomputed, inside: bool
) -> TableUnary:
    return TableUnary(_kept(operator, graph, model, domain, again, inside))


def _kept(
    operator: Operator, graph: OperatorGraph, model: OperatorModel, domain: Domain, again: Recomputed, inside: bool
) -> Array:
    """Return what an operator keeps by its values: its own parameters, copies of what it reads, what it alone keeps.

    Parameters
    ----------
    inside
        Whether maps inside of its block are meant, that are there while it runs once more; all else if not.
    """
    words = domain.words
    flags = np.array([value.again for value in domain.values])
    apart = {flag: copied(operator, graph, again, again=flag) for flag in (False, True)}
    storages = np.array([value.storage for value in domain.values])
    found = np.zeros(len(words), dtype=object)

    def keeps(value: DomainValue, place: int) -> bool:
        places = apart[value.again]
        if place in places:
            return value.kept[places.index(place)] == COPY
        return again.keeps(operator, operator.operands[place], again=value.again)

    def counted(tensor: str) -> Array:
        """Return by which values a map is counted here."""
        dropped: Array = flags & (tensor in again.interior)
        return dropped if inside else ~dropped

    for place, operand in enumerate(operator.operands):
        if inside and operand.tensor not in again.interior:
            continue
        tensor, need = graph.tensors[operand.tensor], needed(operand, words)
        whole = _held(tensor, need, model)
        shared = is_shared(operand.tensor, graph)
        if tensor.role == "parameter" and not tensor.has_gradient:
            found += 0 if shared else whole
        elif tensor.role == "parameter" and not shared:
            part = _held(tensor, stored(written_gradient(operator, operand, words), need), model)
            found += np.where(storages == SHARDED, part, whole)
            found += np.where(np.isin(storages, SHARED_GRADIENTS), part, whole)
            found += model.states * np.where(storages == REPLICATED, whole, part)
        elif tensor.role != "parameter":
            kept = np.array([keeps(value, place) for value in domain.values]) & counted(operand.tensor)
            found += np.where(kept & ~needed_before(operator, place, words, kept=True), whole, 0)
    if keeps_output(operator, graph):
        own = _held(graph.tensors[operator.output.tensor], needed_gradient(operator, words), model)
        found += np.where(counted(operator.output.tensor), own, 0)
    return found
