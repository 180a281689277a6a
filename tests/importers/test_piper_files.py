"""Inputs of Piper: what is read of a small one, and what is said of broken ones."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction

import pytest

from hypar_opt.importers.pipelines import PipelineWishes, import_pipeline
from hypar_opt.util.errors import InputError


def way(name, seconds, weights, a, b, forward=None, backward=None):
    sizes = {"parameterSize": weights, "memoryUsageA": a, "memoryUsageB": b}
    return {"id": name, "timePerSample": seconds, **sizes, "syncTimeFw": forward or {}, "syncTimeBw": backward or {}}


PLAIN = [way("vanilla", 0.30000000000000004, 8, 6, 10, {"7": 0}), way("activation recomp", 0.5, 8, 1, 15, {"7": 0})]
SPLIT = [way("vanilla", 0.25, 4, 3, 5, {"7": 12})]
FILE = {
    "maxMemoryPerDevice": 100.0,
    "maxDevices": 4,
    "bandwidth": 50.0,
    "mbsInBatch": 6,
    "nodes": [
        {"id": 3, "name": "layer", "TMPCs": {"1": PLAIN, "2": SPLIT}},
        {"id": 7, "name": "layer", "TMPCs": {"1": [way("vanilla", 1, 0, 2, 0, None, {"3": 1})]}},
    ],
    "edges": [{"sourceId": 7, "destId": 3, "communicationCost": 20}],
}


def made(tmp_path, document, wishes=None):
    path = tmp_path / "m.json"
    path.write_text(json.dumps(document))
    return import_pipeline(path, wishes).instance


def test_nodes_edges_and_devices(tmp_path):
    instance = made(tmp_path, FILE)
    assert (instance.schedule, instance.microbatches, instance.gradients, instance.recompute) == (
        "1f1b", 6, "each-batch", "operators",
    )  # fmt: skip
    (kind,) = instance.kinds
    assert (kind.count, kind.memory, kind.bandwidth, kind.replicas) == (4, 100, 50, 4)
    first, second = instance.operators
    assert (first.name, second.name, second.reads) == ("layer 7", "layer 3", ("layer 7",))
    assert first.sent_bytes == {"layer 3": 2 * (20 + 1)}
    assert second.read_bytes == {"layer 7": 2 * 20}
    assert second.way(2).read_bytes == {"layer 7": 2 * (20 + 12)}
    assert (second.computing("device"), second.activations, second.memory) == (Fraction("0.3"), 6, 10)
    anew = second.way(anew=True)
    assert (anew.computing("device"), anew.activations, anew.memory) == (Fraction("0.5"), 1, 15)
    assert second.way(2).parameters == 4
    assert [one.way(2) is not None for one in instance.operators] == [False, True]
    assert first.way(anew=True) is None  # of which there is one way only


def test_what_is_wished_goes_before_what_the_file_says(tmp_path):
    (kind,) = made(tmp_path, FILE, PipelineWishes(2, 10, 30, straight=True)).kinds
    assert (kind.count, kind.memory, kind.bandwidth, kind.replicas) == (2, 30, 10, 1)


BROKEN = {
    "degree": (("nodes", 0, "TMPCs"), {"1": PLAIN, "two": SPLIT}, "expected numbers of devices as keys, got 'two'"),
    "no plain one": (("nodes", 0, "TMPCs"), {"2": SPLIT}, "nodes[0].TMPCs: 1 is missing"),
    "three": (("nodes", 0, "TMPCs", "1"), [*PLAIN, PLAIN[1]], "expected one way or two"),
    "order": (("nodes", 0, "TMPCs", "1"), PLAIN[::-1], "expected a way that does not compute activations anew"),
    "name": (("nodes", 0, "TMPCs", "1", 1, "id"), "else", "expected a way that computes activations anew (recomp)"),
    "other": (("nodes", 0, "TMPCs", "1", 1, "parameterSize"), 9, "its parameters are others than those of the first"),
    "sync": (("nodes", 0, "TMPCs", "1", 0, "syncTimeFw"), {}, "[0].syncTimeFw: 7 is missing"),
    "time": (("nodes", 0, "TMPCs", "1", 0, "timePerSample"), -1, "timePerSample: expected a number of at least 0"),
    "edge": (("edges", 0, "destId"), 4, "edges[0].destId: no node has the id 4"),
    "edges": (("edges",), FILE["edges"] * 2, "edges[1]: the edge from 7 to 3 is there twice"),
    "nodes": (("nodes", 1, "id"), 3, "nodes[1].id: the id 3 is there twice"),
    "mapping": (("nodes", 0, "TMPCs"), [], "nodes[0].TMPCs: expected a mapping, got []"),
}


@pytest.mark.parametrize(("path", "value", "said"), BROKEN.values(), ids=BROKEN)
def test_what_is_wrong(tmp_path, path, value, said):
    document = deepcopy(FILE)
    inside = document
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    with pytest.raises(InputError) as caught:
        made(tmp_path, document)
    assert said in str(caught.value)
