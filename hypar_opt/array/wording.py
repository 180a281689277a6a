"""How names and values are shown in errors of custom graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection

MOST_COMPARED: Final = 4096
"""Known names among which the nearest one to a wrong name is looked for: more would take long."""
LONGEST: Final = 60
"""Characters of a value that are shown."""


def nearest(name: str, known: Collection[str]) -> str:
    """Return `did_you_mean`, or nothing where very many names are known."""
    return did_you_mean(name, known) if len(known) <= MOST_COMPARED else ""


def quoted(value: object) -> str:
    """Return a value, text in quotes, cut where it is long."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"'{_cut(value)}'"
    if isinstance(value, list | tuple | dict):
        return f"a {'mapping' if isinstance(value, dict) else 'list'} of {len(value)}"
    if isinstance(value, int) and value.bit_length() > 4 * LONGEST:
        return f"an integer of {value.bit_length()} bits"
    return _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
