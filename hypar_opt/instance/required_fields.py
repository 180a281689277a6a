"""Whether there are such components, and an instance says enough of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.instance.objective.components import LEVELLED, needs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.array_schema import ArraySpec
    from hypar_opt.instance.text import FieldPath


def levelled_fault(accounting: str, components: Sequence[str]) -> str | None:
    """Return which component an accounting without levels does not know, or None."""
    name = next((name for name in LEVELLED if name in components), None)
    if not ACCOUNTINGS[accounting].by_leaves or name is None:
        return None
    return f"{name} weighs the bytes of each level, and accounting '{accounting}' counts all levels together"


def unknown_needs(array: ArraySpec, components: Sequence[str]) -> tuple[FieldPath, str] | None:
    """Return the field of an array that keeps it from saying what components cost, and why; or None."""
    for field in sorted({field for name in components for field in needs_of(name)}):
        component = next(name for name in components if field in needs_of(name))
        part, _, inside = field.partition(".")
        fault = (_links_lack if part == "link" else _lacks)(array, part, inside, component)
        if fault is not None:
            return fault
    return None


def _lacks(array: ArraySpec, part: str, inside: str, component: str) -> tuple[FieldPath, str] | None:
    found = getattr(array, part)
    if found is None:
        return ("array", part), f"missing, and {component} needs it; try --array hypar-16"
    if inside and getattr(found, inside) is None:
        return ("array", part, inside), f"missing, and {component} needs it"
    return None


def _links_lack(array: ArraySpec, part: str, inside: str, component: str) -> tuple[FieldPath, str] | None:
    if getattr(array.link, inside, None) is not None:
        return None
    if array.graph is None:
        return ("array", part, inside), f"missing, and {component} needs it"
    for number, link in enumerate(array.graph.links):
        if getattr(link, inside) is None:
            path = ("array", "graph", "links", number, inside)
            return path, f"missing here and in array.link, and {component} needs it"
    return None
