"""What a claim can state of printed numbers alone: that they follow from others, or say the same."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from hypar_opt.instance.fields import Given, refusal
from hypar_opt.instance.text import shown
from hypar_opt.studies.claims.expressions import FUNCTIONS, names_in, value_of
from hypar_opt.studies.claims.intervals import NumberInterval
from hypar_opt.studies.claims.number_means import MEANS
from hypar_opt.studies.claims.printed import Figure, Printed, PrintedNumber
from hypar_opt.studies.claims.printed_lists import Counts, Several, Signed, Variable
from hypar_opt.studies.claims.statement_parts import Numeric, Statement, require_near

WHOLE = 100
"""Per cent."""
MOST_READINGS = 100
MOST_CASES = 10_000
if TYPE_CHECKING:
    from collections.abc import Mapping

    MeanName: TypeAlias = str
else:
    MeanName = Literal[tuple(MEANS)]
_RELATIONS = ("value", "more_than", "less_than")


class PrintedArithmetic(Numeric):
    """An expression of printed numbers comes to what is printed, to within what all of them were rounded by."""

    of_instances: ClassVar[bool] = False
    numbers: dict[Variable, Several] = Field(
        default_factory=dict, description="by name, each as printed, or a list: its digits say what it may have been"
    )
    counts: dict[Variable, Counts] = Field(default_factory=dict, description="by name, whole numbers that are exact")
    equals: str = Field(description="the expression, of these names")
    value: Annotated[Figure | None, Given] = Field(None, description="what it is, as printed")
    more_than: Annotated[Printed | None, Given] = Field(None, description="or what it is more than")
    less_than: Annotated[Printed | None, Given] = Field(None, description="or what it is less than")

    @property
    def printed(self) -> PrintedNumber:
        """What the expression is said to be, or to be more or less than."""
        number = self.value or self.more_than or self.less_than
        assert number is not None
        return number

    @property
    def names(self) -> dict[str, tuple[NumberInterval, ...]]:
        """All that each name may stand for."""
        printed = {name: tuple(map(NumberInterval.printed, several)) for name, several in self.numbers.items()}
        return printed | {name: tuple(map(NumberInterval.exactly, several)) for name, several in self.counts.items()}

    @property
    def found(self) -> NumberInterval:
        """What the expression comes to."""
        return value_of(self.equals, self.names)

    @property
    def says(self) -> str:
        """The relation and its number."""
        words = {"value": "", "more_than": "more than ", "less_than": "less than "}
        word = next(words[name] for name in _RELATIONS if getattr(self, name) is not None)
        return f"{word}{self.printed.text}"

    @model_validator(mode="after")
    def _how_near(self) -> Self:  # in place of the other, which would look for a number before there is one
        given = [name for name in _RELATIONS if getattr(self, name) is not None]
        if len(given) != 1:
            raise refusal(f"expected one of {', '.join(_RELATIONS)}, got {' and '.join(given) or 'none'}")
        if self.within is not None and self.value is None:
            raise refusal("expected none beside more_than and less_than", at="within")
        require_near(self)
        return self

    @model_validator(mode="after")
    def _stands(self) -> Self:
        twice = next((name for name in self.numbers if name in self.counts), None)
        if twice:
            raise refusal(f"{shown(twice)} is among 'numbers' as well", at="counts")
        taken = next((name for name in self.names if name in FUNCTIONS), None)
        if taken:
            raise refusal(f"{shown(taken)} is a function; expected another name")
        try:
            _ = self.found
        except ValueError as error:
            raise refusal(str(error), at="equals") from None
        idle = next((name for name in self.names if name not in names_in(self.equals)), None)
        if idle:
            raise refusal(f"{shown(idle)} is not in the expression '{self.equals}'", at="equals")
        return self


class MeanOfNumbers(Numeric):
    """A mean of printed numbers is what is printed; of several means one is enough."""

    of_instances: ClassVar[bool] = False
    numbers: Several = Field(description="as printed")
    how: Annotated[tuple[MeanName, ...], Field(strict=False, min_length=1)] = Field(
        ("arithmetic",), description="which mean, or which it may be"
    )
    value: Figure = Field(description="as printed")

    @property
    def printed(self) -> PrintedNumber:
        """The number, with its digits."""
        return self.value

    @model_validator(mode="after")
    def _is_mean(self) -> Self:
        for name in self.how:
            least = MEANS[name].least
            low = next((one for one in self.numbers if least is not None and one.interval[0] <= least), None)
            if low is not None:
                raise refusal(f"expected numbers above {least} for '{name}', got {low.text}", at="numbers")
        return self


class Agreeing(Statement):
    """Numbers that a source prints of one thing can be the same."""

    of_instances: ClassVar[bool] = False
    numbers: Annotated[tuple[Signed, ...], Field(strict=False, min_length=2, max_length=MOST_READINGS)] = Field(
        description="each as printed"
    )

    @property
    def says(self) -> str:
        """The numbers."""
        return " = ".join(one.text for one in self.numbers)


class EqualFormulae(Statement):
    """Formulae that a source prints of one thing are the same, for every choice of the values that are listed."""

    of_instances: ClassVar[bool] = False
    expressions: Annotated[tuple[str, ...], Field(strict=False, min_length=2, max_length=MOST_READINGS)] = Field(
        description="of the names"
    )
    counts: dict[Variable, Counts] = Field(description="by name, the values that are tried, all with all others'")

    @property
    def says(self) -> str:
        """The expressions."""
        return " = ".join(self.expressions)

    @property
    def cases(self) -> tuple[dict[str, int], ...]:
        """Every choice of values."""
        return tuple(dict(zip(self.counts, values, strict=True)) for values in product(*self.counts.values()))

    def values(self, case: Mapping[str, int]) -> tuple[Fraction, ...]:
        """Return what each expression comes to."""
        names = {name: (NumberInterval.exactly(value),) for name, value in case.items()}
        return tuple(value_of(one, names).at for one in self.expressions)

    @model_validator(mode="after")
    def _stands(self) -> Self:
        if prod(map(len, self.counts.values())) > MOST_CASES:
            raise refusal(f"expected at most {MOST_CASES:,} choices of values", at="counts")
        for case in self.cases:
            try:
                self.values(case)
            except ValueError as error:
                raise refusal(str(error), at="expressions") from None
        return self


class PartSpeedup(Statement):
    """Where a part of a whole gets faster, the whole can get so many times as fast (Amdahl, 1967)."""

    of_instances: ClassVar[bool] = False
    percent: Annotated[Printed | None, Given] = Field(
        None, description="the part's share of the time, as printed; any where it is not said"
    )
    speedup: Annotated[Printed | None, Given] = Field(
        None, description="how many times as fast the part gets, as printed; any where it is not said"
    )
    whole: Printed = Field(description="how many times as fast the whole is said to get, as printed")
    at_most: bool = Field(False, description="that this is the most that it can get")

    @property
    def printed(self) -> PrintedNumber:
        """What is said of the whole."""
        return self.whole

    @property
    def says(self) -> str:
        """What is said of the whole."""
        return f"{'at most ' if self.at_most else ''}{self.whole.text} times in all"

    @model_validator(mode="after")
    def _some_part(self) -> Self:
        if self.percent is None and self.speedup is None:
            raise refusal("expected percent, speedup or both, got none")
        if self.percent is not None and self.percent.interval[1] >= WHOLE:
            raise refusal(f"expected less than 100, got {self.percent.text}", at="percent")
        if self.speedup is not None and self.speedup.interval[0] <= 1:
            raise refusal(f"expected more than 1, got {self.speedup.text}", at="speedup")
        if Fraction(self.whole) <= 1:
            raise refusal(f"expected more than 1, got {self.whole.text}", at="whole")
        if self.at_most and None not in (self.percent, self.speedup):
            raise refusal("expected none beside both percent and speedup, which say what it is", at="at_most")
        return self
