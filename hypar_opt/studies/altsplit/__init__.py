"""Altsplit beside what it is compared with and what is optimal, on perceptrons and any number of processes."""

from hypar_opt.studies.altsplit.least import ChainSetting, LeastPlan, divides, least_of_chain
from hypar_opt.studies.altsplit.plans import PricedPlan, compared, optimum, perceptron, priced, turns

__all__ = [
    "ChainSetting",
    "LeastPlan",
    "PricedPlan",
    "compared",
    "divides",
    "least_of_chain",
    "optimum",
    "perceptron",
    "priced",
    "turns",
]
