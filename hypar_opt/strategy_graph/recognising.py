"""Telling strategy graphs from instances by their content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

GZIP: Final = b"\x1f\x8b"
"""What a gzip file begins with."""
BOM: Final = b"\xef\xbb\xbf"
"""What some editors put before UTF-8."""
MOST_UNPACKED: Final = 2**30
"""Bytes of JSON, after decompression; ten times what the largest public instance has."""
_FIRST_KEY = re.compile(rb'\s*\{\s*"problem"\s*:')
_SEEN_FIRST = 4096


def is_strategy_graph(path: Path) -> bool:
    """Return whether a file is a strategy graph: compressed by gzip, or JSON with `problem` at the top.

    A file that cannot be read is none; nor is one of which other readers say what is wrong with it.
    """
    try:
        with path.open("rb") as file:
            if not file.seekable():  # a pipe cannot be looked into and then read
                return False
            start = file.read(_SEEN_FIRST).removeprefix(BOM)
            if start.startswith(GZIP) or _FIRST_KEY.match(start):
                return True
            if not start.lstrip().startswith(b"{"):
                return False
            file.seek(0)
            return _has_problem(file.read(MOST_UNPACKED).removeprefix(BOM))
    except (OSError, ValueError):
        return False


def _has_problem(content: bytes) -> bool:
    import msgspec

    from hypar_opt.strategy_graph.schema import Anyone

    try:
        msgspec.json.decode(content, type=Anyone)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True
