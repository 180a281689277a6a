"""From the files of an instance and a plan to the traces that they are exported to, whatever the plan is of."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.export.astra_sim.folder import axes_folder, step_folder
from hypar_opt.export.astra_sim.network import axes_network
from hypar_opt.export.read_schedule import read_traced
from hypar_opt.export.targets import SCHEDULE_FOLDERS
from hypar_opt.export.traces.files import WORKLOAD, trace_files
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.studies.simulation.plan_step import step_tasks
from hypar_opt.studies.traces.operators import groups_of, operator_traces
from hypar_opt.studies.traces.tasks import step_traces
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.checks import check_binding, read_allowed
from hypar_opt.verification.claim import read_claim
from hypar_opt.verification.verifier import problem_claimed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hypar_opt.instance.hardware import Machine
    from hypar_opt.studies.simulation.tasks import TaskGraph

NOT_TRACED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "strategy-graph": "traces are of what accelerators do, and a strategy graph has costs alone",
        "staged": "traces are of plans on the whole array, and this network is put into stages",
        "pipeline": "traces of a pipeline are of a batch in order, and hypar-opt schedule --chakra FOLDER writes them",
        "precision": "traces are of what is sent in full, and here layers choose their bits",
        "mixed": "traces are of equal parts on equal accelerators, and these are of several kinds",
    }
)
"""By kind of problem, why its plans have no traces."""


def traced_files(instance: str, path: Path, name: str) -> Mapping[str, bytes]:
    """Return by name the files of a plan as traces.

    Parameters
    ----------
    instance
        A path or the name of a shipped instance; what replaced its fields stands in the plan's file.
    path
        Of the plan.
    name
        Of the target, `chakra` or `astra-sim`.

    Raises
    ------
    InputError
        If the plan is of another instance, there is none, or it is not allowed; if the array does not say what a link
        or an accelerator can do.
    Refusal
        If plans of such an instance have no traces, or there are too many tasks.
    """
    claim = read_claim(path)
    claimed = problem_claimed(instance, claim)
    kind = claimed.kind
    if kind in ("collective", "packing"):
        return SCHEDULE_FOLDERS[name].files(read_traced(instance, path))
    if kind in NOT_TRACED:
        raise Refusal(NOT_TRACED[kind])
    if isinstance(claimed, OperatorProblem):
        check_binding(claimed, claim)
        strategies = claim.strategies_for("a plan to export")
        claimed.check_words(strategies, path)
        return _operator_files(claimed, strategies, name)
    problem, claim, strategies = read_allowed(instance, path, "a plan to export")
    placed = None if claim.placement is None else sites_of(problem, claim.placement)
    graph, _, problem = step_tasks(problem, strategies, placed)
    return graph_files(graph, problem.instance.machine, name)


def graph_files(graph: TaskGraph, machine: Machine, name: str) -> Mapping[str, bytes]:
    """Return by name the files of tasks as traces, a rank an accelerator of an array; see `traced_files`."""
    traces = trace_files(WORKLOAD, step_traces(graph, len(machine.accelerators)))
    return traces if name == "chakra" else {**traces, **step_folder(machine)}


def _operator_files(problem: OperatorProblem, strategies: Mapping[str, str], name: str) -> Mapping[str, bytes]:
    """Return by name the files of a step of operators, a rank a device, or the accelerator that it stands on."""
    step, standing, partition = problem.step(strategies), problem.instance.standing, problem.instance.partition
    if step.plan.emitted is not None:
        raise Refusal("the plan's accounting counts bytes of compiled programs, and says nothing of groups; --to jax")
    ranks = range(partition.leaves) if standing is None else standing.sites
    count = partition.leaves if standing is None else len(standing.machine.accelerators)
    traces = trace_files(WORKLOAD, operator_traces(step, ranks, count))
    if name == "chakra":
        return traces
    groups = groups_of(partition, ranks)
    if standing is not None:
        return {**traces, **step_folder(standing.machine, groups)}
    return {**traces, **axes_folder(axes_network(partition, problem.instance.links), groups)}
