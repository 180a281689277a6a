"""The event-driven simulation of a training step.

`build_step` makes the tasks of a plan, `simulate` runs them on an array: accelerators, links and memories serve one
task at a time, and all times are exact. Without overlap and without contention a step takes what the analytic model
says: the seconds of computing and the time of communicating.
"""

from hypar_opt.studies.simulation.build import build_step
from hypar_opt.studies.simulation.engine import Deadlock, WaitingTask, simulate
from hypar_opt.studies.simulation.interruption import SimulationStopped
from hypar_opt.studies.simulation.options import Acquire, Hold, Options, Overlap
from hypar_opt.studies.simulation.plan_step import Simulated, simulate_plan
from hypar_opt.studies.simulation.platform import Clock, Platform, Resource, Way, field_of
from hypar_opt.studies.simulation.result import CriticalStep, Reason, Simulation, Span, Use
from hypar_opt.studies.simulation.tasks import Compute, Task, TaskGraph, Transfer
from hypar_opt.studies.simulation.trace import trace_events, write_trace

__all__ = [
    "Acquire",
    "Clock",
    "Compute",
    "CriticalStep",
    "Deadlock",
    "Hold",
    "Options",
    "Overlap",
    "Platform",
    "Reason",
    "Resource",
    "Simulated",
    "Simulation",
    "SimulationStopped",
    "Span",
    "Task",
    "TaskGraph",
    "Transfer",
    "Use",
    "WaitingTask",
    "Way",
    "build_step",
    "field_of",
    "simulate",
    "simulate_plan",
    "trace_events",
    "write_trace",
]
