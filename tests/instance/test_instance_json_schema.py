"""The JSON Schema and the reader agree, as far as a schema can tell."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from hypar_opt.instance import find_instance, instance_json_schema, read_instance, shipped_names
from hypar_opt.util.errors import InputError

BAD = Path(__file__).parent.parent / "data" / "bad"
BEYOND_A_SCHEMA = {
    # one value in JSON, or one that this test's plain YAML reader takes for another
    "batch-decimal", "batch-octal", "duplicate-key", "energy-nan", "infinity", "weight-nan",
    # what is wrong stands in another file
    "reference-bad-array", "reference-bad-network", "reference-bad-syntax", "reference-folder",
    "reference-misfit", "reference-missing", "reference-nested",
    # arrays and graphs that cannot be, or not do what is asked of them
    "array-bandwidth-missing", "array-dims-few", "array-energy-missing", "array-graph-beside", "array-no-graph",
    "array-parameter", "array-placement-short", "array-placement-unknown", "array-ports-odd", "array-too-few",
    "graph-bandwidth-missing", "graph-disconnected", "graph-link-twice", "graph-node-twice", "graph-self-loop",
    "graph-too-few", "graph-unknown-node",
    "bandwidth-at-root", "capacity-small", "energy-link-missing", "energy-missing", "time-no-accelerator",
    "time-no-bandwidth",
    "graph-entity", "graph-file-missing", "graph-file-self-loop", "graph-file-syntax", "graph-file-zero",
    # kinds that do not fill the leaves, or hold too little; what accelerators of several kinds do not go with
    "kinds-capacity", "kinds-few", "kinds-group-deep", "kinds-group-unknown", "kinds-groups-overlap",
    "kinds-groups-taken", "kinds-many-levels", "kinds-memory", "kinds-model", "kinds-node-number", "kinds-node-taken",
    "kinds-node-twice", "kinds-node-unknown", "kinds-nodes-few", "kinds-nodes-spare", "kinds-twice", "mixed-accounting",
    "mixed-as-released", "mixed-bound", "mixed-bound-free", "mixed-bound-waits", "mixed-divisible",
    "mixed-no-energy", "mixed-no-link", "mixed-objective", "mixed-product", "mixed-two",
    "none-alike", "none-at-a-level", "reads-no-kinds", "shares-alike", "shares-free-bytes", "shares-grid-fine",
    "shares-grid-layer", "shares-missing", "shares-exact-splits", "shares-parts-many", "shares-sum",
    "shares-text", "shares-zero",
    # shapes and names
    "after-flatten", "collective-readers", "cycle", "layer-twice", "linear-mismatch", "misfit", "reads-unknown",
    "fix-join", "fix-length", "fix-letter", "fix-pool", "fix-unknown",
}  # fmt: skip
NOT_DATA = {"bomb", "recursive", "syntax", "tag", "two-documents"}


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = instance_json_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("name", shipped_names())
def test_shipped_instances_are_valid(validator, name):
    assert best_match(validator.iter_errors(yaml.safe_load(find_instance(name).read_text()))) is None


@pytest.mark.parametrize("path", sorted(BAD.glob("*.yaml")), ids=lambda path: path.stem)
def test_bad_files_are_invalid_where_a_schema_can_tell(validator, path):
    if path.stem in NOT_DATA:
        with pytest.raises(InputError):
            read_instance(path)
        return
    data = yaml.safe_load(path.read_text())
    assert validator.is_valid(data) == (path.stem in BEYOND_A_SCHEMA)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        (("batch",), 2**40),
        (("batch",), 2**40 + 1),
        (("batch",), None),
        (("name",), "n" * 100),
        (("name",), "a\x7fb"),
        (("array", "levels"), 0),
        (("array", "levels"), 24),
        (("array", "levels"), True),
        (("network", "input"), [1]),
        (("network", "input"), [1, 8, 8, 8]),
        (("network", "layers", 0, "conv", "pad"), [0, 1]),
        (("network", "layers", 0, "conv", "stride"), 0),
        (("network", "layers", 1, "pool", "stride"), [1, 2]),
        (("network", "layers", 1, "pool", "stride"), None),
        (("network", "layers", 1, "inputs"), ["conv1"]),
        (("network", "layers", 1, "inputs"), None),
        (("network", "layers", 1, "flatten"), {}),
        (("network", "layers"), []),
        (("cost",), {"choices": ["op"], "bytes_per_element": 1024}),
        (("cost",), {"bytes_per_element": 5}),
        (("cost",), {"bytes_per_element": 0}),
        (("objective",), {}),
        (("objective",), {"communication": 3}),
        (("fix",), {"fc1": "dm"}),
        (("fix",), {"fc1": 1}),
        (("extra",), 1),
    ],
)
def test_schema_and_reader_say_the_same(validator, write, small, part, value):
    data = copy.deepcopy(yaml.safe_load(small))
    parent = data
    for key in part[:-1]:
        parent = parent[key]
    parent[part[-1]] = value
    path = write("a.yaml", yaml.safe_dump(data))
    if part == ("network", "input"):  # a schema does not know that a convolution needs a map
        data["network"]["layers"] = [{"name": "fc1", "linear": {"features": 1}}]
        path = write("a.yaml", yaml.safe_dump(data))
    try:
        read_instance(path)
        readable = True
    except InputError:
        readable = False
    assert validator.is_valid(data) == readable


def test_every_field_is_described():
    schema = instance_json_schema()
    for definition in (schema, *schema["$defs"].values()):
        assert definition["description"]
        for name, field in definition.get("properties", {}).items():
            assert field.get("description"), name
