"""What docs/arrays.md says."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest
import yaml
from loads import all_to_all, link_loads

from hypar_opt.cost.links import level_weights
from hypar_opt.instance.hardware import TOPOLOGIES, Rule, Shape, Wire, custom, machine_of, read_graph, routing_of
from hypar_opt.instance.hardware.shape import MOST_LEVELS, MOST_LINKS, MOST_NODES
from hypar_opt.instance.objective.components import COMMUNICATION, PLACED
from hypar_opt.util.partition import halves

PAGE = (Path(__file__).parents[3] / "docs/arrays.md").read_text(encoding="utf-8")
HUB = custom(
    [{"name": "left"}, {"name": "right"}, {"name": "hub", "kind": "switch"}],
    [{"ends": ["left", "hub"]}, {"ends": ["hub", "right"], "bandwidth": 25 * 10**8}],
    Wire(Fraction(10**10)),
    levels=1,
)


def rows(heading):
    """First and last cells of a table."""
    table = re.search(rf"^\| {heading} \|.*?\n\n", PAGE, re.MULTILINE | re.DOTALL)[0]
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.splitlines()[2:] if line]
    return {row[0].strip("`"): row for row in cells}


def block(start):
    """The fenced example that begins with a text."""
    return re.search(rf"^```[^\n]*\n({re.escape(start)}.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]


def test_the_table_has_every_topology_with_its_parameters_and_routes():
    table = rows("name")
    assert list(table) == list(TOPOLOGIES)
    for name, row in table.items():
        assert row[3].strip("`") == TOPOLOGIES[name].rule
        assert all(f"`{field}`" in row[2] for field in TOPOLOGIES[name].parameters)


def test_the_table_has_every_rule():
    assert list(rows("rule")) == list(get_args(Rule))


def test_the_limits():
    assert (MOST_NODES, MOST_LINKS, MOST_LEVELS) == (2**20, 2**21, 64)
    assert all(text in PAGE for text in ("| 2^20 |", "| 2^21 (", "64 where"))
    assert TOPOLOGIES["fully-connected"].size(Shape(11)).links <= MOST_LINKS
    assert TOPOLOGIES["hypercube"].size(Shape(17)).links <= MOST_LINKS < TOPOLOGIES["hypercube"].size(Shape(18)).links


@pytest.mark.parametrize(("start", "form"), [('{"nodes"', "node-link"), ("<graphml", "graphml")])
def test_a_custom_graph_in_a_file(start, form):
    assert custom(*read_graph(block(start), form), Wire(Fraction(10**10)), levels=1) == HUB


def test_a_custom_graph_in_the_instance():
    text = block("array:\n  topology: custom")
    graph = yaml.safe_load(re.sub(r"([\d.]+e\d+)", r"'\1'", text))["array"]["graph"]
    links = [{**link, **{key: Decimal(link[key]) for key in link if key != "ends"}} for link in graph["links"]]
    assert custom(graph["nodes"], links, Wire(Fraction(10**10)), levels=1) == HUB


def test_the_route_in_the_example():
    torus = machine_of("torus", Shape(levels=4, dims=(4, 4), wire=Wire(bandwidth=Fraction(25 * 10**9))))
    shares = routing_of(torus).shares(0, 5)
    assert f"\n{shares}\n" in PAGE


def test_the_formula_of_a_levels_weight():
    """With every weight different, on an array where nothing else is equal."""
    machine = machine_of("bigraph", Shape(2, wire=Wire(Fraction(7), Fraction(1), Fraction(11))))
    weights = {name: Fraction(number) for name, number in zip((COMMUNICATION, *PLACED), (2, 3, 5, 13), strict=True)}
    placed = (3, 0, 1, 2)
    for h in (1, 2):
        loads = link_loads(machine, [(placed[x], placed[x ^ 2 ** (2 - h)]) for x in range(4)])
        energy = Fraction(11) * weights["comm-energy"]
        summed = sum(share * (weights["hop-bytes"] + energy) for share in loads.values())
        busiest = max(share * weights["comm-time"] / 7 for share in loads.values())
        expected = weights["communication"] + Fraction(1, 4) * (summed + busiest)
        assert level_weights(machine, weights, placed, halves(2))[h - 1] == expected


def test_the_two_examples_of_weights():
    hop_bytes, time = {"hop-bytes": Fraction(1)}, {"comm-time": Fraction(1)}
    assert level_weights(machine_of("hypercube", Shape(5)), hop_bytes, range(32), halves(5)) == (1,) * 5
    tree = machine_of("h-tree", Shape(5, wire=Wire(Fraction(7))))
    assert level_weights(tree, time, range(32), halves(5)) == (Fraction(1, 32 * 7),) * 5
    assert level_weights(tree, hop_bytes, range(32), halves(5)) == tuple(2 * (5 - h + 1) for h in range(1, 6))


def test_routes_between_pods_and_between_sides_meet_in_the_first_switch():
    fat = machine_of("fat-tree", Shape(4))
    cores = range(16 + 16, 16 + 20)
    assert {b for _, b in link_loads(fat, all_to_all(fat)) if b in cores} == {cores[0]}
    pair = machine_of("bigraph", Shape(3))
    assert set(routing_of(pair).shares(0, 2)) == {(0, 8), (8, 10), (10, 9), (9, 2)}
