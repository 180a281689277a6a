"""The checker of certificates: what it proves, what it refuses, and that each of its checks can fail."""

from __future__ import annotations

import contextlib
import io
import json
import math
import subprocess
import sys
import zipfile
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from bank.random_networks import MODELS, random_document
from helpers import document, each, linear_chain, problem_of
from make import (
    Tables,
    archive,
    certificate,
    chain,
    changed,
    edgewise,
    eliminate,
    entries,
    header_of,
    npy,
    proven,
)

from hypar_opt.solver.solve import solve
from hypar_opt.verification.certificate import check as module
from hypar_opt.verification.certificate.check import CertificateError, check, main
from hypar_opt.verification.certificate.write import write_certificate

SEEDS = range(25)


def random_tables(seed, model):
    """A random problem small enough for trying all, under one accounting; every other one with another weight."""
    accounting, choices = model
    for attempt in range(seed, 10_000, len(SEEDS)):
        whole = random_document(attempt, most_layers=5)
        whole["cost"] |= {"accounting": accounting, "choices": choices}
        letters = {choice[0] for choice in choices}
        whole["fix"] = {name: word for name, word in whole.get("fix", {}).items() if set(word) <= letters}
        if attempt % 2:
            whole["objective"] = {"communication": (0.5, 0.1, 3, 0.25)[attempt % 8 // 2]}
        tables = Tables(problem_of(whole))
        if tables.is_feasible and math.prod(tables.sizes) <= 20_000:
            return tables
    raise AssertionError("no small problem")


def shuffled(tables, rng):
    order = list(range(len(tables.sizes)))
    rng.shuffle(order)
    return order


@pytest.mark.parametrize("model", MODELS, ids=lambda model: f"{model[0]}-{''.join(x[0] for x in model[1])}")
@each("seed", SEEDS, quick=10)
def test_messages_of_any_elimination_order_prove_the_optimum(model, seed):
    tables, rng = random_tables(seed, model), Random(seed)
    value, choices = tables.best()
    optimum = Fraction(value, tables.denominator)
    clusters, messages = eliminate(tables, shuffled(tables, rng))
    found = check(certificate(header_of(tables, clusters, messages, choices, optimum), messages))
    assert found.faults == ()
    assert found.proven
    assert found.bound == found.cost == optimum == Fraction(tables.problem.graph.value(choices), tables.denominator)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: f"{model[0]}-{''.join(x[0] for x in model[1])}")
@each("seed", SEEDS, quick=10)
def test_any_messages_prove_what_the_formula_says_and_no_more_than_the_optimum(model, seed):
    tables, rng = random_tables(seed, model), Random(seed)
    value, choices = tables.best()
    clusters, messages = edgewise(tables, rng)
    found = check(certificate(header_of(tables, clusters, messages, choices, 1), messages, rng.choice([None, 8, 11])))
    assert found.bound == Fraction(proven(tables, clusters, messages), tables.denominator)
    assert found.bound <= found.cost == Fraction(value, tables.denominator)


def small(features=(8, 4, 6), levels=2, **cost):
    """The tables of a chain, its header and its messages."""
    whole = document(linear_chain(*features), [8], batch=8, levels=levels, **cost)
    tables = Tables(problem_of(whole))
    value, choices = tables.best()
    clusters, messages = chain(tables)
    return tables, header_of(tables, clusters, messages, choices, Fraction(value, tables.denominator)), messages


@pytest.fixture(scope="module")
def good():
    _, header, messages = small()
    return header, messages


def test_a_chain_with_a_cluster_for_every_boundary(good):
    header, messages = good
    found = check(certificate(header, messages))
    assert found.proven
    assert found.header["clusters"][0]["kind"] == "boundary"
    assert found.header["claim"] == header["claim"]


@pytest.mark.parametrize("accounting", ["published", "receiver"])
def test_long_words_of_three_letters(accounting):
    """Letters above of both ends count under `receiver`."""
    tables, header, messages = small((8, 40), 5, accounting=accounting, choices=["dp", "mp", "op"])
    assert tables.sizes == [243, 243]
    assert check(certificate(header, messages)).proven


def test_one_accelerator_exchanges_nothing():
    _, header, messages = small(levels=0)
    assert header["claim"]["plan"] == {"fc1": "", "fc2": "", "fc3": ""}
    assert check(certificate(header, messages)).bound == 0


def test_entries_beyond_int64():
    layers = linear_chain(2**20, 2**20, 2**20)
    whole = document(layers, [2**20], batch=2**40, levels=2, bytes_per_element=1024)
    tables = Tables(problem_of(whole))
    value, choices = tables.best()
    clusters, messages = chain(tables)
    assert max(int(x) for one in messages for x in one[3].ravel()) > 2**63
    header = header_of(tables, clusters, messages, choices, value)
    assert check(certificate(header, messages)).proven
    messages[0][3] = messages[0][3] - 1
    assert check(certificate(header, messages)).proven  # given and paid
    messages[0][3] = messages[0][3] + np.arange(4)
    assert not check(certificate(header, messages)).proven


def test_huge_messages_do_not_wrap_around():
    _, header, messages = small()
    for one in messages:
        one[3] = np.full(one[3].shape, 2**63 - 1, object)
        one[3][0] = -(2**63)
    found = check(certificate(header, messages))
    assert found.bound < -(2**62)
    assert found.faults == (
        f"the potentials prove the bound {found.bound}, the file claims {found.cost}",
        f"the plan in the file costs {found.cost}, the bound is {found.bound}",
    )


def test_of_an_open_file_and_of_a_path(good, tmp_path):
    file = certificate(*good)
    path = tmp_path / "plan.cert"
    path.write_bytes(file.getvalue())
    assert check(path) == check(str(path)) == check(file)


# --- not proven


def faults(header, messages):
    return check(certificate(header, messages)).faults


def test_another_bound_claimed(good):
    header, messages = good
    bound = int(header["claim"]["bound"])
    assert faults(changed(header, "claim.bound", str(bound + 1)), messages) == (
        f"the potentials prove the bound {bound}, the file claims {bound + 1}",
    )
    assert faults(changed(header, "claim.bound", f"{bound}.0"), messages) == ()
    assert faults(changed(header, "claim.bound", f"{2 * bound}/2"), messages) == ()


def test_a_dearer_plan(good):
    header, messages = good
    other = changed(header, "claim.plan.fc1", "mm" if header["claim"]["plan"]["fc1"] != "mm" else "dd")
    found = check(certificate(other, messages))
    assert found.cost > found.bound
    assert found.faults == (f"the plan in the file costs {found.cost}, the bound is {found.bound}",)


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        ("claim.plan.fc1", "mmx", "the plan gives 'fc1' 'mmx', which is not allowed"),
        ("claim.plan.fc1", "mx", "the plan gives 'fc1' 'mx', which is not allowed"),
        ("claim.plan.fc1", "m", "the plan gives 'fc1' 'm', which is not allowed"),
        ("claim.plan.fc2", ..., "the plan lacks the layer 'fc2'"),
        ("claim.plan.fc9", "dd", "the plan has a layer 'fc9'"),
    ],
)
def test_a_plan_that_is_none(good, path, value, fault):
    header, messages = good
    found = check(certificate(changed(header, path, value), messages))
    assert found.faults == (fault,)
    assert found.cost is None
    assert found.bound == int(header["claim"]["bound"])


