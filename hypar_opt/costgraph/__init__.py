"""The CostGraph and the costs on it."""

from hypar_opt.costgraph.edge import EdgeCost, EdgeTerm, TableEdge, WordEdge
from hypar_opt.costgraph.graph import Capacity, CostGraph, Edge, Variable
from hypar_opt.costgraph.objective import Objective
from hypar_opt.costgraph.unary import Array, TableUnary, UnaryCost, UnaryTerm, WordUnary
from hypar_opt.costgraph.words import Words

__all__ = [
    "Array",
    "Capacity",
    "CostGraph",
    "Edge",
    "EdgeCost",
    "EdgeTerm",
    "Objective",
    "TableEdge",
    "TableUnary",
    "UnaryCost",
    "UnaryTerm",
    "Variable",
    "WordEdge",
    "WordUnary",
    "Words",
]
