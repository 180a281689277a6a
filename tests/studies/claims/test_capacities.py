"""Plans that do not fit into the accelerators' memory: pair.json on four of them, batch 8, 4 bytes an element.

fc1 reads 8 and writes 8: 64 weights, their gradients, and 64 elements of its input a batch of 8, always a quarter of
those. Bytes: 4 x (128 + 16) = 576 with dd, 320 with one m, 192 with mm. fc2 writes 2: 192, 128, 96.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from hypar_opt.instance import load, read_instance
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.claims import plans as evidence
from hypar_opt.studies.claims.legality import RULES, ruled

KEPT = {"fc1": (576, 320, 192), "fc2": (192, 128, 96)}
"""By layer and number of m."""
BEST = {"fc1": "dm", "fc2": "dm"}
"""Exchanges least, 1536 bytes, and keeps 448."""
NOT_ALLOWED = "the instance does not allow the plan: it needs 448 bytes on every accelerator, which has 400"


def tight(capacity):
    machine = {"model": "as-evaluated", "rate": 12, "memory": {"capacity": capacity}}
    machine["energy"] = {"add": 0, "multiply": 0, "sram": 0, "dram": 1}
    link = {"bandwidth": 1, "energy": 0}
    array = {"topology": "h-tree", "levels": 2, "placement": "identity", "link": link, "accelerator": machine}
    return {"instance": "pair.json", "overrides": {"array": array}}


def plans():
    """Every plan with the bytes that it keeps, by hand."""
    words = ["".join(letters) for letters in product("dm", repeat=2)]
    for chosen in product(words, repeat=2):
        plan = dict(zip(KEPT, chosen, strict=True))
        yield plan, sum(KEPT[layer][word.count("m")] for layer, word in plan.items())


@pytest.fixture
def pair(write, tmp_path):
    write({"instance": "pair.json", "optimal": {"others": "dd"}})
    return NetworkProblem(read_instance(tmp_path / "pair.json"))


@pytest.mark.parametrize("capacity", [290, 400, 448, 447, 1000])
def test_the_optimum_is_the_best_of_the_plans_that_fit(judge, pair, capacity):
    totals = {tuple(plan.values()): pair.bytes_of(plan).total for plan, _ in plans()}
    least = min(totals[tuple(plan.values())] for plan, kept in plans() if kept <= capacity)
    for plan, kept in plans():
        total = totals[tuple(plan.values())]
        row = judge({**tight(capacity), "optimal": {"strategies": plan}})
        assert row.verdict == ("confirmed" if kept <= capacity and total == least else "refuted")
        if kept > capacity:
            needs = f"it needs {kept} bytes on every accelerator, which has {capacity}"
            assert row.judgement.why == f"the instance does not allow the plan: {needs}"


@pytest.mark.parametrize(
    ("kind", "statement"),
    [
        ("total", {"strategies": BEST, "communication_bytes": 1536}),
        ("plan", {"formulation": "joint-dp", "strategies": BEST}),
        ("performance_gain", {"strategies": BEST, "over": "joint-dp", "value": "1.41"}),  # 656 s over 464 s
        ("energy_gain", {"strategies": BEST, "over": "joint-dp", "value": "1", "within": "50 %"}),
        ("peak", {"formulation": "joint-dp", "strategies": BEST}),
    ],
)
def test_a_plan_that_does_not_fit_is_not_allowed(judge, kind, statement):
    row = judge({**tight(400), kind: statement})
    assert (row.verdict, row.judgement.recomputed, row.judgement.why) == ("refuted", "not allowed", NOT_ALLOWED)
    assert NOT_ALLOWED not in judge({**tight(448), kind: statement}).judgement.why


@pytest.mark.parametrize(("capacity", "fits"), [(671, False), (672, True)])
def test_of_words_of_some_layers_what_the_others_need_at_least_is_counted(judge, capacity, fits):
    row = judge({**tight(capacity), "plan": {"formulation": "joint-dp", "strategies": {"fc1": "dd"}}})
    assert row.verdict == "refuted"
    needs = "it needs at least 672 bytes on every accelerator, which has 671"
    why = f"the instance does not allow the plan: {needs}, whatever the layers have that it does not name"
    assert row.judgement.why == ("one layer differs" if fits else why)


def test_a_peak_and_a_proxy_look_at_plans_that_fit_alone(judge):
    row = judge({**tight(400), "peak": {"formulation": "joint-dp", "strategies": {"fc1": "mm", "fc2": "dm"}}})
    assert (row.verdict, row.judgement.details["explored"]) == ("confirmed", 4)
    row = judge({**tight(400), "proxy": {"of": "time"}})
    assert (row.verdict, row.judgement.details["pairs"][0]["least"]) == ("confirmed", "656")


def test_plans_on_another_array_have_to_fit_there(judge):
    there = {"topology": "h-tree", "levels": 2, "link": {"bandwidth": 1}}
    small = {**tight(400)["overrides"]["array"]}
    claim = {"instance": "pair.json", "slower": {"formulation": "hypar-dp", "array": small, "than": there, "times": 1}}
    claim["slower"]["placement"] = "identity"
    row = judge(claim)
    assert (row.verdict, row.judgement.recomputed, row.judgement.why) == ("refuted", "not allowed", NOT_ALLOWED)


RULED = "the instance does not allow the plan of data-parallel: it needs 768 bytes on every accelerator, which has 400"


def test_a_rules_plan_that_does_not_fit(judge):
    amount = {"communication_bytes": 1920}
    for kind, more in (
        ("total", amount),
        ("gmean", amount),
        ("performance_gain", {"over": "joint-dp", "value": 1}),
        ("peak", {"levels": [1]}),
    ):
        row = judge({**tight(400), kind: {"formulation": "data-parallel", **more}})
        assert (row.verdict, row.judgement.recomputed, row.judgement.why) == ("refuted", "not allowed", RULED)
    over = {"formulation": "joint-dp", "over": "data-parallel", "value": 1}
    assert judge({**tight(400), "performance_gain": over}).judgement.why == RULED
    for kind, more in (("optimal", {}), ("exact", {}), ("also_optimal", {"under": "receiver"})):
        row = judge({**tight(400), kind: {"formulation": "data-parallel", **more}})
        assert (row.verdict, row.judgement.why) == ("not reproducible", RULED)
    assert judge({**tight(768), "total": {"formulation": "data-parallel", **amount}}).verdict == "confirmed"


def test_where_it_is_open_which_instance_is_meant_one_without_a_plan_refutes_nothing(judge):
    """machine.json, on four: fc1 alone, 8 to 4, batch 4; dp keeps 4 x (64 + 8) = 288 bytes, pair.json's 768."""
    gain = {"formulation": "joint-dp", "over": "data-parallel", "any_instance": True, "value": "9"}
    for names, recomputed in ((["pair.json", "machine.json"], True), (["pair.json"], False)):
        claim = {"instances": names, "overrides": tight(400)["overrides"], "performance_gain": gain}
        row = judge(claim)
        assert row.verdict == "not reproducible"
        if recomputed:
            assert row.judgement.details["without_plan"] == [f"pair, published, batch 8, H = 2: {RULED}"]
            number = row.judgement.recomputed
            assert judge({**claim, "performance_gain": {**gain, "value": number}}).verdict == "confirmed"
        else:
            why = f"it is open which network is meant, and no candidate has a plan: {RULED}"
            assert (row.judgement.recomputed, row.judgement.why) == ("-", why)


