"""Reading whatever can be solved: the instance of a network, or a strategy graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.errors import InputError
from hypar_opt.instance.read import load as load_instance
from hypar_opt.instance.shipped import find_file, shipped_graphs, shipped_instances

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from hypar_opt.instance import Instance
    from hypar_opt.strategy_graph import StrategyGraph


def load(name_or_path: str | Path, **overrides: Any) -> Instance | StrategyGraph:
    """Read an instance or a strategy graph by its path, or by its name if it is a shipped one.

    Parameters
    ----------
    name_or_path
        For example `vgg-e`, `my-network.yaml` or `model.json.gz`. A file that is compressed by gzip, or JSON with
        `problem` at the top, is a strategy graph, whatever its name.
    overrides
        Replace what an instance says, as `hypar_opt.instance.load` describes; None replaces nothing.

    Raises
    ------
    InputError
        If there is no such file, something in it is wrong, or a field is to be replaced that there is not.
    """
    from hypar_opt.strategy_graph.recognising import is_strategy_graph

    path = find_file(str(name_or_path), shipped_instances() | shipped_graphs(), "the name of a shipped instance")
    if not is_strategy_graph(path):
        return load_instance(path, **overrides)
    for name, value in overrides.items():
        if value is not None:
            raise InputError(
                "replaces a field of a network's instance; a strategy graph has none",
                file=path,
                field=f"--{name.replace('_', '-')}",
            )
    from hypar_opt.strategy_graph import read_strategy_graph

    return read_strategy_graph(path)
