"""Networks of operators with named dimensions, on arrays of any axes."""

from hypar_opt.instance.operators.graph import Operand, Operator, OperatorGraph, Repeat, Role, Statistic, Tensor, Window
from hypar_opt.instance.operators.network import LayerRow, compile_network, describe, path_of_layer
from hypar_opt.instance.operators.network_schema import OperatorNetworkSpec

__all__ = [
    "LayerRow",
    "Operand",
    "Operator",
    "OperatorGraph",
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
