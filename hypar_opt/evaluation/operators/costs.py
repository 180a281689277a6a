"""What a plan of operators costs by component: bytes, seconds and joules, as far as the array says enough."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.computing import works
from hypar_opt.evaluation.operators.crossings import on_graph
from hypar_opt.evaluation.operators.likeness import Likeness
from hypar_opt.evaluation.operators.movement import total
from hypar_opt.evaluation.operators.step import movements
from hypar_opt.evaluation.operators.update import updates
from hypar_opt.evaluation.operators.waits import joules, waits
from hypar_opt.instance.objective.components import (
    ADD_ENERGY,
    COMM_ENERGY,
    COMM_TIME,
    COMMUNICATION,
    COMPUTE_TIME,
    DRAM_ENERGY,
    ENERGY,
    HOP_BYTES,
    MULTIPLY_ENERGY,
    TIME,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.operators.crossings import Walks
    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.instance.operators.device import Device
    from hypar_opt.instance.operators.links import AxisLink
    from hypar_opt.util.partition import Partition

WORD_BYTES = 4
"""Of what the energy of an access is told."""
JOULES = (MULTIPLY_ENERGY, ADD_ENERGY, DRAM_ENERGY)
"""What devices spend; of accesses to buffers on the chip nothing is known."""


def costs(
    graph: OperatorGraph,
    partition: Partition,
    plan: OperatorPlan,
    links: Sequence[AxisLink] = (),
    device: Device | None = None,
    optimiser: Optimiser | None = None,
    walks: Walks | None = None,
) -> Mapping[str, Fraction]:
    """Return every component of a plan's cost that is known.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what; one without faults.
    links
        Along each axis.
    device
        What each can do; None where nothing of it is known.
    optimiser
        What updates the parameters; None where that is not counted.
    walks
        The routes of devices that stand on a graph; None where they do not.

    Raises
    ------
    InputError
        If a row of the device's measured times is missing.
    """
    alike = Likeness.of(graph, plan)
    moved = tuple(alike.all_moved(movements(graph, partition, plan, links, alike.first)))
    found = {COMMUNICATION: total(moved)}
    if walks is not None:
        crossed = on_graph(graph, plan, walks)
        placed = {HOP_BYTES: crossed.hop_bytes, COMM_TIME: crossed.seconds, COMM_ENERGY: crossed.joules}
        found |= {name: cost for name, cost in placed.items() if cost is not None}
    if links and all(link.bandwidth is not None for link in links):
        found[COMM_TIME] = sum(waits(moved, partition, links).values(), start=Fraction(0))
    if links and all(link.energy is not None for link in links):
        found[COMM_ENERGY] = joules(moved, partition, links)
    if device is not None:
        done = tuple(alike.all_done(works(graph, partition, plan, device, alike.operator_counts)))
        done += () if optimiser is None else tuple(updates(graph, partition, plan, device, optimiser))
        found[COMPUTE_TIME] = sum((one.seconds for one in done), start=Fraction(0))
        if device.energies is not None:
            one, devices = device.energies, partition.leaves
            found[MULTIPLY_ENERGY] = devices * one.multiply * sum(work.products + work.multiplies for work in done)
            found[ADD_ENERGY] = devices * one.add * sum(work.products + work.others for work in done)
            found[DRAM_ENERGY] = devices * one.dram * sum(work.bytes for work in done) / WORD_BYTES
    for whole, parts in ((TIME, (COMPUTE_TIME, COMM_TIME)), (ENERGY, (*JOULES, COMM_ENERGY))):
        if all(part in found for part in parts):
            found[whole] = sum((found[part] for part in parts), start=Fraction(0))
    return found
