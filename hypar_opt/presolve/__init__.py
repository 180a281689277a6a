"""Presolve of large graphs: from a strategy graph to tables, and from those to smaller ones of the same optimum."""

from hypar_opt.presolve.compile import compile_graph
from hypar_opt.presolve.lifting import lifted
from hypar_opt.presolve.presolve import presolve
from hypar_opt.presolve.reduction import NoPlan, Reduction, Step

__all__ = ["NoPlan", "Reduction", "Step", "compile_graph", "lifted", "presolve"]
