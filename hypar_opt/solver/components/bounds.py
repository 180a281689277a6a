"""What is known of components that are solved apart, and of the whole by it."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph import CostGraph, Duals, Priced, Tables, graph_of
from hypar_opt.costgraph.presolve import Component, choices_together, duals_together
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.formulation.run import Event, Run

FINAL: Final = (Status.INFEASIBLE, Status.ERROR)
"""What is said of one part, and holds for the whole."""


@dataclass(eq=False)
class SearchedComponent:
    """A component, and what is known of it.

    Parameters
    ----------
    name
        For phases and reasons.
    component, graph
        Which, and what formulations read of it.
    priced
        The best prices that were handed over.
    bound
        What no plan of it costs less than; nothing costs less than 0.
    choices, value
        The best plan, and what it costs; None without one.
    solution
        The last answer of a formulation.
    """

    name: str
    component: Component
    graph: CostGraph
    priced: Priced
    bound: int = 0
    choices: tuple[int, ...] | None = None
    value: int | None = None
    solution: Solution | None = None

    @staticmethod
    def of(name: str, component: Component) -> SearchedComponent:
        """Begin with the prices that say nothing.

        Raises
        ------
        ValueError
            If not all least costs of the component are 0.
        """
        graph, shift = graph_of(component.tables)
        if shift:
            raise ValueError(f"{name}: not all least costs are 0")
        return SearchedComponent(name, component, graph, Priced(graph.tables, Duals.zero(graph.tables)))

    @property
    def sizes(self) -> list[tuple[str, int]]:
        """Variables and values, by the numbers in the whole."""
        both = zip(self.component.variables.tolist(), self.component.tables.sizes.tolist(), strict=True)
        return [(f"variable {number}", size) for number, size in both]

    def fault(self, solution: Solution) -> str | None:
        """Return what is wrong with an answer, or None; where all costs are added up two faults might cancel out."""
        if solution.choices is not None and not self.graph.tables.fits(solution.choices):
            return "the plan breaks a limit of the reduced problem"
        if self.value is not None and self.bound > self.value:
            return f"the bound {self.bound} is above the plan's cost {self.value}"
        if self.value is not None and solution.status is Status.INFEASIBLE:
            return f"claims INFEASIBLE, and there is a plan of cost {self.value}"
        if solution.status is Status.OPTIMAL and solution.bound != self.value:
            return f"claims OPTIMAL with cost {self.value} and bound {solution.bound}"
        return None


@dataclass(eq=False)
class Decomposition:
    """The parts of a problem; what makes the whole better goes on to its run.

    Parameters
    ----------
    tables, run
        The whole problem, whose least costs are 0, and its run.
    parts
        All of it.
    """

    tables: Tables
    run: Run
    parts: tuple[SearchedComponent, ...]
    _lock: Lock = field(default_factory=Lock)

    @property
    def bound(self) -> int:
        """What no plan of the whole costs less than."""
        return sum(part.bound for part in self.parts)

    @property
    def choices(self) -> tuple[int, ...] | None:
        """The best plan of the whole; None while a part has none."""
        found = [part.choices for part in self.parts if part.choices is not None]
        if len(found) < len(self.parts):
            return None
        return tuple(choices_together([part.component for part in self.parts], found).tolist())

    def begin(self) -> None:
        """Take of the run's start what parts can use; tell what is known without any search."""
        for part in self.parts if self.run.start is not None else ():
            self._planned(part, tuple(np.asarray(self.run.start)[part.component.variables].tolist()))
        self.run.bound(self.bound)
        self._prove()

    def hear(self, part: SearchedComponent, event: Event) -> None:
        """Take what is told of a part."""
        with self._lock:
            if event.kind == "phase":
                self.run.phase(f"{part.name}: {event.text}")
            elif event.kind == "bound" and isinstance(event.value, int):
                self._bounded(part, event.value)
            elif event.kind == "incumbent" and event.choices is not None:
                self._planned(part, event.choices)

    def keep(self, part: SearchedComponent, duals: Duals) -> None:
        """Take prices of a part, if they are the best so far, and hand over the whole's."""
        with self._lock:
            priced = Priced(part.graph.tables, duals)
            if priced.bound > part.priced.bound:
                part.priced = priced
                self._prove()

    def conclude(self, part: SearchedComponent, solution: Solution) -> Solution:
        """Take an answer, and return it; what can't be true becomes an error."""
        with self._lock:
            if solution.choices is not None:
                self._planned(part, solution.choices)
            if solution.bound is not None:
                self._bounded(part, int(solution.bound))
            fault = part.fault(solution)
            part.solution = solution if fault is None else Solution(Status.ERROR, native_status=fault)
            return part.solution

    def concluded(self) -> Solution:
        """Return what the answers say together."""
        answers = [(part.name, part.solution) for part in self.parts if part.solution is not None]
        statistics = _added([one for _, one in answers]) | {"components": len(self.parts)}
        for name, one in answers:
            if one.status in FINAL:
                native = f"{name}: {one.native_status}"
                return Solution(one.status, None, None, native, one.note, statistics)
        natives = "; ".join(dict.fromkeys(filter(None, (one.native_status for _, one in answers))))
        notes = _noted([one.note for _, one in answers])
        choices = self.choices
        proven = all(one.status is Status.OPTIMAL for _, one in answers)
        status = Status.NO_SOLUTION if choices is None else Status.OPTIMAL if proven else Status.FEASIBLE
        return Solution(status, choices, self.bound, f"in {len(self.parts)} components: {natives}", notes, statistics)

    def _bounded(self, part: SearchedComponent, bound: int) -> None:
        if bound > part.bound:
            part.bound = bound
            self.run.bound(self.bound)

    def _planned(self, part: SearchedComponent, choices: tuple[int, ...]) -> None:
        if not part.graph.tables.feasible(choices):
            return
        value = part.graph.tables.value(choices)
        if part.value is None or value < part.value:
            part.choices, part.value = choices, value
            whole = self.choices
            if whole is not None:
                self.run.incumbent(self.tables.value(whole), whole)

    def _prove(self) -> None:
        if self.run.proof is not None:
            each = [part.component for part in self.parts], [part.priced.duals for part in self.parts]
            self.run.proof(duals_together(self.tables, *each))


def _noted(notes: Sequence[str]) -> str:
    """Return what is noted of every component, each text once: a figure in it is of one component, not of the whole."""
    numbers: dict[str, list[str]] = {}
    for number, note in enumerate(notes, start=1):
        numbers.setdefault(note, []).append(str(number))
    return "; ".join(f"in {_named(of)}: {note}" for note, of in numbers.items() if note)


def _named(numbers: Sequence[str]) -> str:
    """Return 'component 3', or 'each of components 3, 5'."""
    return f"component {numbers[0]}" if len(numbers) == 1 else f"each of components {', '.join(numbers)}"


def _added(solutions: Iterable[Solution]) -> dict[str, int | float | str]:
    """Return statistics whose numbers are those of all; but the seed, which all share."""
    total: dict[str, int | float | str] = {}
    for solution in solutions:
        for name, value in solution.statistics.items():
            before = total.get(name, 0)
            if name == "seed" or isinstance(value, str) or isinstance(before, str):
                total[name] = value
            else:
                total[name] = before + value
    return total
