"""The kinds of problems there are, by what they are compiled from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from hypar_opt.instance import Instance
from hypar_opt.instance.collective import CollectiveInstance
from hypar_opt.instance.file_kinds import KINDS as FILE_KINDS
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.instance.pipeline import PipelineInstance
from hypar_opt.instance.read import TAKEN, AnyInput, load
from hypar_opt.instance.strategy_graph import StrategyGraph
from hypar_opt.instance.tasks import TaskGraphInstance
from hypar_opt.instance.text import shown
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.problem import Problem, Start
from hypar_opt.util.errors import InputError


class OfKinds(InputError):
    """An array has several kinds of accelerators, and equal ones were asked for."""


def problem_of(instance: AnyInput | Problem | Path | str) -> Problem:
    """Return the problem of an instance, unless it is one already; one that is only named is read.

    Raises
    ------
    InputError
        If there is no instance of that name.
    TypeError
        If it is something else.
    """
    read = load(instance) if isinstance(instance, str | Path) else instance
    # each kind has a hundred modules of its own, which a command is to start without
    if isinstance(read, StrategyGraph):
        from hypar_opt.solver.graph_problem import GraphProblem

        return GraphProblem(read)
    if isinstance(read, Instance):
        if read.microbatches is not None:
            from hypar_opt.solver.staged.problem import StagedProblem

            return StagedProblem(read)
        if read.precision is not None:
            from hypar_opt.solver.precision_problem import PrecisionProblem

            return PrecisionProblem(read)
        if read.mixed is None:
            return NetworkProblem(read)
        from hypar_opt.solver.mixed.problem import MixedProblem

        return MixedProblem(read)
    if isinstance(read, OperatorInstance):
        from hypar_opt.solver.operator_problem import OperatorProblem

        return OperatorProblem(read)
    if isinstance(read, PipelineInstance):
        from hypar_opt.solver.pipeline_problem import PipelineProblem

        return PipelineProblem(read)
    if isinstance(read, CollectiveInstance):
        if read.goal == "bandwidth":
            from hypar_opt.solver.packing_problem import PackingProblem

            return PackingProblem(read)
        from hypar_opt.solver.collective_problem import CollectiveProblem

        return CollectiveProblem(read)
    if isinstance(read, TaskGraphInstance):
        from hypar_opt.solver.task_problem import TaskProblem

        return TaskProblem(read)
    if not hasattr(read, "by_simpler"):  # a problem of any kind has that, see `Problem`
        kinds = "an instance, the name of a shipped one, a path, or a problem compiled before"
        raise TypeError(f"instance: expected {kinds}, got {shown(read)}")
    return read


def network_problem_of(instance: Instance | Problem | Path | str) -> NetworkProblem:
    """Return the problem of a network's instance, whose layers are split in halves.

    Raises
    ------
    InputError
        If there is no instance of that name, or it is one of operators or a strategy graph.
    OfKinds
        If its accelerators are of several kinds.
    TypeError
        If it is something else.
    """
    problem = problem_of(instance)
    if problem.kind == "operators":
        raise InputError(f"expected layers that are split in halves, got an instance of operators; {TAKEN}")
    if problem.kind == "mixed":
        message, field = "expected accelerators of one kind, got an array of several", "array.accelerators"
        raise OfKinds(message, file=getattr(problem.instance, "source", None), field=field)
    if problem.kind == "staged":
        message = "expected layers on the whole array, got a network that is put into stages; leave it out"
        raise InputError(message, file=getattr(problem.instance, "source", None), field="microbatches")
    if problem.kind == "precision":
        message = "expected layers that send all in full, got a choice of bits; leave it out"
        raise InputError(message, file=getattr(problem.instance, "source", None), field="precision")
    if not isinstance(problem, NetworkProblem):
        kind = problem.kind.replace("-", " ")
        taken = FILE_KINDS[kind].taken.format(file="it")
        raise InputError(f"expected the instance of a network, got a {kind}; {taken}", field="instance")
    return problem


NOT_EXPLAINED: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "staged": (
            "expected layers on the whole array, got a network that is put into stages: show --plan says stage by "
            "stage what its plans do",
            "microbatches",
        ),
        "pipeline": (
            "expected devices in no machines: stages of machines are pipelines inside, and what an operator in another "
            "stage costs is not said of these; show --plan says what each stage does",
            "devices",
        ),
        "strategy-graph": ("expected the instance of a network, got a strategy graph", "instance"),
        "collective": (
            "expected the instance of a network, got a collective: no send is worth something by itself; show --plan "
            "has every send, and hypar-opt report the bounds",
            "instance",
        ),
        "task-graph": (
            "expected the instance of a network, got a task graph: no begin is worth something by itself; show --plan "
            "has every task",
            "instance",
        ),
        "packing": (
            "expected the instance of a network, got a collective, and one whose plans are trees with shares: show "
            "--plan has every tree",
            "instance",
        ),
        "precision": (
            "expected layers that send all in full, got a choice of bits: show --plan says what every layer sends",
            "precision",
        ),
        "mixed": (
            "expected accelerators of one kind, got an array of several: what a letter costs there depends on who "
            "waits for whom; show --plan says it of each plan",
            "array.accelerators",
        ),
    }
)
"""By kind of problem, why it is not said of its plans what their choices are worth, and the field that is to blame."""


def not_explained(problem: Problem) -> InputError:
    """Return why it is not said of a problem's plans what their choices are worth."""
    message, field = NOT_EXPLAINED[problem.kind]
    return InputError(message, field=field)


def read_start_of(problem: Problem, path: Path) -> Start:
    """Return the plan of a file or of a front's point, to start a problem from.

    Raises
    ------
    InputError
        If it is no plan file, or its plan does not fit the problem: the file's fault, with its field.
    """
    from hypar_opt.solver.plan_reader import read_start

    start = Start(*read_start(path))
    try:
        problem.check_start(start)
    except InputError as error:
        raise InputError(error.message, file=path, field=error.field) from None
    return start
