"""What stands under `cost.shares:`, in files and in short: equal, given, or to be decided."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Final, TypeAlias

from hypar_opt.instance.exact import INTEGER, as_in_files, integer, rational
from hypar_opt.instance.limits import LARGEST_SIZE
from hypar_opt.instance.shares import EQUAL, ExactShares, GivenShares, GridShares, Shares, WholeShares
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact

OPTION: Final = "--shares"
EQUALLY: Final = "equal"
EXACTLY: Final = "exact"
PARTS: Final = "parts"
GRID: Final = "grid"
COUNTED: Final = (PARTS, GRID)
"""What is said with a number of equal parts: of one share for all layers, and of one for each."""
EXPECTED: Final = (
    f"expected {EQUALLY}, {EXACTLY}, two shares such as [7/10, 3/10], {{{PARTS}: 512}}, {{{GRID}: 16}}, or two "
    "shares by split"
)
Said: TypeAlias = "str | tuple[Part, Part] | Mapping[str, Any]"
Part: TypeAlias = Decimal | str
"""A share: a decimal where it is one, else a fraction as text."""


class SharesError(ValueError):
    """Shares that cannot be.

    Parameters
    ----------
    message
        Why.
    at
        The split, or `parts` or `grid`, that is to blame; nothing where it is all.
    """

    def __init__(self, message: str, at: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.at = at


def said_shares(value: object) -> Said:
    """Return what a file says of shares, each number as it is written shortest.

    Raises
    ------
    SharesError
        If it is nothing of that, or two shares are not the whole.
    """
    if isinstance(value, str) and value in (EQUALLY, EXACTLY):
        return value
    if isinstance(value, list | tuple):
        return _pair(value)
    if not isinstance(value, Mapping) or not value:
        raise SharesError(f"{EXPECTED}, got {shown(value)}")
    counted = next((name for name in COUNTED if name in value), None)
    if counted is None:
        return {str(split): _pair(shares, str(split)) for split, shares in value.items()}
    other = next((name for name in value if name != counted), None)
    if other is not None:
        raise SharesError(f"expected nothing beside {counted}", str(other))
    return {counted: _parts(value[counted], counted)}


def shares_of(said: Said, splits: tuple[str, ...]) -> Shares:
    """Return what decides the shares of an array's splits, each of which is named where they are given by name."""
    if said == EXACTLY:
        return ExactShares()
    if isinstance(said, str):
        return GivenShares((EQUAL,) * len(splits))
    if isinstance(said, tuple):
        return GivenShares((Fraction(said[0]),) * len(splits))
    if PARTS in said:
        return WholeShares(said[PARTS])
    if GRID in said:
        return GridShares(said[GRID])
    return GivenShares(tuple(Fraction(said[split][0]) for split in splits))


def read_shares(text: object) -> Said:
    """Return shares as the command line takes them: `equal`, `7/10,3/10`, `parts=512`, `grid=16`, or by split.

    Raises
    ------
    InputError
        If they are no shares.
    """
    if not isinstance(text, str):
        raise InputError(f"expected text, for example root=7/10,3/10;1=1/2,1/2, got {shown(text)}", field=OPTION)
    try:
        return said_shares(_spelt(text.strip()))
    except SharesError as error:
        raise InputError(error.message, field=f"{OPTION} {error.at}".strip()) from None


def shares_text(shares: object) -> Any:
    """Return shares as the command line takes them, where they are given as a file has them; all else as it is."""
    shares = as_in_files(shares)
    if isinstance(shares, list | tuple):
        return ",".join(map(str, shares))
    if not isinstance(shares, Mapping):
        return shares
    counted = next((name for name in COUNTED if name in shares), None)
    if counted is not None:
        return f"{counted}={shares[counted]}"
    return ";".join(f"{split}={shares_text(pair)}" for split, pair in shares.items())


def _spelt(text: str) -> object:
    """Return what a text would be in a file."""
    if text in (EQUALLY, EXACTLY):
        return text
    if "=" not in text:
        return tuple(part.strip() for part in text.split(",")) if "," in text else text
    found: dict[str, object] = {}
    for part in text.split(";"):
        name, equals, shares = (one.strip() for one in part.partition("="))
        if not equals:
            raise SharesError(f"expected SPLIT=SHARE,SHARE, got {shown(part)}")
        if name in found:
            raise SharesError(f"{shown(name)} comes twice")
        found[name] = _number(shares) if name in COUNTED else tuple(one.strip() for one in shares.split(","))
    return found


def _number(text: str) -> object:
    return integer(text) if INTEGER.fullmatch(text) and len(text) <= 20 else text


def _parts(value: object, at: str) -> int:
    if type(value) is not int or not 2 <= value <= LARGEST_SIZE:
        raise SharesError(f"expected an integer of at least 2 and at most 2^40, got {shown(value)}", at)
    return value


def _pair(value: object, at: str = "") -> tuple[Part, Part]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise SharesError(f"expected two shares, of the first half and of the second, got {shown(value)}", at)
    first, second = (_share(one, at) for one in value)
    if first + second != 1:
        parts = f"{exact(first)} and {exact(second)}"
        raise SharesError(f"expected two shares that sum to 1, got {parts}, together {exact(first + second)}", at)
    return _written(first), _written(second)


def _share(value: object, at: str) -> Fraction:
    """Return a share as it is written: a number, or a decimal or a fraction as text."""
    try:
        found = rational(value)
    except (InvalidOperation, ValueError, OverflowError):
        found = None
    if found is None:
        expected = "expected a share: a decimal such as 0.7, or a fraction such as 7/10"
        raise SharesError(f"{expected}, got {shown(value)}", at)
    if found <= 0:
        raise SharesError(f"expected shares above 0, got {shown(value)}, which leaves a half nothing", at)
    return found


def _written(share: Fraction) -> Part:
    text = str(exact(share))
    return text if "/" in text else Decimal(text)
