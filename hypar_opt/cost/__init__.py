"""Cost models: the layout rule, the accountings, and their compilation to a CostGraph."""

from hypar_opt.cost.compile import compile_workload, words_of
from hypar_opt.cost.computing import MEMORY, Computed, compute_costs, exchanged_energy, memory_capacity
from hypar_opt.cost.counting import Counter
from hypar_opt.cost.layout import CostModel, Layout, layout_of, remote_quarters
from hypar_opt.instance.accountings import ACCOUNTINGS, Accounting

__all__ = [
    "ACCOUNTINGS",
    "MEMORY",
    "Accounting",
    "Computed",
    "CostModel",
    "Counter",
    "Layout",
    "compile_workload",
    "compute_costs",
    "exchanged_energy",
    "layout_of",
    "memory_capacity",
    "remote_quarters",
    "words_of",
]
