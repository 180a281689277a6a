"""Where the groups of the partition stand in the array, and what each level's bytes then weigh."""

from hypar_opt.placement.compile import compile_placement, every_route, level_weights
from hypar_opt.placement.graph import PlacementGraph, Usage
from hypar_opt.placement.joint import JointGraph

__all__ = ["JointGraph", "PlacementGraph", "Usage", "compile_placement", "every_route", "level_weights"]