def test_a_plan_against_what_is_fixed():
    whole = document(linear_chain(8, 4), [8], batch=8, levels=2, fix={"fc1": "mm"})
    tables = Tables(problem_of(whole))
    value, choices = tables.best()
    clusters, messages = chain(tables)
    header = header_of(tables, clusters, messages, choices, value)
    assert faults(header, messages) == ()
    wrong = changed(header, "claim.plan.fc1", "dd")
    assert faults(wrong, messages) == ("the plan gives 'fc1' 'dd', which is not allowed",)


def test_a_plan_against_what_divides():
    _, header, messages = small((8, 6), splits="divisible")  # 8, 8 into fc1 and fc2
    assert faults(header, messages) == ()
    wrong = changed(header, "problem.layers[0].in_sizes", [8, 2])
    wrong = changed(wrong, "claim.plan.fc1", "mm")
    assert faults(wrong, messages)[0] == "the plan gives 'fc1' 'mm', which is not allowed"


def test_changed_arrays_with_a_new_digest_are_judged_by_what_they_prove():
    _, header, messages = small()
    messages[0][3] = messages[0][3] + np.arange(4) * 1000
    found = check(certificate(header, messages))
    assert not found.proven
    assert found.bound < found.cost


# --- not a certificate


def refusal(source):
    """The message with which a source is refused, which must be one line."""
    with pytest.raises(CertificateError) as caught:
        check(source)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


