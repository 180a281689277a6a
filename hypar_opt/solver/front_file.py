"""What files of fronts say: read strictly; each of a front's points is a whole plan."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import Field, model_validator

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.fields import refusal
from hypar_opt.instance.text import shown
from hypar_opt.solver.exact_field import Exact
from hypar_opt.solver.plan_file import CostClaim, FoundSpec, NetworkPlanSpec
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SCHEMA: Final = "hypar-opt/front/1"
COMPONENT_COUNTS: Final = (2, 3)
"""How many components a front can have."""


class PointSpec(NetworkPlanSpec):
    """A point of a front."""

    cost: CostClaim = Field(description="by component")
    plan: dict[str, str] = Field(description="a strategy for every layer")
    objective: Exact | None = Field(None, description="the objective's value, null where a placement is still free")
    note: str = Field("", description="of this plan")


class FrontSpec(FoundSpec):
    """A front's file."""

    schema_version: Literal["hypar-opt/front/1"] = Field(alias="schema", description="version of the format")
    components: list[str] = Field(description="what is traded for what")
    complete: bool = Field(description="whether these are said to be all points")
    excess: Exact | None = Field(
        None, description="by which share of its costs any plan may be better, null if unknown"
    )
    least_product: int | None = Field(None, description="the position of the point with the least product, from 0")
    points: list[PointSpec] = Field(description="plans, ascending by the first component")

    @model_validator(mode="after")
    def _is_front(self) -> FrontSpec:
        fault = next(chain(self._own_faults(), self._missing(), self._point_faults()), None)
        if fault is not None:
            raise refusal(fault[1], at=fault[0])
        return self

    def _own_faults(self) -> Iterator[tuple[str, str]]:
        """Yield the fields beside the points that cannot be, and why."""
        twice = [name for name, times in Counter(self.components).items() if times > 1]
        if twice:
            yield "components", f"expected different components, got {shown(twice[0])} twice"
        if len(self.components) not in COMPONENT_COUNTS:
            yield "components", f"expected two or three components, got {len(self.components)}"
        if self.excess is not None and self.excess < 0:
            yield "excess", f"expected a share of at least 0, got {exact(self.excess)}"
        least, count = self.least_product, len(self.points)
        if least is not None and not 0 <= least < count:
            expected = f"a position from 0 to {count - 1:,}" if count else "nothing, for there are no points"
            yield "least_product", f"expected {expected}, got {least}"

    def _missing(self) -> Iterator[tuple[str, str]]:
        for number, point in enumerate(self.points, start=1):
            for name in self.components:
                if name not in point.cost.by_component:
                    yield "points", f"point {number} has no {name}, which is one of the components"

    def _point_faults(self) -> Iterator[tuple[str, str]]:
        """Yield a point that another dominates, or costs the same as: it is none of a front."""
        costs = [tuple(point.cost.by_component[name] for name in self.components) for point in self.points]
        pair = no_front(costs)
        if pair is not None:
            worse, best = pair
            what = "costs the same as" if costs[worse] == costs[best] else "costs no less in any component than"
            yield (
                "points",
                f"point {worse + 1} {what} point {best + 1}, expected points of which none is as good as another",
            )

    def fields_of(self, number: int) -> dict[str, Any]:
        """Return the fields of the plan of a point: feasible, with this objective, and no more is claimed.

        Parameters
        ----------
        number
            From 1.
        """
        point = self.points[number - 1]
        return {
            **self.origin,
            **point.plan_fields,
            "statistics": {},  # those are of the front
            "note": point.note,
            "objective": point.objective,
            "bound": None,
            "status": Status.FEASIBLE,
        }


def no_front(costs: Sequence[Sequence[Fraction]]) -> tuple[int, int] | None:
    """Return the positions of a point of two or three costs and of one that is as good in all; None without any."""
    steps: list[tuple[Fraction, Fraction, int]] = []  # ascending by the second cost, and so descending by the third
    for position in sorted(range(len(costs)), key=lambda at: (costs[at], at)):
        second, third = (*costs[position][1:], Fraction(0))[:2]
        at = bisect_right(steps, second, key=lambda step: step[0])
        if at and steps[at - 1][1] <= third:
            return position, steps[at - 1][2]
        end = at
        while end < len(steps) and steps[end][1] >= third:
            end += 1
        begin = at - 1 if at and steps[at - 1][0] == second else at
        steps[begin:end] = [(second, third, position)]
    return None
