"""portfolio: what a tree has proven is certified by prices of the programme, where somebody wants a certificate."""

from __future__ import annotations

import math
import threading
import time

import pytest

from formulations.portfolio import members
from hypar_opt.costgraph import Priced, graph_of
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Solution, Status
from tests.formulations.local_polytope.random_tables import assignments, random_tables


class ProvenAtOnce:
    """A tree that knows the best plan, and has a proof before the programme has begun."""

    def __init__(self, tables, ended):
        self.ended = ended
        feasible = (one for one in assignments(tables) if tables.feasible(one))
        self.plan = tuple(min(feasible, key=tables.value).tolist())

    def solve(self, graph, run):
        run.incumbent(graph.value(self.plan), self.plan)
        self.ended.set()
        return Solution(Status.OPTIMAL, self.plan, graph.value(self.plan), "proven", "by a tree")


@pytest.fixture
def graph():
    return graph_of(random_tables(4, variables=6, forbidden=0.0, room=1000))[0]


@pytest.fixture
def tree(graph, monkeypatch):
    """Let a tree have its proof before the programme begins."""
    found = ProvenAtOnce(graph.tables, threading.Event())
    true = members.begun
    monkeypatch.setattr(members, "begun", lambda known: (found.ended.wait(), true(known))[1])
    monkeypatch.setattr(members, "load_formulation", lambda name: found)
    return found


def test_the_programme_goes_on_where_a_certificate_is_wanted(graph, tree, monkeypatch):
    began = time.monotonic() - 100.0  # as long again, which is no matter of this machine
    proofs = []
    run = Run("portfolio", Limits(), proof=proofs.append, began=began)
    solution = load_formulation("portfolio").solve(graph, run)
    assert (solution.status, solution.note) == (Status.OPTIMAL, "")
    assert math.ceil(Priced(graph.tables, proofs[-1]).bound) == solution.bound == graph.value(tree.plan)


@pytest.mark.parametrize("wanted", [True, False])
def test_it_does_not_wait_for_ever_and_not_for_nothing(wanted, graph, tree, monkeypatch):
    monkeypatch.setattr(members, "EXTRA_S", 0.05)
    monkeypatch.setattr(members, "begun", _until_stopped)
    run = Run("portfolio", Limits(), proof=(lambda duals: None) if wanted else None)
    solution = load_formulation("portfolio").solve(graph, run)
    assert (solution.status, solution.note) == (Status.OPTIMAL, "by a tree")


def _until_stopped(known):
    while not known.run.limits.over:
        time.sleep(0.01)
    return Solution(Status.NO_SOLUTION, native_status="stopped")
