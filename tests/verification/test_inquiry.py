"""Who is asked about a claim on a strategy graph, of what, and what it rests on then."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest

from formulations.lagrangian.search_tree.search import BranchSearch
from hypar_opt.costgraph import Priced
from hypar_opt.costgraph.presolve.components import count_components
from hypar_opt.formulation.run import Event, Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal
from hypar_opt.verification import CheckOutcome, verify
from hypar_opt.verification import claim_case as search
from hypar_opt.verification import evidence_search as inquiry
from hypar_opt.verification import solver_choice as asking
from hypar_opt.verification.claim_case import EvidenceSearch
from hypar_opt.verification.reduced_cost_fixing import NarrowedProblem
from tests.instance.strategy_graph.drawing import best, draw, plans
from tests.instance.strategy_graph.drawing import cost as cost_of
from tests.instance.strategy_graph.unions import drawn, least


def problem_of(seed):
    return GraphProblem(replace(draw(seed, 6, hard=True), sha256=f"{seed:064x}"), presolved=False)


def claim_of(problem, choices=None, status=Status.OPTIMAL, by="portfolio", **changes):
    """Claim that a plan, the best one unless it is given, is the best."""
    graph = problem.instance
    choices = best(graph)[1] if choices is None else choices
    cost = Fraction(cost_of(graph, choices))
    strategies = {str(node): str(choice) for node, choice in enumerate(choices.tolist())}
    bound = cost if status is Status.OPTIMAL else None
    who = graph.name, graph.sha256, by, status, ""
    return replace(Plan(*who, strategies, None, cost, bound, 0.0, 0, costs={"total": cost}), **changes)


def root_of(problem):
    """The bound of the linear programme."""
    told = []
    solve(problem, "milp-highs", proof=told.append)
    return problem.shift + Priced(problem.graph.tables, told[-1]).bound


@pytest.fixture(scope="module")
def gaps():
    """Problems whose optimum lies above the bound of the linear programme, by 1 at least."""
    found = []
    for seed in range(300):
        problem = problem_of(seed)
        if best(problem.instance) is not None and root_of(problem) <= best(problem.instance)[0] - 1:
            found.append(problem)
        if len(found) == 6:
            return found
    pytest.fail("too few such problems")


@pytest.fixture
def asked(monkeypatch):
    """Let milp-highs and cp-sat be asked alone; return who was, and of what."""
    monkeypatch.setattr(asking, "vouchers", lambda _: ["milp-highs", "cp-sat"])
    told = []

    def listened(problem, name, **options):
        told.append((name, problem))
        return solve(problem, name, **options)

    monkeypatch.setattr(inquiry, "solve", listened)
    return told


def test_what_prices_leave_is_enough_to_confirm(gaps, asked, monkeypatch):
    monkeypatch.setattr(inquiry, "check", lambda _: pytest.fail("what decides nothing need not be checked"))
    for problem in gaps:
        asked.clear()
        found = verify(problem, claim_of(problem))
        assert found.outcome is CheckOutcome.CONFIRMED
        assert found.bound == best(problem.instance)[0]
        assert [name for name, _ in asked] == ["milp-highs", "cp-sat"]
        assert asked[0][1] is problem
        assert isinstance(asked[1][1], NarrowedProblem)
        assert found.checks[-1].text.endswith(
            "a proof by cp-sat, another encoding than portfolio's, of the same compiled costs, "
            "narrowed in exact integers by prices of milp-highs"
        )


def test_what_is_left_is_presolved_within_the_limits_of_the_search(gaps, asked):
    limits = Limits().within(60.0)
    assert verify(gaps[0], claim_of(gaps[0]), limits=limits).outcome is CheckOutcome.CONFIRMED
    assert asked[1][1].limits == limits


def test_of_the_same_encoding_too(gaps, asked):
    found = verify(gaps[0], claim_of(gaps[0], by="milp-highs"))
    assert found.outcome is CheckOutcome.CONFIRMED
    assert "by cp-sat, another solver than milp-highs, but over the same encoding, narrowed" in found.checks[-1].text


def test_a_plan_that_is_not_the_best_is_refuted_with_a_better_one(gaps, asked):
    refuted = 0
    for problem in gaps:
        optimum, _ = best(problem.instance)
        legal = [
            (cost, tuple(one))
            for one in plans(problem.instance)
            if (cost := cost_of(problem.instance, one)) is not None
        ]
        for _, choices in sorted((cost, one) for cost, one in legal if cost > optimum)[:3]:
            worse = next(one for one in plans(problem.instance) if tuple(one) == choices)
            found = verify(problem, claim_of(problem, worse))
            assert (found.outcome, found.reason) == (CheckOutcome.REFUTED, "optimality")
            assert found.better.objective < cost_of(problem.instance, worse)
            refuted += 1
    assert refuted > 6


def test_a_bound_above_the_optimum_is_refuted_and_one_above_the_root_confirmed(gaps, asked):
    for problem in gaps:
        optimum, _ = best(problem.instance)
        legal = ((one, cost_of(problem.instance, one)) for one in plans(problem.instance))
        worse = next(one for one, cost in legal if cost is not None and cost > optimum)
        feasible = claim_of(problem, worse, Status.FEASIBLE)
        for bound, outcome in ((optimum, CheckOutcome.CONFIRMED), (optimum + 1, CheckOutcome.REFUTED)):
            assert verify(problem, replace(feasible, bound=Fraction(bound))).outcome is outcome


def test_a_search_for_prices_ends_when_it_turns_to_something_else():
    told = []
    enough = asking.Enough(EvidenceSearch(Limits()), Fraction(5), told)
    enough.hear(Event("phase", 0.0, "x", text="the linear programme"))
    assert not enough.limits.stop.is_set()
    told.append("prices")
    enough.hear(Event("bound", 0.0, "x", Fraction(3)))
    assert not enough.limits.stop.is_set()
    enough.hear(Event("phase", 0.0, "x", text="cores"))
    assert enough.limits.stop.is_set()


def test_every_component_is_asked_for_its_prices(asked):
    for seed in range(100):
        graphs, both = drawn(seed, 2, most_nodes=5, feasible=True, hard=True)
        problem, optimum = GraphProblem(replace(both, sha256=f"{seed:064x}")), least(graphs)
        if count_components(problem.graph.tables) > 1 and root_of(problem) <= optimum - 1:
            break
    else:
        pytest.fail("no such graph")
    plan = solve(problem, "cp-sat")
    assert verify(problem, replace(plan, formulation="portfolio")).outcome is CheckOutcome.CONFIRMED
    assert [name for name, _ in asked] == ["milp-highs", "cp-sat"]
    narrowed = asked[1][1]
    assert problem.shift + Priced(problem.graph.tables, narrowed.duals).bound == root_of(problem)


def test_whose_word_counts_is_not_stopped_at_its_prices(gaps, monkeypatch):
    monkeypatch.setattr(asking, "vouchers", lambda _: ["milp-highs", "lagrangian"])
    found = verify(gaps[0], claim_of(gaps[0], by="cp-sat"))
    assert found.outcome is CheckOutcome.CONFIRMED
    assert "a proof by milp-highs, another solver than cp-sat" in found.checks[-1].text


def test_prices_come_first_where_a_bound_is_asked_for():
    assert asking.in_order("portfolio", bounding=True)[:3] == ["milp-highs", "brute-force", "cp-sat"]
    assert asking.in_order("milp-highs", bounding=True)[0] == "milp-highs"
    assert asking.in_order("cp-sat", bounding=True)[0] == "portfolio"
    assert asking.in_order("cp-sat", bounding=True) == asking.in_order("cp-sat", bounding=False)


def test_only_a_search_that_ran_out_of_time_names_it(gaps, monkeypatch):
    monkeypatch.setattr(asking, "vouchers", lambda _: ["milp-highs"])
    problem = gaps[0]
    found = verify(problem, claim_of(problem))
    assert found.outcome is CheckOutcome.UNDECIDED
    assert found.checks[-1].text.endswith("by code that shares nothing with the solvers")
    monkeypatch.setattr(search, "SEARCH_S", 0.0)
    found = verify(problem, claim_of(problem))
    assert found.checks[-1].text.endswith("within the limits, in the 12 s that are given without a time limit")
    assert found.outcome is CheckOutcome.UNDECIDED
    found = verify(problem, claim_of(problem), limits=Limits(deadline=0.0))
    assert found.checks[-1].text.endswith("within the limits")


def test_the_best_prices_are_kept_and_a_certificate_has_a_plan(gaps, monkeypatch):
    monkeypatch.setattr(asking, "vouchers", lambda _: ["milp-highs", "lagrangian"])
    problem, told = gaps[0], []
    solve(problem, "milp-highs", proof=told.append)
    good, claim = told[-1], claim_of(problem)
    poor = replace(good, first=good.first * 0, second=good.second * 0, prices=good.prices * 0)

    def pretended(problem, name, *, proof, **_):
        proof(good if name == "milp-highs" else poor)
        return replace(claim, formulation=name, status=Status.NO_SOLUTION, strategies=None, objective=None, bound=None)

    monkeypatch.setattr(inquiry, "solve", pretended)
    found = verify(problem, claim)
    assert found.outcome is CheckOutcome.UNDECIDED
    assert -(-found.bound // 1) == -(-root_of(problem) // 1)
    assert "a certificate by milp-highs, checked in exact integers" in found.checks[-1].text


def test_nobody_answers(gaps, monkeypatch):
    def refused(*_, **__):
        raise Refusal("no")

    monkeypatch.setattr(inquiry, "solve", refused)
    found = verify(gaps[0], claim_of(gaps[0]))
    assert found.outcome is CheckOutcome.UNDECIDED
    assert "no formulation that could decide it" in found.checks[-1].text


def test_who_cannot_be_imported_has_no_prices(monkeypatch):
    def refused(_):
        raise Refusal("no")

    assert asking.able("lagrangian").prices
    assert not asking.able("cp-sat").prices
    monkeypatch.setattr("hypar_opt.formulation.registry.load_formulation", refused)
    assert not asking.able("lagrangian").prices
    assert asking.in_order("portfolio", bounding=True) == []


def test_a_word_on_the_whole_is_not_said_to_be_on_what_is_left(gaps, monkeypatch):
    monkeypatch.setattr(asking, "vouchers", lambda _: ["cp-sat"])
    found = verify(gaps[0], claim_of(gaps[0]))
    assert found.outcome is CheckOutcome.CONFIRMED
    assert "narrowed" not in found.checks[-1].text
    note = inquiry.Inquiry(gaps[0], SimpleNamespace(formulation="portfolio"), EvidenceSearch())
    plan = replace(claim_of(gaps[0], by="cp-sat"), note="with a note")
    assert note._word(gaps[0], plan).text.endswith("of the same compiled costs; with a note")


def test_prices_are_worth_what_no_plan_of_the_graph_costs_less_than(gaps):
    told = []
    plan = solve(gaps[0], "milp-highs", proof=told.append)
    assert inquiry.PricedBound(gaps[0], plan, told[-1]).bound == root_of(gaps[0])
    assert gaps[0].shift != 0


def test_each_but_the_last_leaves_half_of_the_time_and_is_asked_of_the_whole_if_it_has_prices(gaps, monkeypatch):
    monkeypatch.setattr(asking, "vouchers", lambda _: ["milp-highs", "lagrangian"])
    monkeypatch.setattr(BranchSearch, "search", lambda *_: None)  # it would close the gap
    left = []

    def listened(problem, name, *, limits, **options):
        left.append(limits.remaining_s())
        return solve(problem, name, limits=limits, **options)

    monkeypatch.setattr(inquiry, "solve", listened)
    found = verify(gaps[0], claim_of(gaps[0], by="milp-highs"), limits=Limits().within(4.0))
    assert found.outcome is CheckOutcome.UNDECIDED
    assert left[0] <= 2.0 < left[1]
    assert "narrowed" not in found.checks[-1].text
