"""What two plans of one instance can be compared by: bytes, collectives, and what an accelerator computes."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.objective.components import COMMUNICATION, COMPUTE_TIME

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class PlanQuantity:
    """Something of a plan.

    Parameters
    ----------
    name, unit
        As it is spelt, and what it is counted in.
    component
        What the evaluator knows it as; None of collectives, which are counted.
    """

    name: str
    unit: str
    component: str | None = None


_QUANTITIES: Final = (
    PlanQuantity("bytes", "bytes", COMMUNICATION),
    PlanQuantity("collectives", "collectives"),
    PlanQuantity("computing", "seconds", COMPUTE_TIME),
)
PLAN_QUANTITIES: Final[Mapping[str, PlanQuantity]] = MappingProxyType({one.name: one for one in _QUANTITIES})
"""By name."""
