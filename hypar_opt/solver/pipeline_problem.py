"""A pipeline compiled: its groups, and the way between plans and choices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.cost.pipeline import CompiledPipeline, compile_pipeline
from hypar_opt.evaluation.pipeline import JudgedPipeline
from hypar_opt.formulation.registry import choose
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import TIME
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.instance.pipeline import StageDevices
from hypar_opt.instance.text import shown
from hypar_opt.solver.check import noted
from hypar_opt.solver.infeasibility.pipeline_memory import pipeline_shortage, stages_short, without_limits
from hypar_opt.solver.problem import Ask, AskSimpler, AskWithin, Decoded, Start, Task, Tell
from hypar_opt.util.errors import InputError, Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.protocol import Capabilities, Formulation, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.formulation.solution import Decides, Solution
    from hypar_opt.instance.pipeline import PipelineInstance
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True, eq=False)
class PipelineProblem:
    """What `solve` works on where the instance is a pipeline; a `Problem`.

    Parameters
    ----------
    instance
        As read.
    """

    instance: PipelineInstance
    kind: ClassVar[str] = "pipeline"
    use: ClassVar[Use] = "pipeline"
    axes_text: ClassVar[None] = None
    setting: ClassVar[tuple[None, None, None]] = (None, None, None)
    is_explained: ClassVar[bool] = False
    presolve_counts: ClassVar[bool] = False
    certified_where: ClassVar[str] = ""
    uncertifiable: ClassVar[str] = "certificates are of costs of layers, and a pipeline has stages"
    unfixed: ClassVar[None] = None
    refuted: ClassVar[None] = None

    @property
    def objective(self) -> ObjectiveFunction:
        """Time."""
        return ObjectiveFunction("sum", {TIME: Fraction(1)})

    @cached_property
    def compiled(self) -> CompiledPipeline:
        """The groups of operators that stand together."""
        return compile_pipeline(self.instance)

    @property
    def graph(self) -> StageGraph:
        """What formulations read."""
        return self.compiled.graph

    @property
    def sizing_graph(self) -> CostGraph:
        """Refuse: there are no tables of words."""
        raise Refusal("a pipeline has stages and no strategies")

    def devices_of(self, strategies: Mapping[str, str]) -> dict[str, StageDevices]:
        """Return every operator's devices.

        Raises
        ------
        InputError
            If an operator is missing or unknown, or there are no such devices.
        """
        names = {one.name for one in self.instance.operators}
        unknown = next((name for name in strategies if name not in names), None)
        if unknown is not None:
            hint = did_you_mean(unknown, names)
            raise InputError(f"the plan has an operator '{unknown}', the pipeline has none{hint}", field="plan")
        kinds = {kind.name for kind in self.instance.kinds}
        found = {}
        for name in (one.name for one in self.instance.operators):
            text = strategies.get(name)
            if text is None:
                raise InputError(f"the plan has no devices for operator '{name}'", field="plan")
            devices = StageDevices.read(text)
            if devices is None or devices.kind not in kinds:
                expected = f"devices as '{min(kinds)} 1' or '{min(kinds)} 1-2'"
                raise InputError(f"expected {expected}, got {shown(text)}", field=f"plan.{name}")
            found[name] = devices
        return found

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the slot of every group.

        Raises
        ------
        InputError
            If it is no plan of this pipeline: names the operator.
        """
        devices_of = self.devices_of(strategies)
        fault = JudgedPipeline(self.instance, devices_of).fault
        if fault is not None:
            raise InputError(fault, field="plan")
        slots, taken = self._slots, dict.fromkeys(devices_of.values(), -1)
        numbers: dict[tuple[str, int], int] = {}
        for devices in sorted(taken):
            number = numbers.setdefault((devices.kind, devices.count), 0)
            taken[devices] = slots[devices.kind, devices.count, number]
            numbers[devices.kind, devices.count] += 1
        first = {group: name for name, group in reversed(tuple(self.compiled.group_of.items()))}
        return tuple(taken[devices_of[first[group]]] for group in range(self.graph.groups))

    @cached_property
    def _slots(self) -> dict[tuple[str, int, int], int]:
        """By kind, number of replicas and number of the stage, its slot."""
        kinds = [kind.name for kind in self.instance.kinds]
        return {
            (kinds[(option := self.graph.options[slot.option]).kind], option.devices, slot.number): place
            for place, slot in enumerate(self.graph.slots)
        }

    def check_start(self, start: Start) -> None:
        """Check that a plan is one of this pipeline."""
        self.choices(start.strategies or {})

    def within(self, limits: Limits, *, presolved: bool = True) -> Self:
        """Return the same problem: nothing is prepared."""
        return self

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Do nothing."""

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes the groups."""
        return choose(self.use, self.graph, limits, "pipeline-cp-sat")

    def proves(self, able: Capabilities) -> bool:
        """Return False: there are no certificates."""
        return False

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return the groups as what is to be decided."""
        if decides != "stages":
            raise Refusal(f"{name} decides {decides}, and a pipeline has stages; try pipeline-dp")
        return PipelineTask(self), ""

    def front(self, components: Sequence[str]) -> Task:
        """Refuse: a pipeline's plan has one time.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError("expected the instance of a network, got a pipeline", field="instance")

    def by_simpler(self, solve: AskSimpler, limits: Limits) -> None:
        """Return nothing: it is solved as it is."""

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say what does not fit, by a plan with as many stages as devices, or for devices on which anything does."""
        if self.instance.stages is not None:
            more = solve(replace(self, instance=replace(self.instance, stages=None)), limits)
            if more.strategies is not None:
                return noted(plan, stages_short(self.instance, self.judged(more.strategies)))
        free = solve(replace(self, instance=without_limits(self.instance)), limits)
        if free.status in (Status.NO_SOLUTION, Status.ERROR):
            return plan
        otherwise = None if free.strategies is None else self.judged(free.strategies)

        def fits(changed: PipelineInstance) -> bool:
            return not limits.over and solve(replace(self, instance=changed), limits).strategies is not None

        return noted(plan, pipeline_shortage(self.instance, self.compiled.group_of, otherwise, fits))

    def judged(self, strategies: Mapping[str, str]) -> JudgedPipeline:
        """Return what is true of a plan, by code that shares nothing with the search."""
        return JudgedPipeline(self.instance, self.devices_of(strategies))


@dataclass(frozen=True)
class PipelineTask(Task):
    """The slot of every group.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: PipelineProblem

    @property
    def graph(self) -> StageGraph:
        """What the formulation reads."""
        return self.problem.graph

    @property
    def unit(self) -> int:
        """Of the graph."""
        return self.graph.unit

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Groups, by their first operators, and how many slots there are."""
        return [(name, len(self.graph.slots)) for name in self.graph.names]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return every operator's devices, as text: those of a kind in the order of the pipeline."""
        graph, kinds = self.graph, self.problem.instance.kinds
        taken = [1] * len(kinds)
        devices: dict[int, str] = {}
        for slot in graph.stages(choices) or sorted(set(choices)):
            option = graph.options[graph.slots[slot].option]
            devices[slot] = str(StageDevices(kinds[option.kind].name, taken[option.kind], option.devices))
            taken[option.kind] += option.devices
        return {name: devices[choices[group]] for name, group in self.problem.compiled.group_of.items()}, None

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the choices that a plan is."""
        return None if start.strategies is None else self.problem.choices(start.strategies)

    def value(self, choices: Sequence[int]) -> int:
        """Return what choices cost, in units of 1 / unit."""
        return self.graph.value(choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether choices are allowed."""
        return self.graph.feasible(choices)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recomputed operator by operator, and what is wrong with it."""
        strategies, _ = self.decode(choices)
        judged = self.problem.judged(strategies)
        found = judged.objective
        plan = replace(
            plan, strategies=strategies, objective=found, costs={TIME: found}, communication_bytes=judged.bytes_read
        )
        if judged.fault is not None:
            return plan, judged.fault
        value = Fraction(self.value(choices), self.unit)
        return plan, None if value == found else f"the operators give {found} s, the compiled groups {value}"