BAD_FIELDS = [
    ("schema", "hypar-opt/certificate/2", "schema: expected hypar-opt/certificate/1"),
    ("problem.kind", "graph", "problem: kind: expected network"),
    ("problem.batch", 0, "problem: batch: expected "),
    ("problem.batch", True, "problem: batch: expected "),
    ("problem.batch", "8", "problem: batch: expected "),
    ("problem.batch", None, "problem: batch: expected "),
    ("problem.levels", 25, "problem: levels: expected "),
    ("problem.levels", -1, "problem: levels: expected "),
    ("problem.accounting", "x", "problem: accounting: expected "),
    ("problem.choices", "dd", "problem: choices: expected "),
    ("problem.choices", "", "problem: choices: expected "),
    ("problem.bytes_per_element", 2**63, "problem: bytes_per_element: expected "),
    ("problem.splits", "some", "problem: splits: expected "),
    ("problem.fix", [], "problem: fix: expected dict"),
    ("problem.fix", {"fc1": 1}, "problem: fix: fc1: expected "),
    ("problem.fix", {"fc1": "d"}, "layer 'fc1' has no allowed strategy: nothing to prove"),
    ("problem.fix", {"fc9": "dd"}, "problem: fix: expected names of layers"),
    ("problem.objective.communication", 1, "problem: objective: communication: expected "),
    ("problem.objective.communication", "1e9", "problem: objective: communication: expected "),
    ("problem.objective.communication", "1/0", "problem: objective: communication: expected "),
    ("problem.objective.communication", "0", "problem: objective: communication: expected a weight above 0"),
    ("problem.objective.communication", "-1", "problem: objective: communication: expected a weight above 0"),
    ("problem.objective.time", "1", "problem: objective: missing or unknown fields: ['time']"),
    ("problem.overrides", {"levels": 3}, "problem: overrides: not as in the problem"),
    ("problem.overrides", {"seed": 3}, "problem: overrides: not as in the problem"),
    ("problem.overrides", {"levels": True}, "problem: overrides: not as in the problem"),
    ("problem.overrides", {"fix": {"fc9": "d"}}, "problem: overrides: fix: 'fc9' is no layer; the nearest is 'fc3'"),
    ("problem.overrides", {"fix": {"conv*": "."}}, "problem: overrides: fix: 'conv*' is no layer; the nearest is "),
    ("problem.overrides", {"fix": {"fc1": "m"}}, "problem: overrides: fix: 'fc1': 'm' is not what fix gives 'fc1'"),
    ("problem.overrides", {"fix": ["fc1"]}, "problem: overrides: fix: expected dict, got ['fc1']"),
    ("problem.overrides", {"fix": {"fc1": 1}}, "problem: overrides: fix: fc1: expected (?s:.*), got 1"),
    ("problem.instance_sha256", "0", "problem: instance_sha256: expected "),
    ("problem.layers", [], "problem: boundaries[0]: expected two layers and the elements"),
    ("problem.layers[1].name", "fc1", "problem: layers: expected different names"),
    ("problem.layers[1].join", 0, "problem: layers[1]: join: expected bool"),
    ("problem.layers[1].weight", -1, "problem: layers[1]: weight: expected "),
    ("problem.layers[1].in_sizes", [0], "problem: layers[1]: in_sizes[0]: expected "),
    ("problem.layers[1].bias", 1, "problem: layers[1]: missing or unknown fields: ['bias']"),
    ("problem.layers[1].weight", ..., "problem: layers[1]: missing or unknown fields: ['weight']"),
    ("problem.boundaries[1]", [0, 9, 8], "problem: boundaries[1]: expected two layers and the elements"),
    ("problem.boundaries[1]", [1, 1, 8], "problem: boundaries[1]: expected two layers and the elements"),
    ("problem.boundaries[1]", [1], "problem: boundaries[1]: expected two layers and the elements"),
    ("scale", -1, "scale: expected "),
    ("scale", 10**9, "scale: expected "),
    ("clusters", {}, "clusters: expected list"),
    ("clusters", [], "clusters: unary: expected each of 3 once in all"),
    ("clusters[0].kind", "bag", "clusters[0]: kind: expected "),
    ("clusters[0].variables", [], "clusters[0]: variables: expected different layers"),
    ("clusters[0].variables", [0, 0], "clusters[0]: variables: expected different layers"),
    ("clusters[0].variables", [0, 3], "clusters[0]: variables: expected different layers"),
    ("clusters[0].variables", [*range(33)], "clusters[0]: variables: expected different layers"),
    ("clusters[0].unary", [2], "clusters[0]: expected costs of its variables only"),
    ("clusters[0].unary", [0, 1], "clusters: unary: expected each of 3 once in all"),
    ("clusters[0].unary", [], "clusters: unary: expected each of 3 once in all"),
    ("clusters[1].unary", [1], "clusters: unary: expected each of 3 once in all"),
    ("clusters[0].edges", [1], "clusters[0]: expected costs of its variables only"),
    ("clusters[0].edges", [7], "clusters[0]: expected costs of its variables only"),
    ("clusters[0].edges", [0, 0], "clusters: edges: expected each of 2 once in all"),
    ("clusters[0].edges", [], "clusters: edges: expected each of 2 once in all"),
    ("messages[0].to", 0, "messages[0]: expected two clusters, and messages ordered by the first"),
    ("messages[0].to", 2, "messages[0]: expected two clusters, and messages ordered by the first"),
    ("messages[0].variables", [0], "messages[0]: variables: expected different ones that both clusters have"),
    ("messages[0].variables", [1, 1], "messages[0]: variables: expected different ones that both clusters have"),
    ("multipliers", ["1"], "multipliers: expected none, as a network has no capacities"),
    ("multipliers", [1], "multipliers[0]: expected "),
    ("arrays_sha256", "0" * 64, "arrays_sha256: messages.npy has another digest"),
    ("claim.bound", "12 ", "claim: bound: expected "),
    ("claim.bound", "9" * 1000, "claim: bound: expected "),
    ("claim.plan", None, "claim: plan: expected dict"),
    ("claim", ..., "missing or unknown fields: ['claim']"),
    ("extra", 1, "missing or unknown fields: ['extra']"),
]


