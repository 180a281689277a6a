"""Networks of operators with named dimensions, on arrays of any axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.operators.graph import Operand, Operator, OperatorGraph, Repeat, Role, Statistic, Tensor
from hypar_opt.instance.operators.window import Window
from hypar_opt.util.lazy import lazy_names

if TYPE_CHECKING:
    from hypar_opt.instance.operators.instance import OperatorInstance
    from hypar_opt.instance.operators.network import LayerRow, compile_network, describe, path_of_layer
    from hypar_opt.instance.operators.network_schema import OperatorNetworkSpec

__all__ = [
    "LayerRow",
    "Operand",
    "Operator",
    "OperatorGraph",
    "OperatorInstance",
    "OperatorNetworkSpec",
    "Repeat",
    "Role",
    "Statistic",
    "Tensor",
    "Window",
    "compile_network",
    "describe",
    "path_of_layer",
]

__getattr__ = lazy_names(
    __name__,
    {
        "instance": ("OperatorInstance",),
        "network": ("LayerRow", "compile_network", "describe", "path_of_layer"),
        "network_schema": ("OperatorNetworkSpec",),
    },
)
