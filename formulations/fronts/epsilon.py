"""Two criteria: the front from its least first criterion to its least second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.front import FrontPoint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from formulations.fronts.model import Model
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.run import Run


@dataclass(frozen=True)
class Within:
    """One criterion's problem with others bounded.

    Parameters
    ----------
    graphs
        One a criterion.
    minimised
        Which of them is worth an assignment's value.
    most
        By criterion: what it may cost.
    """

    graphs: Sequence[CostGraph]
    minimised: int
    most: Mapping[int, int]

    def feasible(self, choices: Sequence[int], /) -> bool:
        """Return whether an assignment is allowed and within the bounds."""
        return self.graphs[0].feasible(choices) and all(
            self.graphs[j].value(choices) <= most for j, most in self.most.items()
        )

    def value(self, choices: Sequence[int], /) -> int:
        """Return the minimised criterion."""
        return self.graphs[self.minimised].value(choices)


def points(model: Model, run: Run) -> Iterator[FrontPoint]:
    """Yield every point of the front, ascending.

    Raises
    ------
    Stopped
        If a limit is hit.
    """
    most: dict[int, int] = {}
    start = None
    while True:
        first = _least(model, 0, most, run, start)
        if first is None:
            return
        choices = _least(model, 1, {**most, 0: model.graphs[0].value(first)}, run, first)
        if choices is None:
            raise RuntimeError("no assignment within the bounds that one has just met")
        yield FrontPoint(model.values(choices), choices)
        most = {1: model.graphs[1].value(choices) - 1}


def _least(
    model: Model, criterion: int, most: Mapping[int, int], run: Run, start: tuple[int, ...] | None
) -> tuple[int, ...] | None:
    """Return an assignment within bounds that costs least by one criterion, or None if there is none."""
    copy = model.copy()
    for j, bound in most.items():
        copy.built.model.add(model.sums[j] <= model.scaled(j, bound))
    copy.built.model.minimize(model.sums[criterion])
    scale = model.criteria[criterion]
    problem = Within(model.graphs, criterion, most)
    return copy.searched(problem, scale.unit, scale.constant, run, start).choices
