"""Custom graphs from GraphML and node-link JSON."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.instance.hardware import Shape, Wire, custom, machine_of, read_graph
from hypar_opt.util.errors import MachineError

KEYS = """
  <key id="k" for="node" attr.name="kind" attr.type="string"/>
  <key id="b" for="edge" attr.name="bandwidth" attr.type="double"/>
  <key id="e" for="edge" attr.name="energy" attr.type="double"><default>1e-12</default></key>
"""
HUB = '<node id="hub"><data key="k">switch</data></node><node id="left"/><node id="right"/>'
FIRST = '<edge source="left" target="hub"><data key="b">2.50000000000000000000001e10</data></edge>'
SECOND = '<edge source="hub" target="right"><data key="b"> 10 </data><data key="e">0</data></edge>'


def graphml(inside=HUB + FIRST + SECOND, keys=KEYS, head="", graph='edgedefault="undirected"'):
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{head}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        f"{keys}<graph {graph}>{inside}</graph></graphml>"
    )


JSON_NODES = '{"id": "hub", "kind": "switch"}, {"id": "left"}, {"id": "right"}'
JSON_LINKS = (
    '{"source": "left", "target": "hub", "bandwidth": 2.50000000000000000000001e10, "energy": 1e-12},'
    '{"source": "hub", "target": "right", "bandwidth": 10, "energy": 0}'
)


def node_link(nodes=JSON_NODES, links=JSON_LINKS, form="links", more=""):
    return f'{{"nodes": [{nodes}], "{form}": [{links}]{more}}}'


EXPECTED = (
    [{"name": "hub", "kind": "switch"}, {"name": "left"}, {"name": "right"}],
    [
        {"ends": ("left", "hub"), "bandwidth": Decimal("2.50000000000000000000001e10"), "energy": Decimal("1e-12")},
        {"ends": ("hub", "right"), "bandwidth": 10, "energy": 0},
    ],
)


def test_both_forms_say_the_same_and_exactly():
    """23 decimals are more than a float has."""
    assert read_graph(graphml(), "graphml") == EXPECTED
    assert read_graph(node_link(), "node-link") == EXPECTED
    link = custom(*read_graph(graphml(), "graphml")).links[0]
    assert link.bandwidth == Fraction(250000000000000000000001, 10**13)


@pytest.mark.parametrize("form", ["links", "edges"])
def test_links_have_two_names_in_node_link(form):
    flags = ', "directed": false, "multigraph": false, "graph": {"name": "mine"}'
    assert read_graph(node_link(form=form, more=flags), "node-link") == EXPECTED


def test_a_multigraph_without_parallel_links_is_a_graph():
    keyed = JSON_LINKS.replace('{"source"', '{"key": 0, "source"')
    assert read_graph(node_link(links=keyed, more=', "multigraph": true'), "node-link") == EXPECTED


def test_an_attribute_name_goes_before_the_id():
    nodes = '{"id": 0, "name": "hub", "kind": "switch"}, {"id": 1, "name": "left"}, {"id": 2, "name": "right"}'
    links = JSON_LINKS
    for number, name in enumerate(["hub", "left", "right"]):
        links = links.replace(f'"{name}"', str(number))
    assert read_graph(node_link(nodes, links), "node-link") == EXPECTED


@pytest.mark.parametrize("namespace", [' xmlns="http://graphml.graphdrawing.org/xmlns"', ""])
def test_graphml_with_and_without_its_namespace(namespace):
    text = graphml().replace(' xmlns="http://graphml.graphdrawing.org/xmlns"', namespace)
    assert read_graph(text, "graphml") == EXPECTED


def test_keys_for_all_and_defaults():
    keys = '<key id="kind" for="all"><default>switch</default></key>'
    nodes, _ = read_graph(
        graphml('<node id="s"/><node id="a"><data key="kind">accelerator</data></node>', keys), "graphml"
    )
    assert nodes == [{"name": "s", "kind": "switch"}, {"name": "a", "kind": "accelerator"}]


@st.composite
def graphs(draw):
    """Of networkx, with the attributes that a link can have."""
    count = draw(st.integers(1, 8))
    graph = nx.path_graph(count) if draw(st.booleans()) else nx.complete_graph(count)
    graph = nx.relabel_nodes(graph, {node: f"n<{node}>&\"'é" for node in graph})
    for i, node in enumerate(graph):
        graph.nodes[node]["kind"] = "accelerator" if i == 0 else draw(st.sampled_from(["accelerator", "switch"]))
    for a, b in graph.edges:
        graph.edges[a, b]["bandwidth"] = draw(st.integers(1, 10**15))
        graph.edges[a, b]["latency"] = draw(st.floats(0, 1, allow_subnormal=False).filter(lambda x: not 0 < x < 1e-90))
    return graph


@given(graphs())
def test_what_networkx_writes_is_read(graph):
    written = io.BytesIO()
    nx.write_graphml(graph, written)
    texts = {"graphml": written.getvalue().decode(), "node-link": json.dumps(nx.node_link_data(graph, edges="edges"))}
    for form, text in texts.items():
        machine = custom(*read_graph(text, form))
        found = nx.relabel_nodes(machine.graph, dict(enumerate(machine.names)))
        assert nx.utils.edges_equal(found.edges, graph.edges)
        assert {name: found.nodes[name]["kind"] for name in found} == dict(graph.nodes(data="kind"))
        for a, b, said in graph.edges(data=True):
            read = found.edges[a, b]
            assert (read["bandwidth"], float(read["latency"])) == (said["bandwidth"], said["latency"])


def test_an_array_of_ours_goes_through_networkx_and_back():
    machine = machine_of("fat-tree", Shape(2, wire=Wire(Fraction(5), Fraction(0), Fraction(3))))
    graph = machine.graph
    for _, _, said in graph.edges(data=True):
        said.update({key: int(value) for key, value in said.items()})
    text = json.dumps(nx.node_link_data(graph, edges="links"))
    back = custom(*read_graph(text, "node-link"), levels=2)
    assert back == replace(machine, topology="custom", links=back.links)
    assert {frozenset(link.ends) for link in back.links} == {frozenset(link.ends) for link in machine.links}
    assert {(link.bandwidth, link.energy) for link in back.links} == {(5, 3)}


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10 if i else "lol"}">' for i in range(10))
DTD = "has a document type, which is refused: it can define entities; leave <!DOCTYPE> out"
BOTH_WAYS = "is directed; links carry bytes both ways"
WRONG_GRAPHML = {
    "entities": (graphml(head=f"<!DOCTYPE graphml [{LAUGHS}]>").replace('id="hub"', 'id="&l9;"'), f"array: {DTD}"),
    "a file": (graphml(head='<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), f"array: {DTD}"),
    "a document type alone": (graphml(head="<!DOCTYPE graphml>"), f"array: {DTD}"),
    "an entity of nobody": (
        graphml("&x;"), "array: cannot be read as XML: undefined entity: line 5, column 32",
    ),
    "no XML": ("{}", "array: cannot be read as XML: not well-formed (invalid token): line 1, column 0"),
    "empty": ("", "array: cannot be read as XML: no element found: line 1, column 0"),
    "cut": ("<graphml>", "array: cannot be read as XML: no element found: line 1, column 9"),
    "another document": ("<svg/>", "array: expected a graphml document, got an element 'svg'"),
    "no graph": ("<graphml/>", "array: expected one graph, got 0"),
    "two graphs": ("<graphml><graph/><graph/></graphml>", "array: expected one graph, got 2"),
    "directed": (
        graphml(graph='edgedefault="directed"'), f"array: {BOTH_WAYS}, so expected edgedefault undirected",
    ),
    "one directed": (graphml(HUB + FIRST.replace("<edge", '<edge directed="true"')), f"array.links[0]: {BOTH_WAYS}"),
    "hyperedge": (graphml("<hyperedge/>"), "array: expected nodes and edges only, got an element 'hyperedge'"),
    "a graph inside": (
        graphml('<node id="a"><graph/></node>'), "array.nodes[0]: 'a' has a graph or ports inside, which are not read",
    ),
    "no id": (graphml("<node/>"), "array.nodes[0].id: missing"),
    "one id twice": (graphml(HUB + '<node id="hub"/>'), "array.nodes[3].id: two nodes have the id 'hub'"),
    "no target": (graphml(HUB + '<edge source="hub"/>'), "array.links[0].target: unknown node ''"),
    "unknown node": (
        graphml(HUB + '<edge source="hubb" target="left"/>'),
        "array.links[0].source: unknown node 'hubb'; did you mean 'hub'?",
    ),
    "unknown key": (
        graphml('<node id="a"><data key="b">1</data></node>'),
        "array.nodes[0]: has data for the key 'b', which is not declared for nodes",
    ),
    "unknown key of an edge": (
        graphml(HUB + FIRST.replace('"b"', '"k"')),
        "array.links[0]: has data for the key 'k', which is not declared for edges",
    ),
    "said twice": (
        graphml('<node id="a"><data key="k">switch</data><data key="k">switch</data></node>'),
        "array.nodes[0]: has the attribute 'kind' twice",
    ),
    "unknown attribute": (
        graphml(keys=KEYS.replace("bandwidth", "bandwith")),
        "array.links[0]: unknown attribute 'bandwith', expected bandwidth, latency or energy; "
        "did you mean 'bandwidth'?",
    ),
    "an edge's ends": (
        graphml(keys=KEYS.replace('"bandwidth"', '"ends"')),
        "array.links[0]: unknown attribute 'ends', expected bandwidth, latency or energy",
    ),
    "unknown attribute of all edges": (
        graphml(keys=KEYS.replace('"energy"', '"ends"')),
        "array: unknown attribute 'ends', expected bandwidth, latency or energy",
    ),
    "unknown kind": (
        graphml(HUB.replace("switch", "router")), "array.nodes[0].kind: expected accelerator or switch, got 'router'",
    ),
    "no number": (
        graphml(HUB + FIRST + SECOND.replace(" 10 ", "1_0")),
        "array.links[1].bandwidth: expected a number above 0, got '1_0'",
    ),
    "NaN": (
        graphml(HUB + SECOND.replace(" 10 ", "NaN")),
        "array.links[0].bandwidth: expected a number above 0, got 'NaN'",
    ),
    "huge": (
        graphml(HUB + SECOND.replace(" 10 ", "1e999999")),
        "array.links[0].bandwidth: expected 0 or a number from 1e-100 to 1e100, of at most 400 digits, got 1E+999999",
    ),
    "parallel": (
        graphml(HUB + FIRST + FIRST), "array.links[1].ends: joins 'left' and 'hub', which are joined already",
    ),
    "to itself": (
        graphml(HUB + FIRST.replace('"left"', '"hub"')), "array.links[0].ends: joins 'hub' with itself",
    ),
    "no accelerator": (graphml(""), "array.graph: expected at least one accelerator"),
}  # fmt: skip
WRONG_JSON = {
    "no JSON": ("<", "array: cannot be read as JSON: Expecting value: line 1 column 1 (char 0)"),
    "a list": ("[]", "array: expected a mapping with nodes and links, got a list of 0"),
    "a key twice": ('{"nodes": [], "nodes": []}', "array: a mapping has 'nodes' twice"),
    "an unknown field": (
        node_link(form="linkz"), "array: unknown field 'linkz'; did you mean 'links'?",
    ),
    "links and edges": (
        node_link(more=', "edges": []'), "array: has both links and edges, which are two names for one thing",
    ),
    "no nodes": ('{"links": []}', "array.nodes: missing"),
    "no links": ('{"nodes": []}', "array.links: missing"),
    "nodes of another kind": ('{"nodes": {}, "links": []}', "array.nodes: expected a list, got a mapping of 0"),
    "a node of another kind": (node_link("1"), "array.nodes[0]: expected a mapping, got 1"),
    "a link of another kind": (node_link(links='["a", "b"]'), "array.links[0]: expected a mapping, got a list of 2"),
    "directed": (
        node_link(more=', "directed": true'), f"array.directed: {BOTH_WAYS}, so expected an undirected graph",
    ),
    "half directed": (node_link(more=', "directed": 1'), "array.directed: expected true or false, got 1"),
    "no id": (node_link('{"kind": "switch"}'), "array.nodes[0].id: expected the id of a node, got nothing"),
    "a list for an id": (node_link('{"id": [1]}'), "array.nodes[0].id: expected the id of a node, got a list of 1"),
    "truth for an id": (node_link('{"id": true}'), "array.nodes[0].id: expected the id of a node, got true"),
    "one id twice": (node_link('{"id": 1}, {"id": "1"}'), "array.nodes[1].id: two nodes have the id '1'"),
    "one name twice": (
        node_link(JSON_NODES.replace('"id": "left"', '"id": "left", "name": "hub"')),
        "array.nodes[1].name: two nodes are called 'hub'",
    ),
    "no source": (
        node_link(links='{"target": "hub"}'), "array.links[0].source: expected the id of a node, got nothing",
    ),
    "unknown node": (
        node_link(links='{"source": "hub", "target": "lefft"}'),
        "array.links[0].target: unknown node 'lefft'; did you mean 'left'?",
    ),
    "a key without a multigraph": (
        node_link(links='{"source": "hub", "target": "left", "key": 0}'),
        "array.links[0]: unknown attribute 'key', expected bandwidth, latency or energy",
    ),
    "ends of its own": (
        node_link(links='{"source": "hub", "target": "left", "ends": ["a", "b"]}'),
        "array.links[0]: unknown attribute 'ends', expected bandwidth, latency or energy",
    ),
    "parallel": (
        node_link(links=JSON_LINKS + ',{"source": "hub", "target": "left", "key": 1}', more=', "multigraph": true'),
        "array.links[2].ends: joins 'hub' and 'left', which are joined already",
    ),
    "NaN": (
        node_link(links=JSON_LINKS.replace(" 10,", " NaN,")),
        "array.links[1].bandwidth: expected a number above 0, got NaN",
    ),
    "minus infinity": (
        node_link(links=JSON_LINKS.replace(" 10,", " -Infinity,")),
        "array.links[1].bandwidth: expected a number above 0, got -Infinity",
    ),
    "nothing": (
        node_link(links=JSON_LINKS.replace(" 10,", " null,")),
        "array.links[1].bandwidth: expected a number above 0, got nothing",
    ),
    "huge": (
        node_link(links=JSON_LINKS.replace(" 10,", " 1e999999999,")),
        "array.links[1].bandwidth: expected 0 or a number from 1e-100 to 1e100, of at most 400 digits, "
        "got 1E+999999999",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG_GRAPHML.values(), ids=WRONG_GRAPHML)
def test_graphml_that_cannot_be(text, message):
    with pytest.raises(MachineError) as caught:
        read_graph(text, "graphml")
    assert str(caught.value) == message


@pytest.mark.parametrize(("text", "message"), WRONG_JSON.values(), ids=WRONG_JSON)
def test_node_link_that_cannot_be(text, message):
    with pytest.raises(MachineError) as caught:
        read_graph(text, "node-link")
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["[" * 10**6, '{"nodes":' * 10**6])
def test_json_too_deep_is_an_error(text):
    with pytest.raises(MachineError, match="cannot be read as JSON"):
        read_graph(text, "node-link")


def test_graphml_too_deep_is_an_error():
    with pytest.raises(MachineError, match="got an element 'a'"):
        read_graph(graphml("<a>" * 10**5 + "</a>" * 10**5), "graphml")


@given(st.text() | st.text("<>/=\"' graphmlnodei{}[]:,12").map(lambda text: "{" + text))
def test_any_text_is_read_or_refused(text):
    for form in ("graphml", "node-link"):
        with pytest.raises(MachineError):
            read_graph(text, form)
