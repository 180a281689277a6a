"""Accelerator arrays: graphs of accelerators, switches and links, and the routes through them."""

from hypar_opt.array.custom import custom
from hypar_opt.array.graph_text import read_graph
from hypar_opt.array.machine import Link, Machine, Rule
from hypar_opt.array.routing import Hop, Routing, routing_of
from hypar_opt.array.shape import Shape, Wire
from hypar_opt.array.topologies import TOPOLOGIES, Topology, accelerator_count, machine_of

__all__ = [
    "TOPOLOGIES",
    "Hop",
    "Link",
    "Machine",
    "Routing",
    "Rule",
    "Shape",
    "Topology",
    "Wire",
    "accelerator_count",
    "custom",
    "machine_of",
    "read_graph",
    "routing_of",
]
