"""A network whose layers are put into stages, with strategies inside: how `solve` decides and explains it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, cast

from hypar_opt.evaluation.stages import JudgedStages
from hypar_opt.formulation.registry import abilities, choose
from hypar_opt.instance.objective.components import TIME
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.instance.stage_words import StageWord
from hypar_opt.instance.text import shown
from hypar_opt.solver.check import noted
from hypar_opt.solver.network_tasks import with_uneven
from hypar_opt.solver.problem import Ask, AskWithin, Decoded, Start, Task, Tell
from hypar_opt.solver.staged.compiled import CompiledStages
from hypar_opt.solver.staged.shortage import stage_shortage
from hypar_opt.solver.uncertified import UncertifiedProblem
from hypar_opt.util.errors import InputError, Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.costgraph.pipeline.submeshes import SubmeshGraph
    from hypar_opt.formulation.protocol import Formulation, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.formulation.solution import Decides, Solution
    from hypar_opt.instance import Instance
    from hypar_opt.instance.network import Workload
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.staged.optima import StageOptima


@dataclass(frozen=True, eq=False)
class StagedProblem(UncertifiedProblem):
    """What `solve` works on where the layers of a network are put into stages; a `Problem`.

    Parameters
    ----------
    instance
        As read; says into how many microbatches the batch is cut.
    """

    instance: Instance
    kind: ClassVar[str] = "staged"
    use: ClassVar[Use] = "staged"
    is_explained: ClassVar[bool] = False
    uncertifiable: ClassVar[str] = "certificates are of costs of layers, and this network is put into stages"

    @property
    def setting(self) -> tuple[str, int, int]:
        """Accounting, batch and levels."""
        return self.instance.accounting, self.instance.batch, self.instance.levels

    @property
    def objective(self) -> ObjectiveFunction:
        """Time."""
        return ObjectiveFunction("sum", {TIME: Fraction(1)})

    @cached_property
    def compiled(self) -> CompiledStages:
        """The submeshes, and the strategies on each kind of them."""
        return CompiledStages(self.instance)

    @property
    def sizing_graph(self) -> CostGraph:
        """The strategies of all layers on the whole array."""
        return self.compiled.graphs[0]

    @property
    def work(self) -> Workload:
        """The decided layers and the boundaries between them."""
        return self.compiled.work

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """The decided layers."""
        return self.instance.network.decision_names

    def words_of(self, strategies: Mapping[str, str]) -> dict[str, StageWord]:
        """Return every layer's accelerators and word.

        Raises
        ------
        InputError
            If a layer is missing or unknown, or a text is none.
        """
        unknown = next((name for name in strategies if name not in self.layers), None)
        if unknown is not None:
            hint = did_you_mean(unknown, self.layers)
            raise InputError(f"the plan has a layer '{unknown}', the instance has none{hint}", field="plan")
        found = {}
        for name in self.layers:
            if name not in strategies:
                raise InputError(f"the plan has no accelerators for layer '{name}'", field="plan")
            word = StageWord.read(strategies[name])
            if word is None:
                expected = "accelerators and a letter a level as '3' or '5-8 dm'"
                raise InputError(f"expected {expected}, got {shown(strategies[name])}", field=f"plan.{name}")
            found[name] = word
        return found

    def judged(self, strategies: Mapping[str, str]) -> JudgedStages:
        """Return what is true of a plan, by code that shares nothing with the search."""
        return JudgedStages(self.instance, self.words_of(strategies))

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the submesh of every layer.

        Raises
        ------
        InputError
            If it is no plan of this network: names the layer.
        """
        words = self.words_of(strategies)
        fault = JudgedStages(self.instance, words).fault
        if fault is not None:
            raise InputError(fault, field="plan")
        number = {(part.first, 2**part.levels): place for place, part in enumerate(self.compiled.parts)}
        return tuple(number[words[name].place] for name in self.layers)

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Compile the strategies of all layers for every kind of submesh."""
        tell("compiling the strategies of every kind of submesh")
        _ = self.compiled.graphs

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes it."""
        return choose(self.use, self.compiled.graph(), limits, "submesh-cp-sat")

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return the layers as what is to be decided."""
        if decides != "submeshes":
            raise Refusal(f"{name} decides {decides}, and here layers are put into stages; try submesh-dp")
        able = abilities(name)
        return StagedTask(self, None if able is None else able.inside), ""

    def front(self, components: Sequence[str]) -> Task:
        """Refuse: a plan with stages has one time.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError("expected a network without stages, whose plans have several costs", field="microbatches")

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say what does not fit into the memory."""
        return noted(plan, stage_shortage(self.instance))


@dataclass(frozen=True, eq=False)
class StagedTask(Task):
    """The submesh of every layer.

    Parameters
    ----------
    problem
        Whose.
    inside
        Who finds the strategies inside of stages; None for the default.
    """

    problem: StagedProblem
    inside: str | None = None

    @cached_property
    def graph(self) -> SubmeshGraph:
        """What the formulation reads."""
        return self.problem.compiled.graph(self.inside)

    @property
    def unit(self) -> int:
        """Of the graph."""
        return self.graph.unit

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Layers, and how many submeshes there are."""
        return [(name, len(self.graph.submeshes)) for name in self.graph.names]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return every layer's accelerators and its word there."""
        graph, optima = self.graph, cast("StageOptima", self.graph.inside)
        found: dict[str, str] = {}
        for place, layers in graph.stages(choices):
            part = graph.submeshes[place]
            words = optima.words(part.kind, layers)
            for layer, word in zip(layers, words, strict=True):
                found[graph.names[layer]] = str(StageWord(part.first, 2**part.levels, word))
        return {name: found[name] for name in graph.names}, None

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the choices that a plan is."""
        return None if start.strategies is None else self.problem.choices(start.strategies)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recomputed stage by stage, and what is wrong with it."""
        strategies, _ = self.decode(choices)
        judged = self.problem.judged(strategies)
        plan = replace(plan, strategies=strategies)
        if judged.fault is not None:
            return plan, judged.fault
        found = judged.objective
        plan = replace(plan, objective=found, costs={TIME: found}, communication_bytes=judged.bytes_moved)
        plan = with_uneven(plan, judged.uneven_splits)
        value = Fraction(self.value(choices), self.unit)
        return plan, None if value == found else f"the stages give {found} s, the compiled network {value}"
