"""Reading: what is legal, what is not (tests/data/strategy_graphs has a file for each), and what it takes."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from hypar_opt.instance.strategy_graph import decompression as unpacking
from hypar_opt.instance.strategy_graph import read_strategy_graph
from hypar_opt.util.errors import InputError
from tests.instance.strategy_graph.files import example, shared, written
from tests.instance.strategy_graph.measuring import measured

BAD = Path(__file__).parents[2] / "data" / "strategy_graphs"
MESSAGES = dict(line.split(" | ", 1) for line in (BAD / "messages.txt").read_text().splitlines())


@pytest.mark.parametrize(("name", "message"), MESSAGES.items(), ids=MESSAGES.keys())
def test_the_message_names_the_field(name, message):
    with pytest.raises(InputError) as caught:
        read_strategy_graph(BAD / name)
    assert str(caught.value) == f"{BAD / name}: {message}"


def test_every_bad_file_has_a_message():
    assert {path.name for path in BAD.glob("*.json")} == set(MESSAGES)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_the_example_is_read_as_written(tmp_path, pack):
    text = json.dumps(example()).encode()
    path = tmp_path / "whatever.txt"
    path.write_bytes(pack(text))
    graph = read_strategy_graph(path)
    assert (graph.name, graph.nodes, graph.edges, graph.usage_limit) == ("example", 5, 5, 50)
    assert graph.sha256 == hashlib.sha256(text).hexdigest()
    assert graph.intervals.tolist() == [[30, 70], [40, 70], [50, 120], [110, 140], [110, 150]]
    assert graph.sizes.tolist() == [1, 2, 3, 2, 1]
    assert graph.costs.tolist() == [15, 55, 65, 25, 45, 35, 85, 75, 95]
    assert graph.usages.tolist() == [10, 25, 25, 15, 20, 15, 10, 10, 15]
    assert graph.ends.tolist() == [[0, 1], [0, 2], [1, 3], [2, 4], [3, 4]]
    assert graph.edge_costs.tolist() == [30, 40, 50, 10, 40, 90, 10, 20, 80, 60, 20, 30, 70, 60]


def test_what_is_legal(tmp_path):
    document = {
        "problem": {
            "nodes": {
                "intervals": [[5, 5], [-3, 2**63 - 1]],
                "costs": [[-7, 10**18], [0]],
                "usages": [[3, 2**63 - 1], [0]],
            },
            "edges": {
                "nodes": [[0, 1], [1, 0], [0, 0], [1]],
                "costs": [[1, 2**63 - 1], [1, -(10**18) + 1], [1, 2, 3, 4], [5]],
            },
        }
    }
    graph = read_strategy_graph(written(tmp_path / "legal.json", document))
    assert graph.name == "legal"
    assert graph.ends.tolist() == [[0, 1], [1, 0], [0, 0], [1, -1]]
    assert graph.edge_starts.tolist() == [0, 2, 4, 8, 9]
    assert graph.edge_costs.tolist() == [1, 2**63 - 1, 1, -(10**18) + 1, 1, 2, 3, 4, 5]
    assert graph.usage_limit == 2**63 - 1  # there is none in the file: what all nodes together can use


def test_a_graph_of_no_nodes(tmp_path):
    empty = {"nodes": {"intervals": [], "costs": [], "usages": []}, "edges": {"nodes": [], "costs": []}}
    graph = read_strategy_graph(written(tmp_path / "empty.json", {"problem": {**empty, "usage_limit": 0}}))
    assert (graph.nodes, graph.edges, len(graph.edge_costs)) == (0, 0, 0)
    with pytest.raises(InputError, match="expected the index of a node, and there is none, got 0"):
        edges = {"nodes": [[0]], "costs": [[]]}
        read_strategy_graph(written(tmp_path / "edge.json", {"problem": {**empty, "edges": edges}}))


def test_a_name_may_be_that_of_a_field(tmp_path):
    document = example(name="costs")
    assert read_strategy_graph(written(tmp_path / "named.json", document)).name == "costs"


@pytest.mark.parametrize("name", ["x" * 101, "two\nlines", "\x1b[2J"])
def test_names_that_no_plan_file_takes(tmp_path, name):
    with pytest.raises(InputError, match="name: expected text "):
        read_strategy_graph(written(tmp_path / "named.json", example(name=name)))


def test_a_file_whose_name_would_be_none(tmp_path):
    document = example()
    del document["problem"]["name"]
    for file, name in (("x" * 150, "x" * 100), ("two\nlines", "two?lines"), ("", ".json")):
        assert read_strategy_graph(written(tmp_path / f"{file}.json", document)).name == name


def test_usages_without_a_limit_have_to_fit_64_bits(tmp_path):
    document = example()
    del document["problem"]["usage_limit"]
    document["problem"]["nodes"]["usages"][0] = [2**63 - 1]
    with pytest.raises(InputError, match=r"usage_limit: is missing, and the usages sum to 9223372036854775877"):
        read_strategy_graph(written(tmp_path / "no-limit.json", document))


PACKED = gzip.compress(json.dumps(example()).encode())
BROKEN = {
    "cut gzip": (PACKED[:-20], "the gzip file ends too early; is the download complete?"),
    "only a beginning": (PACKED[:5], "the gzip file ends too early; is the download complete?"),
    "damaged": (PACKED[:40] + bytes(8) + PACKED[48:], "the gzip file is damaged: "),
    "wrong sum": (PACKED[:-8] + bytes(8), "the gzip file is damaged: CRC check failed"),
    "text after": (PACKED + b"{}", "the gzip file is damaged: Not a gzipped file"),
    "not JSON in gzip": (gzip.compress(b"hello"), "not JSON: invalid character (byte 0)"),
    "another archive": (b"PK\x03\x04", "not JSON: invalid character (byte 0)"),
    "empty": (b"", "the file is empty, expected a strategy graph as JSON"),
    "empty gzip": (gzip.compress(b""), "the file is empty, expected a strategy graph as JSON"),
    "cut within a letter": ('{"problem": "é'.encode()[:-1], "not UTF-8, expected JSON in UTF-8 (byte 13)"),
    "Latin-1": ('{"problem": {"name": "Grün"}}'.encode("latin-1"), "not UTF-8, expected JSON in UTF-8 (byte 24)"),
    "UTF-16": (json.dumps(example()).encode("utf-16"), "not UTF-8, expected JSON in UTF-8 (byte 0)"),
    "deep": (b'{"problem": {"edges": {"nodes": [], "costs": [' + b"[" * 10**5, "nested too deep for a strategy graph"),
}


@pytest.mark.parametrize(("content", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_what_is_no_json(tmp_path, content, message):
    path = tmp_path / "broken.json.gz"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_strategy_graph(path)
    assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(("name", "message"), [("", "is a folder, expected a file"), ("none.json", "no such file")])
def test_what_is_no_file(tmp_path, name, message):
    with pytest.raises(InputError, match=message):
        read_strategy_graph(tmp_path / name)


def test_a_mark_of_byte_order_is_no_fault(tmp_path):
    path = tmp_path / "marked.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(example()).encode())
    assert read_strategy_graph(path).nodes == 5


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_no_more_is_unpacked_than_the_limit(tmp_path, monkeypatch, pack):
    text = json.dumps(example()).encode()
    path = tmp_path / "one.json"
    path.write_bytes(pack(text))
    monkeypatch.setattr(unpacking, "MOST_UNPACKED", len(text))
    assert read_strategy_graph(path).nodes == 5
    monkeypatch.setattr(unpacking, "MOST_UNPACKED", len(text) - 1)
    with pytest.raises(InputError, match="unpacks to more than 0 MiB, the limit"):
        read_strategy_graph(path)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "nodes"), [("A", 34932), ("M", 32894), ("P", 65335)])
def test_memory_of_the_largest(name, nodes):
    said, memory = measured(shared(name))
    assert (said, memory < 0.5) == (str(nodes), True)


@pytest.mark.slow
def test_a_bomb_is_not_unpacked(tmp_path):
    path = tmp_path / "bomb.json.gz"
    member = gzip.compress(b" " * 2**28, 1)
    path.write_bytes(member * 200)  # 50 GiB
    said, memory = measured(path)
    assert said == "unpacks to more than 1,024 MiB, the limit"
    assert memory < 2