@pytest.mark.parametrize(("path", "value", "message"), BAD_FIELDS, ids=[f"{x[0]}={str(x[1])[:20]}" for x in BAD_FIELDS])
def test_bad_fields(good, path, value, message):
    header, messages = good
    found = refusal(certificate(changed(header, path, value), messages))
    assert found.removeprefix("header.json: ").startswith(message)


def test_messages_out_of_order():
    _, header, messages = small((8, 4, 6, 4), 1)
    header["messages"].reverse()
    messages.reverse()
    wanted = "header.json: messages[1]: expected two clusters, and messages ordered by the first"
    assert refusal(certificate(header, messages)) == wanted


def test_op_under_as_evaluated(good):
    header = changed(changed(good[0], "problem.accounting", "as-evaluated"), "problem.choices", "dmo")
    assert refusal(certificate(header, good[1])) == (
        "header.json: problem: choices: expected d and m only if as-evaluated"
    )


def test_more_levels_than_dense_tables_allow(good):
    header = changed(changed(good[0], "problem.accounting", "leaf-exact"), "problem.levels", 7)
    expected = "header.json: problem: levels: expected at most 6 if leaf-exact"
    assert refusal(certificate(header, good[1])) == expected


def test_more_strategies_than_fit(good):
    header = changed(changed(good[0], "problem.choices", "dmo"), "problem.levels", 24)
    expected = f"header.json: problem: levels: expected 1 to {2**25} words, got {3**24} to {3**24}"
    assert refusal(certificate(header, good[1])) == expected


