"""Instances of operators as plain data, as the text of an instance file, and as the one text that is hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from hypar_opt.instance.data import document_of, exact_text
from hypar_opt.instance.objective.components import COMMUNICATION

if TYPE_CHECKING:
    from hypar_opt.instance.operators.schema import OperatorInstanceSpec


def operators_document(spec: OperatorInstanceSpec) -> dict[str, Any]:
    """Return what an instance file says, everything inline and without what it would be anyway."""
    said = document_of(spec)
    weights = {name: weight for name, weight in said.get("objective", {}).items() if weight}
    changed = said | {"objective": {} if weights == {COMMUNICATION: 1} else weights}
    return {field: changed[field] for field in said if changed[field]}


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
