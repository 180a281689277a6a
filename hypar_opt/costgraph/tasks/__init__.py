"""Tasks in time, and schedules of them as formulations find them."""

from hypar_opt.costgraph.tasks.graph import NOT_DONE, KeptAmount, Precedence, TaskNode, TimedGraph
from hypar_opt.costgraph.tasks.replay import is_task_schedule, value_of_begins

__all__ = ["NOT_DONE", "KeptAmount", "Precedence", "TaskNode", "TimedGraph", "is_task_schedule", "value_of_begins"]
