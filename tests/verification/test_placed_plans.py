"""Plans that stand somewhere: every leaf on an accelerator of its own, costs walked anew, optima of both."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from helpers import document, linear_chain, problem_of

from hypar_opt import solve, verify
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.claim import claim_of

LINK = {"bandwidth": 8, "energy": 2}


def of(array, objective, **changes):
    """Return a problem of a chain of two layers."""
    whole = document(linear_chain(6, 4), [5], batch=4, objective=objective, **changes)
    return problem_of(whole | {"array": {"link": LINK} | array})


@pytest.fixture(scope="module")
def free():
    return of({"topology": "ring", "levels": 2}, {"hop-bytes": 1})


@pytest.fixture(scope="module")
def best(free):
    plan = solve(free, "joint-enumeration")
    assert plan.status is Status.OPTIMAL
    return plan


def checks(verdict):
    """Return every check's outcome by name, and the text of the last."""
    return {one.name: one.outcome.value for one in verdict.checks}, verdict.checks[-1].text


def test_an_optimum_of_both_is_confirmed_by_the_other_formulation(free, best):
    verdict = verify(free, best)
    outcomes, text = checks(verdict)
    assert set(outcomes.values()) == {"confirmed"}
    assert {"placement", "hop-bytes", "comm-time", "comm-energy", "objective", "optimality"} <= set(outcomes)
    assert "no plan is below" in text
    assert "by joint-cp-sat, another encoding than joint-enumeration's" in text


@pytest.mark.parametrize("name", ["placement-cp-sat", "placement-milp"])
def test_the_optimum_of_a_placement_is_confirmed(free, name):
    plan = solve(free, name, start={"fc1": "dm", "fc2": "md"})
    verdict = verify(free, plan)
    other = {"placement-cp-sat": "placement-milp", "placement-milp": "placement-cp-sat"}[name]
    assert verdict.outcome == "confirmed"
    assert verdict.checks[-1].text.startswith("no placement of these strategies is below")
    assert f"by {other}, another solver than {name}, but over the same encoding" in verdict.checks[-1].text


def priced(problem, plan, **changes):
    """Return a plan with its true costs."""
    plan = replace(plan, **changes)
    breakdown = problem.bytes_of(plan.strategies)
    position = {name: site for site, name in enumerate(problem.instance.machine.accelerators)}
    placed = [position[name] for name in plan.placement]
    measured = problem.measured(breakdown, placed)
    costs = {
        "communication": measured.communication, "hop-bytes": measured.hop_bytes,
        "comm-time": measured.comm_time, "comm-energy": measured.comm_energy,
    }  # fmt: skip
    objective = problem.objective_of(breakdown, placed)
    return replace(plan, objective=objective, bound=objective, communication_bytes=breakdown.total, costs=costs)


def test_a_worse_placement_is_refuted_with_the_better_one_beside_it(free, best):
    words = best.strategies
    others = [("a0", "a1", "a2", "a3"), ("a0", "a2", "a1", "a3"), ("a0", "a1", "a3", "a2")]
    worse = max((priced(free, best, placement=one) for one in others), key=lambda plan: plan.objective)
    assert worse.objective > best.objective
    verdict = verify(free, worse)
    assert (verdict.outcome, verdict.reason) == ("refuted", "optimality")
    assert verdict.better.objective == best.objective
    assert verdict.better.placement is not None
    as_placed = replace(worse, decided="placement", formulation="placement-milp")
    assert verify(free, as_placed).outcome == "refuted"
    assert verify(free, as_placed).better.strategies == words


@pytest.mark.parametrize(
    ("changes", "check", "text"),
    [
        ({"placement": None}, "placement", "the objective depends on the placement, and the plan has none"),
        ({"placement": ("a0", "a1", "a2")}, "placement", "expected 4 accelerators, one for every leaf, got 3"),
        ({"placement": ("a0", "a1", "a2", "a4")}, "placement", "the array has no accelerator 'a4'"),
        ({"placement": ("a0", "a1", "a2", "a0")}, "placement", "leaves 0 and 3 both stand on 'a0'"),
        (
            {"decided": "strategies"},
            "placement",
            "the placement is to be decided, and the plan says that 'strategies' was decided",
        ),
    ],
)
def test_a_placement_that_is_none(free, best, changes, check, text):
    verdict = verify(free, replace(best, **changes))
    assert (verdict.outcome, verdict.reason, verdict.checks[-1].text) == ("refuted", check, text)


