"""What files of fronts say: read strictly; each of a front's points is a whole plan."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field, model_validator

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.fields import refusal
from hypar_opt.solver.plan_file import CostClaim, Exact, FoundSpec, NetworkPlanSpec

SCHEMA: Final = "hypar-opt/front/1"


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
    def _all_components(self) -> FrontSpec:
        for number, point in enumerate(self.points, start=1):
            missing = [name for name in self.components if name not in point.cost.by_component]
            if missing:
                raise refusal(f"point {number} has no {missing[0]}, which is one of the components", at="points")
        return self

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
