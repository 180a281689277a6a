"""Each kind of claim: confirmed, refuted when tampered with, and undecided where nothing is proven."""

from __future__ import annotations

from fractions import Fraction
from threading import Event as Flag

import pytest

from hypar_opt.audit import Verdict, audit, evidence, read_claims
from hypar_opt.formulation import Capabilities
from hypar_opt.instance import load
from hypar_opt.plan import Solution, Status
from hypar_opt.run import Limits
from hypar_opt.solving import solve

SMALL = "small.json"
SFC = {"instance": "sfc", "overrides": {"accounting": "as-evaluated"}}
FIG5 = {"formulation": "hypar-dp", "strategies": {"fc1": "mmdm"}, "others": "mmmm"}
RECEIVER = {"instance": "sfc", "overrides": {"accounting": "receiver"}}


@pytest.mark.parametrize(
    ("printed", "verdict"), [("0.681", "confirmed"), ("0.682", "refuted"), (1, "confirmed"), (2, "refuted")]
)
def test_total(judge, printed, verdict):
    row = judge({**SFC, "total": {"formulation": "hypar-dp", "communication_GB": printed}})
    assert row.verdict == verdict
    assert row.judgement.recomputed.startswith("0.68")
    assert row.command == "hypar-opt solve sfc -f hypar-dp --accounting as-evaluated"


@pytest.mark.parametrize(("off", "verdict"), [(0, "confirmed"), (1, "refuted"), (-1, "refuted")])
def test_total_in_bytes_is_exact(judge, off, verdict):
    row = judge({**RECEIVER, "total": {"formulation": "hypar-dp", "communication_bytes": 1_003_794_432 + off}})
    assert row.verdict == verdict
    assert row.judgement.recomputed == "1003794432 B"


def test_total_of_a_plan_that_the_claim_spells(judge):
    plan = {"strategies": {"fc1": "dmmm"}, "others": "mmmm"}
    assert judge({**RECEIVER, "total": {**plan, "communication_bytes": 991_211_520}}).verdict == "confirmed"
    row = judge({**RECEIVER, "total": {**plan, "others": "mmmd", "communication_bytes": 991_211_520}})
    assert row.verdict == "refuted"
    assert row.command == row.claim.command


def test_total_under_any_accounting(judge):
    def claim(*names):
        total = {"formulation": "hypar-dp", "communication_GB": "0.681", "any_accounting": names}
        return judge({"instance": "sfc", "total": total})

    row = claim("published", "as-evaluated")
    assert row.verdict == "confirmed"
    assert row.judgement.recomputed == "0.77311 GB (published), 0.68083 GB (as-evaluated)"
    assert [one["communication_bytes"] for one in row.judgement.details["totals"]] == [773_107_712, 680_833_024]
    assert claim("published", "receiver").verdict == "refuted"


@pytest.mark.parametrize(("printed", "verdict"), [("0.105", "confirmed"), ("0.104", "refuted"), ("0.106", "refuted")])
def test_gmean(judge, printed, verdict):
    totals = [
        solve(load(name, accounting="as-evaluated"), "hypar-dp").communication_bytes for name in ("sfc", "lenet-c")
    ]
    low, high = Fraction("0.1045") * 10**9, Fraction("0.1055") * 10**9
    assert low**2 <= totals[0] * totals[1] <= high**2
    gmean = {"formulation": "hypar-dp", "communication_GB": printed}
    row = judge({"instances": ["sfc", "lenet-c"], "overrides": SFC["overrides"], "gmean": gmean})
    assert row.verdict == verdict
    assert row.judgement.recomputed == "0.10459 GB"


def test_plan(judge):
    row = judge({**SFC, "plan": FIG5})
    assert (row.verdict, row.judgement.recomputed) == ("confirmed", "the same")


def test_plan_tampered_with(judge):
    row = judge({**SFC, "plan": {**FIG5, "strategies": {"fc1": "mmmm", "fc2": "mmdm"}}})
    found = row.judgement
    assert (row.verdict, found.recomputed, found.why) == ("refuted", "fc1 mmdm, fc2 mmmm", "2 layers differ")
    assert found.details["differs"] == {"fc1": ("mmmm", "mmdm"), "fc2": ("mmdm", "mmmm")}
    assert found.evidence.startswith("hypar-dp's plan exchanges 680,833,024 bytes, the printed one ")