def test_a_cluster_that_needs_too_large_tables(good):
    """Nothing is allocated: the three layers are tied by their boundaries in a ring."""
    header = changed(changed(good[0], "problem.levels", 15), "messages", [])
    header["problem"]["boundaries"].append([0, 2, 8])
    header["clusters"] = [{"kind": "bucket", "variables": [0, 1, 2], "unary": [0, 1, 2], "edges": [0, 1, 2]}]
    found = refusal(certificate(header, []))
    assert found.startswith(f"expected tables of at most {2**28} bytes, {2**30} numbers of ")
    assert found.endswith(f" bits need {2**33}")


def test_no_allowed_strategy(good):
    header = changed(changed(good[0], "problem.splits", "divisible"), "problem.batch", 1)
    header = changed(header, "problem.layers[1].in_sizes", [7])
    assert refusal(certificate(header, good[1])) == "layer 'fc2' has no allowed strategy: nothing to prove"
    header = changed(changed(good[0], "problem.choices", "o"), "problem.layers[1].join", True)
    expected = f"header.json: problem: levels: expected 1 to {2**25} words, got 0 to 1"
    assert refusal(certificate(header, good[1])) == expected


@pytest.mark.parametrize(("weight", "scale"), [("1/16", 0), ("1/1024", 2)])
def test_a_scale_that_leaves_fractions(good, weight, scale):
    header = changed(changed(good[0], "problem.objective.communication", weight), "scale", scale)
    header = changed(header, "problem.layers[0].weight", 1)
    expected = "header.json: scale: too small, a cost is not whole in its units"
    assert refusal(certificate(header, good[1])) == expected


def test_a_larger_scale_than_needed(good):
    header, messages = changed(good[0], "scale", 3), [[*one[:3], one[3] * 8] for one in good[1]]
    assert check(certificate(header, messages)).proven


NONE = "not a certificate, or damaged: "
"""What other libraries say behind it is theirs."""
BAD_TEXTS = [
    ("", NONE),
    ("{", NONE),
    ("[" * 100_000, NONE),
    (b"\xff", NONE),
    (f'{{"scale": {"9" * 5000}}}', NONE),
    ("[]", "header.json: expected dict, got []"),
    ('{"scale": 0.5}', "header.json: missing or unknown fields: "),
    ('{"scale": NaN}', "header.json: missing or unknown fields: "),
]


@pytest.mark.parametrize(("text", "message"), BAD_TEXTS, ids=[str(x[0])[:20] for x in BAD_TEXTS])
def test_bad_header_texts(good, text, message):
    content, _ = entries([one[3] for one in good[1]])
    assert refusal(archive([("header.json", text), ("messages.npy", content)])).startswith(message)


@pytest.mark.parametrize("value", [8.0, float("nan"), float("inf")])
def test_numbers_that_are_no_integers(good, value):
    found = refusal(certificate(changed(good[0], "problem.batch", value), good[1]))
    assert found.startswith("header.json: problem: batch: expected range(1, ")