def test_a_rules_plan_that_is_split_as_is_not_allowed(judge):
    row = judge({"instance": "even.json", "total": {"formulation": "model-parallel", "communication_GB": "1"}})
    fault = "layer 'fc1' has 'mm', and its input of 6 does not divide by 4"
    assert row.verdict == "refuted"
    assert row.judgement.why == f"the instance does not allow the plan of model-parallel: {fault}"


@pytest.mark.parametrize("name", RULES)
def test_rules_are_spelt_as_the_formulations_follow_them(name, write, tmp_path):
    write({"instance": "pair.json", "optimal": {"others": "dd"}})
    small = [read_instance(tmp_path / f"{one}.json") for one in ("small", "fixed", "graph", "machine")]
    for instance in (*small, load("alexnet", fix={"conv*": "d.m."}), load("alexnet"), load("lenet-c", levels=0)):
        problem = NetworkProblem(instance)
        assert ruled(problem, name) == solve(problem, name).strategies
    assert ruled(problem, "joint-dp") is None


SHORT = (
    "there is no plan to judge: memory: any plan keeps at least 288 bytes on each accelerator, which has 280; 'fc1' "
    "needs most of them, 192; enough would be: a batch of at most 7; or 3 levels, 8 accelerators"
)


@pytest.mark.parametrize("formulation", ["joint-dp", "cp-sat", "data-parallel"])
def test_where_nothing_fits_there_is_no_plan_and_why(judge, formulation):
    row = judge({**tight(280), "total": {"formulation": formulation, "communication_bytes": 1}})
    assert (row.verdict, row.judgement.recomputed, row.judgement.why) == ("refuted", "no plan", SHORT)
    for kind in ("optimal", "exact"):
        row = judge({**tight(280), kind: {"formulation": formulation}})
        assert (row.verdict, row.judgement.why) == ("not reproducible", SHORT)


