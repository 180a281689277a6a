"""What statements are made of: accountings, printed bytes, a plan."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from hypar_opt.instance.cost_schema import Accounting
from hypar_opt.instance.fields import Given, Name, Spec, refusal
from hypar_opt.instance.text import shown
from hypar_opt.studies.claims.printed import WIDEST, Amounted, Expected, Figure, Near, PrintedNumber, Tolerance
from hypar_opt.studies.claims.replacements import Reading, under


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
    why_one: ClassVar[str] = ""
    """Why, where not all of its kind are."""
    of_instances: ClassVar[bool] = True
    """Whether it is about instances at all."""
    together: ClassVar[int] = 1
    """How many readings belong together: the first is of the plan that the statement names."""

    @property
    def accountings(self) -> tuple[Accounting | None, ...]:
        """Under which accountings instances are looked at; None for the claim's own."""
        return (None,)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What is replaced in the instances, each time that they are looked at."""
        return tuple(under(accounting) for accounting in self.accountings)

    @property
    def says(self) -> str:
        """What is printed, in short."""
        return "optimal"

    @property
    def arrays_asked(self) -> frozenset[str]:
        """The collectives on arrays whose schedules it asks for, by their hash; claims on the same ones share them."""
        return frozenset()


class Numeric(Statement):
    """A printed number."""

    within: Annotated[Near | None, Given] = Field(None, description="how near is near enough, such as 0.5 % or 0.02")

    @property
    def printed(self) -> PrintedNumber:
        """The number, with its digits."""
        raise NotImplementedError

    @property
    def expected(self) -> Expected:
        """What agrees with it."""
        return Expected(self.printed, self.within)

    @property
    def says(self) -> str:
        """The number."""
        return self.printed.text

    @model_validator(mode="after")
    def _how_near(self) -> Self:
        require_near(self)
        return self


def require_near(statement: Numeric) -> None:
    """Refuse a number that was read off an axis without how near is near enough, or a range that is too wide."""
    if statement.printed.rough and statement.within is None:
        text = statement.printed.text
        raise refusal(f"'{text}' was read off an axis; expected how near is near enough, such as `within: 3 %`")
    if statement.within is not None:
        _require_not_wide(statement.printed, statement.within)


def _require_not_wide(printed: PrintedNumber, within: Tolerance) -> None:
    """Refuse what nearly every number would be within, such as a share without its %."""
    share = within.share(printed)
    if share is not None and share <= WIDEST:
        return
    much = "as much as it or more" if share is None or share >= 1 else f"{float(share):.3g} of it"
    meant = f"if a share is meant, write `within: {within.text} %`"
    if within.amount > 100 * WIDEST:
        meant = "a share is written with %, such as `within: 3 %`"
    message = f"expected at most half of the printed number {printed.text}, got {within.text}, which is {much}; {meant}"
    raise refusal(message, at="within")


class PrintedBytes(Numeric):
    """Printed bytes."""

    communication_GB: Annotated[Figure | None, Given] = Field(None, description="as printed, 1 GB being 10^9 bytes")
    communication_bytes: Annotated[Amounted | None, Given] = Field(None, description="as printed")
    any_accounting: Annotated[Accountings | None, Given] = Field(
        None, description="accountings of which one has to give the amount"
    )

    @model_validator(mode="after")
    def _how_near(self) -> Self:  # in place of the other, which would look for a number before there is one
        if (self.communication_GB is None) == (self.communication_bytes is None):
            got = "none" if self.communication_GB is None else "both"
            raise refusal(f"expected one of communication_GB, communication_bytes, got {got}")
        require_near(self)
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
    def printed(self) -> PrintedNumber:
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


LONGEST_TEXT = 2000
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def _one_line(text: str) -> str:
    """Return a text without line breaks, which folding put there."""
    line = " ".join(text.split())
    if not line.isprintable():
        raise refusal(f"expected text without control characters, got {shown(line)}")
    if not line:
        raise refusal("expected text of at least 1 character, got none")
    return line


def _identifier(text: str) -> str:
    if not _ID.fullmatch(text):
        raise refusal(f"expected letters, digits, '.', '_' and '-', the first a letter or digit, got {shown(text)}")
    return text


Text: TypeAlias = Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(_one_line)]
"""A sentence or two."""
Identifier: TypeAlias = Annotated[str, Field(max_length=100), AfterValidator(_identifier)]
"""What `--only` takes."""