def test_plan_of_which_only_some_words_are_claimed(judge):
    row = judge({**SFC, "plan": {"formulation": "hypar-dp", "strategies": {"fc1": "mmdm"}}})
    assert row.verdict == "confirmed"
    row = judge({**SFC, "plan": {"formulation": "hypar-dp", "strategies": {"fc1": "mmmm"}}})
    assert (row.verdict, row.judgement.why) == ("refuted", "one layer differs")


def test_plan_that_ties(judge):
    plan = {"formulation": "hypar-dp", "strategies": {"fc1": "mmdm", "fc2": "mddm"}, "others": "dddd"}
    row = judge({"instance": "lenet-c", "plan": plan})
    assert row.judgement.why == "2 layers differ; the printed plan exchanges as many bytes"


def test_optimal(judge):
    better = {"strategies": {"fc1": "dmmm"}, "others": "mmmm"}
    row = judge({**RECEIVER, "optimal": better})
    assert (row.verdict, row.judgement.recomputed) == ("confirmed", "991,211,520 bytes")
    assert row.judgement.evidence.startswith("a certificate by joint-dp, checked in exact integers")
    assert judge({**RECEIVER, "optimal": {"formulation": "joint-dp"}}).verdict == "confirmed"


@pytest.mark.parametrize("plan", [{"formulation": "hypar-dp"}, {"strategies": {"fc1": "mmdm"}, "others": "mmmm"}])
def test_optimal_refuted_side_by_side(judge, plan):
    row = judge({**RECEIVER, "optimal": plan})
    assert (row.verdict, row.judgement.recomputed) == ("refuted", "better: 991,211,520 bytes")
    assert row.judgement.evidence == (
        "sfc, receiver, batch 256, H = 4: 1,003,794,432 bytes, better 991,211,520 bytes (fc1 mmdm, better dmmm)"
    )


def test_a_plan_that_is_not_allowed_is_no_optimum(judge):
    row = judge({"instance": "odd.json", "optimal": {"others": "d"}})
    assert (row.verdict, row.judgement.recomputed) == ("refuted", "no optimum")
    assert row.judgement.why.startswith("the instance does not allow the plan")


def test_exact(judge):
    claim = {"instances": ["sfc", SMALL], "overrides": {"levels": 1}}
    row = judge({**claim, "exact": {"formulation": "hypar-dp", "every_accounting": ["published", "receiver"]}})
    assert (row.verdict, row.judgement.recomputed) == ("confirmed", "optimal in 4 of 4")


def test_exact_refuted_by_a_counterexample(judge):
    row = judge(
        {"instances": ["lenet-c", "sfc"], "exact": {"formulation": "hypar-dp", "every_accounting": ["receiver"]}}
    )
    assert (row.verdict, row.judgement.recomputed) == ("refuted", "not optimal in 1 of 2")
    assert row.judgement.details["trials"][1] == {
        "instance": "sfc", "accounting": "receiver", "batch": 256, "levels": 4,
        "communication_bytes": 1_003_794_432, "best_bytes": 991_211_520,
        "verdict": "refuted", "why": "a better plan exists", "differs": {"fc1": ["mmdm", "dmmm"]},
    }  # fmt: skip


def test_also_optimal(judge):
    def claim(under):
        published = {"instance": "sfc", "overrides": {"accounting": "published"}}
        return judge({**published, "also_optimal": {"formulation": "hypar-dp", "under": under}})

    assert claim("leaf-exact").verdict == "confirmed"
    row = claim("receiver")
    assert row.verdict == "refuted"
    assert "sfc, receiver, batch 256, H = 4: 1,003,794,432 bytes, better 991,211,520 bytes" in row.judgement.evidence


@pytest.mark.parametrize(("kind", "model"), [("performance_gain", "time"), ("energy_gain", "energy")])
def test_gains_wait_for_their_models(judge, kind, model):
    row = judge({"instances": [SMALL, "sfc"], kind: {"formulation": "hypar-dp", "over": "data-parallel", "value": 2}})
    assert (row.verdict, row.judgement.recomputed) == ("not reproducible", "-")
    assert row.judgement.why == f"needs the {model} model, which does not exist yet"


AMOUNT = {"communication_GB": "1"}


