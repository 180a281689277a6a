"""Files that would take many times their size as objects of Python's: refused with the field, at a bounded memory."""

from __future__ import annotations

import pytest

from hypar_opt.instance.strategy_graph import decoding as bounding
from hypar_opt.instance.strategy_graph import decompression as unpacking
from hypar_opt.instance.strategy_graph import read_strategy_graph
from hypar_opt.util.errors import InputError
from tests.instance.strategy_graph.files import example, written
from tests.instance.strategy_graph.measuring import measured

SIZE = 2**24
PARTS = {"intervals": b"[[0,1]]", "costs": b"[[0]]", "usages": b"[[0]]", "ends": b"[]", "edges": b"[]", "more": b""}
FORM = b"""{"problem":{"nodes":{"intervals":%(intervals)b,"costs":%(costs)b,"usages":%(usages)b},
"edges":{"nodes":%(ends)b,"costs":%(edges)b}%(more)b}}"""


def text(**parts):
    """Return the JSON of one node, parts of it replaced."""
    return FORM % {name.encode(): part for name, part in (PARTS | parts).items()}


def many(one, size=SIZE):
    """Return a list of some entry, of so many bytes or a few more."""
    return b"[" + (one + b",") * (size // (len(one) + 1)) + one + b"]"


HOSTILE = {  # name: (what makes the content, the message)
    "empty lists": (
        lambda: text(costs=many(b"[]")),
        "problem.nodes.costs: expected at most 2,097,152 lists, got 5,592,406",
    ),
    "lists in a list": (
        lambda: text(edges=b"[" + many(b"[]") + b"]"),
        "problem.edges.costs: expected at most 2,097,152 lists",
    ),
    "no lists": (lambda: text(edges=many(b"1")), "problem.edges.costs[0]: expected a list, got an integer"),
    "no lists but one": (
        lambda: text(edges=b"[[]," + many(b"1")[1:]),
        "problem.edges.costs[1]: expected a list, got an integer",
    ),
    "numbers": (
        lambda: text(usages=b"[" + many(b"9", 2**25) + b"]"),
        "problem.nodes.usages[0]: expected at most 16,777,216 nu",
    ),
    "ends": (
        lambda: text(ends=b"[" + many(b"0", 2**25) + b"]"),
        "problem.edges.nodes[0]: expected at most 16,777,216 numbers",
    ),
    "a name": (
        lambda: text(more=b',"name":"%b\xf0\x9f\x98\x80"' % bytes(SIZE).replace(b"\0", b"a")),
        "the text at byte 111 is",
    ),
    "a key": (
        lambda: text(more=b',"%b":1' % bytes(SIZE).replace(b"\0", rb"\n")),
        "the text at byte 104 is longer than 1,200 ch",
    ),
    "names": (lambda: text(more=b',"name":"a"' * (SIZE // 110)), "the key 'name' comes 152520 times, expected 1"),
    "digits": (
        lambda: text(costs=b"[[%b]]" % bytes(SIZE).replace(b"\0", b"1")),
        "problem.nodes.costs[0][0]: integer value out of",
    ),
    "letters": (lambda: b'{"a": "%b"}' % ("\U0001f600".encode() * (SIZE // 4)), "none"),
    "keys": (lambda: b'{"a":1%b}' % b"".join(b',"%x":1' % key for key in range(SIZE // 10)), "none"),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("make", "message"), HOSTILE.values(), ids=HOSTILE.keys())
def test_what_is_refused_takes_little(tmp_path, make, message):
    content = make()
    path = tmp_path / "hostile.json"
    path.write_bytes(content)
    said, memory = measured(path)
    assert said.startswith(message)
    assert memory * 2**30 < 3.5 * len(content) + 2**26


def test_memory_is_six_times_the_file_at_most(tmp_path):
    """Of numbers of one digit, each of which is 8 bytes in the end; any other file takes less for its size."""
    count, size = 20, 512
    own, pairs = many(b"0", 2 * size - 2), many(b"0", 2 * size * size - 2)
    nodes, edges = many(own, count * (len(own) + 1) - 1), many(pairs, count * (len(pairs) + 1) - 1)
    intervals, ends = many(b"[0,1]", 6 * count - 1), many(b"[0,1]", 6 * count - 1)
    content = text(intervals=intervals, costs=nodes, usages=nodes, ends=ends, edges=edges)
    path = tmp_path / "large.json"
    path.write_bytes(content)
    said, memory = measured(path)
    assert said == str(count)
    assert memory * 2**30 < 6 * len(content) + 2**26


@pytest.mark.parametrize(
    ("limit", "least", "message"),
    [
        ("MOST_LISTS", 5, "problem.nodes.intervals: expected at most 4 lists, got 5"),
        ("MOST_NUMBERS", 6, "problem.nodes.costs[1]: expected at most 5 numbers, got 6"),
    ],
)
def test_limits_are_the_most_that_is_read(tmp_path, monkeypatch, limit, least, message):
    document = example()
    if limit == "MOST_NUMBERS":
        costs, usages = document["problem"]["nodes"]["costs"], document["problem"]["nodes"]["usages"]
        costs[1], usages[1] = [5] * 6, [1] * 6
        document["problem"]["edges"] = {"nodes": [], "costs": []}
    path = written(tmp_path / "graph.json", document)
    monkeypatch.setattr(bounding, limit, least)
    assert read_strategy_graph(path).nodes == 5
    monkeypatch.setattr(bounding, limit, least - 1)
    with pytest.raises(InputError) as caught:
        read_strategy_graph(path)
    assert f"{caught.value.field}: {caught.value.message}" == message


def test_names_may_be_written_as_escapes(tmp_path):
    """A hundred characters, each as two escapes; a quote that is escaped ends no text."""
    name = '"\\' + "\U0001f600" * 98
    path = written(tmp_path / "graph.json", example(name=name))
    assert rb"\ud83d\ude00" in path.read_bytes()
    assert read_strategy_graph(path).name == name


@pytest.mark.parametrize(
    "more",
    [rb',"usage\u005flimit":1', rb',"usage_limit":1,"usage\u005flimit":2', rb',"name":"\"","n\u0061me" :"b"'],
)
def test_no_key_comes_twice_by_escapes(tmp_path, more):
    path = tmp_path / "graph.json"
    path.write_bytes(text(more=more))
    byte = path.read_bytes().index(b'"usage\\' if b"usage" in more else b'"n\\')
    with pytest.raises(InputError, match=f"the key at byte {byte} is written with escapes, and needs none"):
        read_strategy_graph(path)


def test_names_may_look_like_keys_with_escapes(tmp_path):
    path = tmp_path / "graph.json"
    path.write_bytes(text(more=rb',"name":"a\":\"b\\"'))
    assert read_strategy_graph(path).name == 'a":"b\\'


@pytest.mark.parametrize("chunk", [1, 2, 3, 7])
def test_letters_may_be_cut_where_the_text_is_looked_at(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(unpacking, "_CHUNK", chunk)
    path = tmp_path / "graph.json"
    path.write_bytes(text(more=',"name":"aé€\U0001f600"'.encode()))
    assert read_strategy_graph(path).name == "aé€\U0001f600"
    path.write_bytes(text(more=b',"name":"\xc3\xa9\xe2\x82"'))
    with pytest.raises(InputError, match=r"not UTF-8, expected JSON in UTF-8 \(byte 114\)"):
        read_strategy_graph(path)


def test_no_nodes_and_no_limit(tmp_path):
    path = tmp_path / "empty.json"
    path.write_bytes(text(intervals=b"[]", costs=b"[]", usages=b"[]"))
    assert read_strategy_graph(path).usage_limit == 0
