"""What a claim can state of training steps of which only the communication gets faster."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Self

from pydantic import Field, model_validator

from hypar_opt.instance.fields import refusal
from hypar_opt.studies.claims.collective_statements import Algorithm, OnArrays
from hypar_opt.studies.claims.printed import Figure, Printed, PrintedNumber
from hypar_opt.studies.claims.statement_parts import Numeric

WHOLE = 100
"""Per cent."""


class Saving(Numeric):
    """That a step whose communication is so many times as fast can take so much less: at most 1 - 1 / speedup."""

    of_instances: ClassVar[bool] = False
    speedup: Printed = Field(description="of the communication, as printed")
    percent: Figure = Field(description="of the step's time, as printed")

    @property
    def printed(self) -> PrintedNumber:
        """The percentage, with its digits."""
        return self.percent

    @property
    def says(self) -> str:
        """Both numbers."""
        return f"{self.percent.text} % less at {self.speedup.text} times"

    @model_validator(mode="after")
    def _some_gain(self) -> Self:
        if Fraction(self.percent) >= WHOLE:
            raise refusal(f"expected less than 100, got {self.percent.text}", at="percent")
        if Fraction(self.speedup) <= 1:
            raise refusal(f"expected more than 1, got {self.speedup.text}", at="speedup")
        return self


class StepSaving(OnArrays, Numeric):
    """How much less a data-parallel step takes with one algorithm than with another, of the network that gains most."""

    of_instances: ClassVar[bool] = True
    formulation: Algorithm = Field(description="the faster one")
    over: Algorithm = Field(description="what it is compared with")
    percent: Figure = Field(description="of the step's time, as printed")

    @property
    def printed(self) -> PrintedNumber:
        """The percentage, with its digits."""
        return self.percent

    @property
    def says(self) -> str:
        """The percentage."""
        return f"{self.percent.text} % less than with {self.over}"
