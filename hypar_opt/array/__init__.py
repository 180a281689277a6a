"""Accelerator arrays: graphs of accelerators, switches and links, and the routes through them."""

from hypar_opt.array.machine import Link, Machine, Rule
from hypar_opt.array.routing import Hop, Routing, routing_of
from hypar_opt.array.shape import Shape, Wire
from hypar_opt.array.topologies import TOPOLOGIES, Topology

__all__ = ["TOPOLOGIES", "Hop", "Link", "Machine", "Routing", "Rule", "Shape", "Topology", "Wire", "routing_of"]
