"""What a bound rests on: whose word is asked, whose is not, and what is said of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import pytest

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.verification import evidence, lower_bound
from hypar_opt.verification.certificate import check as checker

NO_TABLES = Limits(memory_bytes=1)


@pytest.fixture
def problem():
    return NetworkProblem(load("lenet-c", levels=2))


def asked(monkeypatch, problem, *others, besides=""):
    """Return the evidence where joint-dp declines and these are there."""
    monkeypatch.setattr(evidence, "vouchers", lambda _: list(others))
    return lower_bound(problem, besides=besides, limits=NO_TABLES)


def test_a_formulation_never_vouches_for_itself(monkeypatch, problem):
    found = asked(monkeypatch, problem, "cp-sat", besides="cp-sat")
    assert (found.bound, found.text) == (
        None,
        "no formulation that could decide it takes this problem within the limits",
    )


def test_another_encoding_is_asked_first(monkeypatch, problem):
    found = asked(monkeypatch, problem, "milp-highs", "brute-force", besides="cp-sat")
    assert found.text == "a proof by brute-force, another encoding than cp-sat's, of the same compiled costs"


def test_the_same_encoding_is_said_to_be_the_same(monkeypatch, problem):
    found = asked(monkeypatch, problem, "cp-sat", besides="milp-highs")
    assert found.text == "a proof by cp-sat, another solver than milp-highs, but over the same encoding"
    assert found.bound == solve(problem, "joint-dp").objective


@pytest.mark.parametrize("besides", ["", "somebody"])
def test_a_word_alone_is_said_to_be_alone(monkeypatch, problem, besides):
    found = asked(monkeypatch, problem, "cp-sat", besides=besides)
    assert found.text == "a proof by cp-sat, without a certificate"


@pytest.mark.parametrize("name", ["milp-cbc", "milp-highs", "cp-sat", "joint-dp", "brute-force"])
def test_every_exact_formulation_says_what_it_is_written_over(name):
    assert load_formulation(name).capabilities.encoding in ("polytope", "elimination", "table")


@dataclass(frozen=True)
class Fake:
    """A formulation that answers what it is told to, and hands over what it is told to."""

    name: str
    status: Status
    bound: int | None = None
    proof: object = None
    summary: str = "for a test"
    capabilities: Capabilities = field(default_factory=lambda: Capabilities(exact=True, certifies=True))

    def accepts(self, graph, run):
        return None

    def solve(self, graph, run):
        choices = (0,) * len(graph.variables)
        if self.proof is not None and run.proof is not None:
            run.proof(self.proof)
        bound = graph.value(choices) if self.bound is None and self.status is Status.OPTIMAL else self.bound
        return Solution(self.status, choices, bound)


def test_one_whose_answer_does_not_hold_is_passed_over(monkeypatch, problem, plug_in):
    liar = plug_in(Fake("liar", Status.OPTIMAL, bound=1))
    found = asked(monkeypatch, problem, liar, "cp-sat", besides="joint-dp")
    assert found.text.startswith("a proof by cp-sat, ")


def proof_of(problem):
    proofs = []
    solve(problem, "joint-dp", proof=proofs.append)
    return proofs.pop()


@pytest.mark.parametrize(("status", "with_proof"), [(Status.FEASIBLE, True), (Status.OPTIMAL, False)])
def test_a_certifier_without_both_a_claim_and_a_proof_proves_nothing(monkeypatch, problem, plug_in, status, with_proof):
    proof = proof_of(problem) if with_proof else None
    certifier = plug_in(Fake("certifier", status, proof=proof))
    monkeypatch.setattr(evidence, "certifiers", lambda: [certifier])
    found = lower_bound(problem)
    assert found.bound is None
    assert found.text.startswith("certifier ended without a proof")


def test_a_certifier_whose_potentials_prove_less_is_not_believed(monkeypatch, problem, plug_in):
    proof = proof_of(problem)
    first = proof.messages[0]
    low = replace(proof, messages=(replace(first, values=np.zeros_like(first.values)), *proof.messages[1:]))
    certifier = plug_in(Fake("certifier", Status.OPTIMAL, proof=low))
    monkeypatch.setattr(evidence, "certifiers", lambda: [certifier])
    found = lower_bound(problem)
    assert found.text.startswith("certifier's certificate fails its check: the potentials prove the bound ")
    assert found.best is None
    assert found.bound <= solve(problem, "joint-dp").objective


def test_where_the_checker_has_no_room_another_is_asked(monkeypatch, problem):
    """joint-dp's tables may fit where the checker's do not."""
    monkeypatch.setattr(checker, "MOST_BYTES", 16)
    found = lower_bound(problem, besides="joint-dp")
    word = "a proof by brute-force, another encoding than joint-dp's, of the same compiled costs"
    assert found.text.startswith(f"{word}; joint-dp's certificate cannot be checked: ")
    assert found.text.endswith("levels: expected 1 to 2 words, got 4 to 4")
    assert found.bound == solve(problem, "joint-dp").objective


def test_the_certificates_plan_is_the_best_known(problem):
    found = lower_bound(problem)
    assert (
        found.text
        == "a certificate by joint-dp, checked in exact integers by code that shares nothing with the solvers"
    )
    assert found.best.objective == found.bound == Fraction(solve(problem, "joint-dp").objective)
