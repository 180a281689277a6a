"""Three criteria and more: always the least sum of what improves on every point so far in some criterion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypar_opt.front import FrontPoint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formulations.fronts.model import Model
    from hypar_opt.run import Run


@dataclass(frozen=True)
class Improving:
    """The sum of the scaled criteria, of what no point so far is at or below.

    Parameters
    ----------
    model
        The criteria.
    found
        The points' costs.
    """

    model: Model
    found: list[tuple[int, ...]] = field(default_factory=list)

    def feasible(self, choices: Sequence[int], /) -> bool:
        """Return whether an assignment is allowed and, for every point, below it in some criterion."""
        values = self.model.values(choices)
        return self.model.graphs[0].feasible(choices) and all(
            any(value < one for value, one in zip(values, point, strict=True)) for point in self.found
        )

    def value(self, choices: Sequence[int], /) -> int:
        """Return the sum of the criteria, each in its own unit."""
        return sum(self.model.scaled(j, value) for j, value in enumerate(self.model.values(choices)))


def points(model: Model, run: Run) -> Iterator[FrontPoint]:
    """Yield every point of the front, in order of their sums.

    Raises
    ------
    Stopped
        If a limit is hit.
    """
    copy, problem = model.copy(), Improving(model)
    solver = copy.built.model
    costs = [solver.new_int_var(0, one.most, f"criterion_{j}") for j, one in enumerate(model.criteria)]
    for cost, total in zip(costs, model.sums, strict=True):
        solver.add(cost == total)
    solver.minimize(sum(costs))
    while True:
        choices = copy.searched(problem, 1, 0, run, None).choices
        if choices is None:
            return
        values = model.values(choices)
        yield FrontPoint(values, choices)
        problem.found.append(values)
        below = []
        for j, cost in enumerate(costs):
            improves = solver.new_bool_var(f"improves_{len(problem.found)}_{j}")
            solver.add(cost <= model.scaled(j, values[j]) - 1).only_enforce_if(improves)
            below.append(improves)
        solver.add_at_least_one(below)
