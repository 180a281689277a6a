"""Whatever stands in a file, reading it gives an instance or an error with a line, never anything else."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hypar_opt.instance import read_instance
from hypar_opt.instance.read import OfOperators
from hypar_opt.util.errors import InputError

SMALL = (Path(__file__).parent / "small.yaml").read_text()
WORDS = [
    "name",
    "batch",
    "conv",
    "linear",
    "pool",
    "add",
    "file",
    "inputs",
    "input",
    "conv1",
    "dp",
    "op",
    "dm",
]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.sampled_from(WORDS)
)
KEYS = st.sampled_from(WORDS) | st.text(max_size=5)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


def places(data: object, path: tuple = ()) -> list[tuple]:
    """Return the paths of all values."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(place for key, value in items for place in places(value, (*path, key)))]


GOOD = yaml.safe_load(SMALL) | {
    "cost": {"accounting": "published", "choices": ["dp", "mp"], "bytes_per_element": 4, "splits": "any"},
    "objective": {"communication": 1},
    "fix": {"fc1": "dm"},
}


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@example(path=("objective", "communication"), key=None, value=[[]], as_json=False)
@given(path=st.sampled_from(places(GOOD)[1:]), key=st.none() | KEYS, value=VALUES, as_json=st.booleans())
def test_one_value_changed_or_added(tmp_path, path, key, value, as_json):
    data = copy.deepcopy(GOOD)
    parent = data
    for part in path[:-1]:
        parent = parent[part]
    if key is not None and isinstance(parent, dict):
        parent[key] = value
    else:
        parent[path[-1]] = value
    file = tmp_path / ("a.json" if as_json else "a.yaml")
    file.write_text(json.dumps(data) if as_json else yaml.safe_dump(data))
    try:
        read_instance(file)
    except InputError as error:
        assert error.line is not None or isinstance(error, OfOperators)  # the whole file is of another kind
        assert str(error).isprintable()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_any_content_of_a_file_is_refused(tmp_path, name, content):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError):
        read_instance(file)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(
    start=st.integers(0, len(SMALL)),
    length=st.integers(0, 9),
    new=st.text("{}[]:,-&*!|>'\"% \n\tx1", max_size=6),
)
def test_a_slip_of_the_keyboard(tmp_path, start, length, new):
    file = tmp_path / "a.yaml"
    file.write_text(SMALL[:start] + new + SMALL[start + length :])
    try:
        read_instance(file)
    except InputError as error:
        assert str(error).startswith(str(file))
