"""Instances built, changed and written in Python: the same as those of files, with the same errors."""

from __future__ import annotations

from decimal import Decimal

import pytest

import hypar_opt
from hypar_opt import InputError, Instance, load
from hypar_opt.instance import shipped_names

TINY = {
    "schema": "hypar-opt/instance/1",
    "name": "tiny",
    "batch": 8,
    "network": {"input": [4], "layers": [{"name": "fc", "linear": {"features": 6}}]},
    "array": {"topology": "h-tree", "levels": 2},
}


@pytest.fixture(scope="module")
def instances():
    read = [load(name) for name in shipped_names()]
    return [one for one in read if isinstance(one, Instance)]


def test_what_is_written_is_read_as_the_same(instances, tmp_path):
    path = tmp_path / "written.yaml"
    for one in instances:
        path.write_text(one.to_yaml(), encoding="utf-8")
        again = load(path)
        assert (again.sha256, again.network) == (one.sha256, one.network), one.name


def test_plain_data_are_read_as_a_file(instances):
    for one in instances:
        again = Instance.from_dict(one.to_dict())
        assert (again.sha256, again.spec) == (one.sha256, one.spec), one.name


def test_decimals_are_written_to_the_last_digit(tmp_path):
    one = Instance.from_dict({**TINY, "objective": {"communication": Decimal("0.1234567890123456789")}})
    path = tmp_path / "exact.yaml"
    path.write_text(one.to_yaml(), encoding="utf-8")
    assert load(path).spec.objective == one.spec.objective


def test_replacing_is_loading_with_overrides():
    one, other = load("lenet-c").replace(levels=2, batch=16), load("lenet-c", levels=2, batch=16)
    assert (one.spec, one.overrides, one.sha256) == (other.spec, other.overrides, other.sha256)
    assert one.replace(accounting="receiver").overrides == {"levels": 2, "batch": 16, "accounting": "receiver"}


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"batch": 0}, "batch", "expected an integer of at least 1, got 0"),
        ({"bacth": 1}, "bacth", "unknown field"),
        ({"network": {"input": [4], "layers": [{"name": "fc", "linear": {"features": "six"}}]}},
         "network.layers[0].linear.features", "expected an integer"),
        ({"fix": {"fc": "ddd"}}, "fix.fc", "expected 2 letters, one a level"),
        ({"fix": {"fd": "dd"}}, "fix.fd", "'fd' is no layer"),
    ],
)  # fmt: skip
def test_errors_name_the_field(change, field, message):
    with pytest.raises(InputError) as caught:
        Instance.from_dict({**TINY, **change})
    assert (caught.value.field, message in caught.value.message) == (field, True), caught.value


@pytest.mark.parametrize(("given", "field"), [({"levels": 25}, "levels"), ({"accounting": "publishd"}, "accounting")])
def test_errors_of_what_is_replaced_name_the_argument(given, field):
    with pytest.raises(InputError) as caught:
        load("lenet-c").replace(**given)
    assert caught.value.field == field


def test_what_is_no_mapping_is_said():
    with pytest.raises(InputError, match="expected a mapping with an instance's fields, got a list"):
        Instance.from_dict([])


def test_representations_are_short():
    one = Instance.from_dict(TINY)
    assert repr(one) == "Instance('tiny', batch=8, levels=2, accounting='published')"
    assert repr(hypar_opt.solve(one)) == "Plan('tiny', OPTIMAL by joint-dp, communication 576 B)"


def test_a_whole_array_replaces_what_was_replaced_inside_the_one_before():
    changed = load("lenet-c", levels=2, placement="identity", batch=64).replace(array="torus-16")
    assert changed.overrides.keys() == {"array", "batch"}
    again = load("lenet-c", **changed.overrides)
    assert (changed.levels, changed.spec.array) == (again.levels, again.spec.array)
