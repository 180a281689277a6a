"""The event-driven simulation of a training step.

`build_step` makes the tasks of a plan, `simulate` runs them on an array: accelerators, links and memories serve one
task at a time, and all times are exact. Without overlap and without contention a step takes what the analytic model
says: the seconds of computing and the time of communicating.
"""

from hypar_opt.simulation.build import build_step
from hypar_opt.simulation.critical import Reason, Step
from hypar_opt.simulation.engine import simulate
from hypar_opt.simulation.field import Clock, Field, Resource, Way
from hypar_opt.simulation.of_plan import Simulated, simulate_plan
from hypar_opt.simulation.options import Acquire, Hold, Options, Overlap
from hypar_opt.simulation.result import Simulation, Span, Use
from hypar_opt.simulation.stopping import SimulationStopped
from hypar_opt.simulation.tasks import Compute, Task, TaskGraph, Transfer
from hypar_opt.simulation.trace import trace_events, write_trace
from hypar_opt.simulation.waiting import Deadlock, Waiting
from hypar_opt.simulation.ways import field_of

__all__ = [
    "Acquire",
    "Clock",
    "Compute",
    "Deadlock",
    "Field",
    "Hold",
    "Options",
    "Overlap",
    "Reason",
    "Resource",
    "Simulated",
    "Simulation",
    "SimulationStopped",
    "Span",
    "Step",
    "Task",
    "TaskGraph",
    "Transfer",
    "Use",
    "Waiting",
    "Way",
    "build_step",
    "field_of",
    "simulate",
    "simulate_plan",
    "trace_events",
    "write_trace",
]
