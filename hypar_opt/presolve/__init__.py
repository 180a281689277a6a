"""Presolve of large graphs: from a strategy graph to tables, and from those to smaller ones of the same optimum."""

from hypar_opt.presolve.compile import compile_graph
from hypar_opt.presolve.components import Component, components
from hypar_opt.presolve.joining import choices_together, duals_together
from hypar_opt.presolve.lifting import lifted
from hypar_opt.presolve.presolve import presolve
from hypar_opt.presolve.reduction import NoPlan, Reduction, Step

__all__ = [
    "Component",
    "NoPlan",
    "Reduction",
    "Step",
    "choices_together",
    "compile_graph",
    "components",
    "duals_together",
    "lifted",
    "presolve",
]
