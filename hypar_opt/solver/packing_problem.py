"""A collective whose chunks go by several trees, compiled: the way between trees with shares and choices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.costgraph.collective.pieces import TreePiece, busiest, is_packing, pieces_written, read_pieces
from hypar_opt.evaluation.collective.packing import JudgedPacking
from hypar_opt.formulation.registry import choose
from hypar_opt.instance.collective import Branch, TreePacking, TreeShare, read_packing
from hypar_opt.instance.objective.components import TIME
from hypar_opt.solver.collective_problem import CollectiveProblem, CollectiveTask
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.formulation.protocol import Formulation
    from hypar_opt.formulation.run import Limits
    from hypar_opt.formulation.solution import Decides, Solution
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Ask, AskWithin, Start, Task, Tell


@dataclass(frozen=True, eq=False)
class PackingProblem(CollectiveProblem):
    """What `solve` works on where a collective's objective is its bandwidth; a `Problem`."""

    kind: ClassVar[str] = "packing"

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return trees with shares as integers.

        Raises
        ------
        InputError
            If they do not bring the collective about: says what is wrong.
        """
        judged = self.packed(strategies)
        if judged.fault is not None:
            raise InputError(judged.fault.text, field="plan")
        unit: dict[int, int] = {}
        for one in judged.packing.shares:
            unit[one.chunk] = lcm(unit.get(one.chunk, 1), one.share.denominator)
        return pieces_written(
            TreePiece(one.chunk, int(one.share * unit[one.chunk]), tuple(map(tuple, one.branches)))  # type: ignore[arg-type]
            for one in judged.packing.shares
        )

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that packs trees."""
        return choose(self.use, self.graph, limits, "forestcoll")

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return the trees as what is to be decided."""
        if decides != "sends":
            raise Refusal(f"{name} decides {decides}, and a collective has sends; try forestcoll")
        return PackingTask(self), ""

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Return the plan: there always is one."""
        return plan

    def packed(self, strategies: Mapping[str, str]) -> JudgedPacking:
        """Return what is true of a plan, by code that shares nothing with the search.

        Raises
        ------
        InputError
            If it is none: names the chunk and the branch.
        """
        return JudgedPacking(self.instance, read_packing(self.instance, strategies))


@dataclass(frozen=True)
class PackingTask(CollectiveTask):
    """The trees."""

    problem: PackingProblem

    def packing(self, choices: Sequence[int]) -> TreePacking:
        """Return the trees that choices are."""
        pieces = read_pieces(choices)
        whole: dict[int, int] = {}
        for one in pieces:
            whole[one.chunk] = whole.get(one.chunk, 0) + one.weight
        return TreePacking(
            tuple(
                TreeShare(one.chunk, Fraction(one.weight, whole[one.chunk]), tuple(map(Branch._make, one.ways)))
                for one in pieces
            )
        )

    def decode(self, choices: Sequence[int]) -> tuple[dict[str, str], None]:
        """Return every chunk's trees, as text."""
        return self.packing(choices).texts(self.problem.instance), None

    def value(self, choices: Sequence[int]) -> int | Fraction:
        """Return what the busiest link takes, in units of 1 / unit."""
        return busiest(self.graph, choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether choices are trees that bring the collective about."""
        return is_packing(self.graph, choices)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recounted tree by tree, and what is wrong with it."""
        strategies, _ = self.decode(choices)
        judged = self.problem.packed(strategies)
        plan = replace(plan, strategies=strategies, communication_bytes=judged.bytes_sent)
        if judged.fault is not None:
            return replace(plan, objective=None), judged.fault.text
        found = judged.objective
        plan = replace(
            plan,
            objective=found,
            costs={TIME: found},
            statistics={**plan.statistics, "trees": len(judged.packing.shares)},
        )
        value = Fraction(self.value(choices)) / self.unit
        return plan, None if value == found else f"the trees give {found}, the graph {value}"
