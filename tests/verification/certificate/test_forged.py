"""Forged certificates: none lifts a bound above the optimum, and a second checker says the same of each."""

from __future__ import annotations

import json
import math
import re
import tracemalloc
import warnings
from collections import Counter
from contextlib import nullcontext, suppress
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest
from bank.random_networks import MODELS, random_document
from forger import forge_graph, forge_network, lift, sealed
from graph_certificates import best, drawn, opened, plan_of, plans, random_duals, written
from helpers import document, linear_chain, problem_of
from make import Tables, certificate, changed, edgewise, eliminate, header_of
from second_checker import Judged, Malformed, judge, network_of, optimum

from hypar_opt import NetworkProblem, load
from hypar_opt.costgraph import Duals
from hypar_opt.solver.solve import solve
from hypar_opt.verification.certificate import check as module
from hypar_opt.verification.certificate.check import CertificateError, check
from hypar_opt.verification.certificate.write import header_document

LIMITS = ("expected tables of at most", "header.json: scale: too small")
"""What the checker alone refuses, as docs/certificates.md says."""
NEVER = ("AttributeError", "TypeError", "IndexError", "AssertionError", "RecursionError", "Warning", "FloatingPoint")
"""What would be a fault of the checker's own, though it ends in an answer."""
WEIGHTS = ["0", "1", "2", "1/3", "0.25", str(2**45)]


def attempt(file):
    """Check a certificate twice: what came of it, none of which is false."""
    try:
        second = judge(file)
    except Malformed:
        second = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = check(file)
    except CertificateError as error:
        text = str(error)
        assert len(text.splitlines()) == 1
        assert not any(one in text for one in NEVER), text
        assert second is None or text.startswith(LIMITS), text
        return "refused"
    assert Judged(found.bound, found.cost, found.proven) == second
    least = optimum(file)
    assert least is None or found.bound <= least
    assert not found.optimal or found.cost == least
    return "optimal" if found.optimal else "proven" if found.proven else "not proven"


@cache
def network(seed):
    """A small network's header and messages: of an elimination order, or of no meaning; some weighed."""
    rng, (accounting, choices) = Random(seed), MODELS[seed % len(MODELS)]
    for number in range(seed, 10**6, 997):
        whole = random_document(number, most_layers=4)
        whole["cost"] |= {"accounting": accounting, "choices": choices}
        whole.pop("fix", None)
        tables = Tables(problem_of(whole))
        if not tables.is_feasible or len(tables.sizes) == 1 or math.prod(tables.sizes) > 300:
            continue
        value, best_choices = tables.best()
        order = rng.sample(range(len(tables.sizes)), len(tables.sizes))
        clusters, messages = eliminate(tables, order) if seed % 2 else edgewise(tables, rng)
        header = header_of(tables, clusters, messages, best_choices, Fraction(value, tables.denominator))
        if seed % 3 == 0 and accounting != "leaf-exact":
            some = [rng.choice(WEIGHTS) for _ in range(header["problem"]["levels"])]
            header["problem"]["objective"]["communication"] = [*some[1:], "1"][: len(some)]
            header["scale"] = 2
        if seed % 4 == 0:
            grouped = [one for one in header["problem"]["layers"] if not one["join"] and "op" not in choices]
            for layer in grouped:
                layer["groups"] = rng.choice([1, 2, 4, 6])
        with suppress(Malformed):  # no legal plan, with these groups
            if list(map(len, network_of(json.dumps(header["problem"])).words)) == tables.sizes:
                return header, messages
    raise AssertionError("no small network")


def forged_network(seed):
    """A forged certificate of a network, which claims that some legal plan is optimal."""
    rng, (header, messages) = Random(seed), network(seed % 60)
    known = network_of(json.dumps(header["problem"]))
    plan = {name: rng.choice(words) for name, words in zip(known.names, known.legal, strict=True)}
    return forge_network(rng, header, messages, plan, known.cost(plan))


