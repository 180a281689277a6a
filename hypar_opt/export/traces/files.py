"""Traces as files: messages one after the other, each behind its length in bytes as a varint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.export.traces.schema import ATTRIBUTES, VERSION, message_classes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.export.traces.nodes import Trace, TraceNode

ENDING: Final = ".et"
WORKLOAD: Final = "workload"
"""What the files of traces that are run by themselves begin with."""


def trace_files(prefix: str, traces: Sequence[Trace]) -> dict[str, bytes]:
    """Return the files of all ranks by name: PREFIX.RANK.et."""
    return {f"{prefix}.{rank}{ENDING}": trace_bytes(trace) for rank, trace in enumerate(traces)}


def trace_bytes(trace: Trace) -> bytes:
    """Return what the file of one rank has: the version of the schema, and the nodes."""
    return b"".join(_messages(trace))


def _messages(trace: Trace) -> Iterator[bytes]:
    classes = message_classes()
    yield from _delimited(classes["GlobalMetadata"](version=VERSION))
    for number, node in enumerate(trace):
        yield from _delimited(_message(classes, number, node))


def _message(classes: Any, number: int, node: TraceNode) -> Any:
    found = classes["Node"](id=number, name=node.name, type=int(node.kind), data_deps=node.waits_for)
    found.duration_micros = node.micros
    # without it some readers take a node for one of the host
    for name, value in {"is_cpu_op": False, **node.attributes}.items():
        found.attr.add(name=name, **{ATTRIBUTES[name]: value})
    return found


def _delimited(message: Any) -> Iterator[bytes]:
    content = message.SerializeToString()
    length = len(content)
    while length > 0x7F:
        yield bytes((length & 0x7F | 0x80,))
        length >>= 7
    yield bytes((length,))
    yield content
