"""What would make room for a plan where there is none: an instance changed in one thing, and asked again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from hypar_opt.instance.schema import InstanceSpec


def feasible_with(problem: Evaluator, **changes: Any) -> bool:
    """Return whether some plan of a changed instance is allowed and fits; not if there can be no such instance.

    Parameters
    ----------
    changes
        Fields of the instance, as in `Instance.spec`.
    """
    try:
        return Evaluator(problem.instance.changed(**changes)).is_feasible
    except InputError:  # such as more levels than an accounting takes
        return False


def sized_by_levels(spec: InstanceSpec) -> bool:
    """Return whether nothing but the number of levels says how large the array is, so that it can have others."""
    array = spec.array
    sized = (array.accelerators, array.graph, array.dims, array.ports, array.switches)
    return not spec.fix and all(size is None for size in sized) and isinstance(array.placement, str)
