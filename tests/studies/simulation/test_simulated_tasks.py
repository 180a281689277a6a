"""The tasks of a step: by hand, and against the traffic that a plan has."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from bank.random_networks import random_document
from helpers import document, linear_chain, problem_of
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.evaluation.communication import by_phase
from hypar_opt.evaluation.links import traffic_of
from hypar_opt.evaluation.step import PHASES
from hypar_opt.studies.simulation import Compute, SimulationStopped, TaskGraph, build, build_step, simulate_plan
from hypar_opt.util.errors import Refusal
from hypar_opt.util.interrupt import Interrupted
from tests.evaluation.links.machines import matrix, ring
from tests.studies.simulation.steps import compute, over_after, random_words, seconds_of, step_of


def shown(graph):
    """Return every task as text, with what it waits for."""
    rows = []
    for number, task in enumerate(graph.tasks):
        place = task.accelerator if isinstance(task, Compute) else f"{task.source}>{task.target} {task.amount}"
        waits = ",".join(map(str, task.waits_for)) or "-"
        rows.append(f"{number} [{task.stage}] {task.name} @ {place} after {waits}")
    return rows


def test_two_layers_on_two_accelerators_by_hand():
    # fc1 mp: F2 is 8 x 3 elements, whole on both: 2 x 4 x 24 bytes; then F2 is there, E2 is needed in full: half lacks
    problem = problem_of(document(linear_chain(3, 5), [4], batch=8, levels=1))
    words = {"fc1": "m", "fc2": "d"}
    assert shown(step_of(problem, words, (1, 0), seconds_of(problem.work))) == [
        "0 [0] forward of fc1 @ 1 after -",
        "1 [0] forward of fc1 @ 0 after -",
        "2 [1] forward exchange of fc1, level 1 @ 1>0 96 after 0",
        "3 [1] forward exchange of fc1, level 1 @ 0>1 96 after 1",
        "4 [2] forward of fc2 @ 1 after 0,3",
        "5 [2] forward of fc2 @ 0 after 1,2",
        "6 [3] backward of fc2 @ 1 after 4",
        "7 [3] backward of fc2 @ 0 after 5",
        "8 [4] gradient of fc2 @ 1 after 4",
        "9 [4] gradient of fc2 @ 0 after 5",
        "10 [5] gradient exchange of fc2, level 1 @ 1>0 60 after 8",
        "11 [5] gradient exchange of fc2, level 1 @ 0>1 60 after 9",
        "12 [6] update of fc2 @ 1 after 8,11,6",
        "13 [6] update of fc2 @ 0 after 9,10,7",
        "14 [7] backward exchange of fc1 -> fc2, level 1 @ 1>0 48 after 6",
        "15 [7] backward exchange of fc1 -> fc2, level 1 @ 0>1 48 after 7",
        "16 [8] backward of fc1 @ 1 after 6,15",
        "17 [8] backward of fc1 @ 0 after 7,14",
        "18 [9] gradient of fc1 @ 1 after 6,15",
        "19 [9] gradient of fc1 @ 0 after 7,14",
        "20 [10] update of fc1 @ 1 after 18,16",
        "21 [10] update of fc1 @ 0 after 19,17",
    ]


def test_what_is_fetched_goes_root_first_and_sums_leaves_first():
    problem = problem_of(document(linear_chain(4, 4), [4], batch=8, levels=2))
    graph = step_of(problem, {"fc1": "dd", "fc2": "mm"}, range(4), seconds_of(problem.work))
    levels = [(task.stage, task.part, task.phase, task.level) for task in graph.tasks if not isinstance(task, Compute)]
    assert list(dict.fromkeys(levels)) == [
        (1, "fc1 -> fc2", "forward", 0), (2, "fc1 -> fc2", "forward", 1),
        (4, "fc2", "forward", 1), (5, "fc2", "forward", 0),
        (9, "fc1 -> fc2", "backward", 0), (10, "fc1 -> fc2", "backward", 1),
        (13, "fc1", "gradient", 1), (14, "fc1", "gradient", 0),
    ]  # fmt: skip
    # what leaf 0 sends at the second level it must have, and must have got from leaf 2 at the first
    first, second = (next(i for i, one in enumerate(graph.tasks) if one.stage == stage) for stage in (1, 2))
    assert graph.tasks[second].waits_for == (0, first + 2)


def test_a_join_waits_for_all_and_its_readers_are_waited_for_by_all():
    layers = [
        {"name": "a", "linear": {"features": 4}},
        {"name": "b", "linear": {"features": 4}, "inputs": ["a"]},
        {"name": "sum", "add": {}, "inputs": ["a", "b"]},
        {"name": "c", "linear": {"features": 2}, "inputs": ["sum"]},
    ]
    problem = problem_of(document(layers, [4], batch=8, levels=0))
    graph = step_of(problem, dict.fromkeys(("a", "b", "sum", "c"), ""), (0,), seconds_of(problem.work))
    waits = {task.name: [graph.tasks[one].name for one in task.waits_for] for task in graph.tasks}
    assert waits == {
        "forward of a": [],
        "forward of b": ["forward of a"],
        "forward of sum": ["forward of a", "forward of b"],
        "forward of c": ["forward of sum"],
        "backward of c": ["forward of c"],
        "gradient of c": ["forward of c"],
        "update of c": ["gradient of c", "backward of c"],
        "backward of sum": ["backward of c"],
        "backward of b": ["backward of sum"],
        "gradient of b": ["backward of sum"],
        "update of b": ["gradient of b", "backward of b"],
        "backward of a": ["backward of b", "backward of sum"],
        "gradient of a": ["backward of b", "backward of sum"],
        "update of a": ["gradient of a", "backward of a"],
    }
    assert [task.seconds for task in graph.tasks if task.layer == "sum"] == [0, 0]


@given(st.integers(0, 400))
def test_what_is_sent_is_the_plan_s_traffic(seed):
    problem = problem_of(random_document(seed, most_levels=3))
    words = random_words(problem, seed)
    count = 1 << problem.instance.levels
    placed = tuple(reversed(range(count)))
    graph = step_of(problem, words, placed, seconds_of(problem.work, seed))
    sent = Counter(
        (task.part, task.phase, task.level, task.source, task.target, task.amount)
        for task in graph.tasks
        if not isinstance(task, Compute)
    )
    parts = by_phase(problem.work, words, problem.bytes_of(words))
    traffic = traffic_of(ring(max(2, count)), placed, parts)
    assert sent == Counter((x.part.name, x.part.phase, x.level, x.source, x.target, x.amount) for x in matrix(traffic))


@given(st.integers(0, 400))
def test_tasks_wait_for_earlier_stages_only_and_for_tensors_that_reach_them(seed):
    problem = problem_of(random_document(seed, most_levels=2))
    words = random_words(problem, seed)
    graph = step_of(problem, words, range(1 << problem.instance.levels), seconds_of(problem.work, seed))
    for task in graph.tasks:
        here = task.accelerator if isinstance(task, Compute) else task.source
        for other in (graph.tasks[one] for one in task.waits_for):
            assert other.stage < task.stage
            assert here == (other.accelerator if isinstance(other, Compute) else other.target)


def test_seconds_that_are_missing_are_named():
    problem = problem_of(document(linear_chain(3, 5), [4]))
    seconds = seconds_of(problem.work)
    del seconds[1, "gradient"], seconds[1, "update"]
    with pytest.raises(ValueError, match=r"^the seconds of 'fc2' are missing: gradient, update$"):
        step_of(problem, {"fc1": "m", "fc2": "d"}, (0, 1), seconds)


def test_a_placement_of_other_levels_is_refused():
    problem = problem_of(document(linear_chain(3), [4]))
    with pytest.raises(ValueError, match=r"^'fc1' has the strategy 'm', the placement has 2 levels$"):
        step_of(problem, {"fc1": "m"}, range(4), seconds_of(problem.work))


def test_too_many_tasks_are_refused_before_they_are_made(monkeypatch):
    problem = problem_of(document(linear_chain(3), [4]))
    arguments = (problem.work, {"fc1": "m"}, problem.bytes_of({"fc1": "m"}), (0, 1), seconds_of(problem.work))
    monkeypatch.setattr(build, "MOST_TASKS", 10)
    assert len(build_step(*arguments)) == 10
    monkeypatch.setattr(build, "MOST_TASKS", 9)
    expected = r"^one step of this plan has 10 tasks, and at most 9 are simulated; take fewer levels$"
    with pytest.raises(Refusal, match=expected):
        build_step(*arguments)


@pytest.mark.slow
def test_making_tasks_stops_when_it_is_told_to():
    # 11 times all leaves: three phases each of two layers and their updates, and three exchanges; twice 256 leaves
    problem = problem_of(document(linear_chain(3, 5), [4], batch=512, levels=9))
    words = {"fc1": "m" + 8 * "d", "fc2": 9 * "d"}
    arguments = (problem.work, words, problem.bytes_of(words), range(512), seconds_of(problem.work))
    whole = over_after(10**6)
    expected = build_step(*arguments, whole)
    assert whole.stop.looks == 2 * len(expected) // 512
    for looks in range(whole.stop.looks):
        with pytest.raises(SimulationStopped, match=r"^stopped while the tasks of the step were made; nothing is rep"):
            build_step(*arguments, over_after(looks))
    assert build_step(*arguments, over_after(whole.stop.looks)) == expected


def test_a_plan_s_simulation_stops_at_every_look():
    array = {
        "topology": "ring", "levels": 1, "placement": "identity", "link": {"bandwidth": 1},
        "accelerator": {"model": "as-evaluated", "rate": 1},
    }  # fmt: skip
    network = document(linear_chain(3), [4]) | {"array": array}
    whole, said = over_after(10**6), []
    simulate_plan(problem_of(network), {"fc1": "m"}, (0, 1), limits=whole)
    for looks in range(whole.stop.looks):
        with pytest.raises(Interrupted) as caught:
            simulate_plan(problem_of(network), {"fc1": "m"}, (0, 1), limits=over_after(looks))
        said.append(str(caught.value).removeprefix("stopped ").removesuffix("; nothing is reported"))
    assert list(dict.fromkeys(said)) == [
        "before the tasks of the step were made", "while routes were walked", "while the tasks of the step were made",
        "while routes were found", "while the simulation was prepared", "after 0 of 10 tasks of the step",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (compute("a", 0, 1, [3]), r"^task 0 \(forward of a\) waits for task 3, there are 1 from 0$"),
        (compute("a", 0, -1), r"^task 0 \(forward of a\) has -1 seconds, expected at least 0$"),
    ],
)
def test_tasks_that_cannot_be(task, message):
    with pytest.raises(ValueError, match=message):
        TaskGraph((task,))


def test_a_plan_without_exchange_has_none():
    problem = problem_of(document(linear_chain(3), [4], levels=0))
    graph = step_of(problem, {"fc1": ""}, (0,), {(0, phase): Fraction(1) for phase in PHASES})
    assert [task.name for task in graph.tasks] == [f"{phase} of fc1" for phase in PHASES]
