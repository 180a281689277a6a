"""The page that says where MultiTree is not optimal: each row is solved again."""

from __future__ import annotations

import re
from pathlib import Path

from helpers import each

from hypar_opt import solve
from tests.collectives import collective_of

PAGE = Path(__file__).parents[3] / "docs" / "multitree.md"
LINES = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| [a-z-]+ [0-9x]+ \|", line)]
ROWS = [[cell.strip(" `%") for cell in line.strip("|").split("|")] for line in LINES]
LOSING, OPTIMAL = [row for row in ROWS if len(row) == 8], [row for row in ROWS if len(row) == 5]
SMALL = ("torus 3x3", "mesh 3x3", "hypercube 16", "h-tree 8")
SHAPES = {"bigraph 32": {"switches": 4, "accelerators": 32}, "fat-tree 16": {"ports": 4}}


def gathering(name):
    topology, size = name.split()
    dims = {"dims": [int(one) for one in size.split("x")]} if "x" in size else {"accelerators": int(size)}
    dims = {"levels": int(size).bit_length() - 1} if topology == "h-tree" else dims
    return collective_of(topology, **SHAPES.get(name, dims))


def trees(name, accelerators, steps):
    instance = gathering(name)
    plan = solve(instance, "multitree")
    assert (len(instance.machine.accelerators), plan.objective) == (int(accelerators), int(steps))
    return instance, plan


@each("row", sorted(LOSING, key=lambda row: row[0] not in SMALL), quick=len(SMALL))
def test_others_have_fewer_steps_and_the_bound_is_met(row):
    name, accelerators, steps, _, bound, fewest, by, more = row
    instance, plan = trees(name, accelerators, steps)
    better = solve(instance, by)
    assert (better.status, better.objective, better.bound) == ("OPTIMAL", int(fewest), int(bound))
    assert plan.objective > better.objective == plan.bound
    assert round(100 * (plan.objective / better.objective - 1)) == int(more)


@each("row", sorted(OPTIMAL, key=lambda row: int(row[1])), quick=4)
def test_trees_meet_the_bound(row):
    name, accelerators, steps, _, bound = row
    _, plan = trees(name, accelerators, steps)
    assert (plan.status, plan.bound) == ("OPTIMAL", int(bound))


def test_the_page_has_the_arrays_that_others_publish():
    names = {row[0] for row in ROWS}
    assert {f"torus {n}x{n}" for n in (2, 3, 4, 5, 6, 8)} | {f"mesh {n}x{n}" for n in (3, 4, 5, 6, 8)} <= names
    assert all(row[3] in ("", row[2]) for row in ROWS if not row[0].startswith("mesh"))


ORDERS = [("torus 3x3", 3), ("torus 4x4", 5), ("mesh 3x3", 4), ("hypercube 16", 5), ("torus 5x5", 7), ("h-tree 16", 27)]


@each("row", ORDERS, quick=3)
def test_other_orders_of_trees_help_as_the_page_says(row):
    assert solve(gathering(row[0]), "multitree-orders").objective == row[1]
