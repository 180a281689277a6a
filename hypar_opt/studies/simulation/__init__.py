"""The event-driven simulation of a training step.

`build_step` makes the tasks of a plan, `simulate` runs them on an array: accelerators, links and memories serve one
task at a time, and all times are exact. Without overlap and without contention a step takes what the analytic model
says: the seconds of computing and the time of communicating.
"""

from hypar_opt.studies.simulation.build import build_step
from hypar_opt.studies.simulation.engine import Deadlock, simulate
from hypar_opt.studies.simulation.plan_step import Simulated, simulate_plan
from hypar_opt.studies.simulation.platform import Resource
from hypar_opt.studies.simulation.result import CriticalStep, Simulation, Span, Use
from hypar_opt.studies.simulation.tasks import (
    Acquire,
    Compute,
    Hold,
    Options,
    Overlap,
    SimulationStopped,
    TaskGraph,
    Transfer,
)
from hypar_opt.studies.simulation.trace import trace_events, write_trace

__all__ = [
    "Acquire",
    "Compute",
    "CriticalStep",
    "Deadlock",
    "Hold",
    "Options",
    "Overlap",
    "Resource",
    "Simulated",
    "Simulation",
    "SimulationStopped",
    "Span",
    "TaskGraph",
    "Transfer",
    "Use",
    "build_step",
    "simulate",
    "simulate_plan",
    "trace_events",
    "write_trace",
]
