"""What is said of an array as a graph: in closed form, and by trying everything."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.report.arrays import shown as array_facts
from hypar_opt.report.arrays.shown import Facts, diameter, facts, separating
from tests.evaluation.links.machines import complete, graphs, hypercube, line, ring, star, tree


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        (line(8, bandwidth=3), Facts(Fraction(21), 7, 1, Fraction(3))),
        (ring(8, bandwidth=3), Facts(Fraction(24), 4, 2, Fraction(6))),
        (hypercube(3, bandwidth=3), Facts(Fraction(36), 3, 4, Fraction(12))),
        (complete(8, bandwidth=3), Facts(Fraction(84), 1, 16, Fraction(48))),
        (star(8, bandwidth=3), Facts(Fraction(24), 2, 4, Fraction(12))),
        (tree(3, bandwidth=3), Facts(Fraction(42), 6, 1, Fraction(3))),
        (line(8, bandwidth=None), Facts(None, 7, 1, None)),
    ],
    ids=["line", "ring", "hypercube", "complete", "star", "tree", "no bandwidths"],
)
def test_closed_forms(machine, expected):
    assert facts(machine, range(8)) == expected


def test_the_halves_are_the_placement_s():
    # on a line the even ones against the odd ones: every link has to be cut
    assert facts(line(8), (0, 2, 4, 6, 1, 3, 5, 7)).crossing == 7


def test_no_levels_no_halves():
    assert facts(line(1), (0,)) == Facts(Fraction(0), 0, None, None)


def test_too_large_to_look(monkeypatch):
    monkeypatch.setattr(array_facts, "MOST_LINKS", 7)
    monkeypatch.setattr(array_facts, "MOST_STEPS", 63)
    assert facts(ring(8), range(8)) == Facts(Fraction(8), None, None, None)
    monkeypatch.setattr(array_facts, "MOST_LINKS", 8)
    monkeypatch.setattr(array_facts, "MOST_STEPS", 64)
    assert facts(ring(8), range(8)) == Facts(Fraction(8), 4, 2, Fraction(2))


def test_in_trees_two_looks_are_enough(monkeypatch):
    monkeypatch.setattr(array_facts, "MOST_STEPS", 64)
    assert diameter(tree(5)) == 10


@given(st.booleans().flatmap(lambda trees: graphs(most=9, trees=trees)))
def test_the_diameter_is_the_longest_of_all_shortest_paths(machine):
    paths = dict(nx.all_pairs_shortest_path_length(machine.graph))
    sites = range(len(machine.accelerators))
    assert diameter(machine) == max(paths[one][other] for one in sites for other in sites)


@given(graphs(most=7), st.data())
def test_the_bisection_is_the_least_of_all_cuts(machine, data):
    sites = data.draw(st.permutations(range(len(machine.accelerators))))
    placed = sites[: 1 << (len(sites).bit_length() - 1)]
    if len(placed) < 2:
        return
    widths = {hop: link.bandwidth for hop, link in machine.link_of.items()}
    half = len(placed) // 2
    others = [node for node in range(len(machine.names)) if node not in placed]
    cuts = []
    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            side = {*placed[:half], *chosen}
            cuts.append(sum(width for (a, b), width in widths.items() if a in side and b not in side))
    assert separating(placed, widths) == min(cuts)
