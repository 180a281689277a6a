"""Networks of operators with named dimensions, on arrays of any axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.operators.graph import Operand, Operator, OperatorGraph, Repeat, Role, Statistic, Tensor, Window
from hypar_opt.util.lazy import lazy_names

if TYPE_CHECKING:
    from hypar_opt.instance.operators.instance import OperatorInstance

__all__ = [
    "Operand",
    "Operator",
    "OperatorGraph",
    "OperatorInstance",
    "Repeat",
    "Role",
    "Statistic",
    "Tensor",
    "Window",
]

__getattr__ = lazy_names(__name__, {"instance": ("OperatorInstance",)})
