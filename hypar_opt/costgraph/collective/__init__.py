"""A collective on an array, and schedules of it as formulations find them."""

from hypar_opt.costgraph.collective.graph import CollectiveGraph, CollectiveLink, Demand
from hypar_opt.costgraph.collective.moves import Move, read_moves, written
from hypar_opt.costgraph.collective.replay import is_schedule, value_of

__all__ = ["CollectiveGraph", "CollectiveLink", "Demand", "Move", "is_schedule", "read_moves", "value_of", "written"]
