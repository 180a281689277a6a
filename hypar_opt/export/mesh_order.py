"""In which order the axes of an array are those of a mesh whose shards of one dimension lie within each other.

PyTorch's DTensor cuts a dimension that several axes split along one after the other, in the mesh's order. So an axis is
gathered as it is only if no axis behind it stays split; otherwise both are gathered, and one is cut off anew. Which
devices are along an axis is the same in every order.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.program import conversions

if TYPE_CHECKING:
    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.export.planned import PlannedStep


def mesh_order(step: PlannedStep) -> tuple[int, ...]:
    """Return the axes, outermost first, in that order in which least bytes are of conversions that do not fit it."""
    among = [one for one in conversions(step.graph, step.plan) if one.have != one.need]

    def unfit(order: tuple[int, ...]) -> int:
        return sum(one.size for one in among if not fits(one.have, one.need, order))

    return min(permutations(range(len(step.sizes))), key=unfit)


def fits(have: Placement, need: Placement, order: tuple[int, ...]) -> bool:
    """Return whether along every dimension axes that stay are outside of others, which do not both come and go."""
    dimensions = {one.position for one in (*have, *need)} - {None}
    return all(_nested(have, need, order, dimension) for dimension in dimensions)


def _nested(have: Placement, need: Placement, order: tuple[int, ...], dimension: int | None) -> bool:
    before, after = ([axis for axis in order if one[axis].position == dimension] for one in (have, need))
    stay = [axis for axis in before if axis in after]
    if len(before) > len(stay) < len(after):
        return False  # what comes lies inside of what goes, which has to be gathered first
    return before[: len(stay)] == stay == after[: len(stay)]
