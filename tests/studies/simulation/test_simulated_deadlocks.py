"""Simulations that cannot go on are found out, with who waits for what."""

from __future__ import annotations

import pytest
from helpers import document, linear_chain, problem_of
from hypothesis import given

from hypar_opt.instance.hardware import Shape, Wire, machine_of
from hypar_opt.studies.simulation import Deadlock, Options, TaskGraph, simulate
from tests.evaluation.links.machines import line, ring
from tests.studies.simulation.steps import compute, seconds_of, send, step_of, task_graphs

ROUTE = Options("full", acquire="route")


def round_a_ring(count):
    """Return transfers two hops on, one from every accelerator, all the same way round."""
    return TaskGraph(tuple(send(f"x{i}", i, (i + 2) % count, 1) for i in range(count)))


def test_links_taken_in_the_order_of_the_route_deadlock_on_a_ring():
    with pytest.raises(Deadlock) as caught:
        simulate(round_a_ring(4), ring(4), ROUTE)
    assert str(caught.value) == (
        "the simulation cannot go on at 0 s: 4 of 4 tasks wait: "
        "forward exchange of x0, level 1, a0 to a2 holds a0 -> a1 and waits for a1 -> a2; "
        "forward exchange of x1, level 1, a1 to a3 holds a1 -> a2 and waits for a2 -> a3; "
        "forward exchange of x2, level 1, a2 to a0 holds a2 -> a3 and waits for a3 -> a0; "
        "forward exchange of x3, level 1, a3 to a1 holds a3 -> a0 and waits for a0 -> a1; "
        "a circle of 4: forward exchange of x0, level 1, a0 to a2; forward exchange of x1, level 1, a1 to a3; "
        "forward exchange of x2, level 1, a2 to a0; forward exchange of x3, level 1, a3 to a1"
    )
    assert caught.value.cycle == (0, 1, 2, 3)
    assert simulate(round_a_ring(4), ring(4), Options("full")).time == 2  # two at a time


def test_a_long_message_is_cut_and_the_rest_is_counted():
    graph = TaskGraph((*round_a_ring(8).tasks, compute("then", 0, 1, [0])))
    with pytest.raises(Deadlock, match="9 of 9 tasks wait") as caught:
        simulate(graph, ring(8, dims=(8,)), ROUTE)
    assert "; and 4 more; a circle of 8: " in str(caught.value)
    assert str(caught.value).endswith("; and 3 more")
    assert [one.task for one in caught.value.waiting] == list(range(9))
    assert caught.value.waiting[8].text == "forward of then on a0 waits for forward exchange of x0, level 1, a0 to a2"


def test_a_plan_on_a_torus_deadlocks_by_route_and_not_in_order():
    # half a ring apart both of a pair send upwards, so that four accelerators of a row hold and want each other's link
    problem = problem_of(document(linear_chain(4, 4), [4], batch=8, levels=4))
    graph = step_of(problem, {"fc1": "dddd", "fc2": "mmmm"}, range(16), seconds_of(problem.work))
    torus = machine_of("torus", Shape(4, wire=Wire(bandwidth=1)))
    with pytest.raises(Deadlock) as caught:
        simulate(graph, torus, Options(acquire="route"))
    assert len(caught.value.cycle) == 4
    assert caught.value.done
    assert simulate(graph, torus, Options()).time > 0


def test_tasks_that_wait_for_each_other():
    graph = TaskGraph((compute("a", 0, 2), compute("b", 0, 1, [0, 2]), compute("c", 1, 1, [1])))
    with pytest.raises(Deadlock) as caught:
        simulate(graph, line(2), Options("full"))
    assert str(caught.value) == (
        "the simulation cannot go on at 2 s: 2 of 3 tasks wait: forward of b on a0 waits for forward of c on a1; "
        "forward of c on a1 waits for forward of b on a0; a circle of 2: forward of b on a0; forward of c on a1"
    )
    assert (caught.value.cycle, caught.value.done) == ((1, 2), 1)


def test_whoever_only_waits_for_a_circle_is_not_of_it():
    graph = TaskGraph((compute("a", 0, 2, [1]), compute("b", 0, 1, [2]), compute("c", 1, 1, [1])))
    with pytest.raises(Deadlock, match=r"; a circle of 2: forward of b on a0; forward of c on a1$") as caught:
        simulate(graph, line(2))
    assert ([one.task for one in caught.value.waiting], caught.value.cycle) == ([0, 1, 2], (1, 2))


def test_a_task_that_waits_for_itself():
    with pytest.raises(Deadlock, match=r"a circle of 1: forward of a on a0$"):
        simulate(TaskGraph((compute("a", 0, 1, [0]),)), line(2))


def test_a_task_that_waits_for_one_behind_its_barrier():
    graph = TaskGraph((compute("a", 0, 1, [2]), compute("b", 0, 1), compute("c", 1, 1, stage=1)))
    assert simulate(graph, line(2), Options("full")).time == 2
    with pytest.raises(Deadlock) as caught:
        simulate(graph, line(2), Options("none"))
    assert str(caught.value) == (
        "the simulation cannot go on at 1 s: 2 of 3 tasks wait: forward of a on a0 waits for forward of c on a1; "
        "forward of c on a1 waits for forward of a on a0; a circle of 2: forward of a on a0; forward of c on a1"
    )


@pytest.mark.slow
@given(task_graphs(most=20))
def test_whatever_is_said_of_a_deadlock_is_one(drawn):
    array, graph = drawn
    try:
        simulate(graph, array, ROUTE)
    except Deadlock as found:
        assert found.cycle
        assert set(found.cycle) <= {one.task for one in found.waiting}
        assert found.done + len(found.waiting) == len(graph)
    simulate(graph, array, Options("full"))
