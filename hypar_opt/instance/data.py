"""One text for all ways to write down the same instance, and its hash."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from hypar_opt.components import COMMUNICATION

if TYPE_CHECKING:
    from hypar_opt.instance.array_schema import ArraySpec
    from hypar_opt.instance.schema import InstanceSpec


def canonical_json(spec: InstanceSpec) -> str:
    """Return the resolved instance as JSON: keys sorted, no spaces, defaults filled in, decimals as text."""
    data = spec.model_dump(by_alias=True)
    # the fields that say more of an array came later, and hashes of instances without them stay as they were
    data["array"] = _array(spec.array)
    data["objective"] = {name: weight for name, weight in spec.objective.items() if weight or name == COMMUNICATION}
    if data["cost"]["optimiser"] == "sgd":
        del data["cost"]["optimiser"]
    if data["cost"]["input_error"]:
        del data["cost"]["input_error"]
    above = "input"
    for layer in data["network"]["layers"]:
        _fill(layer, above)
        above = layer["name"]
    return json.dumps(data, sort_keys=True, separators=(",", ":"), default=_exact)


def sha256(spec: InstanceSpec) -> str:
    """Return the SHA-256 of the canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(spec).encode("ascii")).hexdigest()


def _array(array: ArraySpec) -> dict[str, Any]:
    """Return what is said of an array without what it would be anyway."""
    data: dict[str, Any] = array.model_dump(exclude_defaults=True)
    link = {name: value for name, value in data.pop("link", {}).items() if value or name != "latency"}
    if "accelerator" in data:
        data["accelerator"] = {name: value for name, value in data["accelerator"].items() if value != {}}
    if data.get("accelerators") == 1 << array.levels:
        del data["accelerators"]
    return data | ({"link": link} if link else {})


def _fill(layer: dict[str, Any], above: str) -> None:
    """Fill in the defaults that depend on other fields, and drop the kinds that a layer is not, and checks."""
    for kind in [key for key, value in layer.items() if value is None]:
        del layer[kind]
    layer.setdefault("inputs", (above,))
    layer.get("linear", {}).pop("in_features", None)
    pool = layer.get("pool")
    if pool and pool["stride"] is None:
        pool["stride"] = pool["kernel"]


def _exact(value: object) -> str:
    """Return a decimal without the zeros that say nothing: 1, 1.0 and 1E0 are one number."""
    if not isinstance(value, Decimal):
        raise TypeError(f"not a part of an instance: {value!r}")
    text = format(value, "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"
