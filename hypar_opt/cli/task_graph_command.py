"""hypar-opt task-graph, a command for every kind of task graph that can be written."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import click

from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.group import LazyGroup

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "cg": "Iterations of conjugate gradients, by several algorithms, cut into blocks.",
        "plan": "The tasks of a plan: of a training step, of microbatches at stages, of a collective's sends.",
        "transfers": "Gradients of a data-parallel step that share a link, between two steps.",
    }
)
"""By kind what is written; each stands in the module `task_graph_KIND`, which ends with `tell_task_graph`."""
EPILOG = epilog(
    "hypar-opt solve sfc --array hypar-16 --levels 2 --objective time -o plan.json",
    "hypar-opt task-graph plan sfc plan.json -o tasks.yaml",
    "hypar-opt task-graph cg --variant ifcg2 --workers 8 -o tasks.yaml",
    "hypar-opt task-graph plan --help",
    codes={0: "printed or written", 2: BAD_INPUT},
)


@click.group(
    "task-graph",
    cls=LazyGroup,
    epilog=EPILOG,
    summaries=KINDS,
    module="hypar_opt.cli.task_graph_{}",
    noun="kind of task graph",
)
def command() -> None:
    """Write a task graph of some KIND: what takes what for how long, and what waits for what.

    Nothing says in which order tasks are done: that is what `solve` decides.
    """
