"""Strategy graphs in the format of the contest on intra-operator parallelism, told from instances by their content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.formats.format import BOM, GZIP, File, Format
from hypar_opt.instance.limits import MOST_UNPACKED

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance.strategy_graph import StrategyGraph

_FIRST_KEY = re.compile(rb'\s*\{\s*"problem"\s*:')


def _recognises(file: File) -> bool:
    """Return whether a file is compressed by gzip, or JSON with `problem` at the top.

    A file that cannot be read is none; nor is one of which other readers say what is wrong with it.
    """
    start = file.start
    if start.startswith(GZIP) or _FIRST_KEY.match(start):
        return True
    return start.lstrip().startswith(b"{") and _has_problem(file.path)


def _has_problem(path: Path) -> bool:
    import msgspec

    from hypar_opt.instance.strategy_graph.decoding import Anyone

    try:
        with path.open("rb") as file:
            msgspec.json.decode(file.read(MOST_UNPACKED).removeprefix(BOM), type=Anyone)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _read(file: File) -> StrategyGraph:
    from hypar_opt.instance.strategy_graph import read_strategy_graph

    return read_strategy_graph(file.path)


FORMATS: Final = (Format("iopddl", "strategy graph", _recognises, _read, 100),)
