"""How long exact fronts take: random chains with thousands of points, and the ten networks with two criteria.

Protocol. The chains are drawn by `random.Random(seed)`: words over {d, m} with a cost of one term a layer and a term a
boundary, or plain domains with tables; every number below 10^9, each criterion drawn by itself, so that the criteria
have nothing to do with one another and fronts are as large as fronts get. The networks are those shipped, H = 4,
accounting `published`; the criteria are the bytes of levels 1 and 2, and those of levels 3 and 4. One call of
`joint-dp`'s `front` each, with the default limits, in one process, after a small one that does not count. That every
front is complete is asserted; so is that the networks' fronts are those that `cp-sat` finds by epsilon-constraints,
where these take seconds.
"""

from __future__ import annotations

import random
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph import (
    CostGraph,
    Edge,
    EdgeTerm,
    Objective,
    TableEdge,
    TableUnary,
    UnaryTerm,
    Variable,
    WordEdge,
    Words,
    WordUnary,
)
from hypar_opt.formulation.protocol import Fronts
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.instance import load
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.solver.network_problem import NetworkProblem
from reports.benchmarks.proofs import TEN
from reports.benchmarks.protocol import write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.formulation.solution import FrontSolution

TOP = 10**9
COST = Objective({"cost": Fraction(1)})
CHECKED = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet")
"""Networks whose fronts cp-sat has to find too; the others take it minutes."""
TITLE = "Seconds to a complete front, by labels"
NOTES = (
    "Chains: L layers of words of H levels, or of k values; two criteria, unless said, that have nothing to do with "
    "one another. Networks: bytes of levels 1 and 2 against those of levels 3 and 4. `labels` is how many were made in "
    "all, `kept` how many of them, after bounds and dominance, one layer had at most. One call each, two workers. "
    "Targets: 60 s for a chain with 10,000 points, 5 s for the ten networks together.",
)


def run() -> None:
    """Measure chains and networks."""
    _front(words_chain(0, 5, 2))
    rows = [_row(f"words, L = {n}, H = {levels}", words_chain(seed, n, levels)) for seed, n, levels in WORDS]
    rows += [_row(f"plain, L = {n}, k = {size}", plain_chain(seed, n, size)) for seed, n, size in PLAIN]
    rows += [_row(f"plain, L = {n}, k = {size}, 3 criteria", plain_chain(seed, n, size, 3)) for seed, n, size in THREE]
    networks = [_row(name, _halves(name)) for name in TEN]
    write("fronts", TITLE, [*rows, *networks, _total(networks)], NOTES)


WORDS = ((1, 60, 3), (1, 60, 4), (1, 100, 4), (1, 160, 4), (2, 160, 4))
PLAIN = ((1, 100, 4), (1, 350, 4), (2, 350, 4), (1, 200, 16), (1, 300, 8))
THREE = ((1, 30, 4), (2, 30, 4))
"""Seed, layers, and levels or values."""


def words_chain(seed: int, layers: int, levels: int, criteria: int = 2) -> list[CostGraph]:
    """Return criteria over a chain of words."""
    rng = random.Random(seed)
    words = Words("dm", levels)
    every = (1,) * levels

    def unary() -> WordUnary:
        factors = ((1 + (rng.random() < 0.5), 1 + (rng.random() < 0.5)),) * levels
        return WordUnary(words, (UnaryTerm((rng.randrange(TOP), rng.randrange(TOP)), factors, every),))

    def edge() -> WordEdge:
        share = tuple((rng.randrange(TOP), rng.randrange(TOP)) for _ in "dm")
        return WordEdge(words, words, (EdgeTerm(share, rng.randrange(2), ((2, 1),) * levels, every),))

    return [_chain(layers, words.size, words, unary, edge) for _ in range(criteria)]


def plain_chain(seed: int, layers: int, size: int, criteria: int = 2) -> list[CostGraph]:
    """Return criteria over a chain of domains without structure."""
    rng = random.Random(seed)

    def numbers(*shape: int) -> Any:
        return np.array([rng.randrange(TOP) for _ in range(int(np.prod(shape)))], dtype=np.int64).reshape(shape)

    def unary() -> TableUnary:
        return TableUnary(numbers(size))

    def edge() -> TableEdge:
        return TableEdge(numbers(size, size))

    return [_chain(layers, size, None, unary, edge) for _ in range(criteria)]


def _chain(layers: int, size: int, words: Words | None, unary: Callable[[], Any], edge: Callable[[], Any]) -> CostGraph:
    variables = tuple(Variable(f"v{i}", size, words) for i in range(layers))
    own = tuple({"cost": unary()} for _ in range(layers))
    return CostGraph(variables, own, tuple(Edge(i, i + 1, {"cost": edge()}) for i in range(layers - 1)), COST)


def _halves(name: str) -> list[CostGraph]:
    """Return a network's graph by the bytes of its upper levels, and by those of its lower ones."""
    graph = NetworkProblem(load(name)).graph
    halves = ((1, 1, 0, 0), (0, 0, 1, 1))
    return [graph.replace(objective=Objective({COMMUNICATION: tuple(map(Fraction, half))})) for half in halves]


def _row(name: str, graphs: Sequence[CostGraph]) -> dict[str, Any]:
    began = time.perf_counter()
    front = _front(graphs)
    seconds = time.perf_counter() - began
    if not front.complete:
        raise AssertionError(f"{name}: {front.native_status}")
    if name in CHECKED and _values(front) != _values(_front(graphs, "cp-sat")):
        raise AssertionError(f"{name}: joint-dp and cp-sat disagree")
    facts = front.statistics
    return {
        "chain or network": name,
        "points": len(front.points),
        "seconds": round(seconds, 3),
        "labels": facts["labels_made"],
        "kept": facts["labels_of_a_layer"],
    }


def _total(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    columns = {name: [row[name] for row in rows] for name in ("points", "seconds", "labels", "kept")}
    sums = {name: round(sum(columns[name]), 3) for name in ("points", "seconds", "labels")}
    return {"chain or network": "ten networks"} | sums | {"kept": max(columns["kept"])}


def _front(graphs: Sequence[CostGraph], name: str = "joint-dp") -> FrontSolution:
    formulation = load_formulation(name)
    if not isinstance(formulation, Fronts):
        raise TypeError(f"{name} enumerates no fronts")
    return formulation.front(graphs, Run(name))


def _values(front: FrontSolution) -> list[tuple[int, ...]]:
    return [point.values for point in front.points]
