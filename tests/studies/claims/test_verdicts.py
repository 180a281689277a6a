"""Each kind of claim: confirmed, refuted when tampered with, and undecided where nothing is proven."""

from __future__ import annotations

import re
from fractions import Fraction
from threading import Event as Flag

import pytest

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance import load, read_instance
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.claims import ClaimVerdict, audit, read_claims
from hypar_opt.studies.claims import plans as evidence

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


FORBIDDEN = [
    ("fixed.json", {"strategies": {"fc1": "dm"}, "others": "dd"}, "layer 'fc1' has 'dm', the instance gives 'dd'"),
    (
        "even.json",
        {"strategies": {"fc1": "mm"}, "others": "dd"},
        "layer 'fc1' has 'mm', and its input of 6 does not divide by 4",
    ),
]


@pytest.mark.parametrize(("name", "plan", "fault"), FORBIDDEN)
def test_the_very_bytes_of_a_plan_that_is_not_allowed(judge, write, tmp_path, name, plan, fault):
    claim = {"instance": name, "total": {**plan, "communication_bytes": 1}}
    write(claim)
    instance = read_instance(tmp_path / name)
    words = {layer: plan["strategies"].get(layer, plan["others"]) for layer in instance.network.decision_names}
    claim["total"]["communication_bytes"] = NetworkProblem(instance).bytes_of(words).total
    for more in ({}, {"any_accounting": ["receiver", "published"]}):
        row = judge({**claim, "total": {**claim["total"], **more}})
        assert (row.verdict, row.judgement.recomputed) == ("refuted", "not allowed")
        assert row.judgement.why == f"the instance does not allow the plan: {fault}"
        assert row.judgement.evidence.startswith(name.removesuffix(".json"))


@pytest.mark.parametrize(("name", "plan", "fault"), FORBIDDEN)
def test_a_printed_plan_that_is_not_allowed(judge, name, plan, fault):
    for words in (plan, {"strategies": plan["strategies"]}):
        row = judge({"instance": name, "plan": {"formulation": "joint-dp", **words}})
        assert (row.verdict, row.judgement.recomputed) == ("refuted", "not allowed")
        assert row.judgement.why == f"the instance does not allow the plan: {fault}"
    assert (
        "not allow" not in judge({"instance": name, "plan": {"formulation": "joint-dp", "others": "dd"}}).judgement.why
    )


@pytest.mark.parametrize(("name", "plan", "fault"), FORBIDDEN)
def test_a_plan_that_is_not_allowed_is_no_optimum_and_why(judge, name, plan, fault):
    row = judge({"instance": name, "optimal": plan})
    assert (row.verdict, row.judgement.why) == ("refuted", f"the instance does not allow the plan: {fault}")


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
    assert row.judgement.why == NO_PLAN


NO_PLAN = "there is no plan to judge: no strategy is allowed for layer 'fc1', however its letters are mixed"


@pytest.mark.parametrize("formulation", ["joint-dp", "cp-sat", "hypar-dp"])
def test_without_any_plan_there_is_none_to_be_an_optimum(judge, formulation):
    for statement in (
        {"optimal": {"formulation": formulation}},
        {"exact": {"formulation": formulation}},
        {"also_optimal": {"formulation": formulation, "under": "receiver"}},
    ):
        row = judge({"instance": "odd.json", **statement})
        assert (row.verdict, row.judgement.recomputed, row.judgement.why) == ("not reproducible", "-", NO_PLAN)


def test_an_instance_without_a_plan_among_several(judge):
    for formulation, verdict in (("joint-dp", "not reproducible"), ("hypar-dp", "refuted")):
        row = judge(
            {"instances": ["odd.json", "sfc"], "exact": {"formulation": formulation, "every_accounting": ["receiver"]}}
        )
        assert row.verdict == verdict
    row = judge({"instances": ["odd.json", "even.json"], "exact": {"formulation": "joint-dp"}})
    assert (row.judgement.recomputed, row.judgement.evidence) == ("no plan in 1 of 2", "odd, published, batch 3, H = 1")


@pytest.mark.parametrize("kind", ["optimal", "exact", "total"])
def test_that_there_is_no_plan_is_not_taken_on_a_formulations_word(judge, plug_in, kind):
    name = plug_in(Says("denies", Status.INFEASIBLE, exact=True))
    row = judge({"instance": SMALL, kind: {"formulation": name, **(AMOUNT if kind == "total" else {})}})
    said = "denies says INFEASIBLE (as it says), and every layer has a strategy that is allowed"
    expected = f"denies did not come to its end: ERROR, {said}"
    assert (row.verdict, row.judgement.why) == ("undecided", expected)


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
    monkeypatch.setattr(
        "hypar_opt.studies.claims.plans.optimum", lambda *_, **__: evidence.Optimum(None, None, "nobody knows")
    )
    row = judge({"instance": SMALL, "optimal": {"others": "dd"}})
    assert (row.verdict, row.judgement.why) == ("undecided", f"{OPEN}: nobody knows")


