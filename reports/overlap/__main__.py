"""python -m reports.overlap: what overlap is possible at best, beside what rules do; some ten minutes."""

from __future__ import annotations

import argparse
import sys
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from hypar_opt import load, solve
from hypar_opt.formulation.run import limits_of
from hypar_opt.solver.kinds import problem_of
from hypar_opt.studies.simulation import simulate_plan
from hypar_opt.studies.tasks.of_plan import TaskWishes, plan_tasks
from hypar_opt.studies.tasks.overlap import overlap_of
from hypar_opt.util.files import write_to_folder
from reports.operators.page import count, page

FOLDER = Path(__file__).parent
TEXT = """Written by `make overlap`. The tasks of a plan, as [`task-graph plan`](../../docs/commands/task-graph.md)
writes them, in two orders: by a rule, and the best that `task-cp-sat` finds in {limit} s by one worker, beginning with
the rule's. *None below* is proven. *Saved* is what the best saves of the rule's seconds, *at most* what any order
could; `=` where nothing is saved, or nothing can be."""
STEPS = """## Training steps

Each network's plan of least `time` on 2, 4 and 8 of the accelerators of `hypar-16`, an H tree; links shared in parts,
whole routes at once. *Barriers* are between all phases and exchanges, as the analytic model has them; the rule is
`simulate --overlap full`, first come first served. Waiting for the right transfer, and letting a link or an
accelerator stand idle meanwhile, is what a better order does."""
STAGES = """## Microbatches at stages, and sends

Microbatches by one forward, one backward in turn, without links and with a link in and one out of each device; a
collective's sends as greedy ones go, first come first served, along the routes of the plan."""
LEVELS = (1, 2, 3)
STAGED = {
    "branched-training, 4 microbatches": ("branched-training", {}, None, TaskWishes(microbatches=4)),
    "branched-training, 8 microbatches": ("branched-training", {}, None, TaskWishes(microbatches=8)),
    "branched-training, 4 microbatches, links": ("branched-training", {}, None, TaskWishes(microbatches=4, links=True)),
    "sfc in stages, 8 microbatches": (
        "sfc", {"array": "hypar-16", "objective": "time", "levels": 2, "microbatches": 8}, None, TaskWishes(),
    ),
    "torus-4x4-gather by multitree": ("torus-4x4-gather", {}, "multitree", TaskWishes()),
    "torus-4x4-gather by rings": ("torus-4x4-gather", {}, "ring-2d", TaskWishes()),
    "dgx-1 by multitree": ("dgx-1", {}, "multitree", TaskWishes()),
}  # fmt: skip
"""By title: instance, overrides, the formulation of the plan, and how it is written."""


def networks():
    """Return the ten networks of the paper."""
    from hypar_opt.instance.shipped import shipped_instances

    return [name for name, path in shipped_instances().items() if path.parent.name == "hypar"]


def shown(seconds):
    """Return a time in a table."""
    return "none" if seconds is None else f"{float(seconds):.5g}"


def share(part):
    """Return a share in a table."""
    return "=" if not part else "<0.01 %" if part < Fraction(1, 10000) else f"{float(100 * part):.2f} %"


def overlap(name, given, formulation, wishes, limit):
    """Return a plan, and its tasks in both orders."""
    instance = load(name, **given)
    plan = solve(instance, formulation, workers=1, time_limit=limit)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "plan.json"
        plan.save(path)
        tasks = plan_tasks(name, path, wishes)
    return instance, plan, overlap_of(tasks, "task-cp-sat", limits_of(None, limit, 0, 1))


def columns(found):
    """Return what a table says of both orders."""
    return {
        "tasks": count(len(found.instance.tasks)),
        "by the rule": shown(found.ruled.makespan),
        "best": shown(found.best.objective),
        "none below": shown(max(found.floor, found.best.bound or 0)),
        "saved": share(found.saved),
        "at most": share(found.most_saved),
        "best is": str(found.best.status),
    }


def step(name, levels, limit):
    """Return the row of a network's step."""
    given = {"array": "hypar-16", "levels": levels, "objective": "time"}
    instance, plan, found = overlap(name, given, None, TaskWishes(), limit)
    barriers = simulate_plan(problem_of(instance), plan).simulation.time
    first = {"network": name, "accelerators": str(2**levels), "barriers": shown(barriers)}
    return {**first, **columns(found)}


def told(row):
    """Return a row, and say it meanwhile."""
    sys.stderr.write(f"{' '.join(row.values())}\n")
    return row


def main():
    """Put all of them in order, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m reports.overlap")
    parser.add_argument("--time-limit", type=int, default=20, help="seconds of each search")
    limit = parser.parse_args().time_limit
    steps = [told(step(name, levels, limit)) for levels in LEVELS for name in networks()]
    others = [
        told({"plan": title, "rule": found.order, **columns(found)})
        for title, case in STAGED.items()
        for *_, found in [overlap(*case, limit)]
    ]
    text = page("What overlap is possible at best", TEXT.format(limit=limit), STEPS, steps, STAGES, others)
    write_to_folder(FOLDER, {"overlap.md": text})
    sys.stdout.write(f"{FOLDER / 'overlap.md'}\n")


if __name__ == "__main__":
    main()
