"""A pipeline compiled: its groups, and the way between plans and choices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.cost.pipeline import CompiledPipeline, compile_pipeline
from hypar_opt.evaluation.pipeline import JudgedPipeline
from hypar_opt.formulation.registry import choose
from hypar_opt.instance.objective.components import TIME
from hypar_opt.instance.objective.function import ObjectiveFunction
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

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the device of every group.

        Raises
        ------
        InputError
            If an operator is missing or unknown, or its device is, or operators of a group are apart.
        """
        group_of, devices = self.compiled.group_of, self.instance.device_names
        numbers = {name: number for number, name in enumerate(devices)}
        unknown = next((name for name in strategies if name not in group_of), None)
        if unknown is not None:
            hint = did_you_mean(unknown, group_of)
            raise InputError(f"the plan has an operator '{unknown}', the pipeline has none{hint}", field="plan")
        found: dict[int, int] = {}
        for name, group in group_of.items():
            device = strategies.get(name)
            if device is None:
                raise InputError(f"the plan has no device for operator '{name}'", field="plan")
            if device not in numbers:
                hint = did_you_mean(device, devices)
                raise InputError(f"no device is called '{device}'{hint}", field=f"plan.{name}")
            if found.setdefault(group, numbers[device]) != numbers[device]:
                other = devices[found[group]]
                raise InputError(f"stands on {device}, and what stands with it on {other}", field=f"plan.{name}")
        return tuple(found[group] for group in range(self.graph.groups))

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
        """Return the plan as it is."""
        return plan

    def judged(self, strategies: Mapping[str, str]) -> JudgedPipeline:
        """Return what is true of a plan, by code that shares nothing with the search."""
        return JudgedPipeline(self.instance, strategies)


@dataclass(frozen=True)
class PipelineTask(Task):
    """The device of every group.

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
        """Groups, by their first operators, and how many devices there are."""
        return [(name, self.graph.devices) for name in self.graph.names]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return every operator's device, by name."""
        devices = self.problem.instance.device_names
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
