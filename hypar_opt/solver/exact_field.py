"""Exact numbers in files of plans: integers, and decimals, fractions or roots as text."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator

from hypar_opt.instance.fields import refusal
from hypar_opt.instance.text import shown
from hypar_opt.util.surd import read_surd

EXACT = re.compile(r"-?[0-9]{1,4000}(\.[0-9]{1,4000}|/0*[1-9][0-9]{0,3999})?")
"""An exact number that is written as text."""


def _exact(value: object) -> Fraction:
    if type(value) is int or isinstance(value, Decimal):
        return Fraction(value)
    if isinstance(value, str) and EXACT.fullmatch(value):
        return Fraction(value)
    root = read_surd(value) if isinstance(value, str) else None
    if root is None:
        raise refusal(f"expected an exact number (an integer, or a decimal or fraction as text), got {shown(value)}")
    return root


Exact: TypeAlias = Annotated[Fraction, BeforeValidator(_exact)]
