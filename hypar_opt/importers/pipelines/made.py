"""A pipeline that was read from another format: the fields of its file, checked, and what is said of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.pipeline import PipelineInstance, read_pipeline

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.util.errors import InputError


@dataclass(frozen=True)
class MadePipeline:
    """A pipeline as a file of the project has it.

    Parameters
    ----------
    fields
        Of the file.
    comments
        What stands on top of it: where it comes from, and what is not as it is there.
    error
        From a message and a field's path to the error that says where that stands in the file that was read.
    """

    fields: Mapping[str, Any]
    comments: tuple[str, ...]
    error: Callable[..., InputError]

    @cached_property
    def instance(self) -> PipelineInstance:
        """The pipeline.

        Raises
        ------
        InputError
            If something in the file that was read is wrong.
        """
        return read_pipeline(self.fields, self.error)

    @property
    def text(self) -> str:
        """Of the file in YAML, an operator a line."""
        from hypar_opt.instance.data import flow

        lines = [f"# {comment}" for comment in self.comments]
        for field, value in self.fields.items():
            if field == "operators":
                lines += ["operators:", *(f"  - {flow(one)}" for one in value)]
            else:
                lines.append(f"{field}: {flow(value)}")
        return "\n".join(lines) + "\n"

    @property
    def json(self) -> str:
        """Of the file in JSON."""
        from hypar_opt.instance.exact import plain

        return json.dumps(plain(self.fields), indent=1) + "\n"


def pipeline_fields(
    name: str, devices: Sequence[Mapping[str, Any]], operators: Sequence[Mapping[str, Any]], **others: Any
) -> dict[str, Any]:
    """Return the fields of a pipeline's file.

    Parameters
    ----------
    name, devices, operators
        As the file has them.
    others
        Fields that stand between devices and operators.
    """
    from hypar_opt.instance.pipeline.schema import SCHEMA

    return {"schema": SCHEMA, "name": name, "devices": devices, **others, "operators": operators}


def in_order(reads: Sequence[Sequence[int]]) -> list[int]:
    """Return operators in an order in which each comes behind what it reads; as they are where they go in a circle.

    Parameters
    ----------
    reads
        By operator, those that it reads. Of those that could come next the one that a file lists first does.
    """
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(reads)))
    graph.add_edges_from((other, one) for one, others in enumerate(reads) for other in others)
    try:
        return list(nx.lexicographical_topological_sort(graph))
    except nx.NetworkXUnfeasible:
        return list(range(len(reads)))
