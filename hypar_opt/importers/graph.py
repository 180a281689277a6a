"""The neutral form of a model: what every framework says of its operators, before any of it is a layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Attribute: TypeAlias = Any
"""A number, a text, None, or a list of such: whatever JSON has."""


@dataclass(frozen=True)
class Node:
    """An operator of a framework.

    Parameters
    ----------
    kind
        As the framework calls it: `Conv`, `aten.convolution`, `dot_general`.
    inputs
        Names of the tensors that it reads; empty where an optional one is left out.
    outputs
        Names of those that it writes; empty where nobody reads one.
    attributes
        All else that it is called with.
    module
        The module of the model that it stands in, as in `layer1.0.conv1`; empty where that is not known.
    """

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Attribute] = field(default_factory=dict, hash=False)
    module: str = ""

    @property
    def where(self) -> str:
        """What it is called in messages."""
        return f"{self.kind} of {self.module}" if self.module else f"{self.kind} that writes {self.outputs[0]}"


@dataclass(frozen=True)
class FrameworkGraph:
    """A model as its framework has it: operators in the order in which they run.

    Parameters
    ----------
    name
        Of the model.
    framework
        With its version, as in `onnx 1.18.0`.
    inputs
        Tensors that are given for every sample, the batch first.
    trained
        Tensors that training changes.
    sizes
        Of every tensor, by name. What is neither an input, trained, nor written by a node is a constant.
    nodes
        Each after those whose outputs it reads.
    outputs
        What the model returns.
    element_bytes
        Of a number that is trained.
    notes
        What the user should know of how it was read.
    """

    name: str
    framework: str
    inputs: tuple[str, ...]
    trained: tuple[str, ...]
    sizes: Mapping[str, tuple[int, ...]]
    nodes: tuple[Node, ...]
    outputs: tuple[str, ...]
    element_bytes: int = 4
    notes: tuple[str, ...] = ()
