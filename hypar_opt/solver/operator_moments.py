"""The memory of operators' devices at all moments of a step: moments are added until a plan fits at all of them.

A problem without its memory is a relaxation, and so is one with the memory at some moments exact, and at the turn of
the step as far as single variables say: what no plan of it costs, no plan costs, and where it has none, there is none.
Its best plan is the best of all if it fits at every moment, which the evaluator follows. Where it does not, those
moments are added at which it takes most of each run that is too much, and those of the same operators in all blocks
that are alike. It ends, as there are so many moments.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from hypar_opt.formulation.solution import Status
from hypar_opt.solver.problem import Problem, Start

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.evaluation.operators import MemoryPeak
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import AskSimpler

FIRST_S: Final = 10.0
"""How long a plan is searched for that only says which moments matter, at most."""
FIRST_SHARE: Final = 8
"""It is no more than one of so many parts of the time that is left."""
ROUNDS: Final = "memory rounds"
"""In statistics, how many relaxations were solved."""


class InMoments(Problem, Protocol):
    """A problem whose plans have to fit into a memory at many moments."""

    def at_moments(self, moments: Sequence[int]) -> Problem:
        """Return the relaxation that is exact at some moments."""

    def exceeded_at(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return moments at which a plan takes more than there is; none where it fits."""

    def first_moments(self, limits: Limits) -> tuple[int, ...]:
        """Return moments at which the best plan of all takes too much, where that is known beside the rounds."""

    def known_fit(self, plan: Plan) -> Plan | None:
        """Return a plan that fits, in place of one that does not, if one was found beside the rounds."""


def exceeded(occupied: Sequence[MemoryPeak], memory: Fraction) -> Iterator[int]:
    """Yield of each run of moments at which a plan takes more than there is the one at which it takes most.

    Parameters
    ----------
    occupied
        What is in the memory, moment by moment.
    memory
        Bytes of a device.
    """
    most: int | None = None
    for number, one in enumerate(occupied):
        if one.bytes > memory:
            most = number if most is None or one.bytes > occupied[most].bytes else most
        elif most is not None:
            yield most
            most = None
    if most is not None:
        yield most


@dataclass(frozen=True, eq=False)
class InRounds:
    """A problem of operators solved in rounds, with more and more moments.

    Parameters
    ----------
    problem
        Whose memory may not be enough.
    solve
        Finds plans of relaxations.
    limits
        Of all rounds together.
    """

    problem: InMoments
    solve: AskSimpler
    limits: Limits

    def found(self) -> Plan:
        """Return the best plan that fits, or what is known of it."""
        moments = self.problem.first_moments(self.limits)
        fitting: Plan | None = None
        bound: Fraction | None = None
        runtime_s, rounds, is_first = 0.0, 0, not moments
        while True:
            limits = self._short() if is_first else self.limits
            begin = None if fitting is None else Start(fitting.strategies)
            plan = self.solve(self.problem.at_moments(moments), limits, begin)
            runtime_s, rounds = runtime_s + plan.runtime_s, rounds + 1
            bound = max((one for one in (bound, plan.bound) if one is not None), default=None)
            plan = replace(plan, runtime_s=runtime_s, statistics={**plan.statistics, ROUNDS: rounds})
            if plan.status is Status.ERROR:
                return plan
            over = () if plan.strategies is None else self.problem.exceeded_at(plan.strategies)
            if plan.strategies is not None and not over:
                fitting = plan
            if set(over) - set(moments) and not self.limits.over:
                moments = tuple(sorted({*moments, *over}))
                continue
            if over and not self.limits.over:
                return _failed(plan, "what is in the memory is compiled otherwise than it is recounted")
            is_cut = not plan.proven and limits.over and not self.limits.over
            if not is_cut:
                plan = _without(plan) if over else plan
                fitting = fitting or (self.problem.known_fit(plan) if plan.strategies is None else None)
                return _best(plan, fitting, bound)
            is_first = False

    def _short(self) -> Limits:
        """Return the limits of a round of which the plan only says which moments matter."""
        left = self.limits.remaining_s()
        return self.limits.within(FIRST_S if left is None else min(FIRST_S, left / FIRST_SHARE))


def _best(plan: Plan, fitting: Plan | None, bound: Fraction | None) -> Plan:
    """Return the last round's plan, or the one that fits where that has none; with the best bound of all rounds."""
    if plan.status is Status.OPTIMAL or (plan.status is Status.INFEASIBLE and fitting is None):
        return plan
    if plan.status is Status.INFEASIBLE:
        return _failed(plan, f"says INFEASIBLE ({plan.native_status}), and a plan is known")
    if plan.strategies is None and fitting is not None:
        plan = replace(fitting, runtime_s=plan.runtime_s, statistics=plan.statistics)
    is_proven = bound is not None and bound == plan.objective
    return replace(plan, status=Status.OPTIMAL if is_proven else plan.status, bound=bound)


def _failed(plan: Plan, why: str) -> Plan:
    return replace(plan, status=Status.ERROR, native_status=why, bound=None)


def _without(plan: Plan) -> Plan:
    """Return what is known of a plan that does not fit: its bound."""
    note = "; ".join(filter(None, [plan.note, "what was found last does not fit into the memory"]))
    return replace(
        plan, status=Status.NO_SOLUTION, strategies=None, objective=None, communication_bytes=None, costs={}, axes=(),
        placement=None, note=note,
    )  # fmt: skip
