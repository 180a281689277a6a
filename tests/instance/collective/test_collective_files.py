"""What files of collectives say, and the messages where something in them is wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest
import yaml
from jsonschema import Draft202012Validator

from hypar_opt import load
from hypar_opt.instance.collective import read_schedule
from hypar_opt.instance.operators.json_schema import any_instance_json_schema
from hypar_opt.instance.shipped import shipped_collectives
from hypar_opt.util.errors import InputError
from tests.collectives import collective_document, collective_of

SHIPPED = shipped_collectives()


@pytest.mark.parametrize("name", SHIPPED)
def test_names_are_those_of_files_and_the_schema_allows_them(name):
    assert load(name).name == name
    document = yaml.safe_load(SHIPPED[name].read_text())
    validator = Draft202012Validator(any_instance_json_schema())
    assert validator.is_valid(document)
    assert not validator.is_valid({**document, "colective": "all-gather"})


@pytest.mark.parametrize(
    ("said", "field", "message"),
    [
        ({"group": ["a0"]}, "group", "expected at least 2 accelerators, got 1"),
        ({"group": ["a0", "a9"]}, "group.1", "expected an accelerator, got 'a9'; there are a0 to a3"),
        ({"group": ["a0", "a0"]}, "group.1", "'a0' is there twice"),
        ({"dims": [33, 32]}, "array", "expected at most 1,024 accelerators, got 1,056"),
        ({"dims": [1]}, "array", "expected at least 2 accelerators, got 1"),
        ({"bytes": 0}, "bytes", "expected an integer of at least 1, got 0"),
        ({"bytes": 3}, "bytes", "expected at least a byte for each of the 4 chunks, got 3 in all"),
        ({"collective": "all-gathr"}, "collective", "did you mean 'all-gather'?"),
        ({"collective": "broadcast"}, "root", "missing"),
        ({"collective": "broadcast", "root": "a7"}, "root", "expected an accelerator of the group, got 'a7'"),
        ({"root": "a0"}, "root", "only a broadcast has a root"),
        ({"objective": "rounds"}, "steps", "missing, and rounds are of so many steps"),
        ({"steps": 3}, "steps", "only rounds are of given steps"),
        ({"objective": "time"}, "array.link.bandwidth", "missing, and time needs it"),
        ({"chunks": 2**20}, "chunks", "expected at most 1,048,576 chunks in all, got 4,194,304"),
        ({"topology": "toru"}, "array.topology", "did you mean 'torus'?"),
    ],
)
def test_what_is_wrong_is_told_with_its_field(said, field, message):
    document = {"dims": [2, 2], **said}
    with pytest.raises(InputError) as wrong:
        collective_of(**document)
    assert wrong.value.field == field
    assert message in wrong.value.message


def test_files_tell_the_line_and_replace_nothing(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(yaml.safe_dump(collective_document(dims=[2, 2], group=["a0"]), sort_keys=False))
    with pytest.raises(InputError, match=r"bad\.yaml:\d+: group: expected at least 2") as wrong:
        load(path)
    assert wrong.value.line
    with pytest.raises(InputError, match="a collective has none"):
        load("ring-4", levels=2)


@pytest.mark.parametrize(
    ("collective", "count", "summed"),
    [("all-gather", 8, False), ("reduce-scatter", 8, True), ("all-reduce", 8, True), ("all-to-all", 24, False)],
)
def test_chunks_begin_and_end_where_the_collective_says(collective, count, summed):
    found = collective_of(dims=[2, 2], collective=collective, chunks=2)
    assert len(found.chunks) == count
    assert {one.summed for one in found.chunks} == {summed}
    assert found.chunk_bytes == Fraction(2**30, count)
    assert len({one.name for one in found.chunks}) == count


def test_a_group_is_in_the_order_that_is_given():
    found = collective_of(dims=[2, 2], collective="broadcast", root="a2", group=["a3", "a2"], chunks=3)
    assert [one.name for one in found.chunks] == ["a2.1", "a2.2", "a2.3"]
    assert {one.targets for one in found.chunks} == {(3, 2)}


def test_names_of_nodes_may_have_any_characters():
    names = ["a b", "c>d", "e+f@1", "g%20"]
    graph = {"nodes": [{"name": one} for one in names], "links": [{"ends": [names[0], one]} for one in names[1:]]}
    instance = collective_of("custom", graph=graph)
    texts = {"c>d": "c%3Ed>a%20b@1 a%20b>e%2Bf%401@2 a%20b>g%2520@3"}
    schedule = read_schedule(instance, texts)
    assert [one.route for one in schedule.sends] == [(1, 0), (0, 2), (0, 3)]
    assert schedule.texts(instance)["c>d"] == texts["c>d"]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"a9": "a0>a1@1"}, "no chunk is called 'a9'"),
        ({"a0": "a0>b1@1"}, "chunk 'a0', 'a0>b1@1': no node is called 'b1'"),
        ({"a0": "a0>a1"}, "expected a0>a1@3, in step 3"),
        ({"a0": "a0>a1@1..2"}, "expected a0>a1@3, in step 3"),
    ],
)
def test_sends_that_cannot_be_read_are_named(texts, message):
    with pytest.raises(InputError) as wrong:
        read_schedule(collective_of(dims=[2, 2]), texts)
    assert message in wrong.value.message
