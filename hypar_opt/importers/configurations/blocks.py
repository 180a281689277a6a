"""Layers of transformers, as instance files have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from hypar_opt.importers.layers.functions import activation_fields

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Layer: TypeAlias = "dict[str, Any]"


@dataclass(frozen=True)
class ConfiguredNetwork:
    """A network that a configuration says.

    Parameters
    ----------
    inputs
        Their dimensions behind the batch, by name.
    layers
        As instance files have them.
    notes
        What is not as in the model.
    """

    inputs: Mapping[str, Mapping[str, int]]
    layers: Sequence[Layer]
    notes: tuple[str, ...] = ()


def layer(name: str, kind: str, fields: Mapping[str, Any] | None = None, *inputs: str, shared: str = "") -> Layer:
    """Return a layer; it reads the one above unless inputs are given."""
    said: Layer = {"name": name}
    if inputs:
        said["inputs"] = list(inputs)
    if shared:
        said["shared"] = shared
    return said | {kind: dict(fields or {})}


def activation(name: str, called: object) -> Layer:
    """Return an activation by what a configuration calls it."""
    return layer(name, "activation", activation_fields(str(called)))


def linear(name: str, features: int, *inputs: str, bias: bool = False, shared: str = "") -> Layer:
    """Return a fully connected layer."""
    return layer(name, "linear", {"features": features} | ({"bias": True} if bias else {}), *inputs, shared=shared)


def norm(name: str, kind: str, *inputs: str) -> Layer:
    """Return a normalisation of the features."""
    return layer(name, "norm", {"kind": kind}, *inputs)


def learned(name: str, rows: int, length: int, features: int) -> list[Layer]:
    """Return embeddings of positions: a table, of which so many rows are read."""
    made = [layer(name, "learned", {"sequence": rows, "features": features})]
    return made if rows == length else [*made, layer(f"{name}.part", "part", {"over": "sequence", "size": length})]


def repeat(name: str, times: int, layers: Sequence[Layer]) -> Layer:
    """Return layers that are repeated."""
    return {"name": name, "repeat": {"times": times, "layers": list(layers)}}


@dataclass(frozen=True)
class Projections:
    """Queries, keys and values, and what is made of what attention writes.

    Parameters
    ----------
    names
        Of the three layers, of attention and of the layer behind it.
    width
        Of the queries' features.
    key_width
        Of the keys' and values'.
    """

    names: tuple[str, str, str, str, str]
    heads: int
    key_heads: int
    width: int
    key_width: int
    features: int
    bias: bool
    output_bias: bool
    causal: bool

    def layers(self, source: str) -> list[Layer]:
        """Return the layers, which read one that stands above."""
        query, key, value, attention, output = self.names
        fields: dict[str, Any] = {"heads": self.heads}
        fields |= {"key_heads": self.key_heads} if self.key_heads != self.heads else {}
        fields |= {"causal": True} if self.causal else {}
        return [
            linear(query, self.width, source, bias=self.bias),
            linear(key, self.key_width, source, bias=self.bias),
            linear(value, self.key_width, source, bias=self.bias),
            layer(attention, "attention", fields, query, key, value),
            linear(output, self.features, bias=self.output_bias),
        ]
