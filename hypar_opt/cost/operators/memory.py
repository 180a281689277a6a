"""What a plan keeps on every device: parameters, gradients, what the optimiser remembers, and maps.

It is the sum at the turn from the forward phase to the backward one, when every map is there that the backward phase
reads. What operators need while they run (copies that collectives make, gradients of maps, rows of halos) comes on top
and is not counted.
"""

from __future__ import annotations

from functools import partial
from math import floor
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.operators.domains import (
    COPY,
    FORWARD,
    REPLICATED,
    SHARDED,
    Domain,
    OperatorModel,
    codes,
    copied,
    is_shared,
    names_of,
)
from hypar_opt.cost.operators.padding import held_padded
from hypar_opt.cost.operators.placements import held, needed, stored, written_gradient
from hypar_opt.costgraph import Capacity, TableUnary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.cost.operators.sharing import Sharing
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Operator, OperatorGraph, Tensor

MEMORY = "memory"
"""The capacity's name."""
SHARED_GRADIENTS = ("zero-2", SHARDED)
"""Storages under which gradients are shared out, too."""


def memory_of(
    graph: OperatorGraph, model: OperatorModel, domains: Sequence[Domain], sharing: Sharing
) -> Capacity | None:
    """Return the memory as a capacity, in units of 1 / devices of a byte; None where it does not matter."""
    if model.memory is None:
        return None
    index = {domain.name: place for place, domain in enumerate(domains)}
    usages = {}
    for one in graph.operators:
        usages[index[one.name]] = sharing.once(
            ("kept", sharing.likeness[one.name]), partial(_keeping, one, graph, model, domains[index[one.name]])
        )
    for name, tensor in graph.tensors.items():
        times = _times(name, graph, model)
        if times:
            domain, names = domains[index[name + FORWARD]], names_of(name, graph)
            usages[index[domain.name]] = sharing.once(
                ("lies", id(domain.values), names, tensor.sizes, tensor.bytes * times),
                partial(_lying, domain, names, tensor, times, model),
            )
    unit = model.partition.leaves
    return Capacity(MEMORY, floor(model.memory * unit), usages, unit)


def _lying(domain: Domain, names: Sequence[str | None], tensor: Tensor, times: int, model: OperatorModel) -> TableUnary:
    """Return what a shared tensor takes by its placements."""
    return TableUnary(times * _held(tensor, codes(domain, names), model))


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
    readers = (graph.operators[number].operands[place] for number, place in graph.readers[name])
    return int(any(operand.saved for operand in readers))


def _keeping(operator: Operator, graph: OperatorGraph, model: OperatorModel, domain: Domain) -> TableUnary:
    return TableUnary(_kept(operator, graph, model, domain))


def _kept(operator: Operator, graph: OperatorGraph, model: OperatorModel, domain: Domain) -> Array:
    """Return what an operator keeps by its values: of its own parameters, and copies of what it reads."""
    words = domain.words
    apart = copied(operator, graph)
    storages = np.array([value.storage for value in domain.values])
    found = np.zeros(len(words), dtype=object)
    for place, operand in enumerate(operator.operands):
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
        elif place in apart:
            copies = [value.kept[apart.index(place)] == COPY for value in domain.values]
            found += np.where(copies, whole, 0)
        elif tensor.role != "parameter" and operand.saved:
            found += whole
    return found
