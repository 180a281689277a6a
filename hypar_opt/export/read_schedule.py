"""From the files of a collective or a task graph and a plan to the schedule, or the traces, that are exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.export.send_schedules import TracedCollective
from hypar_opt.export.traces.sends import schedule_traces
from hypar_opt.export.traces.trees import packing_traces
from hypar_opt.solver.collective_problem import CollectiveProblem
from hypar_opt.solver.packing_problem import PackingProblem
from hypar_opt.solver.task_problem import TaskProblem
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.checks import check_binding, judged_plan
from hypar_opt.verification.claim import read_claim
from hypar_opt.verification.verifier import problem_claimed

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.verification.claim import Claim


def read_judged(instance: str, path: Path) -> JudgedCollective:
    """Return the schedule of a plan's file.

    Parameters
    ----------
    instance
        A path or the name of a shipped collective; what replaced its fields stands in the plan's file.
    path
        Of the plan.

    Raises
    ------
    InputError
        If the plan is of another instance, there is none, or it is no schedule: names the send.
    Refusal
        If it is no plan of a collective, or of trees with shares.
    """
    problem, claim = _claimed(instance, path)
    if isinstance(problem, PackingProblem):
        raise Refusal("trees with shares are no schedule: nothing says when they are sent; --to chakra writes them")
    return judged_plan(problem.judged, claim, "a plan to export")


def read_traced(instance: str, path: Path) -> TracedCollective:
    """Return what accelerators do by a plan's file, of sends in steps or seconds or along trees with shares.

    Parameters and errors are those of `read_judged`, which takes no trees.
    """
    problem, claim = _claimed(instance, path)
    if not isinstance(problem, PackingProblem):
        found = judged_plan(problem.judged, claim, "a plan to export")
        return TracedCollective(found.instance, schedule_traces(found.instance, found.schedule))
    packed = judged_plan(problem.packed, claim, "a plan to export")
    return TracedCollective(packed.instance, packing_traces(packed.instance, packed.packing))


def read_tasks(instance: str, path: Path) -> JudgedTasks:
    """Return the schedule of a task graph of a plan's file.

    Parameters are those of `read_judged`.

    Raises
    ------
    InputError
        If the plan is of another instance, there is none, or it is no schedule: names the task.
    Refusal
        If it is no plan of a task graph.
    """
    claim = read_claim(path)
    problem = problem_claimed(instance, claim)
    if not isinstance(problem, TaskProblem):
        raise Refusal(f"traces of tasks are of plans of task graphs, and this is one of another kind: {problem.kind}")
    check_binding(problem, claim)
    return judged_plan(problem.judged, claim, "a plan to export")


def _claimed(instance: str, path: Path) -> tuple[CollectiveProblem, Claim]:
    claim = read_claim(path)
    problem = problem_claimed(instance, claim)
    if not isinstance(problem, CollectiveProblem):
        raise Refusal(f"schedules of sends are plans of collectives, and this is one of another kind: {problem.kind}")
    check_binding(problem, claim)
    return problem, claim
