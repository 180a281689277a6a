"""Accelerator arrays: graphs of accelerators, switches and links, and the routes through them."""

from hypar_opt.instance.hardware.graph_text import read_graph
from hypar_opt.instance.hardware.machine import Link, Machine, Rule
from hypar_opt.instance.hardware.routing import Hop, Routing, routing_of
from hypar_opt.instance.hardware.shape import Shape, Wire
from hypar_opt.instance.hardware.topologies import TOPOLOGIES, accelerator_count, machine_of
from hypar_opt.instance.hardware.topologies.custom import custom

__all__ = [
    "TOPOLOGIES",
    "Hop",
    "Link",
    "Machine",
    "Routing",
    "Rule",
    "Shape",
    "Wire",
    "accelerator_count",
    "custom",
    "machine_of",
    "read_graph",
    "routing_of",
]
