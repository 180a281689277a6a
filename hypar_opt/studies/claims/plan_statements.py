"""What a claim can state of two plans of an instance, or of a plan's collectives."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from hypar_opt.evaluation.communication.breakdown import PHASES
from hypar_opt.evaluation.communication.counts import COLLECTIVE_KINDS
from hypar_opt.instance.fields import Given, LayerName, refusal
from hypar_opt.studies.claims.plan_quantities import PLAN_QUANTITIES
from hypar_opt.studies.claims.printed import Figure, PrintedNumber
from hypar_opt.studies.claims.spelled_plans import SpelledPlan
from hypar_opt.studies.claims.statement_parts import Numeric, Statement, require_near

if TYPE_CHECKING:
    PlanQuantityName: TypeAlias = str
    Kind: TypeAlias = str
    PhaseName: TypeAlias = str
else:
    PlanQuantityName = Literal[tuple(PLAN_QUANTITIES)]
    Kind = Literal[COLLECTIVE_KINDS]
    PhaseName = Literal[PHASES]


class PlanRatio(Numeric):
    """How much of a quantity one plan has beside another."""

    one_instance: ClassVar[bool] = True
    plan: SpelledPlan = Field(description="a formulation's, or spelt")
    over: SpelledPlan = Field(description="what it is compared with, in the same way")
    of: PlanQuantityName = Field("bytes", description="what of both")
    times: Annotated[Figure | None, Given] = Field(None, description="the one by the other, as printed")
    percent: Annotated[Figure | None, Given] = Field(None, description="the same in per cent")

    @property
    def plans(self) -> dict[str, SpelledPlan]:
        """The plans, by the fields that say them."""
        return {"plan": self.plan, "over": self.over}

    @property
    def printed(self) -> PrintedNumber:
        """The number, with its digits."""
        number = self.times if self.percent is None else self.percent
        assert number is not None
        return number

    @property
    def scale(self) -> Fraction:
        """What a ratio of 1 is printed as."""
        return Fraction(1 if self.percent is None else 100)

    @property
    def unit(self) -> str:
        """Behind the number."""
        return "times" if self.percent is None else "%"

    @property
    def says(self) -> str:
        """The number, and of what."""
        return f"{self.printed.text} {self.unit} of the {self.of}"

    @model_validator(mode="after")
    def _how_near(self) -> Self:  # in place of the other, which would look for a number before there is one
        if (self.times is None) == (self.percent is None):
            raise refusal(f"expected one of times, percent, got {'none' if self.times is None else 'both'}")
        require_near(self)
        return self


class PlanCollectives(Statement):
    """How many collectives a plan takes in a training step."""

    one_instance: ClassVar[bool] = True
    plan: SpelledPlan = Field(description="a formulation's, or spelt")
    count: int = Field(ge=0, description="as printed")
    kind: Annotated[Kind | None, Given] = Field(None, description="of this kind alone")
    phase: Annotated[PhaseName | None, Given] = Field(None, description="in this phase alone")
    layers: Annotated[tuple[LayerName, ...] | None, Field(strict=False, min_length=1), Given] = Field(
        None, description="those of these layers' sums, and of the maps that they read; all unless told"
    )

    @property
    def plans(self) -> dict[str, SpelledPlan]:
        """The plan, by the field that says it."""
        return {"plan": self.plan}

    @property
    def says(self) -> str:
        """The number."""
        return f"{self.count:,} {self.kind or 'collective'}{'' if self.count == 1 else 's'}"
