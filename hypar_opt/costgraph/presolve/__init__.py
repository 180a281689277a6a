"""Presolve of large graphs: from a strategy graph to tables, and from those to smaller ones of the same optimum."""

from hypar_opt.costgraph.presolve.components import Component, components
from hypar_opt.costgraph.presolve.merge import choices_together, duals_together, lifted
from hypar_opt.costgraph.presolve.presolve import presolve
from hypar_opt.costgraph.presolve.reduction import NoPlan, Reduction, Step

__all__ = [
    "Component",
    "NoPlan",
    "Reduction",
    "Step",
    "choices_together",
    "components",
    "duals_together",
    "lifted",
    "presolve",
]
