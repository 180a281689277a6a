"""Names that tell apart: of pages and files, and of an instance's plans."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST: Final = 60
"""Characters of a page's name."""


def unique(name: str, more: str, taken: set[str]) -> str:
    """Return a name that is not taken yet, and take it."""
    found, number = name, 1
    while found in taken:
        found = f"{name} ({more}{f', {number}' if number > 1 else ''})"
        number += 1
    taken.add(found)
    return found


def slugs(names: Sequence[str]) -> list[str]:
    """Return names for pages: letters, digits and hyphens of the instances' own, told apart by numbers."""
    found: list[str] = []
    for name in names:
        plain = slug_of(name) or "instance"
        slug, number = plain, 1
        while slug in found or slug in ("index", "audit"):
            number += 1
            slug = f"{plain}-{number}"
        found.append(slug)
    return found


def slug_of(name: str) -> str:
    """Return the letters, digits and hyphens of a name, for the names of files."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST]
