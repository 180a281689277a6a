"""Networks: layers, shape inference, and the reduction to what a plan decides about."""

from hypar_opt.instance.network.graph import INPUT, Network
from hypar_opt.instance.network.layers import (
    Activation,
    Add,
    Concat,
    Conv,
    Flatten,
    GlobalPool,
    Layer,
    Linear,
    Pool,
)
from hypar_opt.instance.network.workload import Boundary, WorkLayer, Workload, workload

__all__ = [
    "INPUT",
    "Activation",
    "Add",
    "Boundary",
    "Concat",
    "Conv",
    "Flatten",
    "GlobalPool",
    "Layer",
    "Linear",
    "Network",
    "Pool",
    "WorkLayer",
    "Workload",
    "workload",
]
