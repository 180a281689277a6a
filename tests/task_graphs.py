"""Documents of task graphs for tests."""

from __future__ import annotations

from typing import Any

from hypar_opt.instance.tasks import TaskGraphInstance, read_task_graph
from hypar_opt.instance.tasks.schema import SCHEMA


def task_graph_document(*tasks: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a document with tasks, called k1, k2 and so on and of a second each unless they say otherwise."""
    named = [{"name": f"k{number}", "seconds": 1, **one} for number, one in enumerate(tasks, 1)]
    return {"schema": SCHEMA, "name": "it", **fields, "tasks": named}


def task_graph_of(*tasks: dict[str, Any], **fields: Any) -> TaskGraphInstance:
    """Return a task graph, as `task_graph_document` has it."""
    return read_task_graph(task_graph_document(*tasks, **fields))
