"""Python's names for tensors and operators."""

from __future__ import annotations

import builtins
import keyword
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> Mapping[str, str]:
    """Return an identifier for each name, as like it as it can be, and unlike each other and what is taken."""
    used = {*taken, *keyword.kwlist, *dir(builtins)}
    found: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
        plain = plain if re.match(r"[A-Za-z]", plain) else f"t_{plain}"
        one, number = plain, 2
        while one in used:
            one, number = f"{plain}_{number}", number + 1
        used.add(one)
        found[name] = one
    return found
