"""All plans that differ from one in some layers and levels alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.errors import RecomputationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.problem import Problem

Words = dict[str, str]


@dataclass(frozen=True)
class Space:
    """Plans around one plan.

    Parameters
    ----------
    own
        The word of every layer where it is not explored.
    layers, levels
        What is explored; a level is counted from 1, the root.
    letters
        Of every layer.
    """

    own: Mapping[str, str]
    layers: Sequence[str]
    levels: Sequence[int]
    letters: Mapping[str, str]

    @property
    def size(self) -> int:
        """How many plans there are, allowed or not."""
        return prod(len(self.letters[layer]) ** len(self.levels) for layer in self.layers)

    def plans(self) -> Iterator[Words]:
        """Yield every plan."""
        each = [[self._word(layer, letters) for letters in self._choices(layer)] for layer in self.layers]
        for words in product(*each):
            yield dict(self.own) | dict(zip(self.layers, words, strict=True))

    def outside(self, words: Mapping[str, str]) -> str | None:
        """Return where a plan differs from the own one although that is not explored, or None."""
        for layer, word in self.own.items():
            kept = set(range(1, len(word) + 1)) - (set(self.levels) if layer in self.layers else set())
            if any(words[layer][level - 1] != word[level - 1] for level in kept):
                return f"{layer} is {words[layer]}, and {word} where nothing is explored"
        return None

    def _choices(self, layer: str) -> Iterator[tuple[str, ...]]:
        return product(self.letters[layer], repeat=len(self.levels))

    def _word(self, layer: str, letters: Sequence[str]) -> str:
        at = dict(zip(self.levels, letters, strict=True))
        return "".join(at.get(level, letter) for level, letter in enumerate(self.own[layer], start=1))


@dataclass(frozen=True)
class Peaks:
    """What comes of looking at every plan.

    Parameters
    ----------
    least
        The least cost of any plan that is allowed.
    best
        All plans that have it.
    count
        How many plans are allowed.
    """

    least: Fraction
    best: Sequence[Words]
    count: int


def peaks(space: Space, problem: Problem, component: str) -> Peaks:
    """Return the best of the plans, of which the instance has to allow one.

    Found by the compiled costs, which are quick; what is found is recomputed by code that shares nothing with them.

    Raises
    ------
    RecomputationError
        If a plan that is found is not allowed, or costs something else.
    """
    graph = problem.weighing({component: Fraction(1)})
    values: dict[int, list[Words]] = {}
    count = 0
    for words in space.plans():
        choices = problem.choices(words)
        if not graph.feasible(choices):
            continue
        count, value = count + 1, graph.value(choices)
        if not values or value <= min(values):
            values = {value: [*values.get(value, []), words]}
    least = min(values)
    found = Peaks(Fraction(least, graph.objective.denominator), values[least], count)
    for words in found.best:
        fault, cost = problem.fault_of(words), problem.costs(problem.bytes_of(words), problem.sites).get(component)
        if fault is not None or cost != found.least:
            raise RecomputationError(fault or f"a peak costs {cost} {component}, and the search says {found.least}")
    return found
