"""Networks of operators with named dimensions, on arrays of any axes."""

from hypar_opt.instance.operators.graph import Operand, Operator, OperatorGraph, Repeat, Role, Statistic, Tensor, Window

__all__ = ["Operand", "Operator", "OperatorGraph", "Repeat", "Role", "Statistic", "Tensor", "Window"]