@cache
def graph(seed):
    """A small strategy graph's header, its arrays and its legal plans with what they cost."""
    problem = drawn(seed, presolved=bool(seed % 2))
    tables = problem.reduction.tables
    duals = Duals.zero(tables) if seed % 3 == 0 else random_duals(tables, np.random.default_rng(seed))
    header, arrays = opened(written(problem, duals, plan_of(problem, best(problem.instance)[1].tolist())))
    if problem.instance.sizes.prod() > 200:
        return graph(seed + 1000)
    return header, {name: one.tolist() for name, one in arrays.items()}, plans(problem.instance).tolist()


def forged_graph(seed):
    """A forged certificate of a strategy graph, which claims that some plan is optimal."""
    rng, (header, arrays, every) = Random(seed), graph(seed % 60)
    return forge_graph(rng, header, arrays, rng.choice(every), int(header["claim"]["cost"]) + rng.choice([0, 0, 3, 50]))


def campaign(forged, seeds):
    """Try forged certificates of these seeds; count what came of them."""
    return Counter(attempt(forged(seed)) for seed in seeds)


QUICK, SLOW = 500, 4_500
"""The first find what wraps around at least twice in 400."""


@pytest.mark.slow
@pytest.mark.parametrize("forged", [forged_network, forged_graph])
def test_no_forged_certificate_lifts_a_bound(forged):
    found = campaign(forged, range(QUICK))
    assert found["refused"] < 0.6 * QUICK
    assert found["optimal"] > 0.005 * QUICK  # as one that is not harmed is


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("forged", [forged_network, forged_graph])
def test_no_forged_certificate_of_many_lifts_a_bound(forged, part):
    count = SLOW // 2
    found = campaign(forged, range(QUICK + part * count, QUICK + (part + 1) * count))
    assert found.total() == count
    assert found["refused"] < 0.6 * count


# --- the attacks can succeed


def wrapping(monkeypatch):
    """Let the checker compute in 64 bits whatever the numbers are."""
    monkeypatch.setattr(module, "_dtype", lambda *_: np.int64)


@pytest.mark.parametrize("forged", [forged_network, forged_graph])
def test_if_sums_wrapped_around_bounds_would_be_lifted(monkeypatch, forged):
    wrapping(monkeypatch)
    lifted = 0
    for seed in range(400):
        file = forged(seed)
        with suppress(CertificateError, Malformed):
            found, least = check(file), optimum(file)
            lifted += least is not None and found.bound > least
    assert lifted > 2


def forged_vgg_a(scope):
    """A certificate of VGG-A's optimum, with clusters added that would prove data parallelism optimal."""
    problem, proofs = NetworkProblem(load("vgg-a")), []
    plan = solve(problem, "joint-dp", proof=proofs.append)
    header = header_document(problem, proofs[0], plan)
    messages = [[one.source, one.target, one.variables, one.values.reshape(-1).tolist()] for one in proofs[0].messages]
    every = dict.fromkeys(plan.strategies, "d" * header["problem"]["levels"])
    header["claim"] = {"bound": "15942167040", "plan": every}
    lift(header, messages, 15942167040 - int(plan.objective), scope)
    return sealed(Random(0), header, sorted(messages, key=lambda one: min(one[:2])))


@pytest.mark.parametrize("scope", [(), (0,)])
def test_data_parallelism_is_not_proven_optimal_for_vgg_a(monkeypatch, scope):
    file = forged_vgg_a(scope)
    found = check(file)
    assert found.cost == 15942167040
    assert found.bound == 15942167040 - 2**64
    assert not found.proven
    wrapping(monkeypatch)
    assert check(file).optimal


# --- messages without variables


def of_one_layer(entries):
    """Three clusters of one layer, of which the first gives the others these messages without variables."""
    tables = Tables(problem_of(document(linear_chain(4), [4])))
    value, choices = tables.best()
    some = [{"kind": "bucket", "variables": [0], "unary": [0] if c == 0 else [], "edges": []} for c in range(3)]
    messages = [[0, 1 + c % 2, (), np.array(entry, object)] for c, entry in enumerate(entries)]
    return certificate(header_of(tables, some, messages, choices, value), messages), value


