"""Reading whatever can be solved: an instance of ours, or a strategy graph; recognised by content."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypar_opt.strategy_graph import read_strategy_graph

if TYPE_CHECKING:
    from hypar_opt.instance import Instance
    from hypar_opt.strategy_graph import StrategyGraph

GZIP = b"\x1f\x8b"


def load(name_or_path: str | Path, **overrides: Any) -> Instance | StrategyGraph:
    """Read an instance by its path or name, or a strategy graph by its path."""
    from hypar_opt.instance import load as load_instance

    path = Path(name_or_path)
    if path.is_file():
        with path.open("rb") as file:
            head = file.read(200).lstrip()
        if head[:2] == GZIP or head.replace(b" ", b"").startswith(b'{"problem"'):
            return read_strategy_graph(path)
    return load_instance(name_or_path, **overrides)
