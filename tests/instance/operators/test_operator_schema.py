"""The JSON Schema has both kinds of instances."""

from __future__ import annotations

from functools import cache

import pytest
import yaml
from jsonschema import Draft202012Validator

from hypar_opt.instance.operators.json_schema import any_instance_json_schema
from hypar_opt.instance.shipped import shipped_instances, shipped_operators


@cache
def validator():
    schema = any_instance_json_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_shipped_instances_of_both_kinds_are_valid():
    files = {**shipped_operators(), "vgg-e": shipped_instances()["vgg-e"], "sfc": shipped_instances()["sfc"]}
    assert [name for name, path in files.items() if not validator().is_valid(yaml.safe_load(path.read_text()))] == []


GOOD = {
    "schema": "hypar-opt/instance/1", "name": "a", "batch": 1, "array": {"levels": 1},
    "network": {"input": {"sequence": 2}, "layers": [{"name": "a", "norm": {}}]},
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "valid"),
    [
        ({}, True),
        ({"array": {"file": "array.yaml"}, "network": {"file": "network.yaml"}}, True),
        ({"array": {}}, False),
        ({"array": {"levels": 1, "axes": [{"name": "a", "size": 2}]}}, False),
        ({"array": {"axes": [{"name": "a", "size": 1}]}}, False),
        ({"array": {"levels": 1, "size": 2}}, False),
        ({"cost": {"accounting": "published"}}, False),
        ({"network": {**GOOD["network"], "layers": [{"name": "a", "norm": {}, "softmax": {}}]}}, False),
    ],
)
def test_what_is_valid(changed, valid):
    assert validator().is_valid({**GOOD, **changed}) is valid