ENTRIES = "messages.npy: expected '<i8' (n,) or '|u1' (n, bytes), got "
NUMBERS = np.arange(4)
BAD_ARRAYS = [
    (npy(NUMBERS[:3]), "messages.npy: expected 4 entries of 8 bytes, got 3 and 24 bytes"),
    (npy(NUMBERS) + b"\0", "messages.npy: expected 4 entries of 8 bytes, got 4 and 33 bytes"),
    (npy(NUMBERS)[:-1], "messages.npy: expected 4 entries of 8 bytes, got 4 and 31 bytes"),
    (npy(NUMBERS.astype(">i8")), ENTRIES),
    (npy(NUMBERS.astype("<f8")), ENTRIES),
    (npy(NUMBERS.astype("<u8")), ENTRIES),
    (npy(NUMBERS.reshape(2, 2)), ENTRIES),
    (npy(NUMBERS.astype("|u1")), ENTRIES),
    (npy(np.zeros((4, 3), "|u1", order="F")), ENTRIES),
    (npy(NUMBERS.astype(object)), ENTRIES),
    (b"", ENTRIES),
    (b"\x93NUMPY\x03\x00" + npy(NUMBERS)[8:], ENTRIES),
    (b"\x80\x04.", ENTRIES),
]


@pytest.mark.parametrize(("content", "message"), BAD_ARRAYS)
def test_bad_arrays(good, content, message):
    text = json.dumps(good[0] | {"arrays_sha256": "0" * 64})
    found = refusal(archive([("header.json", text), ("messages.npy", content)]))
    assert found.startswith(message)


def test_an_array_of_format_two(good):
    header, messages = good
    _, digest = entries([one[3] for one in messages])
    content = npy(np.array([int(x) for one in messages for x in one[3]], "<i8"), version=(2, 0))
    text = json.dumps(header | {"arrays_sha256": digest})
    assert check(archive([("messages.npy", content), ("header.json", text)])).proven


def members(good):
    with zipfile.ZipFile(certificate(*good)) as found:
        return [(name, found.read(name)) for name in ("header.json", "messages.npy")]


def test_other_members(good):
    both = members(good)
    wanted = "expected header.json and messages.npy, got "
    assert refusal(archive(both[:1])) == f"{wanted}['header.json']"
    assert refusal(archive([*both, ("x", "")])) == f"{wanted}['header.json', 'messages.npy', 'x']"
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = archive([*both, both[0]])
    assert refusal(twice) == f"{wanted}['header.json', 'header.json', 'messages.npy']"


def test_compressed_members(good):
    expected = "header.json: expected to be stored as it is, in all its length"
    assert refusal(archive(members(good), zipfile.ZIP_DEFLATED)) == expected


def patched(file, at, content, mark=b"PK\x01\x02"):
    """A certificate with bytes of the directory's first entry replaced."""
    raw = bytearray(file.getvalue())
    place = raw.index(mark) + at
    raw[place : place + len(content)] = content
    return io.BytesIO(bytes(raw))


def test_encrypted_members(good):
    expected = "header.json: expected to be stored as it is, in all its length"
    assert refusal(patched(certificate(*good), 8, b"\x01")) == expected


def test_members_that_claim_more_than_there_is(good):
    four_gigabytes = (2**32 - 2).to_bytes(4, "little")
    both = patched(certificate(*good), 20, four_gigabytes + four_gigabytes)
    assert refusal(both) == "header.json: expected to be stored as it is, in all its length"


def test_a_changed_byte(good):
    """The checksum of the archive names the member."""
    raw = certificate(*good).getvalue()
    at = raw.index(b"\x93NUMPY") + 128
    found = refusal(io.BytesIO(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]))
    assert found.startswith(NONE)
    assert "messages.npy" in found


