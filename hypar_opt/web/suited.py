"""Which formulations take an instance, as far as that can be said while somebody types."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.formulation.registry import defaults, formulations, load_formulation, require
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.instance.objective.function import PRODUCT
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.network_costs import MOST_SITES
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.formulation.protocol import Capabilities, Graph
    from hypar_opt.instance.read import Reported
    from hypar_opt.solver.collective_problem import CollectiveProblem
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.solver.precision_problem import PrecisionProblem
    from hypar_opt.solver.problem import Problem
    from hypar_opt.solver.staged.problem import StagedProblem
    from hypar_opt.solver.task_problem import TaskProblem

MOST_COSTS: Final = 2**20
"""Strategies of all layers that are compiled as one types."""
MOST_PAIRS: Final = 2**24
"""Pairs of words of all operators that are compiled as one types."""
MOST_OPERATORS: Final = 500
"""Of a pipeline that is compiled as one types."""
MOST_CHUNKS: Final = 256
"""Of a collective that is compiled as one types."""
MOST_TASKS: Final = 500
"""Of a task graph that is compiled as one types."""
AMPLE: Final = 2**50
"""Bytes for tables: what only wants more of them than it has by default is offered."""


def suited(instance: Reported) -> dict[str, Any]:
    """Return what can solve an instance, of whichever kind; as `suited_networks` and `suited_operators` say it."""
    problem = problem_of(instance)
    found: dict[str, Any] = SUITED[problem.kind](problem)
    return found


def suited_operators(problem: OperatorProblem) -> dict[str, Any]:
    """Return what can solve a network of operators, as `suited_networks` does."""
    is_small = _has_few_words(problem)
    reasons = {name: _operators_reason(problem, name, able, is_small) for name, able in formulations().items()}
    declining = {name: why for name, why in reasons.items() if why}
    return {"default": _default(problem) if is_small else "", "declining": declining}


def _has_few_words(problem: OperatorProblem) -> bool:
    """Return whether the pairs of words of operators are so few that they are compiled in no time."""
    one = problem.instance
    words = (len(one.choices_of(operator)) ** one.partition.levels for operator in one.graph.operators)
    return sum(int(count) ** 2 for count in words) <= MOST_PAIRS


def _operators_reason(problem: OperatorProblem, name: str, able: Capabilities, is_small: bool) -> str:
    """Return why a formulation does not take a network of operators, or nothing."""
    if able.decides != "strategies":
        return "there is no placement to decide"
    return _declines(problem, name, able) if is_small else ""


def suited_networks(problem: NetworkProblem) -> dict[str, Any]:
    """Return what can solve an instance of layers that are split in halves.

    Parameters
    ----------
    problem
        Of a size that is compiled in no time it is asked of each; of a larger one it is said by what they decide.

    Returns
    -------
    `default`, the name of what is taken where none is chosen, and `declining`, by name why others do not take it.

    Raises
    ------
    InputError
        If the instance cannot be compiled, as where the array does not say what the objective needs.
    """
    if problem.objective.kind == PRODUCT and not problem.is_free:  # solved by weighted sums of its factors
        problem = problem.weighed(dict.fromkeys(problem.objective.components, Fraction(1)))
    is_small = _is_small(problem)
    reasons = {name: _reason(problem, name, able, is_small) for name, able in formulations().items()}
    declining = {name: why for name, why in reasons.items() if why}
    likely = next((name for name in defaults(problem.use) if name not in declining), "")
    return {"default": _default(problem) if is_small else likely, "declining": declining}


def suited_mixed(problem: MixedProblem) -> dict[str, Any]:
    """Return what can solve an instance with accelerators of several kinds, as `suited_networks` does.

    All costs at some shares are asked for: weighted sums of seconds have the same sizes.
    """
    strategies = len(problem.work.layers) * len(problem.instance.choices) ** problem.instance.levels
    is_small = strategies <= MOST_COSTS
    reasons = {name: _mixed_reason(problem, name, able, is_small) for name, able in formulations().items()}
    declining = {name: why for name, why in reasons.items() if why}
    likely = next((name for name in defaults(problem.use) if name not in declining), "")
    return {"default": _default(problem) if is_small else likely, "declining": declining}


def suited_precision(problem: PrecisionProblem) -> dict[str, Any]:
    """Return what can choose words and bits, as `suited_networks` does; none of it is compiled as one types."""
    declining = {}
    for name, able in formulations().items():
        why = "there is no placement to decide" if able.decides != "strategies" else _unfit(able)
        if able.needs_words:
            why = why or "it reads words alone, and here bits are chosen beside them"
        if why:
            declining[name] = why
    return {
        "default": next((name for name in defaults(problem.use) if name not in declining), ""),
        "declining": declining,
    }


def suited_staged(problem: StagedProblem) -> dict[str, Any]:
    """Return what can put the layers of a network into stages, as `suited_networks` does."""
    known = formulations().items()
    declining = {name: "it puts no layers into stages" for name, able in known if able.decides != "submeshes"}
    return {"default": defaults(problem.use)[0], "declining": declining}


OF_OTHERS: Final[Mapping[str, str]] = MappingProxyType({"sends": "collectives", "begins": "task graphs"})
"""By what a formulation decides, what it is of that has no strategies."""


def suited_collectives(problem: CollectiveProblem) -> dict[str, Any]:
    """Return what finds schedules of a collective, as `suited_networks` does."""
    is_small = len(problem.instance.chunks) <= MOST_CHUNKS
    return _suited_graph(problem, "sends", "it decides no sends", is_small=is_small)


def suited_tasks(problem: TaskProblem) -> dict[str, Any]:
    """Return what finds begins of tasks, as `suited_networks` does."""
    is_small = len(problem.instance.tasks) <= MOST_TASKS
    return _suited_graph(problem, "begins", "it decides no begins of tasks", is_small=is_small)


def suited_pipelines(problem: PipelineProblem) -> dict[str, Any]:
    """Return what can put operators into stages, as `suited_networks` does."""
    is_small = len(problem.instance.operators) <= MOST_OPERATORS
    return _suited_graph(problem, "stages", "it puts no operators into stages", is_small=is_small)


def _suited_graph(
    problem: CollectiveProblem | PipelineProblem | TaskProblem, decides: str, otherwise: str, *, is_small: bool
) -> dict[str, Any]:
    """Return what decides such a thing; of what is small, only what takes the graph."""
    known = formulations().items()
    declining = {name: otherwise for name, able in known if able.decides != decides}
    if is_small:
        reasons = {name: _declined_graph(problem.graph, name) for name, _ in known if name not in declining}
        declining |= {name: why for name, why in reasons.items() if why}
    return {
        "default": next((name for name in defaults(problem.use) if name not in declining), ""),
        "declining": declining,
    }


def _mixed_reason(problem: MixedProblem, name: str, able: Capabilities, is_small: bool) -> str:
    """Return why a formulation does not take accelerators of several kinds, or nothing."""
    if able.decides != "strategies":
        return "there is no placement to decide"
    return _unfit(able) or (_declined_graph(problem.sizing_graph, name) if is_small else "")


def _is_small(problem: NetworkProblem) -> bool:
    instance = problem.instance
    strategies = len(problem.work.layers) * len(instance.choices) ** instance.levels
    return strategies <= MOST_COSTS and (not instance.is_placed or instance.accelerators <= MOST_SITES)


def _default(problem: Problem) -> str:
    try:
        return problem.default(Limits()).name
    except Refusal:
        return ""


def _reason(problem: NetworkProblem, name: str, able: Capabilities, is_small: bool) -> str:
    """Return why a formulation does not take a problem, or nothing."""
    if unfit := _unfit(able):
        return unfit
    if able.decides in ("stages", "schedule", "submeshes"):
        return "it is of pipelines"
    if able.decides in OF_OTHERS:
        return f"it is of {OF_OTHERS[able.decides]}"
    if (able.decides == "strategies") == problem.is_free:
        return "the placement is to be decided too" if problem.is_free else "there is no placement to decide"
    if not is_small:
        return ""
    return _declines(problem, name, able)


def _unfit(able: Capabilities) -> str:
    """Return which problems a formulation is for, if it is not for networks."""
    if able.needs_tables:
        return "is for strategy graphs"
    return "is for operators, whose choices are named dimensions" if able.needs_splits else ""


def _declines(problem: Any, name: str, able: Capabilities) -> str:
    """Return why a formulation declines a problem that is compiled to be asked, or nothing."""
    try:
        graph: Graph = problem.joint if problem.use == "joint" else problem.graph
    except Refusal as refusal:
        return _reason_of(refusal, name)
    return _declined_graph(graph, name) if able.decides != "placement" else ""  # asked once strategies are there


def _declined_graph(graph: Graph, name: str) -> str:
    """Return why a formulation declines a graph, or nothing."""
    try:
        require(load_formulation(name), graph, Run(name, Limits(memory_bytes=AMPLE)))
    except Refusal as refusal:
        return _reason_of(refusal, name)
    return ""


def _reason_of(refusal: Refusal, name: str) -> str:
    """Return a refusal without who refuses, and without what follows."""
    return str(refusal).removeprefix(f"{name} declines: ").removeprefix(f"{name} ").split("; ")[0]


SUITED: Final[Mapping[str, Callable[[Any], dict[str, Any]]]] = MappingProxyType(
    {
        "network": suited_networks,
        "operators": suited_operators,
        "mixed": suited_mixed,
        "staged": suited_staged,
        "precision": suited_precision,
        "pipeline": suited_pipelines,
        "collective": suited_collectives,
        "packing": suited_collectives,
        "task-graph": suited_tasks,
    }
)
"""By kind of problem."""
