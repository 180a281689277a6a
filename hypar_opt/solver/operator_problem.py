"""The problem of a network of operators: compiled, decided by words over the operators' own dimensions, recomputed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.cost.operators.components import charged
from hypar_opt.formulation.registry import abilities, choose, defaults, load_formulation
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Decides, Solution, Status
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.instance.operators.needs import KNOWN, UNKNOWN, lacking
from hypar_opt.instance.overrides import blamed, overrides_of
from hypar_opt.instance.text import dotted
from hypar_opt.solver.check import noted, refuted
from hypar_opt.solver.infeasibility.bounds import beyond_bounds
from hypar_opt.solver.infeasibility.operator_memory import has_room, operator_shortage
from hypar_opt.solver.operator_in_turn import PLACES, InTurn, PairTask
from hypar_opt.solver.operator_moments import InRounds
from hypar_opt.solver.operator_placement import OperatorPlacementTask, sites_of, weights_of
from hypar_opt.solver.operator_standing import StandingOperators
from hypar_opt.solver.operator_tasks import (
    BlocksTask,
    OperatorFrontTask,
    OperatorTask,
    ReducedOperatorTask,
    WholeOperatorTask,
)
from hypar_opt.solver.problem import Ask, AskSimpler, AskWithin, Start, Task, Tell
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.util.interrupt import Interrupted

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.protocol import Capabilities, Formulation, Use
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True, eq=False)
class OperatorProblem(StandingOperators):
    """What `solve` works on where the instance is a network of operators; a `Problem`."""

    kind: ClassVar[str] = "operators"
    is_explained: ClassVar[bool] = True
    presolve_counts: ClassVar[bool] = False
    certified_where: ClassVar[str] = ", where its tables fit"

    @property
    def use(self) -> Use:
        """Words alone, or while compiling was stopped; under a memory that may not be enough, what presolve leaves."""
        try:
            return "strategy-graph" if self.is_tight else "network"
        except Interrupted:
            return "network"

    @property
    def setting(self) -> tuple[str, int, int]:
        """Accounting, batch and how many axes there are."""
        return self.instance.accounting, self.instance.batch, self.instance.partition.levels

    @property
    def axes_text(self) -> str:
        """The axes with their sizes, outermost first."""
        return " x ".join(f"{axis.name} {axis.size}" for axis in self.instance.partition.axes)

    @property
    def unfixed(self) -> OperatorProblem | None:
        """The same problem without the words that are given; None where none are."""
        return OperatorProblem(self.instance.without_fix()) if self.instance.fix else None

    @property
    def sizing_graph(self) -> CostGraph:
        """What formulations read; where the placement is to be decided, of bytes alone."""
        return self.of_words.graph

    def within(self, limits: Limits, *, presolved: bool = True) -> Self:
        """Return the same problem, presolved within limits, or not at all."""
        return replace(self, limits=limits, presolved=self.presolved and presolved, passes=[])

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Compile, which takes a moment where there are many operators."""
        tell(f"compiling {len(self.instance.graph.operators):,} operators")
        self.of_words.whole  # noqa: B018 - kept
        self.check_placed(components or ())
        for name in components or ():
            for part in charged(name):
                self.components.component(part)

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes the problem, or what presolve leaves of it."""
        if self.refuted is not None:
            return load_formulation(defaults(self.use)[0])
        return choose(self.use, self.of_words.graph, limits, "fewer --choices")

    def proves(self, able: Capabilities) -> bool:
        """Return whether a formulation hands over potentials."""
        return able.certifies

    @property
    def uncertifiable(self) -> str | None:
        """Why no certificate can be written of this problem, or None: they are of bytes alone.

        A memory that every plan fits into changes nothing, as what is kept of maps never costs less than copies do.
        """
        if self.objective.kind != "sum" or self.objective.components != (COMMUNICATION,):
            return "certificates of operators are of bytes, and the objective is more than that"
        if self.instance.conversions is not None:
            return "certificates charge collectives, not what a partitioner was counted to move"
        if self.instance.bounds:
            return "certificates know no bounds on what plans cost"
        if self.instance.recompute != "none" and self.instance.graph.repeats:
            return "certificates of operators do not know of blocks that run once more"
        if self._may_lack_memory:
            return "certificates of operators know no memory that some plans do not fit into"
        return None

    @property
    def _may_lack_memory(self) -> bool:
        """Whether some plan does not fit into the memory; not, if compiling is stopped, which is told elsewhere."""
        try:
            return self.can_lack_memory
        except Interrupted:
            return False

    def check_words(self, strategies: Mapping[str, str], path: Path | str) -> None:
        """Check that a plan file's words are a plan of the instance.

        Raises
        ------
        InputError
            If they are not: the file's fault.
        """
        try:
            plan = self.plan_of(strategies)
        except InputError as error:
            raise InputError(error.message, file=path, field=f"plan.{error.field}") from None
        fault = next(self.faults(plan), None)
        if fault is not None:
            raise InputError(fault, file=path, field="plan")

    def check_start(self, start: Start) -> None:
        """Check that strategies and placement are this problem's."""
        if start.placement is not None and self.instance.machine is None:
            raise InputError("the devices stand on no graph of links, expected none", field="placement")
        if start.placement is not None:
            sites_of(self, start.placement)
        self.choices(start.strategies or {})

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return what is to be decided: a word an operator; where devices stand; or both, which are found in turn."""
        if decides == "both":
            raise Refusal(f"{name} weighs levels of halves; try joint-dp, which finds words and placement in turn")
        if decides == "placement":
            return self._placing(name, start, solve)
        if self.is_free:
            if name not in defaults(self.use):
                raise Refusal(
                    f"the objective depends on the placement, which is to be decided too; try {defaults(self.use)[0]}, "
                    "which finds words and placement in turn, or give it: --placement identity"
                )
            found = InTurn(self, self.limits or Limits(), solve).found(start)
            if isinstance(found, Solution):
                return found, ""
            pair, least = found
            there = replace(self.at(pair.placement), limits=None)  # what was found is recounted, however late it is
            return PairTask(there, pair, least), "found in turn with the placement"
        if self.refuted is not None:
            return Solution(Status.INFEASIBLE, native_status="presolve: nothing fits into the memory"), ""
        able = abilities(name)
        if self.moments == () and self.as_tables is None and able is not None and able.needs_tables:
            return replace(self, as_tables=True, known=self.components).task(name, decides, start, solve)
        reads_splits = able is not None and (able.reads_splits or able.needs_splits)
        tight: type[OperatorTask] = WholeOperatorTask if reads_splits else ReducedOperatorTask
        if tight is ReducedOperatorTask and name in defaults(self.use) and self.compiled.decisions:
            tight = BlocksTask
        return (tight if self.is_tight else OperatorTask)(self), ""

    def _placing(self, name: str, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return the placement of words that are given, or that move the fewest bytes."""
        if not self.is_free:
            placed = self.instance.is_placed
            why = "the placement is given" if placed else "nothing depends on a placement"
            other = "--placement free" if placed else "a topology and --objective hop-bytes"
            raise Refusal(f"{why}, so that there is none to decide; try joint-dp, or {other}")
        able = abilities(name)
        if able is None or not able.reads_traffic:
            raise Refusal(f"{name} places levels of halves, and devices are placed by any traffic; try {PLACES}")
        weights_of(self)  # which refuses what placements cannot be decided by
        if start.strategies is not None:
            return OperatorPlacementTask(self, self._allowed(start.strategies)), "those of the start"
        first = solve(self.by_communication)
        if first.strategies is None:
            status = Status.INFEASIBLE if first.status is Status.INFEASIBLE else Status.NO_SOLUTION
            said = f"no strategies to place: {first.status} by {first.formulation}"
            return Solution(status, native_status=said), ""
        proven = "proven" if first.status is Status.OPTIMAL else "not proven"
        given = f"those of least communication ({first.formulation}, {proven})"
        return OperatorPlacementTask(self, first.strategies), given

    def _allowed(self, strategies: Mapping[str, str]) -> Mapping[str, str]:
        """Return strategies that are given and stay as they are, which have to be a plan of the instance."""
        self.choices(strategies)
        fault = self.fault_of(strategies)
        if fault is not None:
            raise InputError(f"only a plan that is allowed can be placed: {fault}", field="start")
        return strategies

    def front(self, components: Sequence[str]) -> Task:
        """Return the words, charged by each of several components alone.

        Raises
        ------
        InputError
            If operators have no such component, or the array does not say what it needs.
        """
        wrong = next((name for name in components if name in UNKNOWN), None)
        if wrong is not None:
            raise InputError(f"expected {' or '.join(KNOWN)}, for operators have no {wrong}", field="--components")
        fault = lacking(self.instance.spec.array, components)
        if fault is not None:
            given = overrides_of(dict(self.instance.overrides))
            if any(name in self.instance.overrides for name in ("array", "axes", "levels")):
                raise blamed(given, fault[1], fault[0])
            raise InputError(fault[1], file=self.instance.source, field=dotted(fault[0]))
        return OperatorFrontTask(self, tuple(components))

    def by_simpler(self, solve: AskSimpler, limits: Limits) -> Plan | None:
        """Return the plan that comes of relaxations, with more and more moments of the step; None of one of them.

        Where the placement is to be decided, too, words are found by problems of their own.
        """
        if self.moments is not None or self.is_free or not self._may_lack_memory:
            return None
        return InRounds(self, solve, limits).found()

    def first_moments(self, limits: Limits) -> tuple[int, ...]:
        """Return when the best plan that nothing limits takes too much, where passes over blocks begin with that."""
        free = self.over_blocks(limits).decided.free if self.compiled.decisions else None
        if free is None:
            return ()
        return self.exceeded_at(OperatorTask(self.at_moments(())).decode(free.choices)[0])

    def known_fit(self, plan: Plan) -> Plan | None:
        """Return the best plan that passes over blocks have found, in place of one that does not fit; None without."""
        best = self.passes[0].best if self.passes else None
        if best is None:
            return None
        found, fault = OperatorTask(self.at_moments(())).evaluated(best, replace(plan, status=Status.FEASIBLE, note=""))
        return found if fault is None and not self.exceeded_at(found.strategies or {}) else None

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say what does not fit, or which bounds are too low; where a plan is known, that there is none is refuted."""
        shortage = operator_shortage(self.instance)
        if shortage is not None:
            return noted(plan, shortage.text)
        if self.instance.bounds:
            tell("looking for why there is no plan")
            return beyond_bounds(self, plan, solve, limits, lambda _, found: found.note)
        if self.memory is not None and not has_room(self.instance):
            if self.is_tight and self.of_words.whole.dtype is object:
                said = "costs reach beyond what tables hold, so that some plan may have been left out"
                return noted(replace(plan, status=Status.NO_SOLUTION), said)
            return plan
        room = "" if self.memory is None else ", and by the smallest of each they fit into the memory"
        return refuted(plan, f"every operator has a word that is allowed{room}")

    def minimising(self, component: str, bounded: Collection[str]) -> OperatorProblem:
        """Return the same problem with a component as its objective, and bounds on some of the others."""
        return OperatorProblem(self.instance.minimising(component, bounded))
