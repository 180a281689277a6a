"""What two plans of one instance can be compared by: bytes, collectives, and what an accelerator computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.evaluation.communication.counts import PlannedCollective, collectives_of
from hypar_opt.instance.objective.components import COMPUTE_TIME

if TYPE_CHECKING:
    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.replacements import Case

Words: TypeAlias = Mapping[str, str]


@dataclass(frozen=True)
class PlanQuantity:
    """Something of a plan.

    Parameters
    ----------
    name, unit
        As it is spelt, and what it is counted in.
    of
        Its value.
    """

    name: str
    unit: str
    of: Callable[[Case, Words, PlanCache], Fraction]


def counted(case: Case, words: Words) -> tuple[PlannedCollective, ...]:
    """Return the collectives of a plan."""
    from hypar_opt.instance.network import workload

    one = case.instance
    return collectives_of(workload(one.network), words, input_error=one.input_error)


_QUANTITIES: Final = (
    PlanQuantity("bytes", "bytes", lambda case, words, plans: Fraction(plans.problem(case).bytes_of(words).total)),
    PlanQuantity("collectives", "collectives", lambda case, words, plans: Fraction(len(counted(case, words)))),
    PlanQuantity("computing", "seconds", lambda case, words, plans: plans.cost(case, words, COMPUTE_TIME)),
)
PLAN_QUANTITIES: Final[Mapping[str, PlanQuantity]] = MappingProxyType({one.name: one for one in _QUANTITIES})
"""By name."""
