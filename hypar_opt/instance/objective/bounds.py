"""What components of a plan's cost may come to at most."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import ceil, floor
from typing import Final

from hypar_opt.instance.exact import as_in_files, decimal, plain
from hypar_opt.instance.objective.components import COMPONENTS, check_known
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError

OPTION = "--at-most"
DIGITS: Final = 12
"""Of a cost that is rounded up, the least that can be asked for."""
RATIO: Final = re.compile(r"[0-9]{1,60}/[0-9]{0,59}[1-9][0-9]{0,59}")
"""How costs are written that are no decimals."""


def bounds_of(text: str) -> dict[str, Decimal]:
    """Return bounds in short: components, each with the most that it may come to, in its unit; nothing for none.

    Raises
    ------
    InputError
        If a component is none, comes twice, or its bound is no number.
    """
    found: dict[str, Decimal] = {}
    for part in text.split(",") if text.strip() else ():
        name, _, most = (one.strip() for one in part.partition("="))
        check_known((name,), OPTION)
        if name in found:
            raise InputError(f"{shown(name)} comes twice", field=OPTION)
        try:
            found[name] = decimal(most)
        except (InvalidOperation, ValueError) as error:
            expected = f"expected a number of {COMPONENTS[name].unit_word} behind '=', for example {name}=20"
            why = f"; {error}" if isinstance(error, ValueError) else ""
            if RATIO.fullmatch(most):  # as plans and messages have it
                why = f", which is no decimal; the next one is {rounded_up(Fraction(most))}"
            raise InputError(f"{expected}, got {shown(most)}{why}", field=f"{OPTION} {name}") from None
    return found


def bounds_text(bounds: Mapping[str, object] | str | None) -> str | None:
    """Return bounds as the command line takes them, however they are given.

    Raises
    ------
    InputError
        If a bound is no number.
    """
    if bounds is None or isinstance(bounds, str):
        return bounds
    if not isinstance(bounds, Mapping):
        raise InputError(
            f"expected a number by component, for example {{'time': 20}}, got {shown(bounds)}", field=OPTION
        )
    said = {name: as_in_files(most) if isinstance(most, Fraction) else plain(most) for name, most in bounds.items()}
    return ",".join(f"{name}={most}" for name, most in said.items())


def rounded_up(value: Fraction) -> str:
    """Return a number that is no decimal as the next one of some digits."""
    scale = 10 ** max(0, DIGITS - len(str(floor(value))))
    return f"{(Decimal(ceil(value * scale)) / scale).normalize():f}"
