"""What a claim can state of the schedules of pipelines, and of what no model here has."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from hypar_opt.instance.fields import Given, refusal
from hypar_opt.studies.claims.printed import Printed
from hypar_opt.studies.claims.schedule_quantities import EXPRESSIONS, QUANTITIES, ScheduleCase
from hypar_opt.studies.claims.statement_parts import Statement, Text
from hypar_opt.studies.schedules.rules import RULES

MOST_STAGES = 64
MOST_MICROBATCHES = 1024
MOST_STEPS = 4096
"""Microbatches at stages, of one schedule."""
Count: TypeAlias = Annotated[int, Field(ge=1, le=MOST_STAGES)]
Microbatches: TypeAlias = Annotated[int, Field(ge=1, le=MOST_MICROBATCHES)]
if TYPE_CHECKING:
    Rule: TypeAlias = str
    Quantity: TypeAlias = str
    Expression: TypeAlias = str
else:
    Rule = Literal[tuple(RULES)]
    Quantity = Literal[tuple(QUANTITIES)]
    Expression = Literal[tuple(EXPRESSIONS)]


class OfSchedules(Statement):
    """What a schedule leaves idle, keeps or computes with, for every number of stages and of microbatches."""

    of_instances: ClassVar[bool] = False
    rule: Rule = Field(description="the schedule")
    quantity: Quantity = Field(description="what of it")
    stages: Annotated[tuple[Count, ...] | None, Field(strict=False, min_length=1), Given] = Field(
        None, description="how many equal stages, K, one a device unless chunks says more"
    )
    seconds: Annotated[tuple[Printed, ...] | None, Field(strict=False, min_length=1, max_length=MOST_STAGES), Given] = (
        Field(None, description="the forward seconds of each stage, in place of equal ones; backward is twice as long")
    )
    microbatches: Annotated[tuple[Microbatches, ...], Field(strict=False, min_length=1)] = Field(
        description="how many in a batch, M"
    )
    chunks: Annotated[int, Field(ge=1, le=MOST_STAGES)] = Field(1, description="stages a device, v")
    equals: Annotated[Expression | None, Given] = Field(None, description="what it is: of K, M, v and the stage s")
    trend: Annotated[Literal["falls", "rises"] | None, Given] = Field(None, description="how it goes as M grows")
    more_than: Annotated[Rule | None, Given] = Field(None, description="another schedule, of which there is less")

    @property
    def cases(self) -> tuple[ScheduleCase, ...]:
        """Every number of stages with every number of microbatches, these ascending."""
        spelt = [tuple(Fraction(one) for one in self.seconds)] if self.seconds else []
        equal = [(Fraction(1, self.chunks),) * (count * self.chunks) for count in self.stages or ()]
        return tuple(
            ScheduleCase(seconds, self.chunks, many)
            for seconds in (*spelt, *equal)
            for many in sorted(self.microbatches)
        )

    @property
    def says(self) -> str:
        """The quantity, and what it is said to be."""
        if self.equals is not None:
            return f"{self.quantity} of {self.rule}: {self.equals}"
        if self.more_than is not None:
            return f"{self.quantity}: {self.rule} more than {self.more_than}"
        return f"{self.quantity} of {self.rule} {self.trend} with M"

    @model_validator(mode="after")
    def _one_relation(self) -> Self:
        given = [name for name in ("equals", "trend", "more_than") if getattr(self, name) is not None]
        if len(given) != 1:
            raise refusal(f"expected one of equals, trend, more_than, got {' and '.join(given) or 'none'}")
        if (self.stages is None) == (self.seconds is None):
            raise refusal(f"expected one of stages, seconds, got {'none' if self.stages is None else 'both'}")
        if self.trend and len(set(self.microbatches)) < 2:
            raise refusal("expected at least two numbers of microbatches", at="microbatches")
        if self.more_than == self.rule:
            raise refusal(f"expected another schedule than {self.rule}", at="more_than")
        return self

    @model_validator(mode="after")
    def _orders_there(self) -> Self:
        for name in filter(None, (self.rule, self.more_than)):
            rule = RULES[name]
            if rule.several_stages != (self.chunks > 1):
                raise refusal(
                    f"'{name}' is of {'several stages' if rule.several_stages else 'one stage'} a device", at="chunks"
                )
        for one in self.cases:
            if len(one.seconds) % self.chunks:
                raise refusal(f"{self.chunks} do not divide {len(one.seconds)} stages", at="chunks")
            if len(one.seconds) * one.microbatches > MOST_STEPS:
                raise refusal(f"at most {MOST_STEPS:,} microbatches at stages, {one.said} has more", at="microbatches")
            fault = RULES[self.rule].fault(one.devices, one.chunks, one.microbatches)
            if fault:
                raise refusal(fault, at="microbatches")
        return self


class Unmodelled(Statement):
    """Something of which no model here says anything, so that nothing can be recomputed."""

    of_instances: ClassVar[bool] = False
    what: Text = Field(description="what is claimed something of, such as accuracy")

    @property
    def says(self) -> str:
        """Of what."""
        return self.what