@pytest.mark.parametrize(
    "entries",
    [[0], [-(2**63)], [2**63 - 1] * 2, [2**62 + 2**61] * 2, [-(2**62) - 2**61] * 4, [2**63, -(2**63)], [2**100] * 3],
)
def test_what_is_given_regardless_of_all_layers_is_paid_to_the_last_unit(entries):
    file, value = of_one_layer(entries)
    assert check(file).proven
    assert check(file).bound == value


# --- groups


def grouped(groups, **changes):
    """A header of two layers, of which the first has groups, and no messages."""
    layers = linear_chain(8, 4)
    tables = Tables(problem_of(document(layers, [8], batch=8, levels=2, choices=["dp", "mp"])))
    value, choices = tables.best()
    clusters = [{"kind": "boundary", "variables": [0, 1], "unary": [0, 1], "edges": [0]}]
    header = changed(header_of(tables, clusters, [], choices, value), "problem.layers[0].groups", groups)
    return header | {"problem": header["problem"] | changes}


@pytest.mark.parametrize("splits", ["any", "divisible"])
@pytest.mark.parametrize(("groups", "most"), [(1, 2), (2, 1), (3, 0), (4, 2), (6, 1), (12, 2)])
def test_mp_splits_a_layers_groups_as_often_as_they_can_be_halved(groups, most, splits):
    for word in ("dd", "dm", "md", "mm"):
        header = changed(grouped(groups, splits=splits, batch=4), "claim.plan.fc1", word)
        is_legal = word.count("m") <= most
        assert (check(certificate(header, [])).cost is not None) == is_legal
        fixed = changed(header, "problem.fix", {"fc1": word})
        if is_legal:
            assert check(certificate(fixed, [])).cost is not None
        else:
            with pytest.raises(CertificateError, match="layer 'fc1' has no allowed strategy"):
                check(certificate(fixed, []))


@pytest.mark.parametrize("accounting", ["published", "as-evaluated", "receiver", "leaf-exact", "collective"])
def test_a_layer_whose_groups_are_split_costs_as_a_join_does_and_its_weights(accounting):
    """Split by groups alone it exchanges nothing, as channels lie before and behind as the next layer needs them."""
    header = grouped(4, accounting=accounting, fix={"fc1": "mm", "fc2": "mm"})
    weight, behind = 8 * 8, 2 * 4 * 8 * 4 * (1 + 2)  # of fc2 in mp: twice 4 bytes of 8 x 4 numbers, in 1 and 2 groups
    assert check(certificate(header, [])).bound == behind
    header = grouped(4, accounting=accounting, fix={"fc1": "dd", "fc2": "mm"})
    join = changed(changed(header, "problem.layers[0].join", True), "problem.layers[0].groups", 1)
    assert check(certificate(header, [])).bound == check(certificate(join, [])).bound + 2 * 4 * weight * (1 + 2)


@pytest.mark.parametrize("given", ["..", "d.", ".d", "m.", ".m", "dm", "mm", "", "d", "d..", "x.", "o."])
def test_words_with_open_levels_allow_what_they_match_and_nothing_else(given):
    header = changed(grouped(2, batch=4), "problem.fix", {"fc1": given})
    legal = [word for word in ("dd", "dm", "md") if re.fullmatch(given, word)]
    for word in ("dd", "dm", "md", "mm"):
        one = changed(header, "claim.plan.fc1", word)
        if not legal:
            with pytest.raises(CertificateError, match="layer 'fc1' has no allowed strategy"):
                check(certificate(one, []))
            continue
        assert (check(certificate(one, [])).cost is not None) is (word in legal)
    if legal:
        alone = [check(certificate(changed(header, "problem.fix", {"fc1": word}), [])).bound for word in legal]
        assert check(certificate(header, [])).bound == min(alone)


def test_a_given_word_of_any_length_takes_no_memory():
    header = changed(grouped(2, batch=4), "problem.fix", {"fc1": "." * 10**6})
    with pytest.raises(CertificateError, match="layer 'fc1' has no allowed strategy"):
        check(certificate(header, []))


