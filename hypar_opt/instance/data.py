"""Instances as plain data, as the text of an instance file, and as the one text that is hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.mixed_shares import EQUALLY
from hypar_opt.instance.objective.components import COMMUNICATION

if TYPE_CHECKING:
    from pydantic import BaseModel

    from hypar_opt.instance.array_schema import ArraySpec
    from hypar_opt.instance.operators.schema import OperatorInstanceSpec
    from hypar_opt.instance.schema import InstanceSpec


def document_of(spec: InstanceSpec | OperatorInstanceSpec) -> dict[str, Any]:
    """Return what an instance file says, everything inline and without what it would be anyway."""
    said: dict[str, Any] = plain_lists(spec.model_dump(by_alias=True, exclude_defaults=True, exclude_none=True))
    order = ("schema", "name", "batch", "network", "array", "cost", "objective", "subject_to", "fix")
    return {field: said[field] for field in (*order, *said) if field in said}


def plain_lists(value: Any) -> Any:
    """Return a value with lists for tuples."""
    if isinstance(value, Mapping):
        return {key: plain_lists(one) for key, one in value.items()}
    return [plain_lists(one) for one in value] if isinstance(value, list | tuple) else value


def instance_text(document: Mapping[str, Any], *comments: str) -> str:
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


def flow(value: object) -> str:
    """Return a value as YAML on one line, decimals as they are."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes decimals as they are, to the last digit, and whatever is said twice twice."""

        def ignore_aliases(self, data: object) -> bool:
            """Return True: no line refers to another."""
            return True

    def represent(dumper: yaml.SafeDumper, number: Decimal) -> yaml.ScalarNode:
        text = format(number, "f")
        return dumper.represent_scalar(f"tag:yaml.org,2002:{'float' if '.' in text else 'int'}", text)

    Dumper.add_representer(Decimal, represent)
    text = yaml.dump(value, Dumper=Dumper, default_flow_style=True, sort_keys=False, width=2**20, allow_unicode=True)
    return text.removesuffix("...\n").strip()


def canonical_json(spec: InstanceSpec) -> str:
    """Return the resolved instance as JSON: keys sorted, no spaces, defaults filled in, decimals as text."""
    data = spec.model_dump(by_alias=True)
    # the fields that say more of an array came later, and hashes of instances without them stay as they were
    data["array"] = _array(spec.array)
    data["objective"] = {name: weight for name, weight in spec.objective.items() if weight or name == COMMUNICATION}
    if not data["subject_to"]:
        del data["subject_to"]
    if data["microbatches"] is None:
        del data["microbatches"]
    if data["precision"] is None:
        del data["precision"]
    if data["cost"]["optimiser"] == "sgd":
        del data["cost"]["optimiser"]
    if data["cost"]["input_error"]:
        del data["cost"]["input_error"]
    if not data["cost"]["as_released"]:
        del data["cost"]["as_released"]
    if data["cost"]["shares"] == EQUALLY:
        del data["cost"]["shares"]
    if data["cost"]["barrier"] == "step":
        del data["cost"]["barrier"]
    above = "input"
    for layer in data["network"]["layers"]:
        _fill(layer, above)
        above = layer["name"]
    return json.dumps(data, sort_keys=True, separators=(",", ":"), default=exact_text)


def sha256_of_fields(spec: BaseModel) -> str:
    """Return the SHA-256 of what a file says, however it is written, without what it would be anyway."""
    said = spec.model_dump(by_alias=True, exclude_defaults=True)
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), default=exact_text)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def sha256(spec: InstanceSpec) -> str:
    """Return the SHA-256 of the canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(spec).encode("ascii")).hexdigest()


def _array(array: ArraySpec) -> dict[str, Any]:
    """Return what is said of an array without what it would be anyway."""
    data: dict[str, Any] = array.model_dump(exclude_defaults=True)
    link = {name: value for name, value in data.pop("link", {}).items() if value or name != "latency"}
    if "accelerator" in data:
        data["accelerator"] = _filled(data["accelerator"])
    if array.kinds:
        data["accelerators"] = [
            {"kind": one["kind"], "bandwidth": one["bandwidth"], "accelerator": _filled(one["accelerator"])}
            for one in data["accelerators"]
        ]
        # which leaves they are, in one way however it is said
        data["leaves"] = [[kind, len(list(run))] for kind, run in groupby(array.partition.types)]
    elif data.get("accelerators") == array.partition.leaves:
        del data["accelerators"]
    return data | ({"link": link} if link else {})


def _filled(accelerator: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in accelerator.items() if value != {}}


def _fill(layer: dict[str, Any], above: str) -> None:
    """Fill in the defaults that depend on other fields, and drop the kinds that a layer is not, and checks."""
    for kind in [key for key, value in layer.items() if value is None]:
        del layer[kind]
    layer.setdefault("inputs", (above,))
    layer.get("linear", {}).pop("in_features", None)
    if layer.get("activation") == {"kind": "relu"}:  # what it is came later
        layer["activation"] = {}
    pool = layer.get("pool")
    if pool and pool["stride"] is None:
        pool["stride"] = pool["kernel"]


def exact_text(value: object) -> str:
    """Return a decimal without the zeros that say nothing: 1, 1.0 and 1E0 are one number."""
    if not isinstance(value, Decimal):
        raise TypeError(f"not a part of an instance: {value!r}")
    text = format(value, "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"
