"""Stopping while routes are followed: whoever does it asks, and says what it was at."""

from __future__ import annotations

import os
import signal
from threading import Event

import click
import pytest

from hypar_opt.cli.options import Wanted
from hypar_opt.cli.progress import watching
from hypar_opt.cost.links import every_route, level_weights
from hypar_opt.evaluation.links import walk
from hypar_opt.formulation.run import Limits, Stopped
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.instance.hardware import Shape, machine_of, routing_of
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.solve import solve
from hypar_opt.studies.simulation import Options, simulate_plan
from hypar_opt.studies.sweep import explore
from hypar_opt.util.interrupt import Interrupted, asking
from hypar_opt.util.partition import halves
from hypar_opt.verification import verify


class Patience(Event):
    """A flag that is set once it was looked at so many times."""

    def __init__(self, looks=0):
        super().__init__()
        self.left = looks

    def is_set(self):
        self.left -= 1
        return self.left < 0


def test_it_asks_again_after_so_many_items():
    seen = []
    with pytest.raises(Interrupted, match=r"^stopped while counting$"):
        seen.extend(asking(iter(range(100)), Patience(3).is_set, "while counting", every=10))
    assert seen == list(range(30))
    seen.clear()
    for item in (items := asking(range(100), Patience(100).is_set, "while counting", every=10)):
        seen.append(item)
    assert seen == list(range(100))
    assert list(items) == []


RING = machine_of("ring", Shape(7))
FOLLOWED = {
    "walk": lambda over: walk(RING, range(128), over),
    "level weights": lambda over: level_weights(RING, {"hop-bytes": 1}, range(128), halves(7), over),
    "every route": lambda over: every_route(RING, over),
}


@pytest.mark.parametrize("follow", FOLLOWED.values(), ids=FOLLOWED)
def test_routes_are_followed_no_further_than_wanted(follow):
    patience = Patience(10**9)
    follow(patience.is_set)
    asked = 10**9 - patience.left
    assert asked * 16 >= 7 * 128, "it asks again after at most 16 routes"
    for looks in (0, asked // 2, asked - 1):
        with pytest.raises(Interrupted, match="stopped while routes were"):
            follow(Patience(looks).is_set)
    follow(Patience(asked).is_set)


@pytest.mark.parametrize("placement", ["identity", "free"])
@pytest.mark.parametrize("formulation", [None, "data-parallel"])
def test_a_search_that_never_began_has_no_solution(placement, formulation):
    if placement == "free" and formulation:
        formulation = "alternating"
    instance = load("lenet-c", array="torus-16", objective="hop-bytes", placement=placement)
    plan = solve(instance, formulation, limits=Limits(stop=Patience()))
    assert (plan.status, plan.native_status) == (Status.NO_SOLUTION, "stopped while routes were followed")
    assert plan.strategies is None


def test_who_has_no_half_a_result_says_so():
    instance = load("lenet-c", array="hypar-16", objective="time")
    plan = solve(instance)
    problem = NetworkProblem(instance)
    sites = tuple(range(16))
    works = [
        lambda limits: verify(NetworkProblem(instance), plan, limits=limits),
    ]
    with pytest.raises(Stopped):
        explore(
            NetworkProblem(instance),
            levels=[1],
            components=["time"],
            plan=plan.strategies,
            limits=Limits(stop=Patience()),
        )
    front = pareto_front(NetworkProblem(instance), limits=Limits(stop=Patience()))
    assert (front.points, front.complete, front.native_status) == ((), False, "stopped while routes were followed")
    for work in works:
        with pytest.raises(Interrupted, match="stopped while routes were followed"):
            work(Limits(stop=Patience()))
    with pytest.raises(Interrupted, match="stopped while routes were walked"):
        simulate_plan(problem, plan.strategies, sites, Options(), limits=Limits(stop=Patience(1)))


@pytest.mark.parametrize(("number", "code"), [(None, 3), (signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_the_command_line_says_it_in_a_line(number, code, capsys):
    limits = Limits()

    def work():
        with watching("working", limits, Wanted(False, False, False)):
            if number is not None:
                os.kill(os.getpid(), number)
            raise Interrupted("stopped while routes were followed")

    with pytest.raises(click.exceptions.Exit) as ended:
        work()
    assert ended.value.exit_code == code
    assert capsys.readouterr().err == "error: stopped while routes were followed\n"


def test_a_fully_connected_array_needs_no_distances(monkeypatch):
    machine = machine_of("fully-connected", Shape(5))
    monkeypatch.setattr("hypar_opt.instance.hardware.routing._counted", None)
    routing = routing_of(machine)
    assert all(routing.shares(a, b) == {(a, b): 1} for a in range(32) for b in range(32) if a != b)
    assert routing.shares(3, 3) == {}


def test_in_a_fat_tree_distances_are_those_of_switches_once_each(monkeypatch):
    from hypar_opt.instance.hardware import routing as module

    machine = machine_of("fat-tree", Shape(4))
    targets, counted = [], module._counted
    monkeypatch.setattr(module, "_counted", lambda nodes, target: (targets.append(target), counted(nodes, target))[1])
    routing = routing_of(machine)
    for source in range(16):
        for target in range(16):
            routing.shares(source, target)
    assert len(targets) == len(set(targets)), "a target is looked at once"
    assert min(targets) >= len(machine.accelerators), "switches only"