def test_what_is_behind_groups_is_charged_if_as_evaluated():
    header = grouped(4, accounting="as-evaluated", fix={"fc1": "mm", "fc2": "dd"})
    dense = changed(header, "problem.layers[0].groups", 1)
    join = changed(dense, "problem.layers[0].join", True)
    free = check(certificate(changed(dense, "problem.boundaries[0][2]", 0), [])).bound
    assert check(certificate(dense, [])).bound == free
    assert check(certificate(header, [])).bound == check(certificate(join, [])).bound > 2 * 4 * 8 * 4 * (1 + 2)


def test_a_join_has_no_groups_and_an_older_file_has_none_at_all():
    header = grouped(2)
    with pytest.raises(CertificateError, match=r"problem: layers\[0\]: groups: expected 1 of a join"):
        check(certificate(changed(header, "problem.layers[0].join", True), []))
    older = changed(header, "problem.layers[0].groups", ...)
    assert check(certificate(older, [])).bound == check(certificate(grouped(1), [])).bound
    with pytest.raises(CertificateError, match=r"problem: layers\[0\]: groups: expected range"):
        check(certificate(changed(header, "problem.layers[0].groups", 0), []))


def test_whether_the_error_of_the_input_counts_is_said_by_elements():
    header = changed(grouped(1), "problem.overrides", {"input_error": False})
    assert check(certificate(header, [])).bound == check(certificate(grouped(1), [])).bound


# --- room


@pytest.mark.parametrize(
    ("weight", "levels", "entries"), [(10**40, 24, 2**24), (10**40, 22, 2**22), (2**600, 21, 2**21)]
)
def test_tables_that_need_too_much_memory_are_not_made(weight, levels, entries):
    """A small file that asks for many of Python's integers: each takes as much as its length says."""
    header = changed(changed(grouped(1), "problem.levels", levels), "problem.objective.communication", [])
    header["problem"]["objective"]["communication"] = [str(weight), *["1"] * (levels - 1)]
    with pytest.raises(CertificateError, match=f"expected tables of at most {2**28} bytes, {entries} numbers of "):
        check(certificate(header, []))


def of_layers(count, levels, *clusters):
    """A certificate of layers with a weight and no boundaries, in clusters (variables, and those charged)."""
    header = changed(grouped(1), "problem.levels", levels)
    layer = header["problem"]["layers"][0]
    header["problem"] |= {"layers": [layer | {"name": str(x)} for x in range(count)], "boundaries": []}
    header["clusters"] = [
        {"kind": "edge", "variables": [*variables], "unary": [*unary], "edges": []} for variables, unary in clusters
    ]
    header["claim"]["plan"] = {str(x): "d" * levels for x in range(count)}
    return certificate(header, [])


def test_what_one_cluster_is_charged_is_limited(monkeypatch):
    file = of_layers(3, 4, (range(3), range(3)))
    monkeypatch.setattr(module, "MOST_IN_ALL", 3 * 8 * 2**4)
    check(file)
    monkeypatch.setattr(module, "MOST_IN_ALL", 3 * 8 * 2**4 - 1)
    with pytest.raises(CertificateError, match="expected at most 383 bytes in all tables that a cluster is charged"):
        check(file)


@pytest.mark.parametrize("is_one", [True, False], ids=["a cluster of all layers", "a cluster for each"])
def test_many_layers_need_no_more_memory_than_few(is_one):
    """No table is kept, nor words of layers whose combinations there is no room for."""
    count, levels = 60, 14
    alone = [([x], [x]) for x in range(count)]
    file = of_layers(count, levels, *([(range(count), [])] if is_one else []), *alone)
    tracemalloc.start()
    try:
        with pytest.raises(CertificateError, match="expected tables of at most") if is_one else nullcontext():
            check(file)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 20 * 8 * 2**levels


def test_all_that_is_computed_is_limited(monkeypatch):
    header, messages = network(1)
    file = certificate(header, messages)
    work = module._Work()
    monkeypatch.setattr(module, "_Work", lambda: work)
    check(file)
    spent = module.MOST_WORK - work.left
    monkeypatch.undo()
    monkeypatch.setattr(module, "MOST_WORK", spent)
    check(file)
    monkeypatch.setattr(module, "MOST_WORK", spent - 1)
    with pytest.raises(CertificateError, match=f"expected tables of at most {spent - 1} numbers to be computed in all"):
        check(file)
