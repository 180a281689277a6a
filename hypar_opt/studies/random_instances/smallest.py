"""The smallest chain on which the greedy search misses the optimum, however it breaks ties, by looking at all."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from hypar_opt.instance.choices import HYPAR
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.random_instances.generator import Document, RandomChain, instance_of
from hypar_opt.studies.random_instances.measurement import Keeps, missed
from hypar_opt.studies.random_instances.reduction import Shrunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def smallest(
    accounting: str,
    *,
    layers: int = 2,
    levels: int = 2,
    most: int = 12,
    choices: Sequence[str] = HYPAR,
    keeps: Keeps = missed,
) -> Shrunk | None:
    """Look at all chains of so many linear layers and levels, by their sum of sizes, until one shows a gap.

    Parameters
    ----------
    most
        The largest sum of the batch, the input's features and every layer's features that is looked at.
    keeps
        As in `shrink`.

    Returns
    -------
    The first with a gap; of one sum the first in the order of batch, input and features. None if there is none.

    Raises
    ------
    InputError
        If there is no such accounting, or one of the numbers cannot be.
    """
    for tries, document in enumerate(_documents(accounting, layers, levels, most, tuple(choices)), start=1):
        both = keeps(document)
        if both is not None:
            return Shrunk(document, *both, tries, finished=True)
    return None


def _documents(accounting: str, layers: int, levels: int, most: int, choices: tuple[str, ...]) -> Iterator[Document]:
    for total in range(layers + 2, most + 1):
        for batch, first, *features in _sums(total, layers + 2):
            named = [{"name": f"fc{i}", "linear": {"features": size}} for i, size in enumerate(features, start=1)]
            network = {"input": [first], "layers": named}
            yield RandomChain(f"greedy-{accounting}", batch, levels, choices, network).document(accounting)


def _sums(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write a number as an ordered sum of so many numbers of at least 1."""
    if parts == 1:
        yield (total,)
        return
    for first in range(1, total - parts + 2):
        yield from ((first, *rest) for rest in _sums(total - first, parts - 1))


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
