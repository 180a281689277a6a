"""What plan files say of how plan and bound moved, read strictly: information, which no proof rests on."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BeforeValidator, Field, model_validator

from hypar_opt.instance.fields import Spec, refusal
from hypar_opt.instance.text import shown
from hypar_opt.solver.exact_field import Exact
from hypar_opt.solver.improvements import Improvement

if TYPE_CHECKING:
    from collections.abc import Sequence

LATEST_S: Final = 2**62


def _seconds(value: object) -> float:
    if type(value) not in (int, float, Decimal) or not 0 <= value <= LATEST_S:  # type: ignore[operator]
        raise refusal(f"expected seconds, 0 or more, got {shown(value)}")
    return float(value)  # type: ignore[arg-type]


class ImprovementSpec(Spec):
    """A better plan or a better bound, and when it was told."""

    time_s: Annotated[float, BeforeValidator(_seconds)] = Field(description="seconds since the run began")
    cost: Exact | None = Field(None, description="of a better plan, in the objective's unit")
    bound: Exact | None = Field(None, description="that was proven, as the search told it")

    @model_validator(mode="after")
    def _is_one(self) -> ImprovementSpec:
        if (self.cost is None) == (self.bound is None):
            raise refusal("expected either 'cost' or 'bound'")
        return self

    @property
    def improvement(self) -> Improvement:
        """The same, as a plan has it."""
        return Improvement(self.time_s, self.cost, self.bound)


def check_order(known: Sequence[ImprovementSpec]) -> None:
    """Refuse what is no way of a run: times that go back, plans that cost no less, bounds that are no higher."""
    costs = [one.cost for one in known if one.cost is not None]
    bounds = [one.bound for one in known if one.bound is not None]
    if any(later.time_s < one.time_s for one, later in pairwise(known)):
        raise refusal("expected improvements in the order of time")
    if any(later >= one for one, later in pairwise(costs)):
        raise refusal("expected plans that cost less and less")
    if any(later <= one for one, later in pairwise(bounds)):
        raise refusal("expected bounds that are higher and higher")
