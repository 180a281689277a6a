"""How a program keeps parameters: as they are used, or in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, AxisPlacement, needed, produced
from hypar_opt.evaluation.operators.plan import is_shared, shared_placement
from hypar_opt.export.jax.tables import Row
from hypar_opt.export.lying import Lying
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.export.jax.writer import Writer

IN_PARTS = ("zero-1", "zero-2", "zero-3")
"""Storages under which devices that have the same parameters keep parts of them, or of what belongs to them."""


def stored(writer: Writer, tensor: str) -> tuple[Row, Placement]:
    """Return how a parameter lies between steps, and how the sums of its gradient shall lie.

    Raises
    ------
    Refusal
        If it shall lie in parts, and there are no equal ones.
    """
    step = writer.step
    shape = step.graph.tensors[tensor].sizes
    orders = step.layouts.of(tensor, len(shape))
    if is_shared(step.graph, tensor):
        placement = shared_placement(step.graph, tensor, step.plan.shared[tensor][0])
        return Row(tensor, shape, placement, orders), placement
    number, place = step.graph.readers[tensor][0]
    reader = step.graph.operators[number]
    operand, word = reader.operands[place], step.plan.words[reader.name]
    used, made = needed(operand, word), produced(reader, operand, word)
    storage = step.plan.storage.get(reader.name, "replicated")
    if storage not in IN_PARTS:
        return Row(tensor, shape, used, orders), used
    lying = Lying(shape, list(orders), step.sizes, list(used))
    for axis, entry in enumerate(made):
        if entry == PARTIAL and used[axis] == WHOLE:
            dimension = lying.free(axis)
            if dimension is None:
                devices = step.partition.axes[axis]
                said = f"'{tensor}' of {' x '.join(map(str, shape))} falls into no equal parts along {devices.name}"
                raise Refusal(f"{said} ({devices.size}), as {storage} needs; programs are exported of equal parts")
            lying.now[axis] = AxisPlacement(dimension)
    parts = tuple(lying.now)
    return Row(tensor, shape, parts if storage == "zero-3" else used, tuple(lying.orders)), parts