def test_a_plan_that_the_compiled_costs_allow_and_a_recount_does_not_is_none(judge, monkeypatch):
    monkeypatch.setattr("hypar_opt.solver.network_costs.memory_capacity", lambda *_: None)
    row = judge({**tight(400), "total": {"formulation": "joint-dp", "communication_bytes": 1536}})
    why = "joint-dp did not come to its end: ERROR, the plan needs 448 bytes on every accelerator, which has 400"
    assert (row.verdict, row.judgement.why) == ("undecided", why)


@pytest.mark.parametrize(
    ("known", "verdict"),
    [
        (evidence.Optimum(Fraction(2304), None, "x"), "confirmed"),
        (evidence.Optimum(Fraction(2305), None, "x"), "undecided"),
        (evidence.Optimum(Fraction(2304), None, "x", (Fraction(2304), Fraction(2305))), "undecided"),
        (evidence.Optimum(None, None, "x", (Fraction(2305),)), "undecided"),
        (evidence.Optimum(Fraction(2304), BEST, "x"), "confirmed"),  # a better plan that does not fit is none
    ],
)
def test_a_bound_above_the_plan_contradicts_it(judge, monkeypatch, known, verdict):
    monkeypatch.setattr("hypar_opt.studies.claims.plans.optimum", lambda *_, **__: known)
    row = judge({**tight(400), "optimal": {"strategies": {"fc1": "mm", "fc2": "dm"}}})
    assert row.verdict == verdict
    if verdict == "undecided":
        said = "the bound 2,305 is above the objective 2,304 of the plan, which is allowed: x"
        assert row.judgement.why == f"a contradiction: {said}"


def test_a_peak_below_the_least_that_was_found_is_a_contradiction(judge, monkeypatch):
    from hypar_opt.studies.claims import judge_peaks

    found = judge_peaks.Peaks(Fraction(700), [{"fc1": "mm", "fc2": "mm"}], 4)
    monkeypatch.setattr(judge_peaks, "peaks", lambda *_: found)
    row = judge({**tight(400), "peak": {"formulation": "joint-dp", "strategies": {"fc1": "mm", "fc2": "dm"}}})
    off = "6.286% less time than the least of those explored"
    assert row.judgement.why == f"a contradiction: the plan, which is allowed and explored, has {off}"
    assert (row.verdict, row.judgement.recomputed) == ("undecided", "-")


def test_less_than_what_is_proven_to_be_the_least_is_a_contradiction(judge, monkeypatch):
    from hypar_opt.studies.claims.plans import PlanCache

    costs = iter([Fraction(5), Fraction(5), Fraction(6), Fraction(7)])  # twice the one, then below the other's least
    monkeypatch.setattr(PlanCache, "cost", lambda *_: next(costs))
    row = judge({**tight(400), "proxy": {"of": "time", "within": "1 %"}})
    said = "a plan has less time than is proven to be the least of pair, published, batch 8, H = 2"
    assert (row.verdict, row.judgement.why) == ("undecided", f"a contradiction: {said}")
