"""Instances of operators as plain data, as the text of an instance file, and as the one text that is hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from hypar_opt.instance.data import exact_text, flow, plain_lists
from hypar_opt.instance.objective.components import COMMUNICATION

if TYPE_CHECKING:
    from hypar_opt.instance.operators.schema import OperatorInstanceSpec


def operators_document(spec: OperatorInstanceSpec) -> dict[str, Any]:
    """Return what an instance file says, everything inline and without what it would be anyway."""
    said: dict[str, Any] = plain_lists(spec.model_dump(by_alias=True, exclude_defaults=True, exclude_none=True))
    said["objective"] = {name: weight for name, weight in said.get("objective", {}).items() if weight}
    if said["objective"] == {COMMUNICATION: 1}:
        del said["objective"]
    order = ("schema", "name", "batch", "network", "array", "cost", "objective", "subject_to", "fix")
    return {field: said[field] for field in (*order, *said) if said.get(field)}


def operators_sha256(spec: OperatorInstanceSpec) -> str:
    """Return the SHA-256 of the canonical JSON: keys sorted, no spaces, without defaults, decimals as text.

    Mappings that are no fields of a layer, as an input's dimensions with their sizes, are lists in it: another order
    of dimensions makes another network.
    """
    document = {**operators_document(spec), "network": _in_order(spec.network)}
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), default=exact_text)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _in_order(value: Any) -> Any:
    """Return what a file says of a network, with lists for mappings whose order counts."""
    if isinstance(value, BaseModel):
        said = value.model_dump(by_alias=True, exclude_defaults=True, exclude_none=True)
        return {name: _in_order(getattr(value, name)) for name in said}
    if isinstance(value, Mapping):
        return [[name, _in_order(one)] for name, one in value.items()]
    return [_in_order(one) for one in value] if isinstance(value, list | tuple) else value


def operators_text(document: Mapping[str, Any], *comments: str) -> str:
    """Return a document as the text of a YAML file: a layer a line, comments on top."""
    lines = [f"# {comment}" for comment in comments]
    for field, value in document.items():
        lines += [f"{field}: {flow(value)}"] if field != "network" else ["network:", *_block(value, "  ")]
    return "\n".join(lines) + "\n"


def _block(value: Mapping[str, Any], indent: str) -> Iterator[str]:
    """Yield the lines of a mapping that has layers: these one below the other, blocks of them indented."""
    for field, one in value.items():
        if field != "layers":
            yield f"{indent}{field}: {flow(one)}"
            continue
        yield f"{indent}layers:"
        for layer in one:
            block = layer.get("repeat")
            if block is None:
                yield f"{indent}  - {flow(layer)}"
                continue
            first, *others = ({name: said} for name, said in layer.items() if name != "repeat")
            yield f"{indent}  - {flow(first)[1:-1]}"
            yield from (f"{indent}    {flow(other)[1:-1]}" for other in others)
            yield f"{indent}    repeat:"
            yield from _block(block, f"{indent}      ")
