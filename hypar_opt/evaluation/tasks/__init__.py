"""What is true of a schedule of a task graph, recomputed by itself; and what no schedule can be below."""

from hypar_opt.evaluation.tasks.judged import JudgedTasks

__all__ = ["JudgedTasks"]
