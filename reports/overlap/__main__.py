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
could; `=` where nothing is saved, or nothing can be. Each best order was replayed by the simulator, and takes exactly
as long."""
STEPS = """## Training steps

Each network's plan of least `time` on 2, 4 and 8 of the accelerators of `hypar-16`, an H tree; links shared in parts,
whole routes at once. *Barriers* are between all phases and exchanges, as the analytic model has them; the rule is
`simulate --overlap full`, first come first served. A better order lets another task go first, or a link or an
accelerator stand idle until the right one comes. Seconds."""
ROUTES = """## On a torus and on a ring

The same on eight of the accelerators on a torus of 2 x 4 and on a ring, with the H tree's links at its root: routes are
long and cross each other, and who goes first matters."""
STAGES = """## Microbatches at stages, operators, and sends

Microbatches by one forward, one backward in turn, without links and with a link in and one out of each device; of
operators what one of the devices does, which are alike, one after the other as the analytic model adds up; a
collective's sends as greedy ones go, first come first served, along the routes of the plan."""
RULE = {"1f1b": "one forward, one backward"}
LEVELS = (1, 2, 3)
TORI = {"torus 2 x 4": [2, 4], "ring of 8": [8]}
ON_TORI = ("cifar-c", "lenet-c", "sconv", "sfc")
STAGED = {
    "branched-training, 4 microbatches": ("branched-training", {}, None, TaskWishes(microbatches=4)),
    "branched-training, 8 microbatches": ("branched-training", {}, None, TaskWishes(microbatches=8)),
    "branched-training, 4 microbatches, links": ("branched-training", {}, None, TaskWishes(microbatches=4, links=True)),
    "sfc in stages, 8 microbatches": (
        "sfc", {"array": "hypar-16", "objective": "time", "levels": 2, "microbatches": 8}, None, TaskWishes(),
    ),
    "gpt2-block on 2 x 8, batch 16": (
        "gpt2-block", {"array": "a100-2x8", "objective": "time", "batch": 16}, None, TaskWishes(),
    ),
    "gpt2-block on 2 x 8, batch 64": (
        "gpt2-block", {"array": "a100-2x8", "objective": "time", "batch": 64}, None, TaskWishes(),
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
    found = overlap_of(tasks, "task-cp-sat", limits_of(None, limit, 0, 1))
    if found.replayed != found.best.objective:
        raise SystemExit(f"{name}: found {found.best.objective} s, replayed {found.replayed} s")
    return instance, plan, found


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


def step(name, given, limit):
    """Return the row of a network's step on an array."""
    instance, plan, found = overlap(name, {**given, "objective": "time"}, None, TaskWishes(), limit)
    barriers = simulate_plan(problem_of(instance), plan).simulation.time
    return {"barriers": shown(barriers), **columns(found)}


def torus(dims):
    """Return eight of the accelerators of the paper's array on a torus."""
    array = load("sfc", array="hypar-16").to_dict()["array"]
    link = {name: value for name, value in array["link"].items() if name != "at"}
    return {**array, "topology": "torus", "dims": dims, "levels": 3, "link": link}


def told(row):
    """Return a row, and say it meanwhile."""
    sys.stderr.write(f"{' '.join(row.values())}\n")
    return row


def main():
    """Put all of them in order, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m reports.overlap")
    parser.add_argument("--time-limit", type=int, default=60, help="seconds of each search")
    limit = parser.parse_args().time_limit
    steps = [
        told(
            {
                "network": name,
                "accelerators": str(2**levels),
                **step(name, {"array": "hypar-16", "levels": levels}, limit),
            }
        )
        for levels in LEVELS
        for name in networks()
    ]
    routed = [
        told({"network": name, "array": title, **step(name, {"array": torus(dims)}, limit)})
        for title, dims in TORI.items()
        for name in ON_TORI
    ]
    others = [
        told({"plan": title, "rule": RULE.get(found.order, found.order), **columns(found)})
        for title, case in STAGED.items()
        for *_, found in [overlap(*case, limit)]
    ]
    text = page(
        "What overlap is possible at best", TEXT.format(limit=limit), STEPS, steps, ROUTES, routed, STAGES, others
    )
    write_to_folder(FOLDER, {"overlap.md": text})
    sys.stdout.write(f"{FOLDER / 'overlap.md'}\n")


if __name__ == "__main__":
    main()
