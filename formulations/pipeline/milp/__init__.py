"""pipeline-milp: groups of operators at places, as a mixed-integer programme in PuLP, solved by HiGHS.

Contiguous stages have positions one after the other, each with one option, and the groups up to a position are a
down-set. HiGHS computes in floating point, so that its proofs rest on tolerances, which a Solution's note names; it
is only given times up to 2^27, rounded down where they are larger (`formulations.flow_model.refinement`), and what is
found is recomputed exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.flow_model.waiting import clash
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from formulations.flow_model.finish import SolverAnswer
    from formulations.pipeline.milp.programme import PlaceProgramme
    from formulations.pipeline.programme import StageProgramme
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

MOST_VARIABLES = 300_000
"""Of groups and outputs, times places: a model that PuLP builds in a minute."""
MOST_UNLIKE = 500
"""Groups times places, up to which stages in an order may be of several options: of 1,000, five kinds of devices and 40
operators, it took 400 s, and CP-SAT 2 s."""


@dataclass(frozen=True)
class PipelineMilp:
    """Stages, contiguous or not."""

    name: ClassVar[str] = "pipeline-milp"
    summary: ClassVar[str] = (
        "stages of a pipeline, contiguous or not, as a mixed-integer programme (HiGHS through PuLP)"
    )
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        warm_start=True,
        encoding="stage-positions",
        packages=("pulp", "highspy"),
        decides="stages",
        rank=302,
        vouches_for={"pipeline": 2},
    )

    def accepts(self, graph: StageGraph, run: Run) -> str | None:
        """Accept what can be built in reasonable time."""
        places = len(graph.slots)
        if graph.contiguous:
            places = min(graph.groups, graph.devices) * len(graph.options)
            places *= graph.in_flight if graph.counts_behind and len(graph.options) > 1 else 1
        size = (graph.groups + len(graph.owners)) * places
        if size > MOST_VARIABLES:
            return f"{size:,} groups and outputs times places, beyond {MOST_VARIABLES:,}; try pipeline-linear"
        if graph.contiguous and len(graph.options) > 1 and graph.groups * places > MOST_UNLIKE:
            unlike = f"{graph.groups * places:,} groups times places of {len(graph.options)} options"
            return f"{unlike}, beyond {MOST_UNLIKE:,}: its relaxation says little of these; try pipeline-cp-sat"
        return clash("highspy", "ortools")

    def solve(self, graph: StageGraph, run: Run) -> Solution:
        """Begin with cuts of the groups' own order, then search in small numbers; what is found is recomputed."""
        from formulations.pipeline.finish import solved

        return solved(graph, run, lambda stages, best: _searched(stages, best, run))


def _searched(stages: StageProgramme, best: Incumbent, run: Run) -> SolverAnswer:
    from formulations.flow_model.refinement import refined
    from formulations.milp import highs
    from formulations.pipeline.milp.model import build
    from formulations.pipeline.milp.programme import PlaceProgramme

    def search(part: PlaceProgramme, best: Incumbent, run: Run) -> SolverAnswer:
        hint = None if best.choices is None else part.placed(best.choices)
        # presolve (1.14) calls a plan optimal that is not
        return highs.search(build(part), part, best, run, is_presolved=False, hint=hint)

    return refined(PlaceProgramme.of(stages), best, run, search)


FORMULATION = PipelineMilp()
