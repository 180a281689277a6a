"""What a claim can state: one model a kind."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from hypar_opt.instance.cost_schema import Accounting
from hypar_opt.instance.fields import Given, Name, refusal
from hypar_opt.studies.claims.printed import Printed
from hypar_opt.studies.claims.spelling import worded
from hypar_opt.studies.claims.statement_parts import Accountings, PlanGiven, PrintedBytes, Statement


class Total(PlanGiven, PrintedBytes):
    """A plan's communication, rounded to the printed digits."""


class GeometricMean(PrintedBytes):
    """The geometric mean of the communication of a formulation's plans, rounded to the printed digits."""

    formulation: Name = Field(description="whose plans")


class PlanOf(Statement):
    """A formulation's plan has these words."""

    one_instance: ClassVar[bool] = True
    formulation: Name = Field(description="whose plan it is")
    strategies: dict[str, str] = Field(default_factory=dict, description="a word by layer, root level first")
    others: Annotated[str | None, Given] = Field(None, description="the word of all other layers, where it is claimed")

    @model_validator(mode="after")
    def _some_word(self) -> PlanOf:
        if not self.strategies and self.others is None:
            raise refusal("expected strategies, others or both, got none")
        return self

    @property
    def says(self) -> str:
        """The words that are printed."""
        words = [self.strategies, {} if self.others is None else {"others": self.others}]
        return ", ".join(worded(some) for some in words if some)


class Optimal(PlanGiven):
    """A plan is an optimum."""


class Exact(Statement):
    """A formulation finds an optimum on each of the instances, under each of the accountings."""

    formulation: Name = Field(description="which is claimed to be exact")
    every_accounting: Annotated[Accountings | None, Given] = Field(None, description="accountings it is claimed under")

    @property
    def accountings(self) -> tuple[Accounting | None, ...]:
        """All that it is claimed under."""
        return self.every_accounting or (None,)


class AlsoOptimal(Statement):
    """A formulation's plan, found under the claim's accounting, is an optimum under another as well."""

    formulation: Name = Field(description="whose plan")
    under: Accounting = Field(description="the other accounting")

    @property
    def accountings(self) -> tuple[Accounting | None, ...]:
        """The claim's own, then the other."""
        return (None, self.under)

    @property
    def says(self) -> str:
        """In which sense."""
        return f"optimal under {self.under}"


class Slower(Statement):
    """How many times as long a plan's communication takes on one array as on another."""

    formulation: Name = Field(description="whose plan is held against both arrays")
    array: Annotated[dict[str, Any] | Name, Field(description="what stands under `array:`, or a shipped array")]
    than: Annotated[dict[str, Any] | Name, Field(description="the array that it is compared with, in the same way")]
    placement: Literal["best", "identity", "given"] = Field(
        "best",
        description="on the first array: the best, in order, or as the array says; on the other the best",
    )
    times: Printed = Field(description="as printed")

    @property
    def says(self) -> str:
        """The factor."""
        return f"{self.times.text} times"
