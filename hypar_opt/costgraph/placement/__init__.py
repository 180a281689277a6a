"""Where the groups of the partition stand in the array, and what each level's bytes then weigh."""

from hypar_opt.costgraph.placement.graph import PlacementGraph, Usage
from hypar_opt.costgraph.placement.joint import JointGraph

__all__ = ["JointGraph", "PlacementGraph", "Usage"]
