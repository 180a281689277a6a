"""Certificates with one thing changed: every one is caught, and for the right reason."""

from __future__ import annotations

import hashlib
import io
import json
from fractions import Fraction
from math import prod
from random import Random
from zipfile import ZipFile

import numpy as np
import pytest
from helpers import each
from verification.plans import solved, worse

from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact
from hypar_opt.verification import read_claim, verify
from hypar_opt.verification.certificate.check import CertificateError, check
from hypar_opt.verification.certificate.write import write_certificate

SEEDS = range(16)


def certified(seed):
    """Return a problem, and the bytes of the certificate of its optimum."""
    problem, _ = solved(seed)
    found = []
    plan = solve(problem, "joint-dp", proof=found.append)
    file = io.BytesIO()
    write_certificate(file, problem, found.pop(), plan)
    return problem, file.getvalue()


def opened(content):
    with ZipFile(io.BytesIO(content)) as archive:
        return json.loads(archive.read("header.json")), np.load(io.BytesIO(archive.read("messages.npy")))


def packed(header, messages, *, renew=True):
    """Return a certificate's bytes; with `renew` its digest is made true again."""
    if renew:
        header = header | {"arrays_sha256": hashlib.sha256(messages.tobytes()).hexdigest()}
    array = io.BytesIO()
    np.lib.format.write_array(array, messages, version=(1, 0), allow_pickle=False)
    file = io.BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("messages.npy", array.getvalue())
    return file.getvalue()


def checked(content):
    return check(io.BytesIO(content))


def claimed(header, by):
    return header | {"claim": header["claim"] | {"bound": str(exact(Fraction(header["claim"]["bound"]) + by))}}


def lowered(problem, header, messages, seed):
    """Lower one potential at the plan's own values: whoever is given it has less, and the least paid is as before.

    Where only those values are allowed the sender would have as much more, and the proof would hold.
    """
    masks = [variable.mask for variable in problem.graph.variables]
    sizes = [variable.size for variable in problem.graph.variables]
    choices = problem.choices(header["claim"]["plan"])
    offset, places = 0, []
    for message in header["messages"]:
        shape = [sizes[x] for x in message["variables"]]
        if any(masks[x] is None or masks[x].sum() > 1 for x in message["variables"]):
            places.append(offset + int(np.ravel_multi_index([choices[x] for x in message["variables"]], shape)))
        offset += prod(shape)
    messages = messages.copy()
    messages[Random(seed).choice(places)] -= 1
    return messages


@each("seed", SEEDS)
def test_the_certificate_itself_proves_its_plan(seed):
    _, content = certified(seed)
    again = checked(packed(*opened(content)))
    assert again.proven
    assert again.bound == again.cost == checked(content).bound


@pytest.mark.parametrize("by", [1, -1, Fraction(1, 2), 2**70])
@each("seed", SEEDS)
def test_another_bound(seed, by):
    header, messages = opened(certified(seed)[1])
    result = checked(packed(claimed(header, by), messages))
    assert f"the file claims {Fraction(header['claim']['bound']) + by}" in result.faults[0]


@each("seed", SEEDS)
def test_a_potential_changed_and_the_digest_renewed(seed):
    problem, content = certified(seed)
    header, messages = opened(content)
    result = checked(packed(header, lowered(problem, header, messages, seed)))
    assert result.bound < result.cost
    assert result.faults[0].startswith(f"the potentials prove the bound {result.bound}, the file claims")


@each("seed", SEEDS)
def test_a_potential_changed_and_the_digest_not(seed):
    problem, content = certified(seed)
    header, messages = opened(content)
    with pytest.raises(CertificateError, match="arrays_sha256"):
        checked(packed(header, lowered(problem, header, messages, seed), renew=False))


@each("seed", SEEDS)
def test_a_choice_flipped(seed):
    problem, content = certified(seed)
    header, messages = opened(content)
    other = worse(problem, header["claim"]["plan"], seed)
    result = checked(packed(header | {"claim": header["claim"] | {"plan": other}}, messages))
    assert result.cost == problem.objective_of(problem.bytes_of(other))
    assert result.faults[0].startswith(f"the plan in the file costs {result.cost}, the bound is ")


@pytest.mark.parametrize("what", ["batch", "weight"])
@each("seed", SEEDS)
def test_another_problem(seed, what):
    """What it proves of other sizes is not what it claims, and it is not a certificate of the instance."""
    problem, content = certified(seed)
    header, messages = opened(content)
    if what == "batch":
        header["problem"]["batch"] *= 2
    else:
        header["problem"]["layers"][0]["weight"] += 2**20
    content = packed(header, messages)
    path = io.BytesIO(content)
    from hypar_opt.verification.certificate.header import bind

    field = "batch" if what == "batch" else "layers"
    with pytest.raises(InputError, match=f"problem.{field}: is a certificate of another problem"):
        bind(check(path).header, problem, "plan.cert")


@pytest.mark.parametrize("part", [0.0, 0.2, 0.5, 0.9, 0.99])
@each("seed", range(8))
def test_a_truncated_file(seed, part):
    _, content = certified(seed)
    with pytest.raises(CertificateError):
        checked(content[: int(len(content) * part)])


def test_a_flipped_bit_anywhere_never_proves_anything_else():
    """Some bits of a zip archive mean nothing (dates, attributes); all others are found."""
    _, content = certified(3)
    truth, random, refused = checked(content), Random(3), 0
    for _ in range(300):
        damaged = bytearray(content)
        damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
        try:
            result = checked(bytes(damaged))
        except CertificateError:
            refused += 1
        else:
            assert (result.proven, result.bound, result.header) == (True, truth.bound, truth.header)
    assert refused >= 250


def test_a_certificate_of_a_better_plan_refutes_with_it(tmp_path):
    from hypar_opt.instance import load
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import write_plan

    problem = NetworkProblem(load("sfc", accounting="receiver"))
    found = []
    best = solve(problem, "joint-dp", proof=found.append)
    with (tmp_path / "plan.cert").open("wb") as file:
        write_certificate(file, problem, found.pop(), best)
    write_plan(solve(problem, "hypar-dp"), tmp_path / "plan.json")
    verdict = verify(problem, read_claim(tmp_path / "plan.json"), certificate=tmp_path / "plan.cert", as_optimal=True)
    assert (verdict.outcome, verdict.reason) == ("refuted", "optimality")
    assert verdict.better.communication_bytes == best.communication_bytes
