"""Searches by intervals, by moments and of all schedules find the same, and the evaluator agrees with all of them."""

from __future__ import annotations

from itertools import product
from random import Random

from formulations.tasks.brute import FORMULATION as BRUTE
from formulations.tasks.cp_sat import FORMULATION as CP_SAT
from formulations.tasks.lists import BY_FIRST, BY_RATIO, BY_SHORT, BY_TAIL, BY_WORK
from formulations.tasks.milp import FORMULATION as MILP
from hypar_opt.cost.tasks import compile_tasks
from hypar_opt.costgraph.tasks import is_task_schedule, value_of_begins
from hypar_opt.costgraph.tasks.bounds import lower_bound
from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.evaluation.tasks.bounds import TaskProver
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.tasks import read_task_graph
from hypar_opt.solver.task_problem import BeginsTask, TaskProblem
from tests.helpers import each
from tests.task_graphs import drawn_task_graph, task_graph_of

LISTS = (BY_FIRST, BY_RATIO, BY_SHORT, BY_TAIL, BY_WORK)
RUN = Run("a test", Limits(workers=1))


def found_by(formulations, seed, objective):
    """Return the status and value that all find; whatever is found is judged."""
    instance = read_task_graph(drawn_task_graph(seed, objective))
    graph, found = compile_tasks(instance), {}
    bounds = (TaskProver(instance).best.value * graph.cost_unit, lower_bound(graph).value)
    for one in (*formulations, *(LISTS if seed % 4 == 0 else ())):
        assert one.accepts(graph, RUN) is None
        solution = one.solve(graph, RUN)
        value = None
        if solution.choices is not None:
            value = value_of_begins(graph, solution.choices)
            judged = JudgedTasks(instance, BeginsTask(TaskProblem(instance)).schedule(solution.choices))
            assert judged.fault is None
            assert judged.objective * graph.cost_unit == value
            assert is_task_schedule(graph, solution.choices)
            assert max(bounds) <= value
            assert solution.bound is None or solution.bound <= value
        if one in LISTS:
            assert value is None or next(iter(found.values()))[1] <= value
            assert solution.status is not Status.OPTIMAL or next(iter(found.values()))[1] == value
        else:
            found[one.name] = (solution.status, value)
    return set(found.values())


@each("seed", range(400), quick=5)
def test_the_last_end_is_the_same_whoever_searches(seed):
    ((status, _),) = found_by((CP_SAT, MILP, BRUTE), seed, "makespan")
    assert status in (Status.OPTIMAL, Status.INFEASIBLE)


@each("seed", range(400, 800), quick=5)
def test_weighted_ends_are_the_same_whoever_searches(seed):
    ((status, _),) = found_by((CP_SAT, MILP, BRUTE), seed, "completion-times")
    assert status in (Status.OPTIMAL, Status.INFEASIBLE)


@each("seed", range(800, 1000), quick=5)
def test_periods_are_the_same_on_the_circle_and_of_all_places(seed):
    ((status, _),) = found_by((CP_SAT, BRUTE), seed, "period")
    assert status is Status.OPTIMAL


@each("seed", range(24), quick=4)
def test_what_is_kept_until_another_ends_is_counted_around_the_circle(seed):
    rng = Random(f"circles {seed}")
    tasks = [{"seconds": rng.randint(1, 2)} for _ in range(3)]
    tasks[1]["after"] = ["k1"]
    tasks[2]["after"] = [rng.choice(["k1", "k2"])]
    for number in rng.sample(range(3), 2):
        until = f"k{rng.randint(1, 3)}"
        tasks[number]["keeps"] = [{"memory": "m", "amount": rng.randint(1, 2), "until": until}]
    if rng.random() < 0.5:
        tasks[0]["after"] = [{"task": "k3", "distance": 2}]
    instance = task_graph_of(*tasks, memories={"m": rng.randint(2, 3)}, objective="period")
    graph = compile_tasks(instance)
    found = CP_SAT.solve(graph, RUN).choices
    if found is not None:
        assert JudgedTasks(instance, BeginsTask(TaskProblem(instance)).schedule(found)).fault is None
    shorter = 12 if found is None else found[-1] - 1  # with no such period there is no shorter one either
    begins = product(range(3 * shorter + 6), repeat=2)
    assert not any(is_task_schedule(graph, (0, *others, shorter)) for others in begins if shorter)


def test_drawn_graphs_have_a_little_of_everything():
    graphs = [compile_tasks(read_task_graph(drawn_task_graph(seed))) for seed in range(100)]
    assert sum(bool(one.groups) for one in graphs) > 10
    assert sum(bool(one.kept) for one in graphs) > 10
    assert sum(any(task.release for task in one.tasks) for one in graphs) > 10
    assert sum(one.units[0] > 1 for one in graphs) > 10
    assert sum(any(wait.lag for wait in one.waits) for one in graphs) > 10
