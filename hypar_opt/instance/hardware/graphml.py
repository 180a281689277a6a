"""GraphML: nodes and edges with the attributes kind, bandwidth, latency and energy.

The document is parsed by defusedxml, which refuses document types and with them every entity. Its elements are few
and flat, so they are read here and not by networkx, which would put numbers into floats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.hardware.topologies.custom import NUMBERS, Entries, check_keys, quoted
from hypar_opt.util.errors import MachineError, nearest

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


ATTRIBUTES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"node": ("name", "kind"), "edge": NUMBERS})
"""What can be said of each."""
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,6})?", re.ASCII)


def graphml_entries(text: str) -> tuple[Entries, Entries]:
    """Return the nodes and links of a document.

    A node is called by its attribute `name`, or by its id if it has none.

    Raises
    ------
    MachineError
        If it is no GraphML, has a document type, is no single undirected graph, or an edge's end is no node.
    """
    root = _parsed(text)
    if _tag(root) != "graphml":
        raise MachineError(f"expected a graphml document, got an element {quoted(_tag(root))}")
    graph = _graph(root)
    keys = _Keys(root)
    called: dict[str, str] = {}
    nodes = [_node(element, number, keys, called) for number, element in enumerate(_children(graph, "node"))]
    links = [_link(element, number, keys, called) for number, element in enumerate(_children(graph, "edge"))]
    return nodes, links


class _Keys:
    """What the ids of `key` elements stand for, and what holds where an element does not say."""

    def __init__(self, root: Element) -> None:
        self._names: dict[tuple[str, str], str] = {}
        self._defaults: dict[str, dict[str, str]] = {"node": {}, "edge": {}}
        for key in _children(root, "key"):
            for domain in ("node", "edge"):
                if key.get("for", "all") in (domain, "all"):
                    self._add(key, domain)

    def of(self, element: Element, domain: str) -> dict[str, str]:
        """Return an element's attributes as text."""
        found = dict(self._defaults[domain])
        said: set[str] = set()
        for data in _children(element, "data"):
            key = data.get("key", "")
            if (domain, key) not in self._names:
                raise MachineError(f"has data for the key {quoted(key)}, which is not declared for {domain}s")
            name = self._names[domain, key]
            if name in said:
                raise MachineError(f"has the attribute {quoted(name)} twice")
            said.add(name)
            found[name] = _text(data)
        return found

    def _add(self, key: Element, domain: str) -> None:
        name = key.get("attr.name", key.get("id", ""))
        self._names[domain, key.get("id", "")] = name
        for default in _children(key, "default"):
            if key.get("for") == domain:
                check_keys({name: default}, ATTRIBUTES[domain])
            if name in ATTRIBUTES[domain]:  # others, of keys for all, are the other domain's
                self._defaults[domain][name] = _text(default)


def _parsed(text: str) -> Element:
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        return fromstring(text, forbid_dtd=True)
    except DefusedXmlException:
        raise MachineError(
            "has a document type, which is refused: it can define entities; leave <!DOCTYPE> out"
        ) from None
    except (ParseError, ValueError) as error:
        raise MachineError(f"cannot be read as XML: {error}") from None


def _graph(root: Element) -> Element:
    graphs = list(_children(root, "graph"))
    if len(graphs) != 1:
        raise MachineError(f"expected one graph, got {len(graphs)}")
    if graphs[0].get("edgedefault") == "directed":
        raise MachineError("is directed; links carry bytes both ways, so expected edgedefault undirected")
    for element in graphs[0]:
        if _tag(element) not in ("node", "edge", "data", "desc"):
            raise MachineError(f"expected nodes and edges only, got an element {quoted(_tag(element))}")
    return graphs[0]


def _node(element: Element, number: int, keys: _Keys, called: dict[str, str]) -> dict[str, object]:
    identity = element.get("id")
    if not identity:
        raise MachineError("missing", node=number, field="id")
    if identity in called:
        raise MachineError(f"two nodes have the id {quoted(identity)}", node=number, field="id")
    if any(_tag(child) in ("graph", "port") for child in element):
        raise MachineError(f"{quoted(identity)} has a graph or ports inside, which are not read", node=number)
    said = {"name": identity, **_placed(keys, element, "node", number)}
    called[identity] = said["name"]
    return dict(said)


def _link(element: Element, number: int, keys: _Keys, called: Mapping[str, str]) -> dict[str, object]:
    if element.get("directed") == "true":
        raise MachineError("is directed; links carry bytes both ways", link=number)
    ends = []
    for field in ("source", "target"):
        end = element.get(field, "")
        if end not in called:
            raise MachineError(f"unknown node {quoted(end)}{nearest(end, called)}", link=number, field=field)
        ends.append(called[end])
    said = _placed(keys, element, "edge", number)
    check_keys(said, NUMBERS, link=number)
    return {"ends": tuple(ends), **{field: _number(value) for field, value in said.items()}}


def _placed(keys: _Keys, element: Element, domain: str, number: int) -> dict[str, str]:
    """Return an element's attributes; errors say which element it is."""
    try:
        return keys.of(element, domain)
    except MachineError as error:
        if domain == "node":
            raise MachineError(error.message, node=number) from None
        raise MachineError(error.message, link=number) from None


def _number(value: str) -> object:
    """Return a number as it is written, exactly; anything else as it is, for the check of the whole."""
    return Decimal(value) if _NUMBER.fullmatch(value) else value


def _tag(element: Element) -> str:
    """Return an element's name without its namespace."""
    return element.tag.rpartition("}")[2]


def _children(element: Element, tag: str) -> Iterator[Element]:
    return (child for child in element if _tag(child) == tag)


def _text(element: Element) -> str:
    return (element.text or "").strip()
