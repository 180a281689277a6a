"""The JSON Schema of instance files of either kind."""

from __future__ import annotations

from typing import Any

from hypar_opt.instance.collective.schema import CollectiveSpec
from hypar_opt.instance.operators.network_schema import OperatorLayerSpec
from hypar_opt.instance.operators.schema import OperatorInstanceSpec
from hypar_opt.instance.pipeline.schema import PipelineSpec
from hypar_opt.instance.schema import instance_json_schema, refer_to_files, without_nulls
from hypar_opt.instance.tasks.schema import TaskGraphSpec

KINDS = ("InstanceSpec", "OperatorInstanceSpec", "PipelineSpec", "CollectiveSpec", "TaskGraphSpec")
"""What an instance file may be, by the names of their definitions."""


def any_instance_json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of instance files, for editors and other programs.

    Of layers that are split in halves, of operators on an array of axes, of pipelines, of collectives, or of tasks in
    time. Networks and arrays may be `{file: PATH}`. What no schema can say (shapes that do not fit, names that are not
    there) is left to `load`.
    """
    halved = instance_json_schema()
    dialect, definitions = halved.pop("$schema"), halved.pop("$defs")
    operators = operators_json_schema()
    definitions |= operators.pop("$defs")
    pipelines = pipelines_json_schema()
    definitions |= pipelines.pop("$defs")
    collectives = collectives_json_schema()
    definitions |= collectives.pop("$defs")
    tasks = task_graphs_json_schema()
    definitions |= tasks.pop("$defs")
    definitions |= dict(zip(KINDS, (halved, operators, pipelines, collectives, tasks), strict=True))
    return {
        "$schema": dialect,
        "title": "An instance",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in KINDS],
        "$defs": definitions,
    }


def pipelines_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of pipelines."""
    schema = PipelineSpec.model_json_schema(by_alias=True)
    without_nulls(schema)
    return schema


def task_graphs_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of task graphs; a memory may be null, and what is waited for may be a name alone."""
    schema = TaskGraphSpec.model_json_schema(by_alias=True)
    memories = schema["properties"].pop("memories")
    without_nulls(schema)
    schema["properties"]["memories"] = memories
    after = schema["$defs"]["TaskSpec"]["properties"]["after"]
    after["items"] = {"anyOf": [{"type": "string"}, after["items"]]}
    return schema


def collectives_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of collectives."""
    schema = CollectiveSpec.model_json_schema(by_alias=True)
    refer_to_files(schema)
    without_nulls(schema)
    return schema


def operators_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of instances of operators."""
    schema = OperatorInstanceSpec.model_json_schema(by_alias=True)
    definitions: dict[str, Any] = schema["$defs"]
    refer_to_files(schema)
    without_nulls(schema)
    fields = OperatorLayerSpec.model_fields
    kinds = [name for name in fields if name not in ("name", "inputs", "shared")]
    definitions["OperatorLayerSpec"]["oneOf"] = [{"required": [kind]} for kind in kinds]
    array = definitions["AxesArraySpec"]
    array["oneOf"] = [{"required": ["axes"]}, {"required": ["levels"]}]
    return schema
