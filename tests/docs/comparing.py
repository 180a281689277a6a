"""Shown output against what is printed: times, versions and dates masked, `...` for whatever is left out."""

from __future__ import annotations

import difflib
import re
from doctest import ELLIPSIS, OutputChecker

_MASKS = (
    (re.compile(r"\b(in|after) [\d.,]+ (ns|µs|ms|s|min|h)(?![\w/])"), r"\1 TIME"),
    (re.compile(r"\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?"), "DATE"),
    (re.compile(r"\b\d+\.\d+\.\d+\b"), "VERSION"),
)

_GAP = re.compile(r" {2,}")


def masked(text: str) -> str:
    """Replace what differs from run to run, spaces at the ends of lines, and how many stand between columns."""
    for pattern, word in _MASKS:
        text = pattern.sub(word, text)
    # columns are as wide as the times in them
    return "".join(_GAP.sub("  ", line).rstrip() + "\n" for line in text.strip("\n").splitlines())


def difference(shown: str, printed: str) -> str | None:
    """Return how the output differs from what is shown, or None."""
    shown, printed = masked(shown), masked(printed)
    # an ellipsis on a line of its own stands for whole lines, however far it is indented
    shown = re.sub(r"^ +\.\.\.$", "...", shown, flags=re.MULTILINE)
    if OutputChecker().check_output(shown, printed, ELLIPSIS):
        return None
    lines = difflib.unified_diff(shown.splitlines(), printed.splitlines(), "shown", "printed", lineterm="")
    return "\n".join(lines)


def unlike(shown, real, at: str = "") -> str | None:
    """Return where a document with elisions differs from a real one, or None; `...` is an elision."""
    if shown == "..." or (not isinstance(shown, dict | list) and shown == real):
        return None
    if isinstance(shown, dict) and isinstance(real, dict):
        return _unlike_mapping(shown, real, at)
    if isinstance(shown, list) and isinstance(real, list):
        pairs = zip((one for one in shown if one != "..."), real, strict=False)
        short = "..." not in shown and len(shown) != len(real)
        found = f"{at}: {len(shown)} elements shown, {len(real)} there" if short else None
        return found or next(filter(None, (unlike(a, b, f"{at}[{i}]") for i, (a, b) in enumerate(pairs))), None)
    return f"{at}: {shown!r} shown, {real!r} there"


def _unlike_mapping(shown: dict, real: dict, at: str) -> str | None:
    names = set(shown) - {"..."}
    extra, missing = names - set(real), set(real) - names
    if extra or (missing and "..." not in shown):
        return f"{at}: shown and not there: {sorted(extra)}, there and not shown: {sorted(missing)}"
    return next(
        filter(None, (unlike(shown[name], real[name], f"{at}.{name}") for name in shown if name != "...")), None
    )
