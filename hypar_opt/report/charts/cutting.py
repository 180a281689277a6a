"""Names that are too long for a label, where some have characters beyond the 16-bit plane.

Vega counts in units of 16 bits and cuts, even where it only measures, between the two halves of such a character: in a
browser that leaves a broken character, and in print no picture. So charts with such names are cut here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

HALVED: Final = re.compile("[\U00010000-\U0010ffff]")
"""Characters of two units."""
WIDE, NARROW = 10, 28
"""Characters of a label: of one that has such, which may all be wide, and of any other."""
GUIDES: Final = {
    **dict.fromkeys(("x", "y"), "axis"),
    **dict.fromkeys(("row", "column", "facet"), "header"),
    **dict.fromkeys(("color", "fill", "stroke", "shape", "size", "opacity", "strokeDash"), "legend"),
}
"""What stands at the values of a channel."""


def cut(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chart whose labels Vega has nothing to cut of; the same one where no name has such a character."""
    return _cut(dict(spec)) if _halved(spec) else dict(spec)


def _halved(part: Any) -> bool:
    if isinstance(part, str):
        return HALVED.search(part) is not None
    if isinstance(part, list | tuple):
        return any(map(_halved, part))
    return isinstance(part, dict) and any(map(_halved, part.values()))


def _cut(part: Any) -> Any:
    if isinstance(part, list):
        return [_cut(one) for one in part]
    if not isinstance(part, dict):
        return part
    made = {name: one if name in ("data", "datasets") else _cut(one) for name, one in part.items()}
    made |= {name: 0 for name in ("labelLimit", "limit") if name in made}
    for channel, guide in GUIDES.items():
        found = made.get(channel)
        if isinstance(found, dict) and found.get("type") in ("nominal", "ordinal") and found.get(guide, {}) is not None:
            made[channel] = {**found, guide: {"labelExpr": shortened("datum.label"), **found.get(guide, {})}}
    if isinstance(part.get("mark"), dict) and "limit" in part["mark"]:
        field = part["encoding"]["text"]["field"]
        shorter = {"calculate": shortened(f"datum['{field}']"), "as": field}
        made["transform"] = [*made.get("transform", []), shorter]
    return made


def shortened(label: str) -> str:
    """Return an expression of Vega for a label that is cut between characters, the marks on the last one included."""
    halved = f"test(regexp('[\\\\uD800-\\\\uDFFF]'), {label})"
    return f"{halved} ? {_first(label, WIDE)} : {_first(label, NARROW)}"


def _first(label: str, count: int) -> str:
    return f"replace({label}, regexp('^(.{{{count}}}[\\\\p{{M}}\\\\u200D]*).{{2,}}$', 'su'), '$1…')"
