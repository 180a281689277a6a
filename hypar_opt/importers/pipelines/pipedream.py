"""Profiles of PipeDream (Narayanan et al., SOSP 2019): a line an operator, with times and sizes, and a line an edge.

    node2 -- ReLU() -- forward_compute_time=1.5, backward_compute_time=3, activation_size=4, parameter_size=8
    <tab>node1 -- node2

Times are in milliseconds, sizes in bytes. Its optimiser leaves out sources that are called Input, which have to stand
in the first stage, and sinks that are called __getitem__; so does this. What a stage makes is moved twice, on and back
as a gradient, while it computes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from hypar_opt.importers.pipelines.format import MILLISECOND, PipelineFormat, PipelineWishes, number_of, rounded
from hypar_opt.importers.pipelines.made import MadePipeline, in_order, pipeline_fields
from hypar_opt.instance.text import cut, shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from hypar_opt.instance.formats.format import File
    from hypar_opt.instance.text import FieldPath

BETWEEN: Final = " -- "
_FIRST: Final = re.compile(r"\s*\S+ -- .+ -- .*compute_time=")
_NUMBERS: Final = ("forward_compute_time", "backward_compute_time", "activation_size", "parameter_size")
BANDWIDTH: Final = Decimal(10**9)
"""Bytes a second, unless another is wished: that of PipeDream's optimiser."""


@dataclass(frozen=True)
class _Node:
    line: int
    what: str
    forward: Decimal
    backward: Decimal
    output: Decimal
    parameters: Decimal

    @property
    def kind(self) -> str:
        """What it is, without what it is made with."""
        return self.what.partition("(")[0].strip()


@dataclass(frozen=True)
class _Profile:
    """A profile as it stands in its file: nodes by their names, and by reader what it reads."""

    nodes: dict[str, _Node]
    reads: dict[str, list[str]]

    def without_ends(self) -> tuple[dict[str, _Node], tuple[str, ...]]:
        """Return the nodes without inputs, and without sinks that only take a part of something; and those."""
        read = {one for others in self.reads.values() for one in others}
        ends = tuple(
            name
            for name, node in self.nodes.items()
            if (node.kind.startswith("Input") and name not in self.reads)
            or (node.kind == "__getitem__" and name not in read)
        )
        return {name: node for name, node in self.nodes.items() if name not in ends}, ends


def _read(file: File, wishes: PipelineWishes) -> MadePipeline:
    profile = _profile(file)
    unordered, left_out = profile.without_ends()
    numbers = {name: number for number, name in enumerate(unordered)}
    order = in_order([[numbers[one] for one in profile.reads.get(name, ()) if one in numbers] for name in unordered])
    listed = list(unordered)
    kept = {listed[number]: unordered[listed[number]] for number in order}
    names = {name: cut(f"{name} {node.kind}".strip()) for name, node in kept.items()}
    operators = [
        {
            "name": names[name],
            "seconds": node.forward,
            "backward": node.backward,
            "reads": [names[one] for one in profile.reads.get(name, ()) if one in kept],
            "output": 2 * node.output,
            "activations": node.output,
            "parameters": node.parameters,
        }
        for name, node in kept.items()
    ]
    lines = [node.line for node in kept.values()]

    def located(message: str, path: FieldPath, **_: bool) -> InputError:
        line = lines[int(path[1])] if path[:1] == ("operators",) and len(path) > 1 else None
        return InputError(message, file=file.path, line=line)

    device: dict[str, object] = {"kind": "device", "count": wishes.count, "bandwidth": wishes.bandwidth or BANDWIDTH}
    if wishes.memory is not None:
        device["memory"] = wishes.memory
    if not wishes.straight:
        device["replicas"] = wishes.count
    fields = pipeline_fields(file.path.stem, [device], operators, transfers="overlapped")
    comments = [f"From PipeDream's profile {file.path.name}: outputs are moved twice, on and back."]
    if left_out:
        comments.append(f"Left out as PipeDream does, inputs and parts that nobody reads: {', '.join(left_out)}.")
    return MadePipeline(fields, tuple(comments), located)


def _profile(file: File) -> _Profile:
    found = _Profile({}, {})
    edges: list[tuple[int, str]] = []
    for number, line in enumerate(file.text.splitlines(), start=1):
        try:
            if line[:1] in ("\t", " "):
                edges.append((number, line))
            elif line.strip():
                _add_node(found, number, line)
        except InputError as error:
            raise InputError(error.message, file=file.path, line=number) from None
    for number, line in edges:
        ends = line.strip().split(BETWEEN)
        if len(ends) != 2:
            raise InputError(f"expected NODE{BETWEEN}NODE, got {shown(line.strip())}", file=file.path, line=number)
        unknown = next((one for one in ends if one not in found.nodes), None)
        if unknown is not None:
            hint = did_you_mean(unknown, found.nodes)
            raise InputError(f"no node is called {shown(unknown)}{hint}", file=file.path, line=number)
        found.reads.setdefault(ends[1], []).append(ends[0])
    return found


def _add_node(found: _Profile, number: int, line: str) -> None:
    parts = line.split(BETWEEN)
    if len(parts) not in (3, 4):
        raise InputError(f"expected NODE{BETWEEN}DESCRIPTION{BETWEEN}NAME=NUMBER, ..., got {shown(line)}")
    name, what, said = parts[:3]
    if name in found.nodes:
        raise InputError(f"the node {shown(name)} is there twice")
    values = dict(one.strip().partition("=")[::2] for one in said.split(","))
    unknown = next((one for one in values if one not in _NUMBERS), None)
    if unknown is not None:
        raise InputError(f"no field is called {shown(unknown)}{did_you_mean(unknown, _NUMBERS)}")
    missing = next((one for one in _NUMBERS if one not in values), None)
    if missing is not None:
        raise InputError(f"{missing} is missing")
    forward, backward, output, parameters = (_sum(values[one], one) for one in _NUMBERS)
    seconds = rounded(forward * MILLISECOND), rounded(backward * MILLISECOND)
    found.nodes[name] = _Node(number, what, *seconds, output, parameters)


def _sum(text: str, what: str) -> Decimal:
    """Return a number, or the sum of several in brackets."""
    bare = text.strip().removeprefix("[").removesuffix("]")
    return sum((rounded(number_of(one, what)) for one in bare.split(";")), start=Decimal(0))


def _is_ours(text: str) -> bool:
    return _FIRST.match(text) is not None


PIPELINES: Final = (
    PipelineFormat(
        "PipeDream",
        "lines such as node2 -- Conv2d(3, 64) -- forward_compute_time=1.5, ...",
        _is_ours,
        _read,
        ("devices", "bandwidth", "memory", "straight"),
        300,
    ),
)
