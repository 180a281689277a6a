"""At the edges: what is forbidden never counts, sums never wrap around, fractions are exact; what is written."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from fractions import Fraction
from random import Random
from zipfile import ZipFile

import numpy as np
import pytest
from helpers import document, linear_chain, problem_of
from make import Tables, archive, certificate, chain, changed, entries, header_of

from hypar_opt.evaluation.communication import ExchangeSetting, communication
from hypar_opt.evaluation.legality import incomplete
from hypar_opt.solver.plan import plan_document
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import halves
from hypar_opt.verification import Check, CheckOutcome, Evidence, Verdict, read_claim, verify
from hypar_opt.verification import network_claim as verifying
from hypar_opt.verification.certificate import check as module
from hypar_opt.verification.certificate.check import CertificateError, check
from hypar_opt.verification.certificate.header import bind, problem_document
from hypar_opt.verification.certificate.write import write_certificate
from hypar_opt.verification.claim import claim_of

SIZES = [1000, 2**40, 2**60, 2**61, 2**62, 2**63 - 1, 2**63, 2**70]


def of_chain(**options):
    """The tables of three layers, a header that claims their optimum, and messages that prove it."""
    tables = Tables(problem_of(document(linear_chain(8, 4, 6), [8], **{"levels": 2} | options)))
    value, choices = tables.best()
    clusters, messages = chain(tables)
    header = header_of(tables, clusters, messages, choices, Fraction(value, tables.denominator))
    return tables, header, messages


# --- 1: only allowed words count


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("accounting", ["published", "receiver", "leaf-exact"])
@pytest.mark.parametrize("words", [("dd", "dd", "dd"), ("mm", "dm", "md"), ("dd", "mm", "dd")])
def test_where_all_is_fixed_messages_that_favour_other_words_change_nothing(words, accounting, sign, size):
    fix = dict(zip(("fc1", "fc2", "fc3"), words, strict=True))
    _, header, messages = of_chain(fix=fix, accounting=accounting)
    rng = Random(size)
    for one in messages:
        one[3] = np.array([sign * rng.choice([size, -size]) for _ in one[3]], object)
        one[3][["dd", "dm", "md", "mm"].index(words[one[2][0]])] = sign * size
    found = check(certificate(header, messages))
    assert found.proven
    assert found.bound == found.cost


def test_where_all_is_fixed_a_boundary_larger_than_its_layers_changes_nothing():
    _, header, messages = of_chain(fix={"fc1": "dd", "fc2": "mm", "fc3": "dd"})
    for elements in (2**20, 2**40, 2**61, 2**80):
        found = check(certificate(changed(header, "problem.boundaries[1][2]", elements), messages))
        assert found.bound == found.cost > elements


# --- 2: sums are exact


@pytest.mark.parametrize("size", [*SIZES, *(-size for size in SIZES)])
def test_what_one_cluster_gives_another_is_paid_to_the_last_unit(size):
    _, header, messages = of_chain()
    for one in messages:
        one[3] = one[3] + size
    assert check(certificate(header, messages)).proven
    for one in messages:
        one[3] = np.full(one[3].shape, size, object)
    found, without = check(certificate(header, messages)), [[*one[:3], 0 * one[3]] for one in messages]
    assert found.bound == check(certificate(header, without)).bound <= found.cost


# --- 3: fractions


def test_half_of_an_odd_tensor_costs_whole_bytes():
    fix = {"fc1": "dd", "fc2": "mm", "fc3": "dd"}
    tables = Tables(problem_of(document(linear_chain(3, 5, 3), [7], batch=1, levels=2, fix=fix, bytes_per_element=2)))
    value, choices = tables.best()
    clusters, messages = chain(tables)
    header = header_of(tables, clusters, messages, choices, value)
    found = check(certificate(changed(header, "problem.bytes_per_element", 1), messages))
    assert found.bound == found.cost == Fraction(value, 2)


@pytest.mark.parametrize("field", ["feature_in", "weight", "feature_out"])
def test_a_tensor_of_no_elements_costs_nothing(field):
    _, header, messages = of_chain(fix={"fc1": "dd", "fc2": "mm", "fc3": "oo"}, choices=["dp", "mp", "op"])
    layer = {"weight": 0, "feature_out": 1, "feature_in": 2}[field]
    found = check(certificate(changed(header, f"problem.layers[{layer}].{field}", 0), messages))
    assert found.bound == found.cost < Fraction(header["claim"]["bound"])


@pytest.mark.parametrize("power", [20, 62, 63, 70, 200])
def test_a_weight_far_below_the_scale(power):
    _, header, messages = of_chain()
    other = changed(header, "problem.objective.communication", f"1/{2**power}")
    with pytest.raises(CertificateError, match=r"header.json: scale: too small, a cost is not whole in its units"):
        check(certificate(other, messages))


# --- 4: how large tables become


def room(monkeypatch, most, edges, layers=2, **options):
    """Check a cluster of a whole chain where a table may have so many entries; return the message of a refusal."""
    whole = document(linear_chain(*range(8, 8 + layers)), [8], levels=3, **options)
    tables = Tables(problem_of(whole))
    value, choices = tables.best()
    every = list(range(layers))
    clusters = [{"kind": "bucket", "variables": every, "unary": every, "edges": edges}]
    header = header_of(tables, clusters, [], choices, Fraction(value, tables.denominator))
    monkeypatch.setattr(module, "MOST_BYTES", 8 * most)
    try:
        assert check(certificate(header, [])).proven
    except CertificateError as error:
        return str(error).rpartition("expected ")[2]
    return ""


@pytest.mark.parametrize(
    ("accounting", "choices", "entries"),
    [
        ("published", ["dp", "mp"], 8),
        ("published", ["dp", "mp", "op"], 27),
        ("receiver", ["dp", "mp"], 8),
        ("receiver", ["dp", "mp", "op"], 27 * 4),
        ("leaf-exact", ["dp", "mp"], 8 * 8),
        ("leaf-exact", ["dp", "mp", "op"], 27 * 27),
    ],
)
def test_a_boundary_needs_no_larger_tables_than_it_has_to(monkeypatch, accounting, choices, entries):
    some = {"accounting": accounting, "choices": choices}
    assert room(monkeypatch, entries, [0], **some) == ""
    wanted = f"tables of at most {8 * entries - 8} bytes, {entries} numbers of " if entries not in (8, 27) else "1 to "
    assert room(monkeypatch, entries - 1, [0], **some).startswith(wanted)


def test_a_chain_in_one_cluster_is_minimised_from_its_end(monkeypatch):
    assert room(monkeypatch, 8, [2, 1, 0], layers=4) == ""


# --- 5: what is charged, and what there is


@pytest.mark.parametrize(
    ("kind", "charges"), [("unary", ([0], [2, 2])), ("unary", ([0, 0], [2])), ("edges", ([0, 0], []))]
)
def test_one_cost_charged_twice_does_not_stand_for_another(kind, charges):
    _, header, messages = of_chain()
    for c, some in enumerate(charges):
        header = changed(header, f"clusters[{c}].{kind}", some)
    with pytest.raises(CertificateError, match=f"clusters: {kind}: expected each of "):
        check(certificate(header, messages))


def test_a_boundary_of_four_numbers():
    _, header, messages = of_chain()
    wanted = r"problem: boundaries\[1\]: expected two layers and the elements, got \[1, 2, 4, 4\]"
    with pytest.raises(CertificateError, match=wanted):
        check(certificate(changed(header, "problem.boundaries[1]", [1, 2, 4, 4]), messages))


def test_an_array_that_has_another_length_than_it_says():
    _, header, messages = of_chain()
    content, digest = entries([one[3] for one in messages])
    text = json.dumps({"arrays_sha256": digest} | header)
    other = content.replace(b"(4,)", b"(5,)")
    with pytest.raises(CertificateError, match=r"messages.npy: expected 4 entries of 8 bytes, got 5 and 32 bytes"):
        check(archive([("header.json", text), ("messages.npy", other)]))


@pytest.mark.parametrize(("at", "change"), [(10, 8), (10, 12), (20, -1), (24, -1), (20, 1)])
def test_a_directory_that_says_another_method_or_another_length(at, change):
    """Method and lengths of the first member, each field alone."""
    _, header, messages = of_chain()
    raw = bytearray(certificate(header, messages).getvalue())
    raw[raw.index(b"PK\x01\x02") + at] = (raw[raw.index(b"PK\x01\x02") + at] + change) % 256
    with pytest.raises(CertificateError, match=r"header.json: expected to be stored as it is, in all its length"):
        check(io.BytesIO(bytes(raw)))


# --- 6: certificates as they are written


def written(problem, **changes):
    """A certificate of a problem's optimum, whose plan has these fields."""
    proofs, file = [], io.BytesIO()
    plan = solve(problem, "joint-dp", proof=proofs.append)
    write_certificate(file, problem, proofs.pop(), replace(plan, **changes))
    return file