@pytest.mark.parametrize(
    "statement",
    [{"total": {"formulation": "hypar-dp", **AMOUNT}}, {"plan": {"formulation": "hypar-dp", "others": "d"}},
     {"optimal": {"formulation": "hypar-dp"}}, {"exact": {"formulation": "hypar-dp"}},
     {"gmean": {"formulation": "hypar-dp", **AMOUNT}}],
)  # fmt: skip
def test_a_formulation_that_declines_leaves_it_undecided(judge, statement):
    row = judge({"instance": "graph.json", **statement})
    assert row.verdict == "undecided"
    assert row.judgement.why == "hypar-dp is for chains and this network has joins or branches; try joint-dp or cp-sat"


def test_without_any_plan_a_total_is_refuted(judge):
    row = judge({"instance": "odd.json", "total": {"formulation": "joint-dp", **AMOUNT}})
    assert (row.verdict, row.judgement.recomputed) == ("refuted", "no plan")
    assert row.judgement.why == "joint-dp proves that there is no plan"


class Says:
    """A formulation that answers dp everywhere, with a status."""

    summary = "for a test"

    def __init__(self, name, status, *, exact, bound=None, wait=False):
        self.name, self.status, self.bound, self.wait = name, status, bound, wait
        self.capabilities = Capabilities(exact=exact)

    def accepts(self, graph, run):
        return None

    def solve(self, graph, run):
        if self.wait:
            run.phase("waiting")
            run.limits.stop.wait(run.limits.remaining_s())
        choices = (0,) * len(graph.variables) if self.status in (Status.OPTIMAL, Status.FEASIBLE) else None
        return Solution(self.status, choices, self.bound, "as it says")


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (Says("half", Status.FEASIBLE, exact=True), "half did not come to its end: FEASIBLE, as it says"),
        (Says("none", Status.NO_SOLUTION, exact=False), "none did not come to its end: NO_SOLUTION, as it says"),
        (
            Says("liar", Status.OPTIMAL, exact=True, bound=1),
            "liar did not come to its end: ERROR, claims OPTIMAL with ",
        ),
    ],
)
def test_a_formulation_without_a_last_word_leaves_it_undecided(judge, plug_in, one, why):
    name = plug_in(one)
    row = judge({"instance": SMALL, "total": {"formulation": name, **AMOUNT}})
    assert row.verdict == "undecided"
    assert row.judgement.why.startswith(why)


def test_a_heuristic_that_a_limit_stopped_has_no_last_word(judge, plug_in):
    name = plug_in(Says("slow", Status.FEASIBLE, exact=False, wait=True))
    row = judge({"instance": SMALL, "total": {"formulation": name, **AMOUNT}}, time_limit_s=0.05)
    assert (row.verdict, row.judgement.why) == ("undecided", "slow was stopped before its end")


def test_without_a_proof_optimality_is_undecided(judge, monkeypatch):
    monkeypatch.setattr("hypar_opt.audit.plans.optimum", lambda *_, **__: evidence.Optimum(None, None, "nobody knows"))
    row = judge({"instance": SMALL, "optimal": {"others": "dd"}})
    assert (row.verdict, row.judgement.why) == ("undecided", "no better plan is known, and no proof: nobody knows")


def test_a_stop_leaves_the_rows_so_far(write, plug_in):
    name, stop = plug_in(Says("slow", Status.FEASIBLE, exact=False, wait=True)), Flag()
    quick = {"instance": SMALL, "total": {"formulation": "hypar-dp", **AMOUNT}}
    claims = read_claims(write(quick, {**quick, "total": {"formulation": name, **AMOUNT}}, quick)).claims
    rows = audit(claims, limits=Limits(stop=stop), on_row=lambda _: stop.set())
    assert [row.claim.id for row in rows] == ["c0"]
    stop.clear()
    rows = audit(claims, limits=Limits(stop=stop), listener=lambda event: event.source == name and stop.set())
    assert [row.verdict for row in rows] == [Verdict.REFUTED]


def test_plans_are_found_once(write, monkeypatch):
    calls = []

    def counted(*arguments, **options):
        calls.append(arguments[1])
        return solve(*arguments, **options)

    monkeypatch.setattr("hypar_opt.audit.plans.solve", counted)
    total = {"instance": SMALL, "total": {"formulation": "hypar-dp", **AMOUNT}}
    plan = {"instance": SMALL, "plan": {"formulation": "hypar-dp", "others": "dd"}}
    assert len(audit(read_claims(write(total, plan, total)).claims)) == 3
    assert calls == ["hypar-dp"]
