"""The CostGraph and the costs on it."""

from hypar_opt.costgraph.differences import Differences, differences
from hypar_opt.costgraph.duals import Duals, Priced, rounded
from hypar_opt.costgraph.edge import EdgeCost, EdgeTerm, TableEdge
from hypar_opt.costgraph.graph import CostGraph, graph_of
from hypar_opt.costgraph.memory import Memory, offsets
from hypar_opt.costgraph.objective import Objective, Weight
from hypar_opt.costgraph.parts import Capacity, Edge, Repeats, Variable
from hypar_opt.costgraph.product_edge import ProductEdge, ProductTerm
from hypar_opt.costgraph.tables import FORBIDDEN, Tables
from hypar_opt.costgraph.unary import Array, TableUnary, UnaryCost
from hypar_opt.costgraph.word_edge import WordEdge
from hypar_opt.costgraph.word_unary import Counts, LetterCounts, UnaryTerm, WordUnary, all_counts
from hypar_opt.costgraph.words import Words

__all__ = [
    "FORBIDDEN",
    "Array",
    "Capacity",
    "CostGraph",
    "Counts",
    "Differences",
    "Duals",
    "Edge",
    "EdgeCost",
    "EdgeTerm",
    "LetterCounts",
    "Memory",
    "Objective",
    "Priced",
    "ProductEdge",
    "ProductTerm",
    "Repeats",
    "TableEdge",
    "TableUnary",
    "Tables",
    "UnaryCost",
    "UnaryTerm",
    "Variable",
    "Weight",
    "WordEdge",
    "WordUnary",
    "Words",
    "all_counts",
    "differences",
    "graph_of",
    "offsets",
    "rounded",
]
