"""submesh-dp: stages on the parts of an array, by a dynamic programme over down-sets and leaves.

Alpa's scheme (Zheng et al., OSDI 2022) with every inner problem solved to a proof, and as few of them as that takes:
the programme is run over what stages take at least, then what its best stages take is found out, and what that says of
all stages that contain them, until the best stages by these bounds are known to take no more. Nothing else can be
better then, for nothing else takes less than its bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from hypar_opt.costgraph.pipeline.submeshes import SubmeshGraph
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True)
class SubmeshDp:
    """Stages on submeshes, exactly."""

    name: ClassVar[str] = "submesh-dp"
    summary: ClassVar[str] = "dynamic programme over down-sets and leaves, the strategies inside of stages exact"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        encoding="down-sets",
        decides="submeshes",
        rank=290,
        default_for={"staged": 0},
        vouches_for={"staged": 1},
    )

    def accepts(self, graph: SubmeshGraph, run: Run) -> str | None:
        """Accept times that sums of 64 bits hold."""
        from formulations.pipeline.submeshes.improving import too_long

        return "the times of these stages have too many digits for sums of 64 bits" if too_long(graph) else None

    def solve(self, graph: SubmeshGraph, run: Run) -> Solution:
        """Find the best stages by what is known of them, and more of them, until nothing is left to be found."""
        from formulations.pipeline.down_sets.best import best_of
        from formulations.pipeline.submeshes.improving import Improving, begun

        try:
            search = begun(graph, run)
        except Stopped:
            return Solution(Status.NO_SOLUTION, native_status="stopped")
        silent = replace(run, listener=None)  # what is found by bounds is no plan yet
        return Improving(search, run, lambda known: best_of(search, silent, known)).solution()


FORMULATION = SubmeshDp()