def test_without_messages_there_is_an_array_of_no_integers():
    file = written(problem_of(document(linear_chain(4), [4])))
    with ZipFile(file) as found:
        assert b"'descr': '<i8', 'fortran_order': False, 'shape': (0,)" in found.read("messages.npy")
    assert check(file).proven


def test_the_bound_is_written_and_not_the_objective():
    problem = problem_of(document(linear_chain(4, 4), [4]))
    found = check(written(problem, bound=1))
    assert found.header["claim"]["bound"] == "1"
    assert not found.proven


# --- 7: whose they are


@pytest.mark.parametrize("field", ["fix", "overrides", "layers", "boundaries", "objective"])
def test_a_certificate_without_a_field_is_of_another_problem(field):
    problem = problem_of(document(linear_chain(4, 4), [4]))
    header = {"problem": problem_document(problem)}
    del header["problem"][field]
    with pytest.raises(InputError, match=f"problem.{field}: is a certificate of another problem"):
        bind(header, problem, "plan.cert")


# --- 8: boxes


def test_a_fraction_of_a_byte_at_a_level_is_refused():
    """What a half lacks of one element is half a byte, of F forwards and of E backwards; of two it is one byte."""
    problem = problem_of(document(linear_chain(1, 1), [1], batch=1))
    plan = {"fc1": "d", "fc2": "m"}
    assert communication(problem.work, plan, ExchangeSetting(1, halves(1), "published", 2)).inter == ((2,),)
    with pytest.raises(ArithmeticError, match="level 1 would exchange a fraction of a byte"):
        communication(problem.work, plan, ExchangeSetting(1, halves(1), "published", 1))


