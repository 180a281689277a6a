"""Claims about strategy graphs: what is true is confirmed, what is changed is refuted, for the right reason."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from helpers import each

from hypar_opt.cli.verify_command import command
from hypar_opt.costgraph import Duals
from hypar_opt.formulation.run import Event as Told
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.report.verdict import verdict_document
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.plan import Plan, plan_document
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.verification import CheckOutcome, Evidence, graph_claim, read_claim, verify
from hypar_opt.verification import evidence_search as inquiry
from hypar_opt.verification import solver_choice as asking
from hypar_opt.verification.certificate.of_graph import write_graph_certificate
from hypar_opt.verification.claim_case import SEARCH_S, EvidenceSearch
from hypar_opt.verification.verdict import Question, Verdict, judged
from tests.instance.strategy_graph.drawing import best, draw, plans
from tests.instance.strategy_graph.drawing import cost as cost_of

SEEDS = range(40)


def problem_of(seed):
    """A graph that has a plan."""
    graph = replace(draw(seed), sha256=f"{seed:064x}")
    return GraphProblem(graph) if best(graph) is not None else problem_of(seed + 1000)


def without_plan(seed):
    graph = replace(draw(seed), sha256=f"{seed:064x}")
    return GraphProblem(graph) if best(graph) is None else without_plan(seed + 1)


def plan_of(problem, choices=None, status=Status.OPTIMAL, **changes):
    """A plan, the best one unless it is given, as solving gives it."""
    graph = problem.instance
    total, found = best(graph)
    choices = found if choices is None else choices
    cost = cost_of(graph, choices)
    total = Fraction(total if cost is None else cost)
    bound = total if status is Status.OPTIMAL else None
    strategies = {str(node): str(choice) for node, choice in enumerate(choices.tolist())}
    who = graph.name, graph.sha256, "milp-highs", status, ""
    return replace(Plan(*who, strategies, None, total, bound, 0.0, 0, costs={"total": total}), **changes)


def worse_than_best(problem):
    """Legal plans that cost more than the best."""
    graph, least = problem.instance, best(problem.instance)[0]
    return [one for one in plans(graph) if (cost_of(graph, one) is not None and cost_of(graph, one) > least)]


def document_of(problem, **changes):
    return json.loads(json.dumps(plan_document(plan_of(problem)))) | changes


def verdict_of(problem, document, folder, **options):
    path = folder / "plan.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return verify(problem, read_claim(path), **options)


@each("seed", SEEDS[:15])
def test_the_best_plan_is_confirmed_and_any_other_refuted(seed):
    problem = problem_of(seed)
    found = verify(problem, plan_of(problem))
    assert found.outcome is CheckOutcome.CONFIRMED
    assert [one.name for one in found.checks[:3]] == ["plan", "strategies", "memory"]
    assert found.judged.total == best(problem.instance)[0]
    for worse in worse_than_best(problem)[:1]:
        found = verify(problem, plan_of(problem, worse))
        assert (found.outcome, found.reason) == (CheckOutcome.REFUTED, "optimality")
        assert found.better.objective < plan_of(problem, worse).objective
        assert found.better.communication_bytes is None


@each("seed", SEEDS)
def test_a_plan_that_claims_nothing_more_is_only_recomputed(seed, monkeypatch):
    monkeypatch.setattr(inquiry, "solve", lambda *_, **__: pytest.fail("nothing is to be searched"))
    problem = problem_of(seed)
    for choices in plans(problem.instance)[:20]:
        legal = cost_of(problem.instance, choices) is not None
        found = verify(problem, plan_of(problem, choices, Status.FEASIBLE))
        assert (found.outcome is CheckOutcome.CONFIRMED) == legal
        if not legal:
            assert found.reason in ("strategies", "memory")


def test_a_plan_that_is_legal_but_for_memory_says_when_and_how_much():
    problem = problem_of(0)
    graph = replace(problem.instance, usages=problem.instance.usages + 7, usage_limit=6)
    graph = replace(graph, intervals=np.tile([0, 1], (graph.nodes, 1)).astype(np.int64))
    found = verify(GraphProblem(graph), plan_of(problem, status=Status.FEASIBLE))
    assert (found.outcome, found.reason) == (CheckOutcome.REFUTED, "memory")
    assert "memory: at time 0 it uses" in found.checks[-1].text
    assert " of 6" in found.checks[-1].text


def plus(value, by=1):
    return None if value is None else int(value) + by


TAMPERED = {
    "total": lambda d: d | {"cost": {"total": plus(d["cost"]["total"])}},
    "objective": lambda d: d | {"objective": plus(d["objective"])},
    "bound": lambda d: d | {"bound": plus(d["bound"], -1)},
    "plan": lambda d: d | {"plan": dict(list(d["plan"].items())[1:])},
}


@pytest.mark.parametrize("reason", TAMPERED)
@each("seed", SEEDS[:10])
def test_numbers_that_are_changed_are_refuted(seed, reason, tmp_path):
    problem = problem_of(seed)
    found = verdict_of(problem, TAMPERED[reason](document_of(problem)), tmp_path)
    assert (found.outcome, found.reason) == (CheckOutcome.REFUTED, reason)


@pytest.mark.parametrize("strategy", [-1, 99])
def test_a_strategy_that_a_node_has_not(strategy, tmp_path):
    problem = problem_of(0)
    document = document_of(problem)
    found = verdict_of(problem, document | {"plan": document["plan"] | {"0": strategy}}, tmp_path)
    assert (found.outcome, found.reason) == (CheckOutcome.REFUTED, "plan")
    assert f"got {strategy}" in found.checks[-1].text


def test_a_node_that_the_graph_has_not(tmp_path):
    problem = problem_of(0)
    document = document_of(problem)
    found = verdict_of(problem, document | {"plan": document["plan"] | {"777": 0}}, tmp_path)
    assert (found.outcome, found.reason) == (CheckOutcome.REFUTED, "plan")
    assert "node '777'" in found.checks[-1].text


@pytest.mark.parametrize("name", ["9" * 5000, "00", "-1", "x"])
def test_names_that_are_no_nodes(name, tmp_path):
    problem = problem_of(0)
    document = document_of(problem)
    found = verdict_of(problem, document | {"plan": document["plan"] | {name: 0}}, tmp_path)
    assert (found.outcome, found.reason) == (CheckOutcome.REFUTED, "plan")


BROKEN = [
    ({"instance": "other"}, "is a plan of 'other'"),
    ({"instance_sha256": "1" * 64}, "is a plan of another version"),
    ({"overrides": {"batch": 3}}, "was made with overrides"),
    ({"plan": {"0": "dp"}}, r"plan\['0'\]: expected an integer, got 'dp'"),
    ({"plan": {"0": True}}, r"plan\['0'\]: expected an integer, got true"),
    ({"plan": {"0": 1.5}}, r"plan\['0'\]: expected an integer"),
    ({"plan": None}, "plan: expected a value with status OPTIMAL"),
    ({"cost": None}, "cost: expected a value with status OPTIMAL"),
    ({"cost": {"total": "a"}}, "cost.total: expected an exact number"),
    ({"cost": {"totl": 3}}, "cost.totl: unknown field 'totl'; did you mean 'total'"),
    ({"cost": {"total": 3, "hop_bytes": 2}}, "cost.hop_bytes: unknown field 'hop_bytes'"),
    ({"placement": ["a"]}, "placement: unknown field 'placement'"),
    ({"status": "INFEASIBLE"}, "expected nothing with status INFEASIBLE"),
    ({"status": "NO_SOLUTION"}, "claims nothing that could be verified"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN)
def test_files_that_are_no_plans_of_this_graph(change, message, tmp_path):
    problem = problem_of(0)
    with pytest.raises(InputError, match=message):
        verdict_of(problem, document_of(problem) | change, tmp_path)


# --- certificates


def certificate_of(problem, folder, plan=None, duals=None):
    path = folder / "plan.cert"
    with path.open("wb") as stream:
        given = Duals.zero(problem.reduction.tables) if duals is None else duals
        write_graph_certificate(stream, problem, given, plan or plan_of(problem))
    return path


def tight(seed):
    """A graph whose optimum prices of nothing prove, and one that is its own only leader."""
    problem = problem_of(seed)
    return problem if not problem.reduction.tables.count else tight(seed + 1)


def loose(seed):
    """A graph that needs prices."""
    problem = problem_of(seed)
    graph = replace(problem, presolved=False)
    return graph if graph.graph.variables and len(graph.tables.ends) > 2 else loose(seed + 1)


def test_a_certificate_that_proves_all_is_all_that_is_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(inquiry, "solve", lambda *_, **__: pytest.fail("nothing is to be searched"))
    problem = tight(0)
    found = verify(problem, plan_of(problem), certificate=certificate_of(problem, tmp_path))
    assert found.outcome is CheckOutcome.CONFIRMED
    assert "checked in exact integers by code that shares nothing" in found.checks[-1].text


def test_where_a_certificate_proves_less_another_is_asked(tmp_path):
    problem = loose(0)
    low = Duals.zero(problem.tables)
    low = replace(low, first=low.first + np.arange(len(low.first)) * 1000)
    found = verify(problem, plan_of(problem), certificate=certificate_of(problem, tmp_path, duals=low))
    assert found.outcome is CheckOutcome.CONFIRMED
    assert any(one.name == "certificate" for one in found.checks)
    assert f"the certificate {tmp_path}" not in found.checks[-1].text


def test_a_certificate_with_a_better_plan_refutes(tmp_path, monkeypatch):
    monkeypatch.setattr(inquiry, "solve", lambda *_, **__: pytest.fail("nothing is to be searched"))
    for seed in SEEDS:
        problem = problem_of(seed)
        for worse in worse_than_best(problem)[:1]:
            path = certificate_of(problem, tmp_path)
            found = verify(problem, plan_of(problem, worse), certificate=path)
            assert (found.outcome, found.reason) == (CheckOutcome.REFUTED, "optimality")
            assert found.better.objective == best(problem.instance)[0]


def test_a_certificate_with_a_plan_refutes_that_there_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(inquiry, "solve", lambda *_, **__: pytest.fail("nothing is to be searched"))
    problem = loose(0)
    claim = replace(plan_of(problem), status=Status.INFEASIBLE, strategies=None, objective=None, bound=None, costs={})
    found = verify(problem, claim, certificate=certificate_of(problem, tmp_path))
    assert (found.outcome, found.reason) == (CheckOutcome.REFUTED, "infeasibility")
    assert found.better.objective == best(problem.instance)[0]


def test_a_certificate_that_is_too_large_for_the_checker_is_no_evidence(monkeypatch):
    monkeypatch.setattr("hypar_opt.verification.certificate.check.MOST_IN_ALL", 0)
    monkeypatch.setattr(asking, "vouchers", lambda _: ["milp-highs"])
    found = verify(loose(0), plan_of(loose(0)))
    assert found.outcome is CheckOutcome.UNDECIDED
    assert "cannot be checked: expected at most 0 bytes" in found.checks[-1].text


def test_a_certificate_of_another_graph(tmp_path):
    problem, other = tight(0), tight(200)
    path = certificate_of(other, tmp_path)
    with pytest.raises(InputError, match=r"problem\.instance: is a certificate of another problem"):
        verify(problem, plan_of(problem), certificate=path)
    changed = GraphProblem(replace(other.instance, costs=other.instance.costs - 1))
    with pytest.raises(InputError, match=r"problem\.arrays_sha256: is a certificate of another problem"):
        verify(changed, plan_of(changed), certificate=path)


def test_a_certificate_of_a_network(tmp_path):
    from helpers import document, linear_chain
    from helpers import problem_of as network_of

    from hypar_opt.verification.certificate.write import write_certificate

    network, proofs = network_of(document(linear_chain(8, 4), [8])), []
    plan = solve(network, "joint-dp", proof=proofs.append)
    with (tmp_path / "plan.cert").open("wb") as stream:
        write_certificate(stream, network, proofs[0], plan)
    problem = tight(0)
    with pytest.raises(InputError, match="is a certificate of a network, this is a strategy graph"):
        verify(problem, plan_of(problem), certificate=tmp_path / "plan.cert")
    with pytest.raises(InputError, match="is a certificate of another problem"):
        verify(network, plan, certificate=certificate_of(problem, tmp_path))


# --- evidence


@each("seed", SEEDS[:8])
def test_that_there_is_no_plan_is_confirmed(seed):
    problem = without_plan(seed * 50)
    claim = Plan(problem.instance.name, problem.instance.sha256, "portfolio", Status.INFEASIBLE, "", None, None, None,
                 None, 0.0, 0)  # fmt: skip
    found = verify(problem, claim)
    assert (found.outcome, found.reason) == (CheckOutcome.CONFIRMED, "")
    assert "there is no plan: " in found.checks[-1].text


def test_that_there_is_no_plan_is_refuted_by_one():
    problem = problem_of(1)
    claim = Plan(problem.instance.name, problem.instance.sha256, "portfolio", Status.INFEASIBLE, "", None, None, None,
                 None, 0.0, 0)  # fmt: skip
    found = verify(problem, claim)
    assert found.outcome is CheckOutcome.REFUTED
    assert found.better is not None


def test_a_claim_beyond_what_can_be_searched_is_undecided(monkeypatch):
    problem = loose(1)
    found = verify(problem, plan_of(problem), limits=Limits(deadline=0.0))
    assert (found.outcome, found.reason) == (CheckOutcome.UNDECIDED, "optimality")
    monkeypatch.setattr(asking, "vouchers", lambda _: ["nobody"])
    found = verify(problem, plan_of(problem))
    assert found.outcome is CheckOutcome.UNDECIDED
    assert "no formulation that could decide it" in found.checks[-1].text


@pytest.mark.parametrize("name", ["brute-force", "milp-highs", "cp-sat"])
def test_one_that_is_asked_is_named(name, monkeypatch):
    monkeypatch.setattr(asking, "vouchers", lambda _: [name])
    problem = loose(2)
    found = verify(problem, replace(plan_of(problem), formulation="somebody"))
    assert found.outcome is CheckOutcome.CONFIRMED
    assert name in found.checks[-1].text


def test_nobody_vouches_for_its_own_claim(monkeypatch):
    monkeypatch.setattr(asking, "vouchers", lambda _: ["cp-sat"])
    problem = loose(2)
    found = verify(problem, replace(plan_of(problem), formulation="cp-sat"))
    assert found.outcome is CheckOutcome.UNDECIDED


def test_a_word_that_does_not_count_is_said_to_be_one(monkeypatch):
    monkeypatch.setattr(asking, "vouchers", lambda _: ["milp-highs"])
    monkeypatch.setattr(graph_claim, "shortage", lambda _: None)
    problem = replace(without_plan(0), presolved=False)
    claim = Plan(problem.instance.name, problem.instance.sha256, "milp-highs", Status.INFEASIBLE, "", None, None, None,
                 None, 0.0, 0)  # fmt: skip
    found = verify(problem, claim)
    assert found.outcome is CheckOutcome.UNDECIDED
    text = "is there no plan? INFEASIBLE by milp-highs, whose word on a claim of milp-highs does not count"
    assert found.checks[-1].text == text


def test_no_member_of_a_portfolio_vouches_for_it_nor_it_for_them(monkeypatch):
    apart = asking.apart
    assert not any(
        apart("portfolio", one) or apart(one, "portfolio") for one in ("milp-highs", "lagrangian", "portfolio")
    )
    assert all(apart("cp-sat", one) and apart(one, "cp-sat") for one in ("milp-highs", "portfolio", "somebody"))
    assert apart("lagrangian", "milp-highs")
    assert asking.in_order("portfolio", bounding=False)[:2] == ["brute-force", "cp-sat"]
    monkeypatch.setattr(asking, "vouchers", lambda _: ["milp-highs"])
    problem = loose(2)
    assert verify(problem, replace(plan_of(problem), formulation="portfolio")).outcome is CheckOutcome.UNDECIDED


def test_a_bound_that_is_claimed_is_judged_as_optimality_is():
    problem = loose(3)
    low, high = (plan_of(problem, status=Status.FEASIBLE, bound=plan_of(problem).objective - by) for by in (3, -1))
    found = verify(problem, low)
    assert (found.outcome, found.checks[-1].name) == (CheckOutcome.CONFIRMED, "lower bound")
    assert found.checks[-1].text.startswith(f"no plan is below the claimed bound {low.bound}: ")
    assert verify(problem, high).reason == "bound"
    assert verify(problem, low, as_optimal=True).bound == plan_of(problem).objective


def test_negative_costs_are_no_reason_to_believe():
    for seed in SEEDS:
        problem = problem_of(seed)
        worse = [one for one in worse_than_best(problem) if cost_of(problem.instance, one) < 0]
        if worse:
            assert verify(problem, plan_of(problem, worse[0])).outcome is CheckOutcome.REFUTED
            return
    pytest.fail("no such graph")


def test_a_search_ends_when_it_knows_enough():
    told, outer = [], Event()

    def enough(kind, value, limit):
        one = asking.Enough(EvidenceSearch(Limits(stop=outer), None, told.append), limit)
        one.hear(Told(kind, 0.0, "x", Fraction(value)))
        return one.limits.stop.is_set()

    assert [enough("bound", one, Fraction(5)) for one in (4, 5, 6)] == [False, True, True]
    assert [enough("incumbent", one, Fraction(5)) for one in (4, 5, 6)] == [True, False, False]
    assert enough("incumbent", 9, None)
    assert not enough("bound", 9, None)
    assert len(told) == 8
    assert not outer.is_set()
    outer.set()
    assert enough("bound", 0, Fraction(5))


def test_without_a_deadline_there_is_one():
    assert EvidenceSearch(Limits(deadline=5.0)).limited.limits.deadline == 5.0
    assert 0 < EvidenceSearch().limited.limits.remaining_s() <= SEARCH_S


def test_how_long_is_searched_is_what_is_said():
    said = f"ends after {SEARCH_S:.0f} s"
    assert said in " ".join(command.help.split())
    assert said in (Path(__file__).parents[2] / "docs" / "certificates.md").read_text(encoding="utf-8")


def test_exact_ones_of_another_encoding_are_asked_first_and_leave_time_to_others():
    order = asking.in_order("milp-cbc", bounding=True)  # whose encoding is cp-sat's
    assert order.index("brute-force") < order.index("cp-sat")
    assert order[-1] == "lagrangian"
    assert 400 < asking.half(Limits(deadline=time.monotonic() + 1000)).remaining_s() <= 500
    assert asking.half(Limits()).deadline is None


def test_a_better_bound_keeps_the_better_plan():
    first, second = Evidence("a", Fraction(3)), Evidence("b", Fraction(4), None)
    assert inquiry.better_of(first, second).text == "b"
    assert inquiry.better_of(second, first).text == "b"
    assert judged(Verdict(()), first, Question("optimality", Fraction(4), "plan", "")).outcome is CheckOutcome.UNDECIDED


def test_for_machines(tmp_path):
    problem = problem_of(0)
    claim = plan_of(problem)
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan_document(claim)), encoding="utf-8")
    document = verdict_document(read_claim(path), verify(problem, claim))
    assert document["verdict"] == "confirmed"
    assert document["total"] == claim.objective
    assert document["peak_memory"]["limit"] == problem.instance.usage_limit
    assert json.loads(json.dumps(document)) == document


def test_65000_strategies_are_read_quickly(tmp_path):
    document = document_of(problem_of(0)) | {"plan": {str(node): node % 7 for node in range(65_000)}}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert len(read_claim(path).strategies) == 65_000
