"""Cost models: the layout rule, the accountings, and their compilation to a CostGraph."""

from hypar_opt.accountings import ACCOUNTINGS, Accounting
from hypar_opt.cost.compile import compile_workload, words_of
from hypar_opt.cost.computing import MEMORY, Computed, compute_costs, exchanged_energy, memory_capacity
from hypar_opt.cost.counting import Counter
from hypar_opt.cost.layout import CHOICES, Choice, Layout, Tensor, choices_of, remote_quarters
from hypar_opt.cost.model import CostModel

__all__ = [
    "ACCOUNTINGS",
    "CHOICES",
    "MEMORY",
    "Accounting",
    "Choice",
    "Computed",
    "CostModel",
    "Counter",
    "Layout",
    "Tensor",
    "choices_of",
    "compile_workload",
    "compute_costs",
    "exchanged_energy",
    "memory_capacity",
    "remote_quarters",
    "words_of",
]
