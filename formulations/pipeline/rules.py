"""The pipelines that others are compared with: one order of the groups, cut by a rule.

* pipeline-linear (Harlap et al., PipeDream, 2019): the best cuts of one topological order, replicas included;
* pipeline-proportional: every device the groups that fit into its share of the work, by speed, rounded down, as
  tools for several unlike computers deal out layers;
* pipeline-equal: as many groups a device, the first ones one more;
* pipeline-one-device: everything on the device that does it soonest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run

Rule: TypeAlias = "Callable[[StageGraph, Run], Sequence[int] | None]"
"""From groups to their slots; None where there are no devices for it."""


@dataclass(frozen=True)
class PipelineRule:
    """A rule; its bound says how far from the best it can be.

    Parameters
    ----------
    name, summary, rank
        For tables.
    rule
        As above.
    """

    name: str
    summary: str
    rank: int
    rule: Rule

    @property
    def capabilities(self) -> Capabilities:
        """A rule proves nothing."""
        return Capabilities(exact=False, decides="stages", reads_batch=True, rank=self.rank)

    def accepts(self, graph: StageGraph, run: Run) -> str | None:
        """Accept what the tables of the cuts of one order have room for."""
        from formulations.pipeline.start import too_large

        return too_large(graph, run) if self.rule is best_cuts else None

    def solve(self, graph: StageGraph, run: Run) -> Solution:
        """Apply the rule, then bound."""
        from formulations.pipeline.bounds import lower_bound

        bound = lower_bound(graph)
        run.bound(bound)
        try:
            choices = self.rule(graph, run)
        except Stopped:
            return Solution(Status.NO_SOLUTION, bound=bound, native_status="stopped")
        if choices is None or not graph.feasible(choices):
            note = "the rule's stages may not be there, do not fit, or need more devices"
            return Solution(Status.NO_SOLUTION, None, bound, "rule not allowed", note)
        found = tuple(int(slot) for slot in choices)
        value = graph.value(found)
        run.incumbent(value, found)
        if value == bound:
            return Solution(Status.OPTIMAL, found, bound, "a rule that meets the bound: the work, evenly")
        return Solution(Status.FEASIBLE, found, bound, "a rule, not a search")


def best_cuts(graph: StageGraph, run: Run) -> Sequence[int] | None:
    """Return the best contiguous cuts of the groups' own order."""
    from formulations.pipeline.start import cuts

    found = cuts(graph, run)
    return None if found is None else found.choices


def proportional(graph: StageGraph, run: Run) -> Sequence[int] | None:
    """Return cuts in proportion to speed: what the work up to a group is of all, no more than the devices up to its."""
    from formulations.pipeline.bounds import least_times
    from formulations.pipeline.fitted import fitted

    work = [int(time) for time in least_times(graph)]
    slots = _single(graph)
    totals = [sum(map(int, graph.options[graph.slots[slot].option].times)) for slot in slots]
    speeds = [Fraction(1, total) if total else Fraction(1) for total in totals]
    limits = [found * sum(work) for found in accumulate(speeds)]
    done, choices, place = 0, [], 0
    for own in work:
        done += own
        while place < len(slots) - 1 and done * sum(speeds) > limits[place]:
            place += 1
        choices.append(slots[place])
    return fitted(graph, choices)


def equal(graph: StageGraph, run: Run) -> Sequence[int] | None:
    """Return cuts of equal numbers of groups."""
    from formulations.pipeline.fitted import fitted

    slots = _single(graph)
    least, more = divmod(graph.groups, len(slots))
    sizes = [least + (place < more) for place in range(len(slots))]
    return fitted(graph, [slot for slot, size in zip(slots, sizes, strict=True) for _ in range(size)])


def one_device(graph: StageGraph, run: Run) -> Sequence[int] | None:
    """Return all groups on the device that may have them and does them soonest."""
    from formulations.pipeline.fitted import fitted

    whole = (fitted(graph, (slot,) * graph.groups) for slot in _single(graph))
    return min((one for one in whole if graph.feasible(one)), key=graph.value, default=None)


def _single(graph: StageGraph) -> list[int]:
    """Return the slots of one device each, one a device, and no more than there may be stages."""
    found = [place for place, slot in enumerate(graph.slots) if graph.options[slot.option].devices == 1]
    return found[: graph.most_stages]


LINEAR = PipelineRule("pipeline-linear", "the best cuts of one order of the operators (PipeDream)", 304, best_cuts)
PROPORTIONAL = PipelineRule("pipeline-proportional", "operators in proportion to devices' speeds", 305, proportional)
EQUAL = PipelineRule("pipeline-equal", "as many operators on every device", 306, equal)
ONE_DEVICE = PipelineRule("pipeline-one-device", "everything on the quickest device", 307, one_device)
