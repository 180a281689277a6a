"""How fields and values are shown in error messages."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

FieldPath: TypeAlias = tuple[str | int, ...]
"""Where a value is in a file: keys and, counted from 0, positions in lists."""

LONGEST: Final = 60
"""Characters of a value that are shown."""
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w-]*")


def dotted(path: FieldPath) -> str:
    """Return a path as text, for example `network.layers[3].conv.kernel`."""
    text = ""
    for part in path:
        if isinstance(part, str) and _PLAIN_KEY.fullmatch(part):
            text += f".{part}"
        else:
            text += f"[{shown(part)}]"
    return text.removeprefix(".")


def shown(value: object) -> str:
    """Return a value as a file would spell it, cut where it is long."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"'{cut(value)}'"
    if isinstance(value, list | tuple):
        if len(value) > 4 or any(isinstance(one, list | tuple | dict) for one in value):
            return f"a list of {len(value)}"
        return f"[{', '.join(map(shown, value))}]"
    return "a mapping" if isinstance(value, dict) else cut(str(value))


def cut(text: str) -> str:
    """Return a text as messages show it, without what is beyond `LONGEST` characters."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
