"""Presolve of large graphs: from a strategy graph to tables, and from those to smaller ones of the same optimum."""

from hypar_opt.costgraph.presolve.components import Component, choices_together, components, duals_together
from hypar_opt.costgraph.presolve.presolve import merged, presolve
from hypar_opt.costgraph.presolve.reduction import NoPlan, Reduction, ReductionStep, lifted

__all__ = [
    "Component",
    "NoPlan",
    "Reduction",
    "ReductionStep",
    "choices_together",
    "components",
    "duals_together",
    "lifted",
    "merged",
    "presolve",
]
