"""Why DTensor moves something else than a plan is charged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.placements import PARTIAL
from hypar_opt.evaluation.operators.plan import is_shared
from hypar_opt.evaluation.operators.program import conversions
from hypar_opt.export.mesh_order import fits, mesh_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.count.comparison import Line, Source
    from hypar_opt.evaluation.operators.program import Conversion
    from hypar_opt.export.planned import PlannedStep

NESTED: Final = "shards of one dimension lie within each other"
"""Where an axis's shards cannot be had without those of another that splits the same dimension."""
ONE_BY_ONE: Final = "one axis after the other"
"""Where DTensor converts an axis before another one's sums or exchange would have made the tensor smaller."""
APART: Final = "sums along axes in another order than the array's"
"""Where axes do not stand in the mesh as in the array, so that a sum along several is a call for each."""
SUMMED: Final = "gradients are added up where the tensor lies"
"""Where several operators read a tensor, and the plan adds up their gradients elsewhere."""
OWN_RULE: Final = "DTensor's own rule for the operator"
"""Where an operator's inputs and outputs are converted within it, as those of a normalisation of split features."""


def explained(step: PlannedStep, lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return lines of which those that differ have their reason."""
    order = mesh_order(step)
    known: dict[Source, Conversion] = {
        (one.tensor, one.phase, one.reader): one for one in conversions(step.graph, step.plan)
    }

    def why(line: Line) -> str:
        one = known.get((line.tensor, line.phase, line.reader))
        if one is None or line.tensor not in step.graph.tensors:
            return OWN_RULE
        if line.phase == "backward" and is_shared(step.graph, line.tensor):
            return SUMMED
        if _sums_apart(one, order):
            return APART
        if one.have == one.need or step.graph.tensors[line.tensor].role == "parameter":
            return OWN_RULE
        return ONE_BY_ONE if fits(one.have, one.need, order) else NESTED

    return tuple(replace(line, why=why(line)) if line.difference else line for line in lines)


def _sums_apart(one: Conversion, order: Sequence[int]) -> bool:
    """Return whether a conversion sums up along several axes that do not stand in a mesh as in the array."""
    summed = [axis for axis in order if one.have[axis] == PARTIAL != one.need[axis]]
    return summed != sorted(summed)
