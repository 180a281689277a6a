"""Least makespans of two iterations of three blocks, proven where they can be."""

from __future__ import annotations

from fractions import Fraction

from hypar_opt import solve
from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.instance.tasks import TaskSchedule, read_task_graph, read_task_schedule, units_of
from hypar_opt.studies.conjugate_gradient import VARIANTS, Durations, Loop, cg_document, unroll
from hypar_opt.studies.conjugate_gradient.dispatch import dispatch, least, whole
from hypar_opt.studies.conjugate_gradient.document import WORKER

from .moments import is_possible

COMPARED = ("pcg", "pipelined-cg", "ifcg1", "ifcg2")
SECONDS = 120
"""Of one search; what is not proven by then is told with its bound."""


def makespans(workers, storage="renamed", variants=COMPARED):
    """Yield a row a variant and number of workers: the least makespan that was found, and what none is below.

    Work and paths between barriers are bounds by themselves; where tasks taken as they come meet them, nothing is
    searched. What a search leaves open is asked for in another way (`moments.py`).
    """
    for variant in variants:
        for count in workers:
            loop = Loop(VARIANTS[variant], 3, 2, storage=storage)
            makespan, bound = at_hand(loop, count)
            by = "bounds"
            if makespan > bound:
                plan, _ = solved(loop, count)
                by = "search" if plan.bound > bound else by
                makespan, bound = min(makespan, plan.objective), max(bound, plan.bound)
            if makespan > bound and nothing_below(loop, count, makespan):
                bound, by = makespan, "moments"
            yield {
                "variant": variant,
                "storage": storage,
                "workers": count,
                "makespan": makespan,
                "bound": bound,
                "bound by": by,
                "proven": makespan == bound,
            }


def solved(loop, workers):
    """Return a plan and its instance."""
    instance = read_task_graph(cg_document(loop, workers))
    return solve(instance, "task-cp-sat", time_limit=SECONDS, workers=1), instance


def nothing_below(loop, workers, makespan):
    """Return whether it is proven that no schedule is shorter."""
    steps = unroll(loop)
    _, (seconds,) = whole(Durations().of_all(steps, loop.blocks))
    return is_possible(steps, seconds, workers, int(makespan) - 1) is False


def at_hand(loop, workers):
    """Return the makespan of tasks taken as they come, judged, and what no schedule is below."""
    steps = unroll(loop)
    units, (seconds,) = whole(Durations().of_all(steps, loop.blocks))
    assert units == 1
    begins = dispatch(steps, seconds, workers).begins
    schedule = TaskSchedule({step.name: Fraction(begin) for step, begin in zip(steps, begins, strict=True)})
    judged = JudgedTasks(read_task_graph(cg_document(loop, workers)), schedule)
    assert judged.fault is None, judged.fault
    return judged.makespan, least(steps, seconds, workers)


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
