"""What components of a plan's cost may come to at most."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from hypar_opt.instance.exact import decimal, plain
from hypar_opt.instance.objective.components import COMPONENTS, check_known
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError

OPTION = "--at-most"


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
    return ",".join(f"{name}={plain(most)}" for name, most in bounds.items())
