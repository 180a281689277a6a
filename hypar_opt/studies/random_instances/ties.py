"""Whether the greedy search could have done better by breaking ties otherwise."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.random_instances.generator import Document, instance_of
from hypar_opt.studies.random_instances.measurement import missed

if TYPE_CHECKING:
    from collections.abc import Iterator


Words = tuple[str, ...]
"""Of every layer, the letters of the levels so far."""


def least_greedy(document: Document) -> Fraction:
    """Return the least that a greedy search can end with, over all ways to break ties at every level.

    Greedy is what Algorithm 2 does: the letters of level h are any that make an array of h levels cheapest,
    those above being given. Found by trying all letters, their cost by laying out boxes: for small chains.
    """
    reached: set[Words] = set()
    problem = None
    for levels in range(1, document["array"]["levels"] + 1):
        problem = NetworkProblem(instance_of({**document, "array": {**document["array"], "levels": levels}}))
        names = [layer.name for layer in problem.work.layers]
        reached = reached or {("",) * len(names)}
        reached = {words for before in reached for words in _cheapest(problem, names, before)}
    if problem is None:
        return Fraction(0)
    return min(_cost(problem, names, words) for words in reached)


def surely_missed(document: Document) -> tuple[Fraction, Fraction] | None:
    """Return the costs of the greedy plan and of the optimum where no way to break ties reaches the optimum."""
    both = missed(document)
    return both if both is not None and least_greedy(document) > both[1] else None


def _cheapest(problem: NetworkProblem, names: list[str], before: Words) -> Iterator[Words]:
    ways = [
        tuple(word + letter for word, letter in zip(before, letters, strict=True))
        for letters in product(problem.instance.choices, repeat=len(names))
    ]
    costs = [_cost(problem, names, words) for words in ways]
    least = min(costs)
    return (words for words, cost in zip(ways, costs, strict=True) if cost == least)


def _cost(problem: NetworkProblem, names: list[str], words: Words) -> Fraction:
    return problem.objective_of(problem.bytes_of(dict(zip(names, words, strict=True))))
