"""A pipeline's operators as a graph small enough to be read: those of one stage that go together as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.evaluation.pipeline import JudgedPipeline

MOST_BOXES: Final = 60
"""Of a picture that can be read."""


@dataclass(frozen=True)
class OperatorBox:
    """Operators of one stage that are drawn as one.

    Parameters
    ----------
    operators
        Of the forward phase, in the instance's order; of the other phase where the stage has that alone.
    stage
        Its place in the plan's order, from 0.
    """

    operators: tuple[str, ...]
    stage: int

    @property
    def name(self) -> str:
        """The first and the last, and how many."""
        first, last, count = self.operators[0], self.operators[-1], len(self.operators)
        return first if count == 1 else f"{first} to {last} ({count:,})"


@dataclass(frozen=True)
class BoxEdge:
    """A box that reads what another makes: positions, and the outputs, each once."""

    producer: int
    reader: int
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class BoxGraph:
    """What is drawn, in an order that keeps who reads whom.

    Parameters
    ----------
    boxes
        Operators.
    boundaries
        Who reads whom.
    """

    boxes: tuple[OperatorBox, ...]
    boundaries: tuple[BoxEdge, ...]


def box_graph(judged: JudgedPipeline, most: int = MOST_BOXES) -> BoxGraph:
    """Return a plan's operators with at most so many boxes, if that can be.

    Operators of one stage are put together where they follow each other, where they stand side by side between the
    same ones, then the smallest where one reads another alone or is alone read by it, and in the end all that hang
    together in a stage. None of it makes a way that leaves a box and comes back.

    Parameters
    ----------
    judged
        A plan.
    most
        Boxes.
    """
    graph = _drawn(judged)
    while graph.number_of_nodes() > most and (_shorten(graph) or _merge_alike(graph) or _merge_smallest(graph)):
        pass
    if graph.number_of_nodes() > most:
        _merge_stages(graph)
    place = {one.name: number for number, one in enumerate(judged.instance.operators)}

    def first(node: str) -> int:
        return min(place[name] for name in graph.nodes[node]["operators"])

    order = list(nx.lexicographical_topological_sort(graph, key=first))
    boxes = tuple(
        OperatorBox(tuple(sorted(graph.nodes[node]["operators"], key=place.__getitem__)), graph.nodes[node]["stage"])
        for node in order
    )
    return BoxGraph(boxes, tuple(_edges(judged, boxes)))


def _drawn(judged: JudgedPipeline) -> nx.DiGraph[str]:
    """Return operators of the forward phase, and those of the other one whose stage has no others."""
    stage_of = {name: place for place, stage in enumerate(judged.stages) for name in stage.operators}
    ahead = {stage_of[one.name] for one in judged.instance.operators if one.phase == "forward"}
    graph: nx.DiGraph[str] = nx.DiGraph()
    shown = [one for one in judged.instance.operators if one.phase == "forward" or stage_of[one.name] not in ahead]
    for one in shown:
        graph.add_node(one.name, operators=[one.name], stage=stage_of[one.name])
    graph.add_edges_from((name, one.name) for one in shown for name in one.reads if name in graph)
    return graph


def _shorten(graph: nx.DiGraph[str]) -> bool:
    """Put every operator to the one that it alone reads and that it alone is read by, in one stage."""
    before = graph.number_of_nodes()
    for node in list(graph):
        while node in graph and graph.out_degree(node) == 1:
            (other,) = graph.successors(node)
            if graph.in_degree(other) != 1 or graph.nodes[other]["stage"] != graph.nodes[node]["stage"]:
                break
            _put(graph, other, node)
    return graph.number_of_nodes() < before


def _merge_alike(graph: nx.DiGraph[str]) -> bool:
    """Put operators of one stage together that read the same ones and are read by the same ones."""
    kept: dict[tuple[object, ...], str] = {}
    before = graph.number_of_nodes()
    for node in list(graph):
        key = graph.nodes[node]["stage"], frozenset(graph.predecessors(node)), frozenset(graph.successors(node))
        other = kept.setdefault(key, node)
        if other != node:
            _put(graph, node, other)
    return graph.number_of_nodes() < before


def _merge_smallest(graph: nx.DiGraph[str]) -> bool:
    """Put the two smallest of a stage together of which one reads nothing else, or is read by nothing else."""
    sizes = {node: len(graph.nodes[node]["operators"]) for node in graph}
    pairs = [
        (sizes[a] + sizes[b], a, b)
        for a, b in graph.edges
        if graph.nodes[a]["stage"] == graph.nodes[b]["stage"] and 1 in (graph.out_degree(a), graph.in_degree(b))
    ]
    if not pairs:
        return False
    _, node, into = min(pairs, key=lambda one: one[0])
    _put(graph, node, into)
    return True


def _merge_stages(graph: nx.DiGraph[str]) -> None:
    """Put all operators of a stage together that hang together, where stages are not read in a circle."""
    stages: dict[int, list[str]] = {}
    for node, data in graph.nodes(data=True):
        stages.setdefault(data["stage"], []).append(node)
    merged = graph.copy()
    for own in stages.values():
        for part in nx.weakly_connected_components(graph.subgraph(own)):
            head, *rest = sorted(part, key=own.index)
            for node in rest:
                _put(merged, node, head)
    if nx.is_directed_acyclic_graph(merged):
        graph.clear()
        graph.add_nodes_from(merged.nodes(data=True))
        graph.add_edges_from(merged.edges)


def _put(graph: nx.DiGraph[str], node: str, into: str) -> None:
    """Make one node of two."""
    graph.nodes[into]["operators"] += graph.nodes[node]["operators"]
    others = {(into, other) for other in graph.successors(node)} | {(other, into) for other in graph.predecessors(node)}
    graph.remove_node(node)
    graph.add_edges_from((a, b) for a, b in others if a != b and node not in (a, b))


def _edges(judged: JudgedPipeline, boxes: Sequence[OperatorBox]) -> list[BoxEdge]:
    home = {name: position for position, box in enumerate(boxes) for name in box.operators}
    outputs: dict[tuple[int, int], dict[str, None]] = {}
    for one in judged.instance.operators:
        for name in one.reads if one.name in home else ():
            if name in home and home[name] != home[one.name]:
                outputs.setdefault((home[name], home[one.name]), {})[name] = None
    return [BoxEdge(*ends, tuple(names)) for ends, names in outputs.items()]
