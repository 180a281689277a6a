"""A plan of operators in a report: what it moves, keeps and takes, recounted once for all that shows it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.report.content.named_plan import FoundPlan
from hypar_opt.report.operators.blocks import RepeatedBlocks
from hypar_opt.report.operators.collectives import Moved, owner_of
from hypar_opt.report.operators.times import seconds_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.operators import OperatorStep
    from hypar_opt.evaluation.operators.memory import Kept
    from hypar_opt.solver.operator_problem import OperatorProblem


@dataclass(frozen=True)
class NamedOperatorPlan(FoundPlan):
    """A plan of operators, with what it moves in a step."""

    problem: OperatorProblem

    @cached_property
    def blocks(self) -> RepeatedBlocks:
        """The repeated blocks of the network."""
        return RepeatedBlocks(self.problem.instance.graph)

    @cached_property
    def step(self) -> OperatorStep:
        """A training step, recounted device by device."""
        return self.standing.step(self.strategies)

    @cached_property
    def moved(self) -> Moved:
        """What moves."""
        return Moved(self.step.movements)

    @cached_property
    def seconds(self) -> Mapping[tuple[str, str], Fraction]:
        """By part of a step and phase; nothing where the array does not say how fast anything is."""
        return seconds_of(self.step)

    @cached_property
    def standing(self) -> OperatorProblem:
        """The problem with the plan's placement, where that was decided, too."""
        return self.problem.standing_as(self.plan)

    @cached_property
    def kept(self) -> Mapping[Kept, Fraction]:
        """Bytes kept on each device by kind, in all."""
        found: dict[Kept, Fraction] = {}
        for kinds in self.step.kept.values():
            for kind, size in kinds.items():
                found[kind] = found.get(kind, Fraction(0)) + size
        return found

    @cached_property
    def received(self) -> Mapping[str, Mapping[str, Fraction]]:
        """Bytes that all devices receive, by operator and kind of collective."""
        graph = self.problem.instance.graph
        found: dict[str, Counter[str]] = {}
        for one in self.moved.movements:
            found.setdefault(owner_of(one, graph), Counter())[one.kind] += one.bytes  # type: ignore[assignment]
        return {name: {kind: Fraction(size) for kind, size in kinds.items()} for name, kinds in found.items()}
