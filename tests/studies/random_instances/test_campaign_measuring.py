"""Rows and their sums."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt.formulation.solution import Status
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.random_instances import draw, family, instance_of, measure, run
from hypar_opt.studies.random_instances import measurement as module
from hypar_opt.studies.random_instances.row import COLUMNS, CampaignRow
from hypar_opt.studies.random_instances.tally import interval, largest_of, tally

CHAINS = family("chains")


def test_a_row_is_what_both_formulations_say():
    for row in measure(CHAINS, 0, 7, ["published", "receiver"]):
        problem = NetworkProblem(instance_of(draw(CHAINS, 0, 7).document(row.accounting)))
        greedy, best = solve(problem, "hypar-dp"), solve(problem, "joint-dp")
        assert (Fraction(row.greedy), Fraction(row.optimum)) == (greedy.objective, best.objective)
        assert row.exact_gap == (greedy.objective - best.objective) / best.objective
        assert row.gap_float == float(row.exact_gap)
        assert (row.sha256, row.layers) == (problem.instance.sha256, len(problem.work.layers))
        assert (row.family, row.seed, row.chain) == ("chains", 0, 7)


def test_what_the_published_optimum_really_costs():
    (row,) = measure(CHAINS, 0, 3, ["leaf-exact"])
    chain = draw(CHAINS, 0, 3)
    plan = solve(instance_of(chain.document("published")), "joint-dp")
    problem = NetworkProblem(instance_of(chain.document("leaf-exact")))
    assert Fraction(row.published_plan) == problem.graph.value(problem.choices(plan.strategies)) / Fraction(
        problem.graph.objective.denominator
    )
    assert row.published_gap >= 0


def test_only_leaf_exact_measures_the_published_plan():
    rows = measure(CHAINS, 0, 3, ["published", "leaf-exact"])
    assert [row.published_plan is not None for row in rows] == [False, True]


@pytest.mark.parametrize("status", [Status.FEASIBLE, Status.ERROR])
def test_what_is_not_proven_is_undecided(monkeypatch, status):
    def unproven(problem, formulation, **options):
        plan = solve(problem, formulation, **options)
        return replace(plan, status=status) if formulation == "joint-dp" else plan

    monkeypatch.setattr(module, "solve", unproven)
    rows = [row for index in range(5) for row in measure(CHAINS, 0, index, ["receiver"])]
    assert {(row.gap, row.decided, row.optimum_status) for row in rows} == {(None, False, status.value)}
    assert {row.faulty for row in rows} == {status is Status.ERROR}
    outcome = run(CHAINS, 5, accountings=["receiver"], workers=1)
    (found,) = outcome.tallies
    assert (found.decided, found.undecided, found.missed, found.fraction, found.low) == (0, 5, 0, None, None)
    assert outcome.faulty == (tuple(("receiver", i) for i in range(5)) if status is Status.ERROR else ())


def test_a_greedy_plan_below_the_optimum_is_a_fault(monkeypatch):
    def exchanged(problem, formulation, **options):
        plan = solve(problem, formulation, **options)
        return replace(plan, objective=plan.objective + 10**9) if formulation == "joint-dp" else plan

    monkeypatch.setattr(module, "solve", exchanged)
    assert run(CHAINS, 5, accountings=["receiver"], workers=1).faulty == tuple(("receiver", i) for i in range(5))


def test_a_row_has_no_time_and_no_worker():
    assert COLUMNS == (
        "family", "seed", "chain", "accounting", "layers", "levels", "batch", "choices", "sha256", "greedy_status",
        "optimum_status", "greedy", "optimum", "gap", "gap_float", "published_plan",
    )  # fmt: skip
    (row,) = measure(CHAINS, 0, 0, ["published"])
    assert CampaignRow(*row.values()) == row


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    # Clopper and Pearson's by hand: 1 - 0.025^(1/10), and its mirror; 5 of 10 and 1 of 100 from published tables
    [(0, 10, 0.0, 0.30850), (10, 10, 0.69150, 1.0), (5, 10, 0.18709, 0.81291), (1, 100, 0.00025, 0.05446)],
)
def test_intervals_are_clopper_and_pearsons(hits, trials, low, high):
    assert interval(hits, trials) == pytest.approx((low, high), abs=5e-6)


def test_of_nothing_there_is_no_interval():
    assert interval(0, 0) == (None, None)


def test_quantiles_are_values_that_were_seen():
    found = tally("receiver", "hypar-dp", {n: Fraction(n) for n in range(1, 11)})
    assert (found.median, found.ninetieth, found.ninety_ninth, found.largest) == (5, 9, 10, 10)
    assert found.percentiles == tuple(float(-(-percent // 10)) for percent in range(1, 101))
    assert tally("receiver", "hypar-dp", {0: Fraction(3)}).median == 3
    nothing = tally("receiver", "hypar-dp", {0: Fraction(0), 1: None})
    assert (nothing.median, nothing.largest, nothing.percentiles) == (None, None, ())


def test_a_tally_counts_what_is_decided_and_names_the_worst():
    gaps = {0: Fraction(0), 1: Fraction(1, 2), 2: None, 3: Fraction(1, 4), 4: Fraction(1, 2)}
    found = tally("receiver", "hypar-dp", gaps)
    assert (found.decided, found.undecided, found.missed, found.fraction) == (4, 1, 3, 0.75)
    assert (found.median, found.largest, found.worst) == (Fraction(1, 2), Fraction(1, 2), (1, 4, 3))


def test_together_a_chain_counts_once():
    outcome = run(CHAINS, 60, accountings=["published", "receiver"], workers=1)
    published, receiver, together = outcome.tallies
    assert max(published.missed, receiver.missed) <= together.missed <= published.missed + receiver.missed
    assert together.missed == len({*published.worst, *receiver.worst})
    assert together.largest == max(published.largest, receiver.largest)


def test_together_a_chain_counts_only_if_it_is_decided_under_all():
    """Else one that is missed under one accounting would count, and one that is not would not."""
    half, quarter, none = Fraction(1, 2), Fraction(1, 4), Fraction(0)
    one = {0: none, 1: none, 2: half, 3: quarter, 4: None, 5: None, 6: none}
    other = {0: none, 1: half, 2: quarter, 3: None, 4: none, 5: None, 7: half}
    both = {0: none, 1: half, 2: half, 3: None, 4: None, 5: None}
    for pair in ((one, other), (other, one)):
        assert dict(largest_of([iter(gaps.items()) for gaps in pair])) == both
    assert list(largest_of([])) == list(largest_of([iter(one.items()), iter(())])) == []
    found = tally("any", "hypar-dp", both)
    assert (found.decided, found.undecided, found.missed) == (3, 3, 2)


def test_an_undecided_row_leaves_the_chain_undecided_together(monkeypatch):
    def unproven(problem, formulation, **options):
        plan = solve(problem, formulation, **options)
        lost = formulation == "joint-dp" and problem.instance.accounting == "receiver"
        return replace(plan, status=Status.FEASIBLE) if lost else plan

    monkeypatch.setattr(module, "solve", unproven)
    outcome = run(CHAINS, 60, accountings=["published", "receiver", "as-evaluated"], workers=1)
    together = outcome.tallies[-1]
    assert outcome.tallies[0].missed > 0
    assert (together.decided, together.undecided, together.missed) == (0, 60, 0)


def test_the_published_optimum_has_a_tally_of_its_own():
    outcome = run(CHAINS, 60, accountings=["leaf-exact"], workers=1)
    rows = [row for index in range(60) for row in measure(CHAINS, 0, index, ["leaf-exact"])]
    assert [(tally.accounting, tally.plan) for tally in outcome.tallies] == [
        ("leaf-exact", "hypar-dp"), ("leaf-exact", "optimum of published"),
    ]  # fmt: skip
    for found, gaps in zip(
        outcome.tallies, zip(*((x.exact_gap, x.published_gap) for x in rows), strict=True), strict=True
    ):
        assert found.missed == sum(gap > 0 for gap in gaps) > 0
        assert found.largest == max(gaps)
        assert found.worst[0] == gaps.index(max(gaps))
