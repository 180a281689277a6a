"""Documents of task graphs for tests."""

from __future__ import annotations

from random import Random
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


def drawn_task_graph(seed: object, objective: str = "makespan") -> dict[str, Any]:
    """Return a document of two to six tasks with a little of everything: units, memories, waits, groups, releases."""
    rng = Random(f"task graph {seed}")
    periodic = objective == "period"
    count = rng.choice({"makespan": (2, 3, 4, 4, 5), "completion-times": (2, 3, 3, 4), "period": (2, 3)}[objective])
    resources = {"a": rng.randint(1, 3), "b": 1}
    memories = {"m": rng.randint(3, 6)} if rng.random() < 0.5 else {}
    tasks: list[dict[str, Any]] = []
    for number in range(1, count + 1):
        task: dict[str, Any] = {
            "seconds": rng.choice([0, 1, 1, 2, 2 if periodic else 3]),
            "weight": rng.choice([0, 1, 2]),
        }
        task["on"] = {name: rng.randint(1, units) for name, units in resources.items() if rng.random() < 0.6}
        task["after"] = [
            {"task": f"k{other}", "lag": rng.choice([0, 0, 0, 1])} for other in range(1, number) if rng.random() < 0.25
        ]
        if rng.random() < 0.2:
            task["release"] = rng.randint(1, 3)
        if memories and rng.random() < 0.6:
            until = rng.randint(1, count)
            task["keeps"] = [{"memory": "m", "amount": rng.randint(1, 3), "until": f"k{until}"}]
        tasks.append(task)
    if rng.random() < 0.4:
        first, second = rng.sample(range(count), 2)
        tasks[first]["group"] = tasks[second]["group"] = "g"
        for one in (first, second):
            tasks[one]["after"] = [
                wait for wait in tasks[one]["after"] if wait["task"][1:] not in {str(first + 1), str(second + 1)}
            ]
    tasks[0]["weight"] = max(1, tasks[0]["weight"])
    if periodic:
        tasks[0]["seconds"] = max(1, tasks[0]["seconds"])
        for task in tasks:
            for keep in task.get("keeps", ()):
                keep.pop("until")
        if rng.random() < 0.6:
            first, second = rng.randint(1, count), rng.randint(1, count)
            if first == second or "group" not in tasks[first - 1] or "group" not in tasks[second - 1]:
                tasks[first - 1]["after"].append({"task": f"k{second}", "distance": rng.randint(1, 2)})
    return task_graph_document(
        *tasks, name=f"drawn-{seed}", resources=resources, memories=memories, objective=objective
    )
