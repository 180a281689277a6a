"""Accelerator arrays: so far the number of levels of their binary hierarchy."""

from hypar_opt.array.topologies import TOPOLOGIES, Topology

__all__ = ["TOPOLOGIES", "Topology"]