@pytest.mark.parametrize("name", ["hop-bytes", "comm-time", "comm-energy"])
def test_a_cost_that_the_routes_do_not_give(free, best, name):
    wrong = replace(best, costs={**best.costs, name: best.costs[name] + Fraction(1, 7)})
    verdict = verify(free, wrong)
    assert (verdict.outcome, verdict.reason) == ("refuted", name)


def test_an_objective_that_the_routes_do_not_give(free, best):
    verdict = verify(free, replace(best, objective=best.objective - 1, bound=best.bound - 1))
    assert (verdict.outcome, verdict.reason) == ("refuted", "objective")


def test_the_loads_are_walked_and_not_taken_from_the_weights(free, best, monkeypatch):
    """A fault in the weights that formulations read leaves the verifier's numbers as they are."""
    monkeypatch.setattr("hypar_opt.cost.links.routing_of", lambda machine: 1 / 0)
    monkeypatch.setattr("hypar_opt.costgraph.placement.PlacementGraph.weights", lambda *_: 1 / 0)
    breakdown = free.bytes_of(best.strategies)
    names = free.instance.machine.accelerators
    assert free.objective_of(breakdown, [names.index(name) for name in best.placement]) == best.objective


def test_a_plan_that_stands_elsewhere_than_the_instance_says():
    given = of({"topology": "ring", "levels": 2, "placement": "identity"}, {"hop-bytes": 1})
    plan = solve(given)
    assert verify(given, plan).outcome == "confirmed"
    moved = replace(plan, placement=("a1", "a0", "a2", "a3"))
    verdict = verify(given, moved)
    assert (verdict.outcome, verdict.reason) == ("refuted", "placement")
    assert verdict.checks[-1].text == "the plan stands elsewhere than the instance says"
    verdict = verify(given, replace(plan, decided="both"))
    assert verdict.checks[-1].text == "the placement is given, and the plan says that 'both' was decided"


def test_a_placement_where_nothing_depends_on_one():
    plain = of({"topology": "ring", "levels": 2}, {"communication": 1})
    plan = solve(plain)
    assert verify(plain, plan).outcome == "confirmed"
    verdict = verify(plain, replace(plan, placement=("a0", "a1", "a2", "a3")))
    assert verdict.checks[-1].text == "nothing depends on a placement, expected none"
    verdict = verify(plain, replace(plan, decided="both"))
    assert verdict.checks[-1].text == "nothing depends on a placement, and 'both' was decided"


def test_costs_of_routes_where_there_is_no_placement():
    plain = of({"topology": "ring", "levels": 2}, {"communication": 1})
    verdict = verify(plain, replace(solve(plain), costs={"hop-bytes": Fraction(1)}))
    assert (verdict.outcome, verdict.reason) == ("refuted", "hop-bytes")


def test_a_formulation_that_cannot_be_loaded_is_passed_over(free, monkeypatch):
    from hypar_opt.formulation import registry as formulation

    known = formulation.load_formulation

    def load(name):
        if name == "placement-cp-sat":
            raise Refusal(f"{name} cannot be loaded")
        return known(name)

    plan = solve(free, "placement-cp-sat", start={"fc1": "dm", "fc2": "md"})
    monkeypatch.setattr(formulation, "load_formulation", load)
    assert verify(free, plan).outcome == "confirmed"


def test_nothing_is_below_nothing():
    alone = of({"topology": "ring", "levels": 0}, {"hop-bytes": 1})
    assert verify(alone, solve(alone)).outcome == "confirmed"


def test_what_a_plan_claims(best):
    claim = claim_of(best)
    assert (claim.placement, claim.decided) == (best.placement, "both")
    assert set(claim.costs) == {"hop-bytes", "comm-time", "comm-energy"}
