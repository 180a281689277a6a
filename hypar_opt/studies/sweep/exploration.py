"""What exploring finds: every combination's cost, exact, and which is best."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.evaluation.legality import illegal
from hypar_opt.instance.network import Workload
from hypar_opt.instance.objective.components import PLACED, depends_on

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.sweep.space import Space


@dataclass(frozen=True, eq=False)
class Exploration:
    """All combinations, weighed.

    Parameters
    ----------
    space
        The combinations.
    base
        Where the base plan comes from, in words.
    against
        What gains are over, in words.
    reference
        By component, what that costs.
    values
        By component, every combination's cost as an integer; the first component is the one that is compared.
    units
        By component, how many of these integers make one of its unit.
    allowed
        Which combinations keep to every capacity.
    fault
        Where recomputation by boxes and routes disagrees, or nothing.
    """

    space: Space
    base: str
    against: str
    reference: Mapping[str, Fraction]
    values: Mapping[str, Array]
    units: Mapping[str, int]
    allowed: Array
    fault: str = ""

    @property
    def components(self) -> tuple[str, ...]:
        """What was weighed; the first is compared."""
        return tuple(self.values)

    def value(self, component: str, index: int) -> Fraction:
        """Return what a combination costs."""
        return Fraction(int(self.values[component][index]), self.units[component])

    def gain(self, component: str, index: int) -> Fraction | None:
        """Return how many times as much the reference costs; None for what costs nothing."""
        value = self.value(component, index)
        return self.reference[component] / value if value else None

    @cached_property
    def best(self) -> tuple[int, ...]:
        """All combinations that cost the least of what is compared, in their order; none where none is allowed."""
        first = self.values[self.components[0]]
        if not self.allowed.any():
            return ()
        least = first[self.allowed].min()
        return tuple(int(i) for i in np.flatnonzero(self.allowed & (first == least)))

    @property
    def winner(self) -> int | None:
        """The base plan if it is among the best, else the first of them."""
        if not self.best:
            return None
        return self.space.base_index if self.space.base_index in self.best else self.best[0]

    def rank(self, index: int) -> int:
        """Return a combination's place: one more than how many that are allowed cost less."""
        first = self.values[self.components[0]]
        return 1 + int(np.count_nonzero(self.allowed & (first < first[index])))

    def order(self, count: int) -> Sequence[int]:
        """Return the combinations with the least cost first, equal ones in their order, and only what is allowed."""
        first = self.values[self.components[0]]
        places = np.flatnonzero(self.allowed)
        return [int(i) for i in places[np.argsort(first[places], kind="stable")][:count]]


def fault_of(found: Exploration, reference: Mapping[str, str]) -> str:
    """Return what is not so of the words explored, or of the reference, the base and the best; or nothing."""
    space = found.space
    fault = _forbidden(space)
    if fault:
        return fault
    wanted: list[tuple[str, Mapping[str, str], Mapping[str, Fraction]]] = [
        ("the reference", reference, found.reference)
    ]
    for what, index in (("the base plan", space.base_index), ("the best", found.winner)):
        if index is None:
            continue
        words = space.strategies(index)
        excess = space.problem.excess(words)
        if bool(found.allowed[index]) == bool(excess):
            return f"{what}: {excess or 'the plan fits into the memory'}, and the cost model says otherwise"
        wanted.append((what, words, {name: found.value(name, index) for name in found.components}))
    for what, strategies, claims in wanted:
        costs = recomputed_costs(space.problem, strategies, found.components)
        for name, value in claims.items():
            if costs.get(name) != value:
                return f"{what}: boxes and routes give {costs.get(name)} of {name}, the cost model {value}"
    return ""


def _forbidden(space: Space) -> str:
    """Return a word of a layer that is explored, or kept, and not allowed; or nothing."""
    problem = space.problem
    for layer, variable, choices in zip(problem.work.layers, problem.base.variables, space.candidates, strict=True):
        alone = Workload((layer,), ())
        assert variable.words is not None  # problems of strategies are of words
        for choice in choices:
            fault = illegal(alone, {layer.name: variable.words.word(choice)}, problem.rules)
            if fault is not None:
                return f"{fault}, and the cost model allows it"
    return ""


def recomputed_costs(
    problem: NetworkProblem, strategies: Mapping[str, str], components: Sequence[str]
) -> Mapping[str, Fraction]:
    """Return a plan's cost by component, by walking its boxes, and its routes where they matter."""
    placed = any(depends_on(name, PLACED) for name in components)
    return problem.costs(problem.bytes_of(strategies), problem.instance.placement if placed else None, components)