DP = 2496
"""Bytes of dp everywhere in small.json."""
OPEN = "no better plan is known, and it is not proven that there is none"
TINY = Limits(memory_bytes=100)
"""Where joint-dp's tables do not fit, so that there is no certificate."""
BEST = {"strategies": {"fc1": "dmmm"}, "others": "mmmm"}


@pytest.fixture
def others(monkeypatch, plug_in):
    """Return a function that says which solvers are asked where there is no certificate."""

    def ask(*solvers):
        names = [one if isinstance(one, str) else plug_in(one) for one in solvers]
        monkeypatch.setattr("hypar_opt.verification.evidence.vouchers", lambda _: names)

    return ask


def provers(row):
    """Return whose proofs the evidence of a row names."""
    return re.findall(r"a proof by ([a-z-]+)", row.judgement.evidence)


def test_without_a_certificate_two_formulations_have_to_prove_an_optimum(judge, others):
    others("cp-sat", "milp-highs", "milp-cbc")
    row = judge({**RECEIVER, "optimal": BEST}, limits=TINY)
    assert (row.verdict, row.judgement.recomputed) == ("confirmed", "991,211,520 bytes")
    assert provers(row) == ["cp-sat", "milp-highs"]


@pytest.mark.parametrize("kind", ["optimal", "exact"])
@pytest.mark.parametrize(("formulation", "by"), [("cp-sat", "milp-highs"), ("milp-highs", "cp-sat")])
def test_a_formulation_that_proved_its_plan_needs_another_one(judge, others, kind, formulation, by):
    others("cp-sat", "milp-highs")
    row = judge({**RECEIVER, kind: {"formulation": formulation}}, limits=TINY)
    assert (row.verdict, provers(row)) == ("confirmed", [by])
    others(formulation)
    assert judge({**RECEIVER, kind: {"formulation": formulation}}, limits=TINY).verdict == "undecided"


@pytest.mark.parametrize(
    "claim",
    [
        {**SFC, "exact": {"formulation": "hypar-dp"}},
        {**RECEIVER, "also_optimal": {"formulation": "cp-sat", "under": "published"}},
    ],
)
def test_a_plan_whose_maker_proves_nothing_of_it_needs_two(judge, others, claim):
    others("cp-sat", "milp-highs")
    row = judge(claim, limits=TINY)
    assert (row.verdict, provers(row)) == ("confirmed", ["cp-sat", "milp-highs"])
    others("cp-sat")
    assert judge(claim, limits=TINY).verdict == "undecided"


def test_one_proof_alone_leaves_it_undecided(judge, others):
    for second in (Says("lazy", Status.FEASIBLE, exact=True, bound=1), Says("mute", Status.FEASIBLE, exact=True)):
        others(second, Says("sure", Status.OPTIMAL, exact=True, bound=DP))
        row = judge({"instance": SMALL, "optimal": {"others": "dd"}}, limits=TINY)
        assert (row.verdict, row.judgement.recomputed) == ("undecided", "-")
        assert row.judgement.why.startswith(f"{OPEN}: FEASIBLE (as it says) by {second.name}, ")
    others(Says("sure", Status.OPTIMAL, exact=True, bound=DP))
    row = judge({"instance": SMALL, "optimal": {"others": "dd"}}, limits=TINY)
    assert row.verdict == "undecided"
    assert row.judgement.why.endswith(
        "; beside it, no formulation that could decide it takes this problem within the limits"
    )


def test_a_bound_below_the_plan_proves_nothing(judge, others, plug_in):
    low = Says("low", Status.FEASIBLE, exact=True, bound=DP - 1)
    others(low, Says("sure", Status.OPTIMAL, exact=True, bound=DP))
    row = judge({"instance": SMALL, "optimal": {"others": "dd"}}, limits=TINY)
    assert row.verdict == "undecided"
    claimed = plug_in(Says("claims", Status.OPTIMAL, exact=True, bound=DP))
    row = judge({"instance": SMALL, "optimal": {"formulation": claimed}}, limits=TINY)
    assert row.verdict == "undecided"
    assert row.judgement.why.startswith(f"{OPEN}: FEASIBLE (as it says) by low, ")
    others(Says("sure", Status.OPTIMAL, exact=True, bound=DP))
    assert judge({"instance": SMALL, "optimal": {"formulation": claimed}}, limits=TINY).verdict == "confirmed"


