"""Least makespans of two iterations of three blocks, proven where they can be."""

from __future__ import annotations

from hypar_opt import solve
from hypar_opt.instance.tasks import read_task_graph, read_task_schedule, units_of
from hypar_opt.studies.conjugate_gradient import VARIANTS, Durations, Loop, cg_document, unroll
from hypar_opt.studies.conjugate_gradient.dispatch import least, whole
from hypar_opt.studies.conjugate_gradient.document import WORKER

COMPARED = ("pcg", "pipelined-cg", "ifcg1", "ifcg2")
SECONDS = 60
"""Of one search; what is not proven by then is told with its bound."""


def makespans(workers, storage="renamed", variants=COMPARED):
    """Yield a row a variant and number of workers: the least makespan that was found, and what none is below."""
    for variant in variants:
        for count in workers:
            loop = Loop(VARIANTS[variant], 3, 2, storage=storage)
            plan, _ = solved(loop, count)
            bound = max(plan.bound, barrier_bound(loop, count))
            yield {
                "variant": variant,
                "storage": storage,
                "workers": count,
                "makespan": plan.objective,
                "bound": bound,
                "proven": plan.objective == bound,
            }


def solved(loop, workers):
    """Return a plan and its instance."""
    instance = read_task_graph(cg_document(loop, workers))
    return solve(instance, "task-cp-sat", time_limit=SECONDS, workers=2), instance


def barrier_bound(loop, workers):
    """Return what no schedule is below by work and paths between barriers, which parts the search does not see."""
    steps = unroll(loop)
    units, (seconds,) = whole(Durations().of_all(steps, loop.blocks))
    assert units == 1
    return least(steps, seconds, workers)


def bars(variant, workers):
    """Return the tasks of an optimum: who does what when, and of which iteration it is."""
    plan, instance = solved(Loop(VARIANTS[variant], 3, 2), workers)
    schedule = read_task_schedule(instance, plan.strategies)
    units = units_of(instance, schedule, WORKER)
    return [
        {
            "variant": f"{variant}: {plan.objective}",
            "task": task.name,
            "worker": units[task.name][0] + 1,
            "begin": float(schedule.begins[task.name]),
            "end": float(schedule.begins[task.name] + task.seconds),
            "iteration": int(task.name.split(".")[1]) + 1,
        }
        for task in instance.tasks
        if units.get(task.name)
    ]


def as_table(rows):
    """Return a row a variant, a column a number of workers; what is not proven with its bound before it."""
    found = {}
    for row in rows:
        text = str(row["makespan"]) if row["proven"] else f"{row['bound']} to {row['makespan']}"
        found.setdefault(row["variant"], {"workers": row["variant"]})[str(row["workers"])] = text
    return list(found.values())
