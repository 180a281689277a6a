"""Certificates under collective: right by both checkers and by trying all plans, and of chains only."""

from __future__ import annotations

import io
import json
from fractions import Fraction

import pytest
from bank.random_networks import random_document
from helpers import document, each, linear_chain, problem_of
from make import Tables, certificate, chain, changed, header_of
from second_checker import network_of

from hypar_opt.solver.solve import solve
from hypar_opt.verification.certificate.check import CertificateError, check
from hypar_opt.verification.certificate.header import problem_document
from hypar_opt.verification.certificate.write import write_certificate


def certified(problem):
    proofs, file = [], io.BytesIO()
    plan = solve(problem, "joint-dp", proof=proofs.append)
    if plan.proven and proofs:
        write_certificate(file, problem, proofs.pop(), plan)
    return plan, file


@each("seed", range(60), quick=25)
def test_both_checkers_find_the_optimum_that_trying_all_finds(seed):
    problem = problem_of(random_document(seed, most_layers=3, is_chain=True, accounting="collective"))
    plan, file = certified(problem)
    if plan.status == "INFEASIBLE":
        return
    found = check(file)
    assert (found.proven, found.bound, found.cost) == (True, plan.objective, plan.objective)
    assert network_of(json.dumps(problem_document(problem))).best == plan.objective
    assert solve(problem, "brute-force").objective == plan.objective


def header_and_messages():
    tables = Tables(problem_of(document(linear_chain(4, 2, 2), [4], levels=2, accounting="collective")))
    value, choices = tables.best()
    clusters, messages = chain(tables)
    return header_of(tables, clusters, messages, choices, Fraction(value, tables.denominator)), messages


def refusal(header, messages):
    with pytest.raises(CertificateError) as raised:
        check(certificate(header, messages))
    return str(raised.value)


def test_several_readers_are_refused():
    header, messages = header_and_messages()
    assert check(certificate(header, messages)).proven
    header = changed(header, "problem.boundaries", [[0, 1, 4], [0, 1, 2]])
    header = changed(changed(header, "clusters[0].edges", [0, 1]), "clusters[1].edges", [])
    assert refusal(header, messages) == (
        "header.json: problem: boundaries: expected one reader of each layer if collective"
    )


def test_more_levels_than_dense_tables_allow():
    header, messages = header_and_messages()
    assert refusal(changed(header, "problem.levels", 7), messages) == (
        "header.json: problem: levels: expected at most 6 if collective"
    )


def test_weights_by_level_are_refused():
    header, messages = header_and_messages()
    given = ["1", "2"]
    assert refusal(changed(header, "problem.objective.communication", given), messages).endswith(
        f"communication: expected 1, got {given}"
    )
