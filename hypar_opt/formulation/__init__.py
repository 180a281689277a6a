"""What a formulation is: the one import of those who write one, and how formulations are found and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.formulation.potentials import Cluster, Message, Potentials
from hypar_opt.formulation.protocol import Capabilities, Formulation, Fronts, Marginals
from hypar_opt.formulation.run import Event, Limits, Run
from hypar_opt.formulation.solution import FrontPoint, FrontSolution, Solution, Status
from hypar_opt.util.lazy import lazy_names

if TYPE_CHECKING:
    from hypar_opt.formulation.registry import load_formulation

__all__ = [
    "Capabilities",
    "Cluster",
    "Event",
    "Formulation",
    "FrontPoint",
    "FrontSolution",
    "Fronts",
    "Limits",
    "Marginals",
    "Message",
    "Potentials",
    "Run",
    "Solution",
    "Status",
    "load_formulation",
]

__getattr__ = lazy_names(__name__, {"registry": ("load_formulation",)})
