"""A formulation from outside is default, evidence and a row of every table by what it says of itself."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from hypar_opt import load, solve, verify
from hypar_opt.formulation import Capabilities, load_formulation, registry
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.evidence import lower_bound

NO_TABLES = Limits(memory_bytes=1)
"""Within which joint-dp declines."""
USES = ("network", "strategy-graph", "joint", "placement", "front")


@dataclass(frozen=True)
class Further:
    """Brute force under another name."""

    capabilities: Capabilities
    name: str = "further"
    summary: str = "of a third party"

    def accepts(self, graph, run):
        return load_formulation("brute-force").accepts(graph, run)

    def solve(self, graph, run):
        return load_formulation("brute-force").solve(graph, run)


@pytest.fixture
def small():
    return load("lenet-c", levels=2)


def test_it_is_default_where_its_place_is_first(plug_in, small):
    plug_in(Further(Capabilities(exact=True, capacities=True, default_for={"network": 0})))
    assert solve(small).formulation == "further"
    assert registry.defaults("network") == ["further", "joint-dp", "cp-sat"]


def test_it_is_no_default_unless_it_says_so(plug_in, small):
    plug_in(Further(Capabilities(exact=True, capacities=True)))
    assert solve(small).formulation == "joint-dp"


def test_what_is_exact_is_asked_after_all_that_say_their_place(plug_in):
    plug_in(Further(Capabilities(exact=True)))
    assert registry.vouchers("network") == ["brute-force", "cp-sat", "milp-highs", "milp-cbc", "further"]


def test_its_word_is_evidence(plug_in, small):
    plug_in(Further(Capabilities(exact=True, encoding="its own", vouches_for={"network": 0})))
    found = lower_bound(NetworkProblem(small), besides="joint-dp", limits=NO_TABLES)
    assert found.text.startswith("a proof by further, another encoding than joint-dp's")
    assert found.bound == solve(small, "further").objective


def test_a_claim_of_its_own_is_judged_by_others(plug_in, small):
    plug_in(Further(Capabilities(exact=True, encoding="its own", vouches_for={"network": 0})))
    verdict = verify(small, solve(small, "further"), limits=NO_TABLES)
    assert verdict.outcome == "confirmed"
    assert "by brute-force" in str(verdict.checks)


@pytest.mark.parametrize("able", [Capabilities(exact=False), Capabilities(exact=True, vouches_for={})])
def test_who_proves_nothing_or_says_no_is_not_asked(plug_in, able):
    plug_in(Further(able))
    assert all("further" not in registry.vouchers(use) for use in USES)


@pytest.mark.parametrize(
    ("decides", "uses"),
    [("strategies", {"network", "strategy-graph"}), ("placement", {"placement"}), ("both", {"joint"})],
)
def test_it_vouches_for_what_it_decides(plug_in, decides, uses):
    plug_in(Further(Capabilities(exact=True, decides=decides)))
    assert {use for use in USES if "further" in registry.vouchers(use)} == uses


def test_its_rank_is_its_place_in_tables(plug_in):
    plug_in(Further(Capabilities(exact=False, rank=11)))
    assert list(registry.formulations())[:3] == ["hypar-dp", "further", "accpar-dp"]
    assert registry.rank_of("nobody") > registry.rank_of("identity")


def test_where_no_default_accepts_the_refusal_has_everyones_reason(plug_in, small, monkeypatch):
    monkeypatch.setattr(registry, "refusal", lambda formulation, *_: f"of {formulation.name}; try nobody")
    with pytest.raises(
        Refusal, match=r"decline\. joint-dp: of joint-dp; cp-sat: of cp-sat\. Try fewer levels, or pray$"
    ):
        registry.choose("network", NetworkProblem(small).graph, Limits(), "pray")


def test_no_two_of_ours_share_a_rank():
    ranks = [able.rank for able in registry.formulations().values()]
    assert len(set(ranks)) == len(ranks)


def test_whoever_hears_of_a_plan_may_offer_another():
    run = Run("test", Limits(), listener=lambda event: best.offer((1,)) if event.value == 5 else None)
    best = Incumbent(Wall(), run)
    assert best.offer((0,)) == 5
    assert (best.value, best.choices) == (3, (1,))


class Wall:
    """Two colours."""

    def feasible(self, choices):
        return True

    def value(self, choices):
        return (5, 3)[choices[0]]
