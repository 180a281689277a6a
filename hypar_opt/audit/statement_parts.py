"""What statements are made of: accountings, printed bytes, a plan."""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from hypar_opt.audit.fields import Printed
from hypar_opt.instance.cost_schema import Accounting
from hypar_opt.instance.fields import Given, Name, Spec, refusal


def _each_once(names: tuple[Accounting, ...]) -> tuple[Accounting, ...]:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise refusal(f"expected each accounting once, got '{twice}' twice")
    return names


Accountings: TypeAlias = Annotated[
    tuple[Accounting, ...], Field(strict=False, min_length=1), AfterValidator(_each_once), Given
]


class Statement(Spec):
    """What all kinds answer."""

    one_instance: ClassVar[bool] = False
    """Whether it is about one instance, not several."""

    @property
    def accountings(self) -> tuple[Accounting | None, ...]:
        """Under which accountings instances are looked at; None for the claim's own."""
        return (None,)

    @property
    def says(self) -> str:
        """What is printed, in short."""
        return "optimal"


class Amount(Statement):
    """Printed bytes."""

    communication_GB: Annotated[Printed | None, Given] = Field(None, description="as printed, 1 GB being 10^9 bytes")
    communication_bytes: Annotated[Printed | None, Given] = Field(None, description="as printed")
    any_accounting: Annotated[Accountings | None, Given] = Field(
        None, description="accountings of which one has to give the amount"
    )

    @model_validator(mode="after")
    def _one_amount(self) -> Amount:
        if (self.communication_GB is None) == (self.communication_bytes is None):
            got = "none" if self.communication_GB is None else "both"
            raise refusal(f"expected one of communication_GB, communication_bytes, got {got}")
        return self

    @property
    def accountings(self) -> tuple[Accounting | None, ...]:
        """Those of which one has to give the amount."""
        return self.any_accounting or (None,)

    @property
    def unit(self) -> tuple[str, int]:
        """The unit's name and its bytes."""
        return ("B", 1) if self.communication_GB is None else ("GB", 10**9)

    @property
    def printed(self) -> Printed:
        """The number, with its digits."""
        number = self.communication_bytes if self.communication_GB is None else self.communication_GB
        assert number is not None
        return number

    @property
    def says(self) -> str:
        """The number and its unit."""
        return f"{self.printed.text} {self.unit[0]}"


class PlanGiven(Statement):
    """A plan: what a formulation finds, or a strategy for every layer."""

    one_instance: ClassVar[bool] = True
    formulation: Annotated[Name | None, Given] = Field(None, description="whose plan it is")
    strategies: Annotated[dict[str, str] | None, Given] = Field(None, description="a word by layer, root level first")
    others: Annotated[str | None, Given] = Field(None, description="the word of all layers that are not listed")

    @model_validator(mode="after")
    def _one_plan(self) -> PlanGiven:
        spelt = self.strategies is not None or self.others is not None
        if spelt == (self.formulation is not None):
            got = "both" if spelt else "none"
            raise refusal(f"expected a formulation, or strategies and others, got {got}")
        return self
