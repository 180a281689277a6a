"""Layers that are split in halves elsewhere mean the same here: shapes, parameters, multiply-adds."""

from __future__ import annotations

from math import prod

import pytest

from hypar_opt.instance import read_instance
from hypar_opt.instance.faults import checked
from hypar_opt.instance.network import workload
from hypar_opt.instance.operators import OperatorNetworkSpec, describe
from hypar_opt.instance.shipped import find_instance

NAMES = ("lenet-c", "vgg-e", "alexnet-full", "resnet-50")


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_network_is_the_same(name):
    network = read_instance(find_instance(name)).network
    rows = {row.layer: row for row in describe(checked(OperatorNetworkSpec, network.document), 3, 4)}
    decided = {one.name: one for one in workload(network).layers}
    for layer in network.layers:
        row = rows[layer.name]
        weights, macs = (decided[layer.name].weight, decided[layer.name].macs) if layer.name in decided else (0, 0)
        assert row.output is not None
        assert prod(row.output.values()) == 3 * prod(network.shapes[layer.name])
        assert tuple(row.output.values())[1:] == network.shapes[layer.name]
        assert (row.parameters, row.multiply_adds) == (weights, 3 * macs)
