"""pipeline-local-search: from random stages, the best move of one group to another stage until none gains.

The heuristic that Tarnawski et al. compare with (Efficient Algorithms for Device Placement of DNN Graph Operators,
NeurIPS 2020), which starts ten times. Where stages are contiguous it starts from random cuts of the groups' own
order, and leaves moves out that break the order.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, ClassVar

from formulations.pipeline.bounds import lower_bound
from formulations.pipeline.fitted import fitted
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from formulations.pipeline.moves import StageMoves
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run

RESTARTS = 10
"""As in the paper."""
TRIES = 100
"""Random starts that may not fit, before a restart is given up."""


@dataclass(frozen=True)
class PipelineLocalSearch:
    """Descends from several random starts.

    Parameters
    ----------
    restarts
        How many.
    """

    restarts: int = RESTARTS
    name: ClassVar[str] = "pipeline-local-search"
    summary: ClassVar[str] = "moves of one operator from ten random starts (Tarnawski et al.)"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, warm_start=True, decides="stages", rank=303)

    def accepts(self, graph: StageGraph, run: Run) -> str | None:
        """Accept every pipeline."""
        return None

    def solve(self, graph: StageGraph, run: Run) -> Solution:
        """Descend from the run's start, then from random ones."""
        from formulations.pipeline.moves import StageMoves

        bound, best, draw = lower_bound(graph), Incumbent.of(graph, run), Random(run.limits.seed)
        run.bound(bound)
        done = 0
        for _ in range(self.restarts):
            begin = best.choices if run.start is not None and not done else _random(graph, draw)
            if run.limits.over:
                break
            if begin is not None:
                best.offer(begin)
                _descend(StageMoves(graph, begin), best, run)
                done += 1
        facts = {"descents": done, "seed": run.limits.seed}
        native = "stopped" if run.limits.over else "the best of its descents"
        if best.choices is None:
            return Solution(Status.NO_SOLUTION, None, bound, native, "no random start fits", facts)
        status = Status.OPTIMAL if best.value == bound else Status.FEASIBLE
        return Solution(status, best.choices, bound, native, "", facts)


def _descend(moves: StageMoves, best: Incumbent, run: Run) -> None:
    """Make the best move that is allowed, until none gains."""
    while not run.limits.over:
        move = moves.best()
        if move is None:
            return
        moves.make(*move)
        best.offer(moves.choices)


def _random(graph: StageGraph, draw: Random) -> tuple[int, ...] | None:
    """Return random stages that fit; None where none were found."""
    for _ in range(TRIES):
        slots, left = list(range(len(graph.slots))), list(graph.counts)
        draw.shuffle(slots)
        taken: list[int] = []
        for slot in slots:
            option = graph.options[graph.slots[slot].option]
            if left[option.kind] >= option.devices and len(taken) != graph.most_stages:
                left[option.kind] -= option.devices
                taken.append(slot)
        if graph.contiguous:
            ends = sorted(draw.randint(0, graph.groups) for _ in taken[1:])
            found = tuple(taken[sum(end <= group for end in ends)] for group in range(graph.groups))
        else:
            able = [[slot for slot in taken if _allows(graph, group, slot)] for group in range(graph.groups)]
            found = tuple(draw.choice(own or taken) for own in able)
        chosen = fitted(graph, found)
        if graph.feasible(chosen):
            return chosen
    return None


def _allows(graph: StageGraph, group: int, slot: int) -> bool:
    return bool(graph.options[graph.slots[slot].option].allowed[group])


FORMULATION = PipelineLocalSearch()
