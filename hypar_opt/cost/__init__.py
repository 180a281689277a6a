"""Cost models: the layout rule, the accountings, and their compilation to a CostGraph."""

from hypar_opt.cost.accounting import ACCOUNTINGS, Accounting
from hypar_opt.cost.compile import compile_workload
from hypar_opt.cost.layout import CHOICES, Choice, Layout, Tensor, remote_quarters
from hypar_opt.cost.model import CostModel

__all__ = [
    "ACCOUNTINGS",
    "CHOICES",
    "Accounting",
    "Choice",
    "CostModel",
    "Layout",
    "Tensor",
    "compile_workload",
    "remote_quarters",
]
