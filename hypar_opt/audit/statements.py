"""What a claim can state: one model a kind."""

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


class _Amount(Statement):
    """Printed bytes."""

    communication_GB: Annotated[Printed | None, Given] = Field(None, description="as printed, 1 GB being 10^9 bytes")
    communication_bytes: Annotated[Printed | None, Given] = Field(None, description="as printed")
    any_accounting: Annotated[Accountings | None, Given] = Field(
        None, description="accountings of which one has to give the amount"
    )

    @model_validator(mode="after")
    def _one_amount(self) -> _Amount:
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
        return f"{self.printed} {self.unit[0]}"


class _PlanOf(Statement):
    """A plan: what a formulation finds, or a strategy for every layer."""

    one_instance: ClassVar[bool] = True
    formulation: Annotated[Name | None, Given] = Field(None, description="whose plan it is")
    strategies: Annotated[dict[str, str] | None, Given] = Field(None, description="a word by layer, root level first")
    others: Annotated[str | None, Given] = Field(None, description="the word of all layers that are not listed")

    @model_validator(mode="after")
    def _one_plan(self) -> _PlanOf:
        spelt = self.strategies is not None or self.others is not None
        if spelt == (self.formulation is not None):
            got = "both" if spelt else "none"
            raise refusal(f"expected a formulation, or strategies and others, got {got}")
        return self


class Total(_PlanOf, _Amount):
    """A plan's communication, rounded to the printed digits."""


class GeometricMean(_Amount):
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
        words = [f"{layer} {word}" for layer, word in self.strategies.items()]
        return ", ".join([*words, *([] if self.others is None else [f"others {self.others}"])])


class Optimal(_PlanOf):
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


class Gain(Statement):
    """How many times better one formulation's plan is than another's; of several instances the geometric mean."""

    formulation: Name = Field(description="whose plan is better")
    over: Name = Field(description="whose plan it is compared with")
    value: Printed = Field(description="as printed")

    @property
    def says(self) -> str:
        """The number."""
        return str(self.value)
