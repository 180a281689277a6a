"""Inputs of Piper (Tarnawski et al., NeurIPS 2021): JSON with nodes, each with its ways of being done, and edges.

A node has under `TMPCs` by number of devices that do it together one way or two: plain, and with its activations
computed anew. Times are in seconds, forward and backward together. An edge is moved on and back, for itself, however
many edges its source has; where several devices do a node together, they exchange more (`syncTimeFw`, `syncTimeBw`, in
bytes). A stage keeps `memoryUsageA` for each microbatch in flight and `memoryUsageB` besides; replicas add up gradients
once a batch and take equal parts of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.importers.pipelines.format import PipelineFormat, PipelineWishes, rounded
from hypar_opt.importers.pipelines.json_fields import JsonFields, error_at_node, looks_like, read_json
from hypar_opt.importers.pipelines.made import MadePipeline, in_order, pipeline_fields
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from hypar_opt.instance.formats.format import File

ANEW: Final = "recomp"
"""In the id of a way that computes activations anew."""
TWICE: Final = 2
"""On, and back as a gradient."""


def _read(file: File, wishes: PipelineWishes) -> MadePipeline:
    document = read_json(file)
    fields = JsonFields(document)
    operators, places = _PiperNodes.of(fields).operators()
    count = wishes.devices or fields.count("maxDevices")
    device: dict[str, Any] = {
        "kind": "device",
        "count": count,
        "memory": fields.number("maxMemoryPerDevice") if wishes.memory is None else wishes.memory,
        "bandwidth": wishes.bandwidth or fields.number("bandwidth"),
    }
    if not wishes.straight:
        device["replicas"] = count
    made = pipeline_fields(
        file.path.stem,
        [device],
        operators,
        schedule="1f1b",
        microbatches=fields.count("mbsInBatch"),
        gradients="each-batch",
        recompute="operators",
    )
    comments = (
        f"From Piper's {file.path.name}: an edge is moved for itself, on and back; a node in two ways, the second with",
        "its activations computed anew.",
    )
    return MadePipeline(made, comments, partial(error_at_node, document, places))


@dataclass(frozen=True)
class _PiperNodes:
    """Nodes of a file, which are told by their numbers.

    Parameters
    ----------
    fields
        Of the file.
    places, names
        By number, the node's place and what it is called here.
    costs
        By source and reader, bytes.
    """

    fields: JsonFields
    places: Mapping[int, int]
    names: Mapping[int, str]
    costs: Mapping[tuple[int, int], Decimal]

    @classmethod
    def of(cls, fields: JsonFields) -> _PiperNodes:
        """Return the nodes and edges of a file."""
        document, nodes = fields.document, fields.records("nodes")
        places: dict[int, int] = {}
        for place in range(len(nodes)):
            number = fields.integer("nodes", place, "id")
            if places.setdefault(number, place) != place:
                raise document.error(f"the id {number} is there twice", ("nodes", place, "id"))
        said = {number: str(nodes[place].get("name", ""))[:80] for number, place in places.items()}
        often = Counter(said.values())
        names = {
            number: name if often[name] == 1 and name else f"{name} {number}".strip() for number, name in said.items()
        }
        costs: dict[tuple[int, int], Decimal] = {}
        for place in range(len(fields.records("edges"))):
            source, reader = (fields.integer("edges", place, end) for end in ("sourceId", "destId"))
            for end, number in (("sourceId", source), ("destId", reader)):
                if number not in places:
                    hint = did_you_mean(str(number), [str(one) for one in places])
                    raise document.error(f"no node has the id {number}{hint}", ("edges", place, end))
            if (source, reader) in costs:
                raise document.error(f"the edge from {source} to {reader} is there twice", ("edges", place))
            costs[source, reader] = fields.number("edges", place, "communicationCost")
        return cls(fields, places, names, costs)

    def operators(self) -> tuple[list[dict[str, Any]], Sequence[int]]:
        """Return the operators, and which node each is."""
        reads: dict[int, list[int]] = {number: [] for number in self.places}
        for source, reader in self.costs:
            reads[reader].append(source)
        order = in_order([[self.places[one] for one in read] for read in reads.values()])
        numbers = {place: number for number, place in self.places.items()}
        return [self._operator(numbers[place], reads[numbers[place]]) for place in order], order

    def _operator(self, number: int, reads: Sequence[int]) -> dict[str, Any]:
        place = self.places[number]
        degrees = self._mapping("nodes", place, "TMPCs")
        operator: dict[str, Any] = {"name": self.names[number]}
        if reads:
            operator["reads"] = [self.names[one] for one in reads]
        plain = self._way(number, "1", reads)
        split = [
            {"degree": int(degree), **self._way(number, degree, reads)}
            for degree in sorted((one for one in degrees if one != "1"), key=self._degree(place))
        ]
        return operator | plain | {"tensor": split}

    def _degree(self, place: int) -> Any:
        def number(text: str) -> int:
            if not text.isascii() or not text.isdigit() or text.startswith("0"):
                said = f"expected numbers of devices as keys, got {shown(text)}"
                raise self.fields.document.error(said, ("nodes", place, "TMPCs"))
            return int(text)

        return number

    def _way(self, number: int, degree: str, reads: Sequence[int]) -> dict[str, Any]:
        """Return what a node takes, done by so many devices together."""
        fields, at = self.fields, ("nodes", self.places[number], "TMPCs", degree)
        ways = fields.value(*at)
        if not isinstance(ways, list) or not 1 <= len(ways) <= 2 or not all(isinstance(one, dict) for one in ways):
            raise fields.document.error("expected one way or two, the second with activations computed anew", at)
        ids = [str(fields.value(*at, place, "id")) for place in range(len(ways))]
        wrong = next((place for place, name in enumerate(ids) if (ANEW in name) != (place == 1)), None)
        if wrong is not None:
            wanted = "computes activations anew (recomp)" if wrong else "does not compute activations anew"
            raise fields.document.error(f"expected a way that {wanted}, got {shown(ids[wrong])}", (*at, wrong, "id"))
        said, *anew = [self._said(number, (*at, place), reads) for place in range(len(ways))]
        for one in anew:
            other = next(
                (name for name in ("parameters", "read_bytes", "sent_bytes") if one.get(name) != said.get(name)), None
            )
            if other is not None:
                message = f"its {other.replace('_', ' ')} are others than those of the first way, expected the same"
                raise fields.document.error(message, (*at, 1))
        # without a second way, or one that keeps no less, there is none: said, for else there would be one by the rule
        last = anew[-1] if anew else said
        return said | {"recompute": {name: last[name] for name in ("seconds", "activations", "memory")}}

    def _said(self, number: int, at: tuple[str | int, ...], reads: Sequence[int]) -> dict[str, Any]:
        fields = self.fields
        found: dict[str, Any] = {
            "seconds": rounded(fields.number(*at, "timePerSample")),
            "memory": fields.number(*at, "memoryUsageB"),
            "activations": fields.number(*at, "memoryUsageA"),
            "parameters": fields.number(*at, "parameterSize"),
        }
        readers = [reader for source, reader in self.costs if source == number]
        if reads:
            found["read_bytes"] = {
                self.names[one]: TWICE * (self.costs[one, number] + self._more((*at, "syncTimeFw"), one))
                for one in reads
            }
        if readers:
            found["sent_bytes"] = {
                self.names[one]: TWICE * (self.costs[number, one] + self._more((*at, "syncTimeBw"), one))
                for one in readers
            }
        return found

    def _more(self, at: tuple[str | int, ...], neighbour: int) -> Decimal:
        """Return the bytes that devices which do a node together exchange besides, by a neighbour."""
        self._mapping(*at)
        return self.fields.number(*at, str(neighbour))

    def _mapping(self, *at: str | int) -> Mapping[str, Any]:
        found = self.fields.value(*at)
        if not isinstance(found, dict):
            raise self.fields.document.error(f"expected a mapping, got {shown(found)}", at)
        return found


def _is_ours(text: str) -> bool:
    return looks_like(text, "TMPCs", "maxDevices")


PIPELINES: Final = (
    PipelineFormat(
        "Piper",
        "JSON with TMPCs and maxDevices",
        _is_ours,
        _read,
        ("devices", "bandwidth", "memory", "straight"),
        200,
    ),
)
