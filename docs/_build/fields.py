"""The fields of an instance file as tables, from its JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

TITLES = {
    "NetworkSpec": "network", "LayerSpec": "network.layers", "ConvSpec": "conv", "LinearSpec": "linear",
    "PoolSpec": "pool", "GlobalPoolSpec": "global_pool", "ArraySpec": "array", "ArrayWireSpec": "array.link",
    "KindSpec": "array.accelerators",
    "AcceleratorSpec": "array.accelerator", "MemorySpec": "array.accelerator.memory",
    "EnergySpec": "array.accelerator.energy", "GraphSpec": "array.graph", "NodeSpec": "array.graph.nodes",
    "LinkSpec": "array.graph.links", "CostSpec": "cost", "FileRef": "file", "EmptySpec": "{}",
    "DeviceKindSpec": "devices", "PipelineOperatorSpec": "operators",
}  # fmt: skip
"""Where in a file a definition stands; one without a place here is shown under its own name."""
LIMITS = {
    "minimum": "at least {}", "maximum": "at most {}", "exclusiveMinimum": "above {}", "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters", "maxLength": "at most {} characters", "minItems": "at least {} elements",
    "maxItems": "at most {} elements", "pattern": "matches `{}`", "uniqueItems": "no element twice",
    "not": "not {}", "minProperties": "at least {} entries", "maxProperties": "at most {} entries",
}  # fmt: skip
"""In words, by keyword."""
LENGTHS = (("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"))
"""What is said once where the least is the most."""
PLURALS = {"characters": "character", "elements": "element", "entries": "entry"}


def as_markdown(of: str = "instance") -> str:
    """Return a table for the file and for every part of it: of an instance, or of a pipeline."""
    from hypar_opt.instance.operators.json_schema import pipelines_json_schema
    from hypar_opt.instance.schema import instance_json_schema

    schema = {"instance": instance_json_schema, "pipeline": pipelines_json_schema}[of]()
    parts = [("the file", schema), *((TITLES.get(name, name), part) for name, part in _by_place(schema["$defs"]))]
    return "\n\n".join(_table(title, part) for title, part in parts)


def _by_place(definitions: dict[str, Any]) -> list[tuple[str, Any]]:
    places = list(TITLES)
    return sorted(definitions.items(), key=lambda one: places.index(one[0]) if one[0] in places else len(places))


def _table(title: str, part: dict[str, Any]) -> str:
    head = f"### `{title}`\n\n{part.get('description', '').splitlines()[0] if part.get('description') else ''}"
    if not part.get("properties"):
        return head
    required = part.get("required", [])
    rows = [_row(name, field, name in required) for name, field in part["properties"].items()]
    return "\n".join(
        [head, "", "| field | what it is | type | default | limits |", "| --- | --- | --- | --- | --- |", *rows]
    )


def _row(name: str, field: dict[str, Any], required: bool) -> str:
    otherwise = "required" if required else ""
    default = _code(field["default"]) if "default" in field else otherwise
    cells = (
        f"`{name}`",
        field.get("description", ""),
        kind(field),
        default,
        "; ".join(_either(list(dict.fromkeys(limits(field))))),
    )
    return "| " + " | ".join(cells) + " |"


def kind(field: dict[str, Any]) -> str:
    """Return the type of a field in words."""
    if "$ref" in field:
        name = field["$ref"].rsplit("/", 1)[1]
        return f"`{TITLES.get(name, name)}`"
    if "properties" in field:
        kinds = dict.fromkeys(map(kind, field["properties"].values()))
        return f"mapping from {', '.join(map(_code, field['properties']))} to {', or '.join(kinds)}"
    for several in ("anyOf", "oneOf"):
        if several in field and "items" not in field:
            return ", or ".join(dict.fromkeys(map(kind, field[several])))
    if "enum" in field:
        return ", ".join(map(_code, field["enum"]))
    if "const" in field:
        return _code(field["const"])
    if field.get("type") == "array":
        return f"list of {kind(field['items'])}" if "items" in field else "list"
    if isinstance(field.get("additionalProperties"), dict):
        return f"mapping to {kind(field['additionalProperties'])}"
    return str(field.get("type", "anything"))


def limits(field: dict[str, Any]) -> Iterator[str]:
    """Yield the limits of a field, and of what it is made of, in words."""
    equal = [pair for pair in LENGTHS if pair[0] in field and field[pair[0]] == field.get(pair[1])]
    for keyword, words in LIMITS.items():
        if any(keyword == most for _, most in equal) or (keyword == "minimum" and "exclusiveMinimum" in field):
            continue
        if keyword in field:
            exact = words.replace("at least", "exactly") if any(keyword == least for least, _ in equal) else words
            yield _counted(exact, field[keyword])
    for one in field.get("properties", {}).values():
        yield from (f"each {words}" for words in limits(one))
    for one in () if "properties" in field else (*field.get("anyOf", ()), *field.get("oneOf", ())):
        yield from limits(one)
    if isinstance(field.get("items"), dict):
        yield from (f"each {words}" for words in limits(field["items"]))
    if isinstance(field.get("additionalProperties"), dict):
        yield from (f"each {words}" for words in limits(field["additionalProperties"]))


def _counted(words: str, value: Any) -> str:
    head, _, last = words.rpartition(" ")
    return f"{head} {PLURALS[last]}".format(1) if value == 1 and last in PLURALS else words.format(_shown(value))


def _either(words: list[str]) -> list[str]:
    """Say of lengths that exclude one another that it is one of them."""
    exact = [one for one in words if one.startswith("exactly ")]
    return [" or ".join(exact), *(one for one in words if one not in exact)] if len(exact) > 1 else words


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return _code(value["const"]) if "const" in value else f"`{json.dumps(value)}`"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _code(value: Any) -> str:
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"
