"""How long the best contiguous stages of others' pipelines take by pipeline-dp, beside the authors' own programme."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from formulations.pipeline.down_sets import FORMULATION
from hypar_opt.formulation.run import Run
from hypar_opt.formulation.solution import Status
from hypar_opt.importers.pipelines import import_pipeline
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator
from hypar_opt.solver.pipeline_problem import PipelineProblem
from hypar_opt.solver.solve import solve
from reports.benchmarks.protocol import median, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

INPUTS = Path(__file__).parents[3] / "shared" / "pipeline" / "dnn-partitioning" / "throughput-inputs"
AUTHORS = {
    "LayerGraphs/bert24_inference": 0.02,
    "LayerGraphs/bert24_training": 0.01,
    "LayerGraphs/resnet50_inference": 0.17,
    "LayerGraphs/resnet50_training": 0.31,
    "OperatorGraphs/resnet50_inference": 0.08,
    "OperatorGraphs/bert_l-3_inference": 1.4,
    "OperatorGraphs/bert_l-3_training": 8.1,
}
"""Seconds of the authors' programme over down-sets, in C++, on one core of a machine like this."""
RUNGS, BRANCHES, LENGTH = 12, 4, 6
RUNS, OF_SHORT = 5, 51
SHORT_S = 0.2
TITLE = "Seconds to the best contiguous stages, over down-sets"
NOTES = (
    f"Seconds of the processor, median of {RUNS}, of what takes less than {SHORT_S:g} s of {OF_SHORT}. 'search': "
    "cutting the operators' own order, counting down-sets and searching them; 'solve': the whole call, compiling, "
    "decoding and recomputation included, but not reading the file. Beside the search what the programme over "
    "down-sets of Tarnawski et al. (dnn-partitioning, C++) took, run once on one core; that of InceptionV3, 36,596 "
    f"down-sets, had not ended after 240 s. The last row is a graph of that size and kind, {RUNGS} modules of "
    f"{BRANCHES} branches of {LENGTH} operators each, which is no input of theirs. Target: slower on none, ten times "
    "as fast on the largest.",
)


def run() -> None:
    """Measure all inputs."""
    write("pipelines", TITLE, list(_rows()), NOTES)


def _rows() -> Iterator[dict[str, Any]]:
    for name, seconds in AUTHORS.items():
        file = INPUTS / f"{name}.json"
        if not file.exists():
            raise SystemExit(f"{file}: no such file; dnn-partitioning's throughput inputs are read from there")
        yield _row(name, import_pipeline(file).instance, seconds)
    yield _row("branched modules", modules(), None)


def _row(name: str, instance: PipelineInstance, authors: float | None) -> dict[str, Any]:
    whole, alone = [], []
    while len(whole) < (OF_SHORT if whole and min(whole) < SHORT_S else RUNS):
        problem = PipelineProblem(instance)
        whole.append(_seconds(lambda one=problem: solve(one, "pipeline-dp")))
        alone.append(_seconds(lambda one=problem: FORMULATION.solve(one.graph, Run("pipeline-dp"))))
    found = FORMULATION.solve(problem.graph, Run("pipeline-dp"))
    if found.status is not Status.OPTIMAL:
        raise AssertionError(f"{name}: {found.status}")
    search = median(alone)
    return {
        "pipeline": name,
        "operators": len(instance.operators),
        "groups": problem.graph.groups,
        "devices": instance.devices,
        "down-sets": found.statistics["down_sets"],
        "solve": f"{median(whole):.3f}",
        "search": f"{search:.3f}",
        "the authors'": "-" if authors is None else f"{authors:g}",
        "times as fast": "-" if authors is None else f"{authors / search:.1f}",
    }


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def modules() -> PipelineInstance:
    """Return modules one after the other, of branches that begin at what joins those of the one before."""
    operators: list[PipelineOperator] = []
    joined: tuple[str, ...] = ()
    for rung in range(RUNGS):
        ends = []
        for branch in range(BRANCHES):
            reads = joined
            for place in range(LENGTH):
                name = f"{rung}-{branch}-{place}"
                seconds = Fraction(1 + (7 * rung + 5 * branch + 3 * place) % 11, 1000)
                operators.append(PipelineOperator(name, "forward", {"gpu": seconds}, reads, Fraction(10**6)))
                reads = (name,)
            ends.append(reads[0])
        joined = (f"{rung}-join",)
        operators.append(PipelineOperator(joined[0], "forward", {"gpu": Fraction(1, 1000)}, tuple(ends)))
    return PipelineInstance("modules", "", tuple(operators), (DeviceKind("gpu", 6, None, Fraction(10**9)),))
