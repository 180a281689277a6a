"""Numbers of bytes as people spell them: 64MiB, several as 1KiB,1MiB, or a range as 1KiB-1GiB."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

UNITS: Final[Mapping[str, int]] = MappingProxyType(
    {"": 1, "B": 1} | {f"{name}iB": 1024**power for power, name in enumerate("KMGT", 1)}
    | {f"{name}B": 1000**power for power, name in enumerate("kMGT", 1)}
)  # fmt: skip
"""As sizes are spelt."""
MOST_BYTES: Final = 2**50
_SIZE: Final = re.compile(r"\s*([0-9]{1,16})\s*([A-Za-z]*)\s*")


def byte_sizes(text: str) -> tuple[int, ...]:
    """Return the sizes that a text spells, none twice, ascending; of a range the first, and each twice the last.

    Raises
    ------
    ValueError
        If it spells none; says what was expected.
    """
    found: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.partition("-")
        low = _size(first, text)
        high = _size(last, text) if dash else low
        if high < low:
            raise ValueError(f"the range {part.strip()} is empty; the smaller number comes first")
        found.add(high)
        while low < high:
            found.add(low)
            low *= 2
    return tuple(sorted(found))


def _size(text: str, whole: str) -> int:
    match = _SIZE.fullmatch(text)
    unit = None if match is None else UNITS.get(match[2])
    if match is None or unit is None:
        raise ValueError(
            f"expected bytes as 64MiB, several as 1KiB,1MiB or a range as 1KiB-1GiB, got '{whole}'; "
            f"units are {', '.join(filter(None, UNITS))}"
        )
    size = int(match[1]) * unit
    if not 1 <= size <= MOST_BYTES:
        raise ValueError(f"expected from 1 byte to {MOST_BYTES // 2**40:,} TiB, got '{text.strip()}'")
    return size
