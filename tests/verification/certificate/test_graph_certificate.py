"""Certificates of strategy graphs: what is written holds, what is changed is seen, and the bound is the formula's."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from functools import cache
from math import ceil

import numpy as np
import pytest
from graph_certificates import (
    best,
    closed,
    drawn,
    formula,
    opened,
    plan_of,
    plans,
    random_duals,
    written,
)
from helpers import each
from make import archive, changed

from hypar_opt.costgraph import Duals, Priced
from hypar_opt.costgraph.presolve import ReductionStep
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from hypar_opt.util.numbers import in_full
from hypar_opt.verification.certificate import check as module
from hypar_opt.verification.certificate.check import CertificateError, check
from hypar_opt.verification.certificate.of_graph import leaders_of

SEEDS = range(60)


class Unliftable(ReductionStep):
    """A step that no bound can be carried over."""

    def lift(self, duals):
        raise NotImplementedError


def certified(seed, presolved=True, zero=False):
    """A problem, prices of its tables, and a certificate of its best plan with these."""
    problem = drawn(seed, presolved)
    tables = problem.reduction.tables
    duals = Duals.zero(tables) if zero else random_duals(tables, np.random.default_rng(seed))
    return problem, duals, written(problem, duals, plan_of(problem, best(problem.instance)[1].tolist()))


@pytest.mark.parametrize("presolved", [False, True])
@each("seed", SEEDS, quick=20)
def test_whatever_the_prices_are_no_plan_costs_less(seed, presolved):
    problem, duals, file = certified(seed, presolved)
    found = check(file)
    assert found.proven
    assert found.cost == best(problem.instance)[0]
    assert ceil(Priced(problem.reduction.tables, duals).bound) <= found.bound <= found.cost
    assert found.optimal == (found.bound == found.cost)


@each("seed", SEEDS, quick=20)
def test_the_bound_is_the_formulas(seed):
    problem, duals, file = certified(seed, presolved=False)
    _, arrays = opened(file)
    assert not len(arrays["ties"])
    assert check(file).bound == formula(problem.instance, arrays, duals.scale)


def test_presolve_leaves_enough_to_prove_some_optimal():
    found = [check(certified(seed, zero=True)[2]).optimal for seed in SEEDS]
    assert found.count(True) > len(SEEDS) // 4


def test_some_variables_are_tied_to_others():
    assert sum(len(opened(certified(seed)[2])[1]["ties"]) > 0 for seed in SEEDS) > 10


@each("seed", SEEDS[:20])
def test_numbers_near_the_ends_of_64_bits_do_not_wrap_around(seed):
    problem, _, file = certified(seed, presolved=False)
    header, arrays = opened(file)
    arrays["usages"] = np.where(arrays["usages"] % 3 == 1, 2**60, arrays["usages"])
    arrays["messages"] = np.where(arrays["messages"] % 3 == 1, 2**63 - 1, arrays["messages"])
    arrays["messages"] = np.where(arrays["messages"] % 5 == 2, -(2**63), arrays["messages"])
    arrays["prices"][1::2] = 2**63 - 1
    graph = replace(problem.instance, usages=arrays["usages"], usage_limit=2**63 - 1)
    other = changed(header, "problem.usage_limit", 2**63 - 1)
    assert check(closed(other, arrays)).bound == formula(graph, arrays, header["scale"])


def test_large_costs_do_not_wrap_around_when_summed():
    for seed in SEEDS[:20]:
        problem, _, file = certified(seed, presolved=False)
        header, arrays = opened(file)
        graph = problem.instance
        costs = np.where(graph.costs < 10**18, graph.costs * 10**16 * 4, graph.costs)
        tables = np.where(graph.edge_costs < 10**18, -abs(graph.edge_costs) * 2**57, graph.edge_costs)
        arrays |= {"costs": costs, "tables": tables, "places": graph.edge_starts[:-1]}
        graph = replace(graph, costs=costs, edge_costs=tables)
        assert check(closed(header, arrays)).bound == formula(graph, arrays, header["scale"])


@pytest.mark.parametrize("scale", [0, 1, 24, 62, 63, 200, 1024])
def test_scales(scale):
    problem, _, file = certified(3, presolved=False)
    header, arrays = opened(file)
    found = check(closed(header | {"scale": scale}, arrays)).bound
    assert found == formula(problem.instance, arrays, scale)


# --- what is changed is seen

TAMPERED = [
    ("costs", "a cost", lambda a: np.append(a[0] + 1, a[1:])),
    ("usages", "a usage", lambda a: np.append(a[0] + 1, a[1:])),
    ("tables", "a cost of a pair", lambda a: np.append(a[0] - 1, a[1:])),
    ("places", "the costs of an edge", lambda a: np.append(a[0] + 1, a[1:])),
    ("ends", "an end", lambda a: np.append((a[0] + 1) % 3, a[1:])),
    ("intervals", "a time", lambda a: np.append(a[0] - 1, a[1:])),
    ("messages", "a message", lambda a: np.append(a[0] + 1, a[1:])),
    ("prices", "a price", lambda a: np.append(a[:-1], a[-1] + 1)),
    ("ties", "a leader", lambda a: np.append((a[0] + 1) % 3, a[1:])),
    ("links", "a link", lambda a: np.append(a[0] + 1, a[1:])),
    ("plan", "a strategy", lambda a: np.append(a[0] + 1, a[1:])),
]


@cache
def rich_file(seed):
    """The first certificate from a seed on that has ties, links, messages and prices; found once, in one of dozens."""
    file = certified(seed)[2]
    return file if all(len(one) for one in opened(file)[1].values()) and check(file).proven else rich_file(seed + 1)


def rich(seed=0):
    """The header and the arrays of such a certificate, anew."""
    return opened(rich_file(seed))


@pytest.mark.parametrize(("name", "change"), [(one[0], one[2]) for one in TAMPERED], ids=[one[1] for one in TAMPERED])
def test_an_array_that_is_changed_has_another_digest(name, change):
    header, arrays = rich()
    with pytest.raises(CertificateError, match="arrays_sha256: the arrays have another digest"):
        check(closed(header, arrays | {name: change(arrays[name])}, renewed=False))


@each("seed", SEEDS[:30], quick=5)
def test_messages_and_ties_that_are_changed_never_prove_what_is_false(seed):
    """With digests renewed a certificate is another one, which proves a bound or nothing."""
    header, arrays = rich(seed * 17)
    rng = np.random.default_rng(seed)
    least = check(closed(header, arrays)).cost
    for name in ("messages", "prices", "ties", "links"):
        other = arrays[name].copy()
        place = int(rng.integers(len(other)))
        other[place] += int(rng.choice([-1, 1, 5, 10**6]))
        try:
            found = check(closed(header, arrays | {name: other}))
        except CertificateError:
            continue
        assert found.bound <= least
        assert found.proven == (found.bound >= int(header["claim"]["bound"]))


DAMAGED = [
    ("prices", lambda a: a * [1, -1], "prices.npy: expected times in ascending order, each with a price above 0"),
    ("prices", lambda a: a * [1, 0], "prices.npy: expected times in ascending order, each with a price above 0"),
    ("prices", lambda a: np.concatenate([a, a]), "prices.npy: expected times in ascending order"),
    ("prices", lambda a: a.reshape(-1)[:-1], "prices.npy: expected pairs, got"),
    ("links", lambda a: a[:, ::-1], "links.npy: expected two nodes, the lower one first, got"),
    ("links", lambda a: np.concatenate([a, a]), "links.npy: expected different pairs of neighbours, got .* twice"),
    ("links", lambda a: a[:-1], r"messages.npy: expected \d+ entries, got \d+"),
    ("links", lambda a: a[:0], "messages.npy: expected 0 entries, got"),
    ("links", lambda a: a + 10**6, "links.npy: expected two nodes, the lower one first"),
    ("messages", lambda a: a[:-1], "messages.npy: ends before those of"),
    ("messages", lambda a: np.append(a, 0), r"messages.npy: expected \d+ entries, got \d+"),
    ("ties", lambda a: a[:, ::-1] * 0, "ties.npy: 0 cannot follow 0: no edge joins the two"),
    ("ties", lambda a: np.concatenate([a, a]), "ties.npy: .* cannot follow .*: no edge joins the two"),
    ("ties", lambda a: a - 100, "ties.npy: .* cannot follow .*: no edge joins the two"),
    ("sizes", lambda a: a * 2, "sizes.npy: expected a number above 0 for every interval"),
    ("sizes", lambda a: np.append(a[:-1], 2**62), "sizes.npy: expected a number above 0 for every interval"),
    ("sizes", lambda a: a * 0, "sizes.npy: expected a number above 0 for every interval"),
    ("costs", lambda a: a[:-1], "sizes.npy: expected a number above 0 for every interval"),
    ("usages", lambda a: a[:-1], "sizes.npy: expected a number above 0 for every interval"),
    ("usages", lambda a: a - 1000, "usages.npy: expected none below 0"),
    ("intervals", lambda a: a[::-1, ::-1] * [-1, 1] + [9, 0], "intervals.npy: expected no end before its start"),
    ("ends", lambda a: a + 100, "ends.npy: expected two of"),
    ("ends", lambda a: a - 100, "ends.npy: expected two of"),
    ("ends", lambda a: a[:-1], "ends.npy: expected two of"),
    ("places", lambda a: a + 10**9, "places.npy: expected tables inside tables.npy"),
    ("places", lambda a: a - 1, "places.npy: expected tables inside tables.npy"),
    ("tables", lambda a: a[:1], "places.npy: expected tables inside tables.npy"),
    ("costs", lambda a: a * 0 + 10**18, "there is no plan, and nothing to prove"),
    ("tables", lambda a: a * 0 + 10**18, "there is no plan, and nothing to prove"),
]
PAIRS = ("intervals", "ends", "ties", "links", "prices")


@pytest.mark.parametrize(("name", "change", "message"), DAMAGED)
def test_arrays_that_cannot_be(name, change, message):
    header, arrays = rich()
    other = change(arrays[name].reshape(-1, 2) if name in PAIRS else arrays[name])
    with pytest.raises(CertificateError, match=message):
        check(closed(header, arrays | {name: np.asarray(other).reshape(-1)}))


def test_a_node_follows_no_strategy_that_leaves_it_a_choice():
    problem = drawn(0, presolved=False)
    for seed in range(1, 200):
        problem = drawn(seed, presolved=False)
        ends = problem.tables.ends[[(problem.tables.table(e) < 10**18).all() for e in range(len(problem.tables.ends))]]
        if len(ends) and problem.instance.sizes[ends[0, 1]] > 1:
            break
    leader, node = ends[0].tolist()
    file = written(problem, Duals.zero(problem.tables), plan_of(problem, best(problem.instance)[1].tolist()))
    header, arrays = opened(file)
    with pytest.raises(CertificateError, match=f"{node} cannot follow {leader}, as more than one pair"):
        check(closed(header, arrays | {"ties": np.array([leader, node])}))


CLAIMS = [
    ("claim.bound", lambda header: str(int(header["claim"]["bound"]) + 100), "messages and prices prove the bound"),
    ("claim.cost", lambda header: str(int(header["claim"]["cost"]) - 1), "the plan in the file costs .*, it claims"),
    ("claim.proves", lambda _: "optimality", "the plan in the file costs .*, the bound is"),
]


def unproven(seed=0):
    """A certificate that proves its bound and not its plan."""
    header, arrays = rich(seed)
    found = check(closed(header, arrays))
    return (header, arrays) if found.bound < found.cost else unproven(seed + 1)


@pytest.mark.parametrize(("path", "value", "fault"), CLAIMS)
def test_a_claim_that_is_more_than_is_proven(path, value, fault):
    header, arrays = unproven()
    found = check(closed(changed(header, path, value(header)), arrays))
    assert not found.proven
    assert not found.optimal
    assert any(re.search(fault, one) for one in found.faults)


def test_a_plan_that_is_changed_costs_something_else_or_is_none():
    for seed in SEEDS[:20]:
        problem, _, file = certified(seed)
        header, arrays = opened(file)
        for plan in plans(problem.instance):
            found = check(closed(header, arrays | {"plan": plan}))
            same = found.cost is not None and found.cost == int(header["claim"]["cost"])
            assert found.proven == same
    for plan in (arrays["plan"][:-1], arrays["plan"] - 1, arrays["plan"] + 100, []):
        found = check(closed(header, arrays | {"plan": np.array(plan, np.int64)}))
        assert found.cost is None
        assert "expected one of its own for each of" in found.faults[0]


HEADERS = [
    ("problem.usage_limit", -1, "usage_limit: expected"),
    ("problem.usage_limit", 2**63, "usage_limit: expected"),
    ("problem.overrides", {"batch": 1}, "overrides: missing or unknown fields"),
    ("problem.instance_sha256", "", "instance_sha256: expected"),
    ("scale", -1, "scale: expected"),
    ("scale", 2000, "scale: expected"),
    ("claim.plan", {}, "claim: missing or unknown fields"),
    ("claim.proves", "all", "proves: expected"),
    ("claim.bound", "1/2", "bound: expected"),
    ("problem.kind", "network", "expected header.json and messages.npy"),
]


@pytest.mark.parametrize(("path", "value", "message"), HEADERS)
def test_headers_that_cannot_be(path, value, message):
    header, arrays = rich()
    with pytest.raises(CertificateError, match=message):
        check(closed(changed(header, path, value), arrays))


def members_of(file):
    with zipfile.ZipFile(file) as found:
        return [(one, found.read(one)) for one in found.namelist()]


def test_members_that_are_missing_cut_short_or_of_another_type():
    members = members_of(closed(*rich()))
    for number, (name, content) in enumerate(members):
        rest = members[:number] + members[number + 1 :]
        with pytest.raises(CertificateError, match=r"expected header\.json and"):
            check(archive(rest))
        for other in (content[:-1], content[: len(content) // 2], b"", content.replace(b"<i8", b"|O8")):
            if other != content:
                with pytest.raises(CertificateError):
                    check(archive([*rest, (name, other)]))
    with pytest.raises(CertificateError, match="stored as it is"):
        check(archive(members, zipfile.ZIP_DEFLATED))


def test_every_byte_counts():
    whole = closed(*rich()).getvalue()
    for place in np.random.default_rng(0).integers(0, len(whole), 150).tolist():
        other = bytearray(whole)
        other[place] ^= 1 << place % 8
        try:
            found = check(io.BytesIO(bytes(other)))
        except CertificateError:
            continue
        assert found.proven  # such as a file's date
        assert found.bound == check(io.BytesIO(whole)).bound


def test_tables_beyond_a_limit_are_not_made(monkeypatch):
    header, arrays = rich()
    monkeypatch.setattr(module, "MOST_IN_ALL", 3)
    with pytest.raises(CertificateError, match="expected at most 3 bytes in all tables"):
        check(closed(header, arrays))


def test_edges_that_share_a_huge_table_in_places_of_their_own(monkeypatch):
    """Places may overlap: a small file must not become large in memory."""
    monkeypatch.setattr(module, "MOST_IN_ALL", 2**21)
    size, edges = 2**7, 1000
    header, _ = rich()
    arrays = {
        "intervals": np.zeros(4), "sizes": np.full(2, size), "costs": np.zeros(2 * size), "usages": np.zeros(2 * size),
        "ends": np.tile([0, 1], edges), "places": np.arange(edges), "tables": np.zeros(size * size + edges),
        "ties": [], "links": [], "messages": [], "prices": [], "plan": [0, 0],
    }  # fmt: skip
    arrays = {name: np.array(one, np.int64) for name, one in arrays.items()}
    with pytest.raises(CertificateError, match="bytes in all tables"):
        check(closed(header, arrays))


def test_the_usages_of_followers_count_as_tables_do(monkeypatch):
    """A leader of many strategies has the usages of each of its followers by them."""
    monkeypatch.setattr(module, "MOST_IN_ALL", 8000)
    size, followers = 100, 20
    header, _ = rich()
    nodes, strategies = followers + 1, size + followers
    arrays = {
        "intervals": np.tile([0, 1], nodes), "sizes": [size] + [1] * followers, "costs": np.zeros(strategies),
        "usages": np.zeros(strategies), "ends": [(0, node) for node in range(1, nodes)],
        "places": np.zeros(followers), "tables": np.zeros(size), "ties": [(0, node) for node in range(1, nodes)],
        "links": [], "messages": [], "prices": [], "plan": np.zeros(nodes),
    }  # fmt: skip
    arrays = {name: np.array(one, np.int64).reshape(-1) for name, one in arrays.items()}
    with pytest.raises(CertificateError, match="bytes in all tables"):
        check(closed(header, arrays))


# --- what is written


def test_what_a_solver_says_beyond_the_bound_is_said_to_be_its_word():
    for seed in SEEDS:
        problem = drawn(seed)
        plan = plan_of(problem, best(problem.instance)[1].tolist(), Status.OPTIMAL)
        duals = Duals.zero(problem.reduction.tables)
        header, _ = opened(written(problem, duals, replace(plan, bound=plan.objective)))
        proven = int(header["claim"]["bound"]) == plan.objective
        assert header["claim"]["proves"] == ("optimality" if proven else "bound")
        word = "the solver's word: milp-highs, "
        assert header["claim"]["rests_on"] == ("" if proven else f"{word}that the plan is optimal")
        low = replace(plan, status=Status.FEASIBLE, bound=plan.objective - 1)
        header, _ = opened(written(problem, duals, low))
        beyond = int(header["claim"]["bound"]) < low.bound
        assert header["claim"]["rests_on"] == (f"{word}the bound {in_full(low.bound)}" if beyond else "")


def test_a_step_that_no_bound_can_be_carried_over_is_named():
    reduction = drawn(0).reduction
    magic = Unliftable(reduction.tables, "magic", np.zeros(0, dtype=bool))
    with pytest.raises(Refusal, match="presolve went further than prices can follow; try --no-presolve"):
        leaders_of(replace(reduction, steps=(*reduction.steps, magic)), Duals.zero(reduction.tables))


def test_what_cannot_fit_is_forbidden_before_there_are_prices():
    """Two nodes that share a time, one of which must leave the other the least."""
    for seed in SEEDS:
        problem = drawn(seed)
        if problem.reduction.liftable > 1:
            break
    duals = Duals.zero(problem.reduction.tables)
    file = written(problem, duals, plan_of(problem, best(problem.instance)[1].tolist()))
    header, arrays = opened(file)
    assert check(file).proven
    more = changed(header, "problem.usage_limit", 10**9)
    assert check(closed(more, arrays)).bound <= check(file).bound


def test_memory_that_is_too_little_leaves_nothing_to_prove():
    header, arrays = rich()
    least = arrays | {"usages": arrays["usages"] + 10**6}
    with pytest.raises(CertificateError, match="memory is too little: there is no plan"):
        check(closed(header, least))


def test_the_checker_alone(tmp_path):
    path = tmp_path / "plan.cert"
    path.write_bytes(closed(*unproven()).getvalue())
    script = [sys.executable, "-I", module.__file__, str(path)]
    found = subprocess.run(script, capture_output=True, text=True, check=False)
    assert found.returncode == 0
    assert found.stdout.startswith("proven: the plan costs ")
    assert ", and none costs less than " in found.stdout


@pytest.mark.parametrize("limit", [4, 5])
def test_a_plan_may_take_all_of_the_memory_and_no_more(limit):
    arrays = {
        "intervals": [3, 7, 2, 4], "sizes": [2, 2], "costs": [0, 0, 0, 0], "usages": [0, 3, 0, 2], "ends": [],
        "places": [], "tables": [], "ties": [], "links": [], "messages": [], "prices": [], "plan": [1, 1],
    }  # fmt: skip
    header, _ = rich()
    claim = {"proves": "bound", "bound": "0", "cost": "0", "rests_on": ""}
    header = changed(header | {"claim": claim}, "problem.usage_limit", limit)
    found = check(closed(header, {name: np.array(one, np.int64) for name, one in arrays.items()}))
    assert found.faults == (() if limit == 5 else ("the plan needs 5 of memory at time 3, the limit is 4",))
