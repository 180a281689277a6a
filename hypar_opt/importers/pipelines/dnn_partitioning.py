"""Throughput inputs of dnn-partitioning (Tarnawski et al., NeurIPS 2020): JSON with nodes and edges.

Times are in milliseconds and binary floats. An edge has how long an accelerator takes to move what its source makes,
the same for all edges of a source, and no amount of bytes that goes with it; processors move nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.importers.pipelines.format import MILLISECOND, PipelineFormat, PipelineWishes, rounded
from hypar_opt.importers.pipelines.json_fields import JsonFields, error_at_node, looks_like, read_json
from hypar_opt.importers.pipelines.made import MadePipeline, in_order, pipeline_fields
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.formats.format import File

BANDWIDTH: Final = 10**9
"""At which outputs are written that take as long as edges say: the file has times alone."""
ACCELERATOR, PROCESSOR = "accelerator", "processor"


def _read(file: File, _: PipelineWishes) -> MadePipeline:
    document = read_json(file)
    fields = JsonFields(document)
    operators, places = _Nodes(fields).operators()
    devices: list[dict[str, Any]] = []
    accelerators, processors = fields.count("maxFPGAs"), fields.count("maxCPUs")
    if accelerators:
        limit = fields.number("maxSizePerFPGA")
        devices.append({"kind": ACCELERATOR, "count": accelerators, "memory": limit, "bandwidth": BANDWIDTH})
    if processors:
        devices.append({"kind": PROCESSOR, "count": processors})
    if not devices:
        raise document.error("expected accelerators or processors, got neither (maxCPUs is 0, too)", ("maxFPGAs",))
    there = {one["kind"] for one in devices}
    for operator, place in zip(operators, places, strict=True):
        operator["seconds"] = {kind: found for kind, found in operator["seconds"].items() if kind in there}
        if not operator["seconds"]:
            raise document.error(f"only a {PROCESSOR} may take it, and maxCPUs is 0", ("nodes", place))

    made = pipeline_fields(file.path.stem, devices, operators)
    comments = (
        f"From dnn-partitioning's {file.path.name}; times in seconds, rounded to whole femtoseconds.",
        "Outputs are the bytes that 1 GB/s moves as long as edges say: the file has times alone.",
    )
    return MadePipeline(made, comments, partial(error_at_node, document, places))


@dataclass(frozen=True)
class _Nodes:
    """Nodes of a file, which are told by their numbers."""

    fields: JsonFields

    def operators(self) -> tuple[list[dict[str, Any]], Sequence[int]]:
        """Return the operators, and which node each is."""
        fields, document = self.fields, self.fields.document
        nodes = fields.records("nodes")
        latency = next((place for place, node in enumerate(nodes) if "layerId" in node), None)
        if latency is not None:
            raise document.error(
                "is a latency input, of subgraphs that wait for each other on devices that work at the same time; only "
                "throughput inputs are read, where nodes have no layerId",
                ("nodes", latency, "layerId"),
            )
        numbers: dict[Any, int] = {}
        for place in range(len(nodes)):
            number = fields.integer("nodes", place, "id")
            if numbers.setdefault(number, place) != place:
                raise document.error(f"the id {number} is there twice", ("nodes", place, "id"))
        reads, costs = self._edges(numbers)
        names = self._names(nodes, numbers)
        made = [self._operator(place, names[number], costs.get(number)) for number, place in numbers.items()]
        for operator, number in zip(made, numbers, strict=True):
            read = [names[one] for one in reads.get(number, ())]
            if read:
                operator["reads"] = read
        order = in_order([[numbers[one] for one in reads.get(number, ())] for number in numbers])
        return [made[place] for place in order], order

    def _edges(self, numbers: Mapping[Any, int]) -> tuple[dict[Any, list[Any]], dict[Any, Decimal]]:
        reads: dict[Any, list[Any]] = {}
        costs: dict[Any, Decimal] = {}
        for place in range(len(self.fields.records("edges"))):
            ends = [self.fields.integer("edges", place, end) for end in ("sourceId", "destId")]
            for end, number in zip(("sourceId", "destId"), ends, strict=True):
                if number not in numbers:
                    hint = did_you_mean(str(number), [str(one) for one in numbers])
                    raise self.fields.document.error(f"no node has the id {number}{hint}", ("edges", place, end))
            source, reader = ends
            cost = rounded(self.fields.number("edges", place, "cost") * MILLISECOND)
            if costs.setdefault(source, cost) != cost:
                message = f"another edge of node {source} costs something else; one output is moved once"
                raise self.fields.document.error(message, ("edges", place, "cost"))
            if source not in reads.setdefault(reader, []):
                reads[reader].append(source)
        return reads, costs

    def _names(self, nodes: Sequence[Mapping[str, Any]], numbers: Mapping[Any, int]) -> dict[Any, str]:
        """Return what nodes are called: their names where they have some of their own, else with their numbers."""
        said = {number: str(nodes[place].get("name", ""))[:80] for number, place in numbers.items()}
        often = Counter(said.values())
        return {
            number: name if name and often[name] == 1 else f"{name} {number}".strip() for number, name in said.items()
        }

    def _operator(self, place: int, name: str, cost: Decimal | None) -> dict[str, Any]:
        fields, node = self.fields, self.fields.records("nodes")[place]
        seconds = {PROCESSOR: rounded(fields.number("nodes", place, "cpuLatency") * MILLISECOND)}
        if fields.truth("nodes", place, "supportedOnFpga"):
            accelerated = rounded(fields.number("nodes", place, "fpgaLatency") * MILLISECOND)
            seconds = {ACCELERATOR: accelerated, **seconds}
        operator: dict[str, Any] = {"name": name, "seconds": seconds}
        if fields.truth("nodes", place, "isBackwardNode"):
            operator["phase"] = "backward"
        if cost:
            operator["output"] = rounded(cost * BANDWIDTH)
        if "size" in node:
            operator["memory"] = fields.number("nodes", place, "size")
        if node.get("colorClass") is not None:
            operator["together"] = f"class {fields.integer('nodes', place, 'colorClass')}"
        return operator


def _is_ours(text: str) -> bool:
    return looks_like(text, "nodes", "maxFPGAs")


PIPELINES: Final = (
    PipelineFormat("dnn-partitioning", "JSON with nodes, edges and maxFPGAs", _is_ours, _read, (), 100),
)
