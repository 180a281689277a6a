"""Bits beside words on the live page: what takes them, the plan by layer, and what every tensor is sent in."""

from __future__ import annotations

from hypar_opt.instance import Instance
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.solve import solve
from hypar_opt.web.kinds import JOB_KINDS, decided
from hypar_opt.web.suited import suited
from hypar_opt.web.text_check import check_text
from tests.helpers import document, linear_chain

ERRORS = {"fc1": {"gradient": [5, 2, 0]}, "fc2": {"all": [4, 1, 0]}}


def instance():
    whole = document(linear_chain(6, 8), [4]) | {"subject_to": {"rounding-error": 3}}
    return Instance.from_dict(whole | {"precision": {"bits": [8, 16, 32], "sensitivities": ERRORS}})


def test_what_takes_bits_is_said():
    answer = check_text(instance().to_yaml(), {}, None)
    assert answer["fault"] is None
    found = suited(instance())
    assert found["default"] == "joint-dp"
    assert "bits are chosen beside them" in found["declining"]["data-parallel"]
    assert "joint-cp-sat" in found["declining"]
    assert "cp-sat" not in found["declining"]


def test_a_budget_that_nothing_keeps_is_blamed():
    text = instance().to_yaml().replace("rounding-error: 3", "rounding-error: 0").replace(", 0]", ", 1]")
    fault = check_text(text, {}, None)["fault"]
    assert "needs at least 2, the least errors of all layers" in fault["message"]


def test_a_plan_is_told_by_layer_and_by_tensor():
    problem = problem_of(instance())
    plan = solve(problem)
    kind = JOB_KINDS["precision"]
    assert "of these words' in full" in kind.headline(problem, plan)
    found = kind.rows(problem, plan)
    assert (decided(problem), found["axes"]) == (2, ["levels", "bits"])
    assert found["rows"][1]["entries"][1] == "all 16"
    (sent,) = found["tables"]
    assert sent["title"] == "What is sent"
    assert ["fc1", "gradient", "16"] in [row[:3] for row in sent["rows"]]
