"""What plan files say of boxes of shares, read strictly."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Final, TypeAlias

from pydantic import BeforeValidator, Field

from hypar_opt.instance.fields import Spec, refusal
from hypar_opt.instance.text import shown
from hypar_opt.solver.share_evidence import CLOSINGS, SearchedBox, ShareEvidence

_ONE: Final = r"[0-9]{1,4000}(\.[0-9]{1,4000}|/0*[1-9][0-9]{0,3999})?"
RATIONALS: Final = re.compile(rf"|{_ONE}( {_ONE})*")
"""Exact numbers that are not negative, with a space between them."""


def _rationals(value: object) -> tuple[Fraction, ...]:
    if not isinstance(value, str) or not RATIONALS.fullmatch(value):
        raise refusal(f"expected exact numbers, none below 0, with a space between them, got {shown(value)}")
    return tuple(map(Fraction, value.split()))


def _closing(value: object) -> str | None:
    if value is not None and (not isinstance(value, str) or value not in CLOSINGS):
        raise refusal(f"expected null or one of {', '.join(CLOSINGS)}, got {shown(value)}")
    return value


def _bound(value: object) -> Fraction | None:
    if value is None:
        return None
    if type(value) is int and value >= 0:
        return Fraction(value)
    found = _rationals(value)
    if len(found) != 1:
        raise refusal(f"expected an exact number or null, got {shown(value)}")
    return found[0]


Rationals: TypeAlias = Annotated[tuple[Fraction, ...], BeforeValidator(_rationals)]


class SearchedBoxSpec(Spec):
    """A box of shares that was looked at."""

    number: int = Field(ge=1, description="from 1, each once")
    within: int = Field(ge=0, description="the box that it is a part of, 0 of the first")
    low: Rationals = Field(description="by split, the least share in it")
    high: Rationals = Field(description="by split, the largest share in it")
    weights: list[Rationals] | None = Field(description="by wait, what a second of each class weighs")
    bound: Annotated[Fraction | None, BeforeValidator(_bound)] = Field(description="seconds, null where none is known")
    closed: Annotated[str | None, BeforeValidator(_closing)] = Field(description="how, null where it was cut")

    @property
    def searched(self) -> SearchedBox:
        """The box."""
        weights = None if self.weights is None else tuple(self.weights)
        return SearchedBox(self.number, self.within, self.low, self.high, weights, self.bound, self.closed)


class ShareEvidenceSpec(Spec):
    """Why no other shares are better."""

    parts: int | None = Field(ge=2, description="shares are multiples of one over this, null where they are given")
    boxes: list[SearchedBoxSpec] = Field(description="those that the search looked at")

    @property
    def evidence(self) -> ShareEvidence:
        """The boxes."""
        return ShareEvidence(self.parts, tuple(one.searched for one in self.boxes))
