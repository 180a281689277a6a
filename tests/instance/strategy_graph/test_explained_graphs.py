"""Every formulation's word that there is no plan comes with why, and all plans looked at one by one say so too."""

from __future__ import annotations

import re
from dataclasses import replace
from threading import Event as Flag

import pytest

from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.infeasibility.conflict import UNEXPLAINED, Conflict
from hypar_opt.solver.solve import solve
from tests.instance.strategy_graph.contradicting import all_without_plan, check, drawn_without_plan, star, table
from tests.instance.strategy_graph.drawing import draw

EXACT = ("brute-force", "cp-sat", "milp-highs", "portfolio")
WORDS = re.compile(
    r"memory: at time (?P<first>\d+) any plan that has nothing forbidden(?: and keeps to the limit at times? "
    r"(?P<others>[\d, and]+))? uses at least (?P<needed>[\d,]+), and there are (?P<available>[\d,]+); [\d,]+ more "
)


def stopped() -> Flag:
    flag = Flag()
    flag.set()
    return flag


def read(note: str) -> Conflict | None:
    """Return the conflict that a note tells of, its nodes left out; or None."""
    if "the forbidden costs" in note:
        return Conflict((), 0)
    found = WORDS.search(note)
    if found is None:
        return None
    needed, available = (int(found[name].replace(",", "")) for name in ("needed", "available"))
    times = (int(found["first"]), *map(int, re.findall(r"\d+", found["others"] or "")))
    return Conflict(times, available, needed, enough=True)


def is_explained(graph, plan):
    conflict = read(plan.note)
    assert plan.status is Status.INFEASIBLE
    assert conflict is not None, plan.note
    check(graph, conflict if conflict.times else replace(conflict, available=graph.usage_limit))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("formulation", EXACT)
@pytest.mark.parametrize("presolved", [True, False])
def test_there_being_no_plan_is_explained(formulation, presolved):
    graphs = [graph for graph in all_without_plan() if read(explain(graph)).times]
    for graph in [*graphs[::8], star([0, 2, 5])]:
        is_explained(graph, solve(GraphProblem(graph, presolved=presolved), formulation))


def explain(graph):
    return solve(GraphProblem(graph), "brute-force").note


def test_all_that_are_drawn_are_explained():
    for graph in all_without_plan():
        is_explained(graph, solve(GraphProblem(graph), "brute-force"))


def test_nodes_that_the_forbidden_costs_are_of_are_named():
    note = explain(next(graph for graph in drawn_without_plan() if not read(explain(graph)).times))
    assert re.search(r"the forbidden costs of nodes? \d[\d, and]* leave no plan, however much memory there is$", note)


def test_what_is_no_exact_method_leaves_it_to_the_default(monkeypatch):
    plan = solve(GraphProblem(star([1, 3])), "lagrangian")
    is_explained(star([1, 3]), plan)
    assert plan.formulation == "lagrangian"
    monkeypatch.setattr("hypar_opt.solver.solve.defaults", lambda _: ["of nobody"])
    assert solve(GraphProblem(star([1, 3])), "lagrangian").note == UNEXPLAINED


def test_what_least_usages_say_comes_first():
    graph = replace(star([1, 3]), usage_limit=6)
    note = solve(GraphProblem(graph), "cp-sat").note
    assert note == "memory: at time 1 any plan uses at least 7, and there are 6; 1 more would be enough for that time"


@pytest.mark.parametrize("limits", [Limits(deadline=0.0), Limits(stop=stopped())])
def test_nothing_is_asked_once_the_limits_are_over(limits):
    plan = solve(GraphProblem(star([1, 3])), "cp-sat", limits=limits)  # which presolve alone refutes
    assert (plan.status, plan.note) == (Status.INFEASIBLE, UNEXPLAINED)


def test_it_has_its_own_limit(monkeypatch):
    monkeypatch.setattr("hypar_opt.solver.solve.EXPLANATION_S", 0.0)
    assert solve(GraphProblem(star([1, 3]))).note == UNEXPLAINED


