"""A collective compiled: its graph, and the way between schedules and choices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, TypedDict

from hypar_opt.cost.collective import compile_collective
from hypar_opt.costgraph.collective import Move, is_schedule, read_moves, value_of, written
from hypar_opt.evaluation.collective import JudgedCollective
from hypar_opt.evaluation.collective.bound import BoundProver
from hypar_opt.formulation.registry import choose
from hypar_opt.instance.collective import Moment, Send, SendSchedule, exact_moment, read_schedule
from hypar_opt.instance.objective.components import TIME
from hypar_opt.solver.check import noted
from hypar_opt.solver.problem import Ask, AskWithin, Decoded, Start, Task, Tell
from hypar_opt.solver.uncertified import UncertifiedProblem
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.protocol import Formulation, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.formulation.solution import Decides, Solution
    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.solver.plan import Plan


class _Last(TypedDict, total=False):
    words: dict[str, str]
    judged: JudgedCollective


@dataclass(frozen=True, eq=False)
class CollectiveProblem(UncertifiedProblem):
    """What `solve` works on where the instance is a collective; a `Problem`.

    Parameters
    ----------
    instance
        As read.
    """

    instance: CollectiveInstance
    kind: ClassVar[str] = "collective"
    use: ClassVar[Use] = "collective"
    setting: ClassVar[tuple[None, None, None]] = (None, None, None)
    is_explained: ClassVar[bool] = False
    uncertifiable: ClassVar[str] = "certificates are of costs of layers, and a collective has sends"

    def _check_dated(self) -> None:
        if self.instance.goal == "bandwidth":
            message = "expected steps, rounds or time, got bandwidth: its plans are trees with shares, no schedules"
            raise InputError(f"{message}; only solve, compare, verify, show and report take it", field="objective")

    @property
    def objective(self) -> ObjectiveFunction:
        """Steps, rounds or time."""
        return self.instance.objective

    @cached_property
    def graph(self) -> CollectiveGraph:
        """What formulations read."""
        return compile_collective(self.instance)

    @property
    def sizing_graph(self) -> CostGraph:
        """Refuse: there are no tables of words."""
        raise Refusal("a collective has sends and no strategies")

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the sends as integers.

        Raises
        ------
        InputError
            If it is no schedule of this collective: says what is wrong.
        """
        judged = self.judged(strategies)
        if judged.fault is not None:
            raise InputError(judged.fault.text, field="plan")
        unit = self.graph.unit
        moves = []
        for one in judged.schedule.sends:
            begin, end = one.begin * unit, one.end * unit
            if begin.denominator != 1 or end.denominator != 1:
                raise InputError(f"expected seconds in whole 1/{unit} of one, got {one.begin}..{one.end}", field="plan")
            moves.append(Move(int(begin), int(end), one.chunk, one.route, one.adds))
        return written(moves)

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes the graph."""
        return choose(self.use, self.graph, limits, "multitree")

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return the sends as what is to be decided.

        Raises
        ------
        InputError
            If chunks are cut into shares, whose plans are no schedules: see `PackingProblem`.
        """
        self._check_dated()
        if decides != "sends":
            raise Refusal(f"{name} decides {decides}, and a collective has sends; try collective-cp-sat")
        return CollectiveTask(self), ""

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say how many steps there have to be, where the longest way takes more than there may be."""
        way, steps = BoundProver(self.instance).by_way, self.instance.steps
        if steps is None or way.value <= steps:
            return plan
        return noted(plan, f"{way.text} steps, and there may be {steps:,}; what would help: steps: {way.value}")

    def judged(self, strategies: Mapping[str, str]) -> JudgedCollective:
        """Return what is true of a plan, by code that shares nothing with the search.

        The last plan's is kept: after a solve the plan is asked for again, with the same sends in the same words.

        Raises
        ------
        InputError
            If it is none: names the chunk and the send.
        """
        self._check_dated()
        words = dict(strategies)
        if self._last_judged.get("words") != words:
            found = JudgedCollective(self.instance, read_schedule(self.instance, words))
            self._last_judged["words"], self._last_judged["judged"] = words, found
        return self._last_judged["judged"]

    @cached_property
    def _last_judged(self) -> _Last:
        return {}


@dataclass(frozen=True)
class CollectiveTask(Task):
    """The sends.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: CollectiveProblem

    @property
    def graph(self) -> CollectiveGraph:
        """What the formulation reads."""
        return self.problem.graph

    @property
    def unit(self) -> int:
        """Of the graph."""
        return self.graph.unit

    @property
    def sizes(self) -> None:
        """Nothing: a schedule has as many sends as it needs."""
        return

    def schedule(self, choices: Sequence[int]) -> SendSchedule:
        """Return the schedule that choices are."""
        unit = self.unit

        def moment(number: int) -> Moment:
            """Return a number of the graph in steps or seconds; of steps there may be millions."""
            return number if unit == 1 else exact_moment(Fraction(number, unit))

        return SendSchedule(
            tuple(
                Send(one.chunk, one.route, moment(one.begin), moment(one.end), one.adds) for one in read_moves(choices)
            )
        )

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return every chunk's sends, as text."""
        return self.schedule(choices).texts(self.problem.instance), None

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the choices that a plan is."""
        return None if start.strategies is None else self.problem.choices(start.strategies)

    def value(self, choices: Sequence[int]) -> int | Fraction:
        """Return what choices come to, in units of 1 / unit."""
        return value_of(self.graph, choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether choices are a schedule."""
        return is_schedule(self.graph, choices)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recounted send by send, and what is wrong with it."""
        strategies, _ = self.decode(choices)
        judged = self.problem.judged(strategies)
        plan = replace(plan, strategies=strategies, communication_bytes=judged.bytes_sent)
        if judged.fault is not None:
            return replace(plan, objective=None), judged.fault.text
        found, seconds = judged.objective, judged.seconds
        counts = {"steps": judged.steps, "rounds": judged.rounds, "sends": len(judged.schedule.sends)}
        plan = replace(
            plan,
            objective=found,
            costs={} if seconds is None else {TIME: seconds},
            statistics={**plan.statistics, **{name: one for name, one in counts.items() if one is not None}},
        )
        value = Fraction(self.value(choices), self.unit)
        return plan, None if value == found else f"the sends give {found}, the graph {value}"
