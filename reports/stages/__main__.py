"""python -m reports.stages: strategies alone, a pipeline alone, and both, on 4 to 64 accelerators; some minutes."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from pathlib import Path

from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.solve import solve
from hypar_opt.solver.staged.problem import StagedProblem
from hypar_opt.util.files import write_to_folder
from reports.operators.page import page

from .networks import LEVELS, MICROBATCHES, PACES, instance, names

FOLDER = Path(__file__).parent
TEXT = """Written by `make stages`. Seconds of a training step of 256 samples, each column's best plan, all of them
proven: *strategies* is every layer on the whole array, without stages; *on fewer* the same on as many of the
accelerators as is best, for more of them share the same links; *pipeline* is stages of one accelerator each, without
strategies, with the best of 1, 4, 16 and 64 microbatches; *both* is stages on parts of the array with strategies
inside, likewise. *Gain* is what both save of the better of the last two, *won by* which of all has the least. The
accelerators and the H tree are `hypar-16`'s at other sizes, where every level shares out what a root's link carries;
what splits has to divide, of the batch a microbatch. What is assumed of stages is in
[Pipelines](../../docs/pipelines.md#stages-of-a-network-with-strategies-inside). `deep-chain` is 48 equal convolutions
of 128 filters on maps of 28 x 28."""


def seconds(value):
    """Return a time in a table."""
    return "none" if value is None else f"{float(value):.4g}"


def alone(problem):
    """Return the least time of stages of one accelerator each."""
    whole = problem.compiled.graph()
    graph = dataclasses.replace(whole, submeshes=tuple(one for one in whole.submeshes if not one.levels))
    found = load_formulation("submesh-dp").solve(graph, Run("submesh-dp"))
    if found.status is not Status.OPTIMAL:
        raise SystemExit(f"{problem.instance.name}: {found.status} of a pipeline alone")
    return Fraction(graph.value(found.choices), graph.unit)


def together(problem):
    """Return the least time of all layers in one stage, on as many accelerators as is best, and how many."""
    graph = problem.compiled.graph()
    every = tuple(range(graph.groups))
    first = [one for one in graph.submeshes if not one.first]
    times = {2**one.levels: Fraction(graph.inside.time(one.kind, every), problem.compiled.unit) for one in first}
    count = min(times, key=lambda one: (times[one], one))
    return times[count], count


def proven(plan):
    """Return a plan that is proven to be the best."""
    if plan.status is not Status.OPTIMAL:
        raise SystemExit(f"{plan.instance}: {plan.status} by {plan.formulation}, {plan.native_status}")
    return plan


def measured(name, levels, pace):
    """Return the row of a network on an array, and the row of its times by microbatches."""
    strategies = proven(solve(instance(name, levels, pace))).objective
    pipelines, staged = {}, {}
    for count in MICROBATCHES:
        problem = StagedProblem(instance(name, levels, pace, count))
        pipelines[count] = alone(problem)
        staged[count] = proven(solve(problem)), problem
    fewer, used = together(staged[1][1])
    pipeline = min(MICROBATCHES, key=pipelines.__getitem__)
    both = min(MICROBATCHES, key=lambda one: (staged[one][0].objective, one))
    plan, problem = staged[both]
    stages = problem.judged(plan.strategies).stages
    better = min(fewer, pipelines[pipeline])
    gain = 1 - plan.objective / better
    first = {
        "network": name,
        "accelerators": str(2**levels),
        "strategies": seconds(strategies),
        "on fewer": seconds(fewer),
        "of them": str(used),
        "pipeline": seconds(pipelines[pipeline]),
        "M": str(pipeline),
        "both": seconds(plan.objective),
        "its M": str(both),
        "stages of": " + ".join(str(one.count) for one in stages),
        "gain": f"{float(gain):.2%}" if gain else "none",
        "won by": _winner(fewer, used == 2**levels, pipelines[pipeline], plan.objective),
    }
    second = {"network": name, "accelerators": str(2**levels)}
    second |= {f"M = {count}": f"{float(staged[count][0].objective / strategies):.3f}" for count in MICROBATCHES}
    return first, second


def _winner(together, is_whole, pipeline, both):
    if both < min(together, pipeline):
        return "both"
    if together > pipeline:
        return "pipeline"
    return "strategies" if is_whole else "on fewer"


def main():
    """Write the page."""
    parts = []
    for said, pace in PACES.items():
        rows, by_count = [], []
        for name in names():
            for levels in LEVELS:
                first, second = measured(name, levels, pace)
                rows.append(first)
                by_count.append(second)
            print(said, name, flush=True)
        won = {one: sum(row["won by"] == one for row in rows) for one in ("both", "strategies", "on fewer", "pipeline")}
        summary = [{"of": str(len(rows)), **{f"won by {one}": str(count) for one, count in won.items()}}]
        parts += [f"## Links {said}", summary, "### The best of each", rows]
        parts += ["### Both, by microbatches, beside strategies alone", by_count]
    write_to_folder(FOLDER, {"stages.md": page("Strategies, pipelines and both", TEXT, *parts)})


if __name__ == "__main__":
    main()