class Wrong:
    """Says of all but the first that it is asked what cp-sat says."""

    def __init__(self) -> None:
        self.capabilities = load_formulation("cp-sat").capabilities
        self.name, self.summary, self.asked, self.tells = "wrong", "of a test", 0, None

    def accepts(self, graph, run):
        return None

    def solve(self, graph, run):
        self.asked += 1
        if self.tells is not None:
            run.incumbent(graph.value(self.tells), self.tells)
        if self.asked == 1:
            return Solution(Status.INFEASIBLE, native_status="so I say", note="trust me")
        return load_formulation("cp-sat").solve(graph, run)


def test_a_plan_that_there_is_after_all_is_an_error(plug_in):
    graph = next(graph for graph in map(hard, range(100)) if table(graph)[1].all())
    plan = solve(GraphProblem(graph, presolved=False), plug_in(Wrong()))
    assert plan.status is Status.ERROR
    assert re.fullmatch(
        r"wrong says INFEASIBLE \(so I say\), and there is a plan that costs [-\d,]+", plan.native_status
    )
    assert plan.strategies is None


@pytest.mark.parametrize("told", [False, True])
def test_where_a_plan_is_known_it_is_an_error_that_there_is_none(told, plug_in):
    """Whether it was the start, or the formulation told of it itself: nothing is made up to explain it."""
    graph = next(graph for graph in map(hard, range(100)) if table(graph)[1].all())
    best = solve(GraphProblem(graph, presolved=False), "brute-force")
    wrong = Wrong()
    if told:
        wrong.tells = tuple(map(int, best.strategies.values()))
    start = None if told else best.strategies
    plan = solve(GraphProblem(graph, presolved=False), plug_in(wrong), start=start)
    assert plan.status is Status.ERROR
    assert plan.native_status == "says INFEASIBLE (so I say), and a plan is known"
    assert wrong.asked == 1


def test_a_plan_that_does_not_hold_is_no_answer():
    """It has nothing forbidden at first sight: memory suffices for the one that the hub rules out."""
    graph = star([1, 3])
    claim = solve(GraphProblem(graph), "cp-sat")
    useless = {str(node): "0" for node in range(graph.nodes)}

    def broken(part, limits):
        return replace(claim, status=Status.ERROR, native_status="edge 0 forbids it", strategies=useless)

    plan = GraphProblem(graph).explained(replace(claim, note=""), broken, Limits(), lambda _: None)
    assert (plan.status, plan.note) == (Status.INFEASIBLE, UNEXPLAINED)


def hard(seed):
    return replace(draw(seed, 5, hard=True), usage_limit=100)


def test_what_the_answers_rest_on_is_said_once():
    def noted(part, limits):
        assert part.limits is limits
        found = solve(part, "cp-sat", limits=limits)
        return replace(
            found, note="with some trust" if found.status is Status.INFEASIBLE or found.bound else "no proof"
        )

    claim = replace(solve(GraphProblem(star([1, 3])), "cp-sat"), note="so they say")
    why = GraphProblem(star([1, 3])).explained(claim, noted, Limits(), lambda _: None)
    assert why.note == (
        "so they say; memory: at time 1 any plan that has nothing forbidden and keeps to the limit at time 3 uses at "
        "least 20, and there are 10; 10 more would be enough for these times; with some trust"
    )


def test_that_the_reason_is_looked_for_is_told_and_a_listener_that_fails_loses_nothing():
    told = []
    plan = solve(GraphProblem(star([0, 2, 5])), "brute-force", listener=told.append)
    assert (told[-1].kind, told[-1].text) == ("phase", "looking for why there is no plan")
    with pytest.warns(UserWarning, match="the listener failed and hears no more: ZeroDivisionError"):
        assert solve(GraphProblem(star([0, 2, 5])), "brute-force", listener=lambda _: 1 / 0).note == plan.note
