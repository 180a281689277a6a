"""What crosses between the stages of a network, and what a byte of it costs where."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.cost.links import level_weights
from hypar_opt.costgraph.pipeline.submeshes import MovedTensor
from hypar_opt.instance.network.graph import INPUT
from hypar_opt.instance.network.part import homes_of
from hypar_opt.instance.objective.components import COMM_TIME
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from hypar_opt.instance import Instance


def moved_tensors(instance: Instance) -> tuple[MovedTensor, ...]:
    """Return what a layer makes and others read: each as it is read, once however many read it.

    It crosses twice, the map forward and its error backward.
    """
    network = instance.network
    names = network.decision_names
    number = {name: i for i, name in enumerate(names)}
    homes = homes_of(network, number)
    readers: dict[str, list[int]] = {}
    for layer in network.ordered:
        if layer.name in number:
            for tensor in dict.fromkeys(layer.inputs):
                if homes[tensor] != INPUT:
                    readers.setdefault(tensor, []).append(number[layer.name])
    both = 2 * instance.batch * instance.bytes_per_element
    return tuple(
        MovedTensor(number[homes[tensor]], tuple(own), both * prod(network.shapes[tensor]))
        for tensor, own in readers.items()
    )


def seconds_inside(instance: Instance, first: int, levels: int) -> tuple[Fraction, ...]:
    """Return what a byte of every level of a submesh takes: equal for submeshes on which all strategies do.

    Parameters
    ----------
    first, levels
        Of the submesh.
    """
    return level_weights(instance.machine, {COMM_TIME: Fraction(1)}, _sites(instance, first, 2**levels), halves(levels))


def seconds_across(instance: Instance, leaf: int, levels: int) -> Fraction:
    """Return what a byte takes that crosses in front of a leaf, between two submeshes of one size.

    Every accelerator of either sends its share to its counterpart in the other, as the halves of a group do.

    Parameters
    ----------
    leaf
        The first of the submesh behind.
    levels
        Of both.
    """
    sites = _sites(instance, leaf - 2**levels, 2 ** (levels + 1))
    return level_weights(instance.machine, {COMM_TIME: Fraction(1)}, sites, halves(levels + 1))[0]


def _sites(instance: Instance, first: int, count: int) -> tuple[int, ...]:
    assert instance.placement is not None  # which is checked where there are stages
    return instance.placement[first : first + count]
