"""What a claim can state: one model a kind."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from hypar_opt.instance.cost_schema import Accounting
from hypar_opt.instance.fields import Given, LayerName, Name, refusal
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS
from hypar_opt.instance.overrides import array_text
from hypar_opt.studies.claims.printed import Figure, Near, Printed, PrintedNumber
from hypar_opt.studies.claims.replacements import OverridesSpec, Reading, under, worded
from hypar_opt.studies.claims.statement_parts import (
    Accountings,
    Identifier,
    Numeric,
    PlanGiven,
    PrintedBytes,
    Statement,
)


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

    # read once, as whoever judges may not have their files
    @cached_property
    def array_json(self) -> str | None:
        """The first array as JSON."""
        return array_text(self.array)

    @cached_property
    def than_json(self) -> str | None:
        """The other one as JSON."""
        return array_text(self.than)

    @property
    def says(self) -> str:
        """The factor."""
        return f"{self.times.text} times"


if TYPE_CHECKING:
    Component: TypeAlias = str
else:
    Component = Literal[tuple(COMPONENTS)]


"""What a plan costs."""
MOST_PARTS = 1000


class Gain(PlanGiven, Numeric):
    """How many times better one plan is than another; of several instances the geometric mean."""

    why_one: ClassVar[str] = "a plan that is spelt, or whose bytes are printed, is of one instance"
    together: ClassVar[int] = 2
    over: Name = Field(description="the formulation whose plan it is compared with")
    against: Annotated[OverridesSpec | None, Given] = Field(
        None, description="what replaces the instances' fields for the plan that it is compared with"
    )
    value: Figure = Field(description="as printed, or with ~ as read off an axis")
    any_accounting: Annotated[Accountings | None, Given] = Field(
        None, description="accountings of which one has to give the number"
    )
    any_instance: bool = Field(False, description="whether it is open which of the instances is meant")
    communication_GB: Annotated[Figure | None, Given] = Field(None, description="the plan's bytes, as printed")
    exchanges: Literal["own", "printed"] = Field("own", description="the plan's own bytes, or the printed ones")

    @property
    def printed(self) -> PrintedNumber:
        """The number, with its digits."""
        return self.value

    @property
    def one_instance(self) -> bool:  # type: ignore[override]
        """Whether it is of one plan, which is spelt out or whose bytes are."""
        return self.formulation is None or self.communication_GB is not None

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Under each accounting the plan's, then that of the plan it is compared with."""
        against = self.against or OverridesSpec()
        found = []
        for accounting in self.any_accounting or (None,):
            one = under(accounting)
            found += [one, Reading(against if accounting is None else one.over(against), place="against")]
        return tuple(found)

    @model_validator(mode="after")
    def _bytes_given(self) -> Self:
        if self.exchanges == "printed" and self.communication_GB is None:
            raise refusal("expected communication_GB, the bytes that are printed", at="exchanges")
        if self.exchanges == "printed" and self.any_accounting is not None:
            raise refusal("expected none, as the bytes are the printed ones", at="any_accounting")
        if self.communication_GB is not None and self.communication_GB.rough:
            raise refusal("expected a number as printed, not one that was read off an axis", at="communication_GB")
        return self


class MeanOf(Numeric):
    """The geometric mean of the numbers that other claims of the file print."""

    claims: Annotated[tuple[Identifier, ...], Field(strict=False, min_length=1, max_length=MOST_PARTS)] = Field(
        description="their ids"
    )
    value: Figure = Field(description="as printed, or with ~ as read off an axis")

    @property
    def printed(self) -> PrintedNumber:
        """The number, with its digits."""
        return self.value


class Peak(Statement):
    """No plan is better of all those that differ from a formulation's in some layers and levels alone."""

    one_instance: ClassVar[bool] = True
    formulation: Name = Field(description="whose plan stays as it is elsewhere")
    layers: Annotated[tuple[LayerName, ...] | None, Field(strict=False, min_length=1), Given] = Field(
        None, description="layers that are explored; all unless told"
    )
    levels: Annotated[tuple[int, ...] | None, Field(strict=False, min_length=1), Given] = Field(
        None, description="levels that are explored, 1 the root; all unless told"
    )
    strategies: dict[str, str] = Field(
        default_factory=dict, description="words of the plan at the peak; elsewhere it is the formulation's"
    )
    component: Component = Field("time", description="of which the peak has the least")

    @property
    def says(self) -> str:
        """The plan at the peak."""
        return f"peak: {worded(self.strategies) or f'the plan of {self.formulation}'}"


class Proxy(Statement):
    """Plans with the least of one component have, or nearly have, the least of another."""

    together: ClassVar[int] = 3
    of: Component = Field(description="the component that plans should have the least of")
    by: Component = Field(COMMUNICATION, description="the component that they are chosen by")
    within: Annotated[Near | None, Given] = Field(None, description="how near to the least is near enough")

    @property
    def readings(self) -> tuple[Reading, ...]:
        """By the one, by the one and then the other, by the other."""
        objectives = self.by, f"lexicographic:{self.by},{self.of}", self.of
        return tuple(Reading(objective=objective) for objective in objectives)

    @property
    def says(self) -> str:
        """Which of which."""
        near = f"within {self.within.text} of the least {self.of}" if self.within else f"the least {self.of}"
        return f"least {self.by}: {near}"

    @model_validator(mode="after")
    def _two(self) -> Self:
        if self.of == self.by:
            raise refusal(f"expected another component than {self.by}, that plans are chosen by", at="of")
        if self.within is not None and not self.within.relative:
            raise refusal(f"expected a share of the least, such as 1 %, got {self.within.text}", at="within")
        return self


MOST_DRAWN = 1000


class Unfused(Statement):
    """Under as-evaluated plans cost what they move with reduce-scatters, but for all-to-alls that are not fused.

    And in front of pools as-evaluated takes the sums for those of the pooled map.
    """

    together: ClassVar[int] = 2
    formulation: Name = Field(description="whose plan it holds of, among others")
    plans: Annotated[int, Field(ge=0, le=MOST_DRAWN)] = Field(100, description="how many plans are drawn besides")

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Under as-evaluated, and under collective."""
        return under("as-evaluated"), under("collective")

    @property
    def says(self) -> str:
        """What is said of the difference."""
        return "the formula's difference, to the byte"