def test_a_bound_without_a_plan_is_no_evidence_alone(judge, others):
    others(Says("blind", Status.NO_SOLUTION, exact=True, bound=DP))
    assert judge({"instance": SMALL, "optimal": {"others": "dd"}}, limits=TINY).verdict == "undecided"


def test_a_proof_that_the_plan_contradicts_is_none_beside_another(judge, others):
    blind = Says("blind", Status.NO_SOLUTION, exact=True, bound=DP + 1)
    others(Says("sure", Status.OPTIMAL, exact=True, bound=DP), blind)
    row = judge({"instance": SMALL, "optimal": {"others": "dd"}}, limits=TINY)
    said = "a contradiction: the bound 2,497 is above the objective 2,496 of the plan, which is allowed: "
    assert (row.verdict, row.judgement.why[: len(said)]) == ("undecided", said)
    for bound, verdict in ((DP, "confirmed"), (DP - 1, "undecided")):
        others(
            Says("sure", Status.OPTIMAL, exact=True, bound=DP), Says("b", Status.NO_SOLUTION, exact=True, bound=bound)
        )
        assert judge({"instance": SMALL, "optimal": {"others": "dd"}}, limits=TINY).verdict == verdict


def test_the_better_of_two_plans_refutes(judge, others):
    others(Says("sure", Status.OPTIMAL, exact=True, bound=DP), "brute-force")
    row = judge({"instance": SMALL, "optimal": {"others": "dd"}}, limits=TINY)
    assert row.verdict == "refuted"
    others("brute-force", Says("sure", Status.OPTIMAL, exact=True, bound=DP))
    again = judge({"instance": SMALL, "optimal": {"others": "dd"}}, limits=TINY)
    assert (again.verdict, again.judgement.recomputed) == ("refuted", row.judgement.recomputed)


def test_a_stop_leaves_the_rows_so_far(write, plug_in):
    name, stop = plug_in(Says("slow", Status.FEASIBLE, exact=False, wait=True)), Flag()
    quick = {"instance": SMALL, "total": {"formulation": "hypar-dp", **AMOUNT}}
    claims = read_claims(write(quick, {**quick, "total": {"formulation": name, **AMOUNT}}, quick)).claims
    rows = audit(claims, limits=Limits(stop=stop), on_row=lambda _: stop.set())
    assert [row.claim.id for row in rows] == ["c0"]
    stop.clear()
    rows = audit(claims, limits=Limits(stop=stop), listener=lambda event: event.source == name and stop.set())
    assert [row.verdict for row in rows] == [ClaimVerdict.REFUTED]


def test_plans_are_found_once(write, monkeypatch):
    calls = []

    def counted(*arguments, **options):
        calls.append(arguments[1])
        return solve(*arguments, **options)

    monkeypatch.setattr("hypar_opt.studies.cell_pieces.solve", counted)
    total = {"instance": SMALL, "total": {"formulation": "hypar-dp", **AMOUNT}}
    plan = {"instance": SMALL, "plan": {"formulation": "hypar-dp", "others": "dd"}}
    assert len(audit(read_claims(write(total, plan, total)).claims)) == 3
    assert calls == ["hypar-dp"]


@pytest.mark.parametrize(
    ("printed", "within", "verdict", "recomputed"),
    [
        ("~0.7", "3 %", "confirmed", "0.681 GB (within 3 %)"),
        ("~0.7", "2 %", "refuted", "0.681 GB"),
        ("0.69", "2 %", "confirmed", "0.6808 GB (within 2 %)"),
        ("0.69", "0.005", "refuted", "0.6808 GB"),
    ],
)
def test_total_read_off_an_axis_or_as_near_as_the_claim_says(judge, printed, within, verdict, recomputed):
    row = judge({**SFC, "total": {"formulation": "hypar-dp", "communication_GB": printed, "within": within}})
    assert (row.verdict, row.judgement.recomputed) == (verdict, recomputed)
    assert row.claim.statement.says == f"{printed} GB"


def test_one_accelerator_exchanges_nothing(judge):
    claim = {**SFC, "overrides": {"levels": 0}, "total": {"formulation": "hypar-dp", "communication_bytes": 0}}
    assert judge(claim).verdict == "confirmed"
    assert judge({**claim, "overrides": {"levels": 1}}).verdict == "refuted"
