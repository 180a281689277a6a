"""Charts without what print cannot hold: menus, and characters that no SVG has."""

from __future__ import annotations

import re
from typing import Any, Final

NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""


def without_controls(view: Any) -> Any:
    """Return a chart without what only a page can show, menus and sliders; what they are set to stays."""
    if isinstance(view, list):
        return [without_controls(one) for one in view]
    if not isinstance(view, dict):
        return view
    return {
        name: one if name in ("data", "datasets") else without_controls(one)
        for name, one in view.items()
        if name != "bind"
    }


def printable(value: Any) -> Any:
    """Return a chart, or a text, with a mark for every character that no SVG can hold.

    What measures texts ends the whole process at such a character.
    """
    if isinstance(value, str):
        return NOT_XML.sub("\ufffd", value)
    if isinstance(value, list):
        return [printable(one) for one in value]
    return {printable(name): printable(one) for name, one in value.items()} if isinstance(value, dict) else value
