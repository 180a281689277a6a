"""What the members of a portfolio have found together."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from formulations.lagrangian.bounds import EXACT
from formulations.local_polytope import ROUNDED
from hypar_opt.costgraph import Duals, Priced, Tables
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.run import Event, Hint, Run
from hypar_opt.formulation.solution import Solution, Status, beyond

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.formulation.potentials import Potentials

MILP, TREE, DECOMPOSITION = "milp-highs", "branch-and-bound", "lagrangian"
PROVEN = (Status.OPTIMAL, Status.INFEASIBLE)
FALSE = "a plan is known that contradicts it: its tolerances do not hold here"


@dataclass
class Exchange:
    """The best plan and bound of all members; what is better goes on to whoever listens to the run.

    Parameters
    ----------
    tables, run
        The problem, and the portfolio's run.
    bound
        The best bound, or None.
    found
        By member, the prices of its best bound.
    sources
        Whose the plan and the bound are.
    ended
        Whether the run is: members that were left behind have nothing more to tell.
    best
        The best plan.
    """

    tables: Tables
    run: Run
    bound: int | None = None
    found: dict[str, Duals] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    ended: bool = False
    best: Incumbent = field(init=False)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.best = Incumbent(self.tables, self.run)

    @property
    def closed(self) -> bool:
        """Whether the bound reaches the plan."""
        return self.bound is not None and self.best.met_by(self.bound)

    @property
    def certified(self) -> bool:
        """Whether prices alone prove the best plan."""
        duals = self._best(list(self.found.copy().values()))
        return duals is not None and self.best.met_by(Priced(self.tables, duals).bound)

    def hear(self, event: Event) -> None:
        """Take what a member tells."""
        if self.ended:
            return
        value, choices = event.value, event.choices
        if event.kind == "phase":
            self.run.phase(f"{event.source}: {event.text}")
        elif event.kind == "bound" and isinstance(value, int):
            self._bounded(value, event.source)
        elif event.kind == "incumbent" and choices is not None:
            self._planned(choices, event.source)

    def _bounded(self, bound: int, source: str) -> None:
        with self._lock:
            if self.bound is None or bound > self.bound:
                self.bound, self.sources["bound"] = bound, source
                self.run.bound(bound)

    def _planned(self, choices: tuple[int, ...], source: str) -> None:
        with self._lock:
            before = self.best.value
            self.best.offer(choices)
            if self.best.value != before:
                self.sources["plan"] = source

    def keep(self, source: str, proof: Potentials | Duals) -> None:
        """Take the prices of a member's best bound."""
        if isinstance(proof, Duals):
            self.found[source] = proof

    def hint(self, source: str) -> Hint:
        """Return what the others have found: the best plan, and the prices of the best of their bounds."""
        duals = [one for other, one in self.found.copy().items() if other != source]
        return Hint(self.best.choices, self._best(duals))

    def _best(self, found: list[Duals]) -> Duals | None:
        return max(found, key=lambda one: Priced(self.tables, one).bound) if len(found) > 1 else next(iter(found), None)

    def concluded(self, solutions: Mapping[str, Solution]) -> Solution:
        """Return what the members' solutions say together; hand over the prices of the best bound."""
        self.ended = True
        duals = self._best(list(self.found.values())) or Duals.zero(self.tables)
        if self.run.proof is not None:
            self.run.proof(duals)
        rests = self._beyond(duals)
        if self.closed:
            native = f"the bound of {self.sources['bound']} reaches the plan of {self.sources['plan']}"
            return Solution(Status.OPTIMAL, self.best.choices, self.best.value, native, rests)
        for name, solution in solutions.items():
            if self._stands(solution):
                return self._of(name, solution)
        words = [f"{name}: {one.native_status}" for name, one in solutions.items() if one.native_status]
        false = [f"{name} says {one.status}, and {FALSE}" for name, one in solutions.items() if one.status in PROVEN]
        note = "; ".join([*false, rests] if rests else false)
        return Solution(self._status(solutions), self.best.choices, self.bound, "; ".join(words), note)

    def _beyond(self, duals: Duals) -> str:
        """Return what the bound rests on beyond what the best prices prove."""
        if self.bound is None:
            return ""
        rests = ROUNDED if self.sources["bound"] == MILP else EXACT
        return beyond(math.ceil(Priced(self.tables, duals).bound), self.best.of_all(self.bound), rests)

    def _status(self, solutions: Mapping[str, Solution]) -> Status:
        """Return what is known without a proof."""
        if self.best.choices is not None:
            return Status.FEASIBLE
        failed = [one.status is Status.ERROR for one in solutions.values()]
        return Status.ERROR if failed and all(failed) else Status.NO_SOLUTION

    def _stands(self, solution: Solution) -> bool:
        """Return whether a member's proof, which may rest on tolerances, agrees with the best plan of all."""
        if solution.status is Status.OPTIMAL:
            return solution.bound == self.best.value
        return solution.status is Status.INFEASIBLE and self.best.choices is None

    def _of(self, name: str, solution: Solution) -> Solution:
        """Return a member's proof as the portfolio's."""
        native = f"{name}: {solution.native_status}"
        return Solution(solution.status, solution.choices, solution.bound, native, solution.note, solution.statistics)