def test_every_truncation_and_every_other_changed_byte_is_an_answer(good):
    """Never anything but a verdict or a CertificateError."""
    raw = certificate(*good).getvalue()
    for length in range(0, len(raw), 7):
        assert refusal(io.BytesIO(raw[:length])).startswith(NONE)
    rng = Random(0)
    for _ in range(600):
        at = rng.randrange(len(raw))
        with contextlib.suppress(CertificateError):
            check(io.BytesIO(raw[:at] + bytes([rng.randrange(256)]) + raw[at + 1 :]))


def test_headers_with_any_value_replaced_are_an_answer(good):
    """Never anything but a verdict or a CertificateError, whatever stands in a field."""
    header, messages = good
    others = [
        None,
        True,
        -1,
        0,
        1,
        2,
        24,
        2**62,
        2**70,
        "",
        "dm",
        "1/3",
        "\ud800\n",
        [],
        [[]],
        [0],
        [2**40],
        {},
        {"": 0},
    ]
    for path in paths(header):
        for value in others:
            with contextlib.suppress(CertificateError):
                check(certificate(changed(header, path, value), messages))


def paths(value, prefix=""):
    """The paths of all values in a document."""
    keys = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in keys:
        yield f"{prefix}{key}"
        yield from paths(one, f"{prefix}{key}.")


@pytest.mark.parametrize(("name", "content"), [("empty", b""), ("text", b"no zip archive"), ("cut", b"PK\x03\x04")])
def test_no_archive(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    assert refusal(path).startswith(NONE)


@pytest.mark.parametrize("name", ["", "none", "/dev/zero"])
def test_what_is_no_file(tmp_path, name):
    assert refusal(tmp_path / name) == "no such file, or none that a certificate can be"


def test_zeros_times_a_cost_beyond_64_bits_are_zeros():
    """Under leaf-exact two layers in dp exchange nothing, whatever the size of what is between them."""
    whole = document(linear_chain(2**40, 1), [1], batch=2**40, levels=2, accounting="leaf-exact", choices=["dp"])
    problem, proofs, file = problem_of(whole), [], io.BytesIO()
    plan = solve(problem, "joint-dp", proof=proofs.append)
    write_certificate(file, problem, proofs.pop(), plan)
    found = check(file)
    assert found.proven
    assert found.bound == plan.objective


# --- alone


def alone(*arguments, cwd):
    """Run the file by itself, isolated from this project."""
    command = [sys.executable, "-I", str(Path(module.__file__).resolve()), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_the_checker_runs_alone(good, tmp_path):
    header, messages = good
    bound = header["claim"]["bound"]
    path = tmp_path / "plan.cert"
    path.write_bytes(certificate(header, messages).getvalue())
    found = alone(path, cwd=tmp_path)
    assert (found.returncode, found.stdout, found.stderr) == (
        0, f"proven: the plan costs {bound}, and none costs less\n", "",
    )  # fmt: skip
    path.write_bytes(certificate(changed(header, "claim.bound", "1"), messages).getvalue())
    found = alone(path, cwd=tmp_path)
    verdict = f"not proven: the potentials prove the bound {bound}, the file claims 1; the potentials prove {bound}\n"
    assert (found.returncode, found.stdout, found.stderr) == (1, verdict, "")
    path.write_bytes(b"")
    found = alone(path, cwd=tmp_path)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith(NONE)
    assert len(found.stderr.splitlines()) == 1


def test_it_imports_nothing_of_the_project(tmp_path):
    script = f"import runpy, sys; runpy.run_path({module.__file__!r}); print([x for x in sys.modules if 'hypar' in x])"
    found = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_main(good, tmp_path, capsys):
    assert main([]) == 2
    assert capsys.readouterr().err == "usage: python check.py FILE\n"
    header = changed(good[0], "claim.plan.fc1", "\ud800\n")
    path = tmp_path / "plan.cert"
    path.write_bytes(certificate(header, good[1]).getvalue())
    assert main([str(path)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 1
