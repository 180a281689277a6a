"""Task graphs in time: tasks that take resources for a while, what they wait for, and what is to be least."""

from hypar_opt.instance.tasks.instance import Dependence, Keep, TaskGraphInstance, TimedTask, read_task_graph
from hypar_opt.instance.tasks.schedule import TaskSchedule, read_task_schedule
from hypar_opt.instance.tasks.units import units_of
from hypar_opt.instance.tasks.words import NOT_DONE, PERIOD

__all__ = [
    "NOT_DONE",
    "PERIOD",
    "Dependence",
    "Keep",
    "TaskGraphInstance",
    "TaskSchedule",
    "TimedTask",
    "read_task_graph",
    "read_task_schedule",
    "units_of",
]