def test_one_missing_layer_is_named_and_no_more_are_counted():
    problem = problem_of(document(linear_chain(4, 4), [4]))
    assert incomplete(problem.work, {"fc1": "d"}) == "the plan has no strategy for layer 'fc2'"


# --- 9: claims


@pytest.mark.parametrize("status", ["ERROR", "NO_SOLUTION"])
def test_a_plan_without_a_claim(status):
    claim = claim_of(solve(problem_of(document(linear_chain(4), [4])), "joint-dp"))
    nothing = {"strategies": None, "communication_bytes": None, "objective": None, "bound": None}
    with pytest.raises(InputError, match=f"a plan with status {status} claims nothing that could be verified"):
        replace(claim, status=status, **nothing)


@pytest.mark.parametrize("digest", ["0" * 63, "0" * 65, ""])
def test_a_hash_of_another_length(tmp_path, digest):
    plan = plan_document(solve(problem_of(document(linear_chain(4), [4])), "joint-dp"))
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan | {"instance_sha256": digest}), encoding="utf-8")
    with pytest.raises(InputError, match="instance_sha256: expected a SHA-256 as 64 hexadecimal digits"):
        read_claim(path)


def test_what_is_refuted_stays_refuted_whatever_is_open():
    checks = [
        Check(one.value, one, "") for one in (CheckOutcome.UNDECIDED, CheckOutcome.CONFIRMED, CheckOutcome.REFUTED)
    ]
    assert Verdict(tuple(checks)).outcome is CheckOutcome.REFUTED
    assert Verdict(tuple(checks[:2])).outcome is CheckOutcome.UNDECIDED


def test_a_certificate_that_proves_nothing_does_not_end_the_search_for_a_plan(tmp_path):
    problem = problem_of(document(linear_chain(4, 4), [4]))
    path = tmp_path / "plan.cert"
    path.write_bytes(written(problem, strategies={"fc1": "d"}).getvalue())
    nothing = {"strategies": None, "communication_bytes": None, "objective": None, "bound": None}
    claim = replace(claim_of(solve(problem, "joint-dp")), status="INFEASIBLE", **nothing)
    verdict = verify(problem, claim, certificate=path)
    assert (verdict.outcome, verdict.better.source) == (CheckOutcome.REFUTED, "joint-dp")


def test_that_nothing_is_known_does_not_confirm_that_there_is_no_plan(monkeypatch):
    problem = problem_of(document(linear_chain(4, 4), [4]))
    nothing = {"strategies": None, "communication_bytes": None, "objective": None, "bound": None}
    claim = replace(claim_of(solve(problem, "joint-dp")), status="INFEASIBLE", **nothing)
    monkeypatch.setattr(verifying, "lower_bound", lambda *_, **__: Evidence("nobody could say"))
    assert verify(problem, claim).outcome is CheckOutcome.UNDECIDED


def test_after_a_certificate_that_fails_nothing_is_searched(tmp_path):
    problem = problem_of(document(linear_chain(4, 4), [4]))
    path = tmp_path / "plan.cert"
    path.write_bytes(written(problem, bound=1).getvalue())
    verdict = verify(problem, solve(problem, "joint-dp"), certificate=path)
    assert (verdict.outcome, verdict.checks[-1].name) == (CheckOutcome.UNDECIDED, "certificate")


def test_after_a_number_that_fails_no_certificate_is_judged(tmp_path):
    problem = problem_of(document(linear_chain(4, 4), [4]))
    path = tmp_path / "plan.cert"
    path.write_bytes(written(problem).getvalue())
    claim = claim_of(solve(problem, "joint-dp"))
    verdict = verify(problem, replace(claim, objective=claim.objective + 1), certificate=path)
    assert (verdict.outcome, verdict.checks[-1].name) == (CheckOutcome.REFUTED, "objective")
