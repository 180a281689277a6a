"""A part of a network, as a network of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.network.graph import INPUT, Network
from hypar_opt.instance.network.layers import Activation, Assume, Layer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

READ_OUTSIDE = "read outside: "
"""What stands before the name of a tensor that is read by others as well, where that is said by a layer of its own."""


def homes_of(network: Network, decided: Collection[str]) -> Mapping[str, str]:
    """Return by tensor the decided layer that it comes from, behind pools and the like; or the network's input.

    Parameters
    ----------
    decided
        Layers with weights, and joins.
    """
    homes = {INPUT: INPUT}
    for layer in network.ordered:
        homes[layer.name] = layer.name if layer.name in decided else homes[layer.inputs[0]]
    return homes


def part_of_network(network: Network, names: Collection[str]) -> Network:
    """Return the network of some decided layers, with the pools and the like behind them.

    What they read from others is of the shape that it has there, without a layer that makes it. What others read from
    them is read here too, by nothing that computes, so that its size counts as it did.

    Parameters
    ----------
    names
        Of layers with weights, and joins.
    """
    homes = homes_of(network, network.decision_names)
    own = [layer for layer in network.ordered if homes[layer.name] in names or homes[layer.name] == INPUT]
    inside = {layer.name for layer in own}
    read = dict.fromkeys(name for layer in own for name in layer.inputs if name != INPUT and name not in inside)
    given = [Layer(name, Assume(network.shapes[name]), (INPUT,)) for name in read]
    return Network.from_layers(network.input, (*given, *own, *_read_outside(network, homes, names)))


def _read_outside(network: Network, homes: Mapping[str, str], names: Collection[str]) -> Iterator[Layer]:
    """Yield a layer for each tensor of the part that a decided layer outside of it reads."""
    decided = set(network.decision_names)
    others = (layer for layer in network.ordered if layer.name in decided and layer.name not in names)
    read = dict.fromkeys(name for layer in others for name in layer.inputs if homes[name] in names)
    for name in read:
        yield Layer(f"{READ_OUTSIDE}{name}", Activation(), (name,))
