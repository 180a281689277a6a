"""Pipelines of other projects: what is read of small files, to the digit, and what is said of broken ones."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.importers.pipelines import PipelineWishes, import_pipeline
from hypar_opt.importers.pipelines.blocks import in_blocks
from hypar_opt.instance.formats import read_document
from hypar_opt.instance.pipeline import read_pipeline
from hypar_opt.util.errors import InputError

FOUR = PipelineWishes(devices=4)
PROFILE = """\
node3 -- Linear(4, 2) -- forward_compute_time=1.5, backward_compute_time=3.000, activation_size=8.0, parameter_size=32
node1 -- Input -- forward_compute_time=600.0, backward_compute_time=0.0, activation_size=99.0, parameter_size=0.0
node2 -- LSTM(2) -- forward_compute_time=2, backward_compute_time=4, activation_size=[6.0; 1.5], parameter_size=64 -- \
stage_id=1
node4 -- __getitem__(1) -- forward_compute_time=0, backward_compute_time=0, activation_size=1.0, parameter_size=0
\tnode1 -- node2
\tnode2 -- node3
\tnode2 -- node4
"""
TABLE = """\
name,forward,backward,parameters,activation,memory,reads
a,0.010,0.020,4096,100,200,
b,0.5,,0,50,,a
c,1,0,0,25,,a b
"""


def partitioned(**changes):
    """Return a throughput input of dnn-partitioning with two nodes that are one, and one for processors alone."""
    node = {"supportedOnFpga": 1, "cpuLatency": 8.0, "fpgaLatency": 0.30000000000000004, "isBackwardNode": 0}
    nodes = [
        {"id": 7, "name": "conv", "colorClass": 3, "size": 1.5, **node},
        {"id": 9, "name": "conv", "colorClass": 3, **node, "isBackwardNode": True},
        {"id": 2, **node, "supportedOnFpga": False},
    ]
    edges = [{"sourceId": 7, "destId": 9, "cost": 0.25}, {"sourceId": 2, "destId": 7, "cost": 0.125}]
    return {
        "maxFPGAs": 2,
        "maxCPUs": 1,
        "maxSizePerFPGA": 16e9,
        "nodes": nodes,
        "edges": [] if "nodes" in changes else edges,
    } | changes


def made(tmp_path, text, wishes=None, name="model.txt"):
    path = tmp_path / name
    path.write_text(text)
    return import_pipeline(path, wishes)


def test_pipedream(tmp_path):
    found = made(tmp_path, PROFILE, FOUR)
    lstm, linear = found.instance.operators
    assert (lstm.name, lstm.seconds, lstm.backward, lstm.reads, lstm.output, lstm.activations, lstm.parameters) == (
        "node2 LSTM", {"device": Fraction("0.002")}, {"device": Fraction("0.004")}, (), 15, Fraction("7.5"), 64,
    )  # fmt: skip
    assert (linear.name, linear.computing("device"), linear.reads) == ("node3 Linear", Fraction("0.0045"), (lstm.name,))
    [kind] = found.instance.kinds
    assert (kind.count, kind.replicas, kind.bandwidth, found.instance.overlapped) == (4, 4, 10**9, True)
    assert "node1, node4" in found.comments[1]
    straight = made(tmp_path, PROFILE, PipelineWishes(4, Decimal("2e9"), Decimal(100), straight=True)).instance
    assert [(one.replicas, one.bandwidth, one.memory) for one in straight.kinds] == [(1, 2 * 10**9, 100)]


def test_dnn_partitioning(tmp_path):
    instance = made(tmp_path, json.dumps(partitioned())).instance
    alone, forward, backward = instance.operators
    assert (alone.name, dict(alone.seconds), alone.output) == ("2", {"processor": Fraction("0.008")}, 125_000)
    assert (forward.name, backward.name, backward.phase) == ("conv 7", "conv 9", "backward")
    # a binary float of 17 digits is a time in whole femtoseconds
    assert forward.seconds == {"accelerator": Fraction("0.0003"), "processor": Fraction("0.008")}
    assert (forward.reads, backward.reads) == (("2",), ("conv 7",))
    assert (forward.together, backward.together, forward.memory) == ("class 3", "class 3", Fraction("1.5"))
    accelerator, processor = instance.kinds
    # the output of an edge is moved as long as the edge says
    assert accelerator.transfer(forward.output) == Fraction("0.00025")
    assert (accelerator.memory, processor.memory, processor.transfer(forward.output)) == (16 * 10**9, None, 0)


def test_a_table(tmp_path):
    instance = made(tmp_path, TABLE, FOUR).instance
    assert [(one.name, one.computing("device"), one.output, one.reads) for one in instance.operators] == [
        ("a", Fraction("0.03"), 200, ()),
        ("b", Fraction("0.5"), 50, ("a",)),
        ("c", 1, 25, ("a", "b")),
    ]
    assert [kind.replicas for kind in instance.kinds] == [1]  # without a bandwidth replicas would be for nothing
    assert [kind.replicas for kind in made(tmp_path, TABLE, PipelineWishes(4, Decimal(1))).instance.kinds] == [4]
    chain = made(tmp_path, "name,forward,backward,parameters,activation\nx,1,0,0,0\ny,1,0,0,0\n", FOUR).instance
    assert [one.reads for one in chain.operators] == [(), ("x",)]


times = st.decimals(0, 100, places=9)


@settings(max_examples=10)
@given(st.lists(st.tuples(times, times, st.integers(0, 10**9)), min_size=1, max_size=5))
def test_files_that_are_written_say_the_same(tmp_path_factory, rows):
    lines = [f"n{place},{forward},{backward},{size},{size}" for place, (forward, backward, size) in enumerate(rows)]
    folder = tmp_path_factory.mktemp("made")
    found = made(folder, "\n".join(["name,forward,backward,parameters,activation", *lines]), FOUR)
    assert [one.computing("device") for one in found.instance.operators] == [Fraction(a + b) for a, b, _ in rows]
    for name, text in (("again.yaml", found.text), ("again.json", found.json)):
        (folder / name).write_text(text)
        document = read_document(folder / name)
        again = read_pipeline(document.data, document.error)
        assert (again.operators, again.kinds, again.sha256) == (
            found.instance.operators, found.instance.kinds, found.instance.sha256,
        )  # fmt: skip


NODES = partitioned()["nodes"]
EDGE = {"sourceId": 7, "destId": 9, "cost": 0.25}
BROKEN_JSON = {
    "maxFPGAs is missing": ({"maxFPGAs": ...}, "is no pipeline of a format that is known"),
    "a size": ({"maxSizePerFPGA": ...}, "m.json:1: maxSizePerFPGA is missing"),
    "no devices": ({"maxFPGAs": 0, "maxCPUs": 0}, "maxFPGAs: expected accelerators or processors, got neither"),
    "no processor": ({"maxCPUs": 0}, "nodes[2]: only a processor may take it, and maxCPUs is 0"),
    "negative": ({"maxFPGAs": -1}, "maxFPGAs: expected an integer of at least 0, got -1"),
    "fields": ({"nodes": [{"id": 1, "cpuLatencies": 1}]}, "nodes[0]: cpuLatency is missing; it has 'cpuLatencies'"),
    "time": ({"nodes": [{**NODES[0], "cpuLatency": -8}]}, "nodes[0].cpuLatency: expected a number of at least 0"),
    "truth": ({"nodes": [{**NODES[0], "isBackwardNode": 2}]}, "expected true or false, or 1 or 0, got 2"),
    "twice": ({"nodes": [NODES[0], NODES[0]]}, "nodes[1].id: the id 7 is there twice"),
    "latency": ({"nodes": [{**NODES[0], "layerId": 1}]}, "nodes[0].layerId: is a latency input"),
    "no node": ({"edges": [{**EDGE, "destId": 8}]}, "edges[0].destId: no node has the id 8"),
    "costs": ({"edges": [EDGE, {**EDGE, "destId": 2, "cost": 1}]}, "edges[1].cost: another edge of node 7 costs"),
    "list": ({"edges": {}}, "edges: expected a list, got a mapping"),
    "records": ({"edges": [1]}, "edges[0]: expected a mapping, got 1"),
    "circle": ({"edges": [EDGE, {**EDGE, "sourceId": 9, "destId": 9}]}, "nodes[1]: reads itself"),
}
BROKEN_TEXT = {
    "number": (PROFILE.replace("=2,", "=two,"), "m.txt:3: forward_compute_time: expected a number of at least 0"),
    "negative": (PROFILE.replace("[6.0;", "[-6.0;"), "m.txt:3: activation_size: expected a number of at least 0"),
    "NaN": (PROFILE.replace("=4,", "=nan,"), "m.txt:3: backward_compute_time: expected a number of at least 0"),
    "field": (PROFILE.replace("parameter_size=64", "parameters=64"), "m.txt:3: no field is called 'parameters'"),
    "missing": (PROFILE.replace(", parameter_size=32", ""), "m.txt:1: parameter_size is missing"),
    "twice": (PROFILE.replace("node4 --", "node2 --"), "m.txt:4: the node 'node2' is there twice"),
    "parts": (PROFILE.replace("LSTM(2) -- ", "x -- y -- z -- "), "m.txt:3: expected NODE -- DESCRIPTION"),
    "edge": (PROFILE.replace("\tnode2 -- node4", "\tnode2"), "m.txt:7: expected NODE -- NODE, got 'node2'"),
    "unknown": (PROFILE.replace("\tnode2 -- node4", "\tnode2 -- nod4"), "m.txt:7: no node is called 'nod4'; did you"),
    "circle": (PROFILE + "\tnode3 -- node2\n", "operators need each other in a circle"),
    "column": (TABLE.replace("memory", "memry"), "m.txt:1: no column is called 'memry'; did you mean 'memory'?"),
    "no column": (TABLE.replace("name,", "nom,", 1), "is no pipeline of a format that is known"),
    "column missing": (TABLE.replace("parameters,", "", 1), "m.txt:1: the column parameters is missing"),
    "columns": (TABLE.replace("b,0.5", "b,0.5,1"), "m.txt:3: expected 7 columns, got 8"),
    "cell": (TABLE.replace("0.5", "-1"), "m.txt:3: forward: expected a number of at least 0, got '-1'"),
    "no rows": (TABLE.partition("\n")[0], "has a heading and no rows"),
    "row twice": (TABLE.replace("\nb,", "\na,"), "m.txt:3: name: the name 'a' is there twice"),
    "reads": (TABLE.replace("a b", "a bb"), "m.txt:4: reads: no operator is called 'bb'"),
    "empty": ("", "is no pipeline of a format that is known"),
    "binary": ("name\0", "a binary file, expected a text file"),
}


@pytest.mark.parametrize(("text", "said"), BROKEN_TEXT.values(), ids=BROKEN_TEXT)
def test_what_is_wrong_with_a_text(tmp_path, text, said):
    with pytest.raises(InputError) as caught:
        _ = made(tmp_path, text, FOUR, "m.txt").instance
    assert said in str(caught.value)


@pytest.mark.parametrize(("changes", "said"), BROKEN_JSON.values(), ids=BROKEN_JSON)
def test_what_is_wrong_with_json(tmp_path, changes, said):
    document = {key: value for key, value in partitioned(**changes).items() if value is not ...}
    with pytest.raises(InputError) as caught:
        _ = made(tmp_path, json.dumps(document), None, "m.json").instance
    assert said in str(caught.value)


def test_what_a_file_says_itself_is_not_wished(tmp_path):
    with pytest.raises(InputError, match="--devices: a file of dnn-partitioning says that itself"):
        made(tmp_path, json.dumps(partitioned()), FOUR)
    with pytest.raises(InputError, match="expected --devices N"):
        made(tmp_path, TABLE)
    with pytest.raises(InputError, match="not JSON"):
        made(tmp_path, '{"maxFPGAs": 1, "nodes": [}')


def test_branches_that_join_again_are_blocks():
    reads = {"a": [], "b": ["a"], "c": ["b"], "d": ["b"], "e": ["c", "d"], "f": ["e"]}
    operators = [{"name": name, "seconds": 1, "reads": own} for name, own in reads.items()]
    apart = in_blocks([{**one, "together": "x"} if one["name"] in "af" else one for one in operators])
    assert [one.get("together") for one in in_blocks(operators)] == [None, *["block 1"] * 3, None, None]
    assert {one.get("together") for one in apart} == {"block 1"}  # a and f are one, so that all is on a circle
    seen = [*operators[:5], {"name": "f", "seconds": 1, "reads": ["e", "a"]}]
    assert [one.get("together") for one in in_blocks(seen)] == [*["block 1"] * 5, None]
    assert [one.get("together") for one in in_blocks(seen, ["a"])] == [None, *["block 1"] * 3, None, None]


def test_blocks_are_wished_of_any_format(tmp_path):
    found = made(tmp_path, TABLE, PipelineWishes(devices=2, blocks=True))
    assert [one.together for one in found.instance.operators] == ["block 1", "block 1", None]
