"""From what an instance file says to a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.network import (
    INPUT,
    Activation,
    Add,
    Concat,
    Conv,
    Flatten,
    GlobalPool,
    Layer,
    Linear,
    Network,
    Op,
    Pool,
)

if TYPE_CHECKING:
    from hypar_opt.instance.network_schema import ConvSpec, LayerSpec, NetworkSpec, PoolSpec


def build_network(spec: NetworkSpec) -> Network:
    """Return the network; a layer that names no inputs reads the one above it.

    Raises
    ------
    NetworkError
        If layers do not fit together.
    """
    above = (INPUT, *(layer.name for layer in spec.layers))
    layers = tuple(
        Layer(layer.name, _op(layer), layer.inputs or (before,))
        for layer, before in zip(spec.layers, above, strict=False)
    )
    return Network(spec.input, layers)


def _op(layer: LayerSpec) -> Op:
    if layer.conv is not None:
        return _conv(layer.conv)
    if layer.linear is not None:
        return Linear(layer.linear.features, layer.linear.in_features)
    if layer.pool is not None:
        return _pool(layer.pool)
    if layer.global_pool is not None:
        return GlobalPool(layer.global_pool.kind)
    if layer.flatten is not None:
        return Flatten()
    if layer.activation is not None:
        return Activation()
    return Add() if layer.add is not None else Concat()


def _conv(spec: ConvSpec) -> Conv:
    return Conv(spec.filters, spec.kernel, spec.stride, spec.pad, spec.groups, spec.dilation)


def _pool(spec: PoolSpec) -> Pool:
    return Pool(spec.kernel, spec.stride or spec.kernel, spec.pad, spec.kind)
