"""The format of instance files as JSON Schema."""

from __future__ import annotations

from typing import Any


def instance_json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of instance files, for editors and other programs.

    A network, an array and a custom graph may also be `{file: PATH}` here. What no schema can say (shapes that do
    not fit, names that are not there) is left to `read_instance`.
    """
    from hypar_opt.instance.network_schema import LAYER_KINDS
    from hypar_opt.instance.schema import FileRef, InstanceSpec

    schema = InstanceSpec.model_json_schema(by_alias=True)
    definitions: dict[str, Any] = schema["$defs"]
    definitions["FileRef"] = FileRef.model_json_schema()
    definitions["LayerSpec"]["oneOf"] = [{"required": [kind]} for kind in LAYER_KINDS]
    for part in ("network", "array"):
        inline = schema["properties"][part].pop("$ref")
        schema["properties"][part]["oneOf"] = [{"$ref": inline}, {"$ref": "#/$defs/FileRef"}]
    for definition in (schema, *definitions.values()):
        for name, field in definition.get("properties", {}).items():
            definition["properties"][name] = _without_null(field)
    graph = definitions["ArraySpec"]["properties"]["graph"]
    graph["oneOf"] = [{"$ref": graph.pop("$ref")}, {"$ref": "#/$defs/FileRef"}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _without_null(field: dict[str, Any]) -> dict[str, Any]:
    """Return a field's schema without null: an optional field may be left out, but not be empty."""
    if {"type": "null"} not in field.get("anyOf", []):
        return field
    kinds = [kind for kind in field["anyOf"] if kind != {"type": "null"}]
    rest = {key: value for key, value in field.items() if key not in ("anyOf", "default")}
    return {**(kinds[0] if len(kinds) == 1 else {"anyOf": kinds}), **rest}
