"""A pipeline compiled: its groups, and the way between plans and choices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.cost.pipeline import CompiledPipeline, compile_pipeline
from hypar_opt.cost.pipeline_options import OptionKey
from hypar_opt.evaluation.pipeline_machines import judge_pipeline
from hypar_opt.formulation.registry import choose
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import TIME
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.instance.pipeline import PlannedOperator, StageDevices
from hypar_opt.solver.check import noted
from hypar_opt.solver.infeasibility.pipeline_memory import pipeline_shortage, stages_short, without_limits
from hypar_opt.solver.pipeline_plans import planned_operators
from hypar_opt.solver.problem import Ask, AskWithin, Decoded, Start, Task, Tell
from hypar_opt.solver.uncertified import UncertifiedProblem
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.formulation.protocol import Formulation, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.formulation.solution import Decides, Solution
    from hypar_opt.instance.pipeline import PipelineInstance
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True, eq=False)
class PipelineProblem(UncertifiedProblem):
    """What `solve` works on where the instance is a pipeline; a `Problem`.

    Parameters
    ----------
    instance
        As read.
    idle_apart
        Whether groups of operators that take no time are decided by themselves, though others could take them along.
    """

    instance: PipelineInstance
    idle_apart: bool = False
    kind: ClassVar[str] = "pipeline"
    use: ClassVar[Use] = "pipeline"
    setting: ClassVar[tuple[None, None, None]] = (None, None, None)
    uncertifiable: ClassVar[str] = "certificates are of costs of layers, and a pipeline has stages"

    @property
    def objective(self) -> ObjectiveFunction:
        """Time."""
        return self.instance.objective

    @property
    def is_explained(self) -> bool:
        """Whether it can be said what an operator in another stage costs: not where stages are pipelines inside."""
        return not self.instance.has_machines

    @cached_property
    def compiled(self) -> CompiledPipeline:
        """The groups of operators that stand together."""
        return compile_pipeline(self.instance, idle_apart=self.idle_apart)

    @property
    def graph(self) -> StageGraph:
        """What formulations read."""
        return self.compiled.graph

    @property
    def sizing_graph(self) -> CostGraph:
        """Refuse: there are no tables of words."""
        raise Refusal("a pipeline has stages and no strategies")

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the slot of every group.

        Raises
        ------
        InputError
            If it is no plan of this pipeline: names the operator.
        """
        judged = self.judged(strategies)
        if judged.fault is not None:
            raise InputError(judged.fault, field="plan")
        devices_of = judged.devices_of
        keys = [one.key for one in self.compiled.options]
        taken = dict.fromkeys(devices_of.values(), -1)
        slots = {(keys[slot.option], slot.number): place for place, slot in enumerate(self.graph.slots)}
        numbers: dict[OptionKey, int] = {}
        whole = {devices_of[name] for name in judged.anew if self.instance.recompute == "stages"}
        for devices in sorted(taken):
            key = OptionKey(devices.kind, devices.count, devices.tensor, devices in whole)
            if key not in keys:  # activations are kept where all fit
                key = key._replace(anew=False)
            taken[devices] = slots[key, numbers.setdefault(key, 0)]
            numbers[key] += 1
        members: dict[int, list[str]] = {}
        for name, group in self.compiled.group_of.items():
            members.setdefault(group, []).append(name)
        return tuple(
            self._choice(group, taken[devices_of[self._home(own)]], judged.anew & set(own))
            for group, own in sorted(members.items())
        )

    def _home(self, own: Sequence[str]) -> str:
        """Return the operator of a group that the others may stand with, wherever that is."""
        return next(name for name in own if name not in self.compiled.moved)

    def _choice(self, group: int, slot: int, anew: frozenset[str]) -> int:
        """Return the choice of a group in a slot, of whose operators some compute their activations anew."""
        option = self.compiled.options[self.graph.slots[slot].option]
        return slot + len(self.graph.slots) * option.number_of(group, anew)

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes the groups."""
        return choose(self.use, self.graph, limits, "pipeline-cp-sat")

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return the groups as what is to be decided."""
        if decides != "stages":
            raise Refusal(f"{name} decides {decides}, and a pipeline has stages; try pipeline-dp")
        return PipelineTask(self), ""

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
            try:
                return not limits.over and solve(replace(self, instance=changed), limits).strategies is not None
            except InputError:  # of what it then is there are no batches
                return False

        return noted(plan, pipeline_shortage(self.instance, self.compiled.group_of, otherwise, fits))

    def judged(self, strategies: Mapping[str, str]) -> JudgedPipeline:
        """Return what is true of a plan, by code that shares nothing with the search."""
        planned = planned_operators(self.instance, strategies)
        anew = frozenset(name for name, one in planned.items() if one.anew)
        return judge_pipeline(self.instance, {name: one.devices for name, one in planned.items()}, anew)


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
        """Groups, by their first operators, and how many choices there are, of a slot and a way each."""
        return [(name, self.graph.most_choices) for name in self.graph.names]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return every operator's devices and way, as text: those of a kind in the order of the pipeline."""
        graph, kinds = self.graph, self.problem.instance.kinds
        taken = [1] * len(kinds)
        devices: dict[int, StageDevices] = {}
        for slot in graph.stages(choices) or sorted(set(graph.slots_of(choices))):
            option = graph.options[graph.slots[slot].option]
            tensor = option.devices // option.replicas
            devices[slot] = StageDevices(kinds[option.kind].name, taken[option.kind], option.devices, tensor)
            taken[option.kind] += option.devices
        compiled, found, inside = self.problem.compiled, {}, self._inside(choices)
        none: frozenset[str] = frozenset()
        for name, group in compiled.group_of.items():
            number, slot = divmod(choices[group], len(graph.slots))
            anew = compiled.anew.get((graph.slots[slot].option, group, number), none)
            own = replace(devices[slot], inside=inside.get(group))
            found[name] = str(PlannedOperator(own, name in anew))
        return found, None

    def _inside(self, choices: Sequence[int]) -> dict[int, StageDevices]:
        """Return by group of a machine's stage which devices inside do it."""
        graph, found = self.graph, dict[int, StageDevices]()
        machines = self.problem.compiled.machines
        if machines is None:
            return found
        for slot, own in graph.held(choices).items():
            found |= machines.inside(graph.slots[slot].option, own)
        return found

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the choices that a plan is."""
        return None if start.strategies is None else self.problem.choices(start.strategies)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recomputed operator by operator, and what is wrong with it."""
        strategies, _ = self.decode(choices)
        judged = self.problem.judged(strategies)
        found = judged.objective
        plan = replace(
            plan, strategies=strategies, objective=found, costs={TIME: found}, communication_bytes=judged.bytes_moved
        )
        if judged.fault is not None:
            return plan, judged.fault
        value = Fraction(self.value(choices), self.unit)
        return plan, None if value == found else f"the operators give {found} s, the compiled groups {value}"
