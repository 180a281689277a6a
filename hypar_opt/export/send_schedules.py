"""Schedules of collectives for other programs: as JSON with the array, as traces, and with what ASTRA-sim needs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.export.astra_sim.folder import collective_folder
from hypar_opt.export.traces.files import trace_files
from hypar_opt.instance.collective import joined_messages
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.export.traces.nodes import Trace
    from hypar_opt.instance.collective import CollectiveInstance

SCHEMA: Final = "hypar-opt/sends/1"


def schedule_text(judged: JudgedCollective, _: str) -> str:
    """Return a schedule as JSON: the array's nodes and links, the chunks, and a line a send."""
    instance, machine = judged.instance, judged.instance.machine
    sends = sorted(judged.schedule.sends, key=lambda one: (one.begin, one))
    joined = judged.steps is None and instance.messages == "joined"
    messages = joined_messages(sends) if joined else [[number] for number in range(len(sends))]
    message_of = {number: message for message, group in enumerate(messages) for number in group}
    lines: dict[str, list[Any]] = {
        "nodes": [
            {"name": name, "kind": "accelerator" if place < len(machine.accelerators) else "switch"}
            for place, name in enumerate(machine.names)
        ],
        "links": [
            {
                "ends": [machine.names[end] for end in link.ends],
                "bandwidth": exact(link.bandwidth),
                "latency": exact(link.latency),
            }
            for link in machine.links
        ],
        "chunks": [
            {
                "name": chunk.name,
                "sources": [machine.names[one] for one in chunk.sources],
                "targets": [machine.names[one] for one in chunk.targets],
            }
            for chunk in instance.chunks
        ],
        "sends": [
            {
                "chunk": instance.chunks[one.chunk].name,
                "route": [machine.names[node] for node in one.route],
                "begin": exact(one.begin),
                "end": exact(one.end),
                "adds": one.adds,
                "message": message_of[number],
            }
            for number, one in enumerate(sends)
        ],
    }
    head = {
        "schema": SCHEMA,
        "name": instance.name,
        "sha256": instance.sha256,
        "collective": instance.collective,
        "bytes": instance.bytes_,
        "chunk_bytes": exact(instance.chunk_bytes),
        "when": "seconds" if judged.steps is None else "steps",
        "steps": judged.steps,
        "seconds": exact(judged.seconds),
        "topology": machine.topology,
    }
    parts = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    for name, rows in lines.items():
        listed = ",\n".join(f"    {json.dumps(row)}" for row in rows)
        parts.append(f"  {json.dumps(name)}: [\n{listed}\n  ]" if rows else f"  {json.dumps(name)}: []")
    return "{\n" + ",\n".join(parts) + "\n}\n"


@dataclass(frozen=True)
class TracedCollective:
    """What accelerators do of a collective.

    Parameters
    ----------
    instance
        The collective.
    traces
        By accelerator.
    """

    instance: CollectiveInstance
    traces: Sequence[Trace]

    @property
    def chakra(self) -> dict[str, bytes]:
        """The traces' files by name."""
        return trace_files("collective", self.traces)

    @property
    def astra_sim(self) -> dict[str, bytes]:
        """By name all files that ASTRA-sim runs it with."""
        return {**self.chakra, **collective_folder(self.instance)}
