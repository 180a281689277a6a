"""A part of an instance: some layers on some of the leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.instance import Instance
from hypar_opt.instance.network.part import part_of_network

if TYPE_CHECKING:
    from collections.abc import Collection

    from hypar_opt.instance.network import Network


def on_leaves(instance: Instance, first: int, levels: int) -> Instance:
    """Return the same network on a part of the array alone, standing where that part does.

    Parameters
    ----------
    first, levels
        The part's first leaf, and in how many levels it is cut.
    """
    return _changed(instance, instance.network, first, levels)


def stage_of(instance: Instance, layers: Collection[str], first: int, levels: int) -> Instance:
    """Return the instance that a stage is: some layers, with a part of the array of its own.

    The errors of what a stage reads from others are computed, whatever is said of those of the network's input.

    Parameters
    ----------
    layers
        Those with weights, and joins.
    first, levels
        As of `on_leaves`.
    """
    network = part_of_network(instance.network, layers)
    known = {layer.name: layer.op for layer in instance.network.layers}
    reads_others = any(known.get(layer.name, layer.op) != layer.op for layer in network.layers)
    return _changed(instance, network, first, levels, input_error=instance.input_error or reads_others)


def _changed(
    instance: Instance, network: Network, first: int, levels: int, *, input_error: bool | None = None
) -> Instance:
    """Return an instance that is a part of one that was checked: nothing is to be checked again."""
    assert instance.placement is not None  # which is checked where there are stages
    spec, machine = instance.spec, instance.machine
    sites = tuple(machine.accelerators[site] for site in instance.placement[first : first + 2**levels])
    array = spec.array.model_copy(update={"levels": levels, "placement": sites})
    cost = spec.cost if input_error is None else spec.cost.model_copy(update={"input_error": input_error})
    changed = spec.model_copy(update={"array": array, "cost": cost})
    made = object.__new__(Instance)
    vars(made).update(
        spec=changed,
        network=network,
        sha256=instance.sha256,
        overrides=instance.overrides,
        source=instance.source,
        built=machine,
    )
    return made
