"""From a framework's graph to an instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.importers.draft import DraftLayer
from hypar_opt.importers.folding import folded
from hypar_opt.importers.instance import Imported, instance_of
from hypar_opt.importers.network import read_network

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.importers.graph import FrameworkGraph
    from hypar_opt.importers.network import ReadNetwork
    from hypar_opt.importers.records.record import Record
    from hypar_opt.importers.wishes import Wishes


def imported(source: FrameworkGraph, records: Mapping[str, Record], wishes: Wishes) -> Imported:
    """Return a framework's graph as an instance.

    Raises
    ------
    InputError
        If no network of operators says what it does.
    """
    network = read_network(source, records, strict=wishes.is_strict)
    first = next(iter(network.inputs)) if len(network.inputs) == 1 else None
    layers = folded([*network.layers, *_loss(network, wishes)], first)
    batch = wishes.batch or network.batch
    made = instance_of(source.name, batch, network.inputs, layers, element_bytes=source.element_bytes)
    warnings = list(network.warnings)
    counted = sum(network.trained.values())
    if made.graph.parameters != counted:
        warnings.append(f"the layers train {made.graph.parameters:,} numbers, and the model {counted:,}")
    return Imported(made, (f"{source.name}, read from {source.framework}.",), tuple(warnings))


def _loss(network: ReadNetwork, wishes: Wishes) -> tuple[DraftLayer, ...]:
    """Return the loss over the classes that the model's first output says, if one is wanted."""
    return (DraftLayer("loss", "loss", {}, network.outputs[:1]),) if wishes.has_loss else ()
