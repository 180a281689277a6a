"""hypar-opt replay, and bits in the other commands, as a user runs them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from hypar_opt.instance.read import load
from hypar_opt.report.precision.tables import layers_table, sent_table
from hypar_opt.solver.plan import plan_document
from hypar_opt.solver.precision_problem import PrecisionProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.precision import NormRule, read_norms, replayed

KEPT = Path(__file__).parents[2] / "reports" / "precision"
RULE = ("--threshold", "0.002", "--interval", "25")
SMALL = """\
schema: hypar-opt/instance/1
name: small
batch: 8
network: {input: [4], layers: [{name: fc1, linear: {features: 6}}, {name: fc2, linear: {features: 8}}]}
array: {topology: h-tree, levels: 1}
subject_to: {rounding-error: 3}
precision:
  bits: [8, 16, 32]
  sensitivities: {fc1: {gradient: [5, 2, 0]}, fc2: {all: [4, 1, 0]}}
"""
NORMS = "batch,layer,norm\n0,fc1,2\n0,fc2,2\n1,fc1,2\n1,fc2,3\n2,fc1,2\n2,fc2,3\n"


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    """Return the text of a plan of the small instance."""
    path = tmp_path_factory.mktemp("planned") / "small.yaml"
    path.write_text(SMALL, encoding="utf-8")
    return json.dumps(plan_document(solve(path)))


@pytest.fixture
def small(tmp_path):
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    (tmp_path / "norms.csv").write_text(NORMS, encoding="utf-8")
    return tmp_path


def test_a_single_accelerator_sends_nothing(run, small):
    ran = run("solve", small / "small.yaml", "--levels", "0")
    assert (ran.code, ran.err) == (0, "")
    assert "communication 0 (0 bytes)" in ran.out


def test_a_rule_for_people_and_for_machines(run, small):
    arguments = ("replay", small / "norms.csv", small / "small.yaml", "--threshold", "0.1", "--interval", "1")
    ran = run(*arguments)
    assert ran.code == 0, ran.err
    assert "3 batches, bits raised 1 time\n" in ran.out
    assert "plans in turn" in ran.out
    found = json.loads(run(*arguments, "--json").out)
    assert [one["bits"] for one in found["periods"]] == [{"fc1": 8, "fc2": 8}, {"fc1": 16, "fc2": 8}]
    assert [one["way"] for one in found["ways"]] == ["the rule", "static, same strategies", "static", "plans in turn"]


def test_a_trace_with_a_gap(run, small):
    (small / "norms.csv").write_text(NORMS.replace("1,fc2,3\n", ""), encoding="utf-8")
    ran = run("replay", small / "norms.csv", small / "small.yaml", *RULE)
    assert ran.code == 2
    assert "norms.csv:5: layer: batch 1 has no norm of 'fc2': a trace has no gaps" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--threshold", "x", "--interval", "1"), "--threshold: expected a number, got 'x'"),
        (("--threshold", "1", "--interval", "0"), "--interval"),
    ],
)
def test_what_is_no_rule(run, small, arguments, message):
    ran = run("replay", small / "norms.csv", small / "small.yaml", *arguments)
    assert ran.code == 2
    assert message in ran.err


def test_an_instance_without_bits(run, small):
    ran = run("replay", small / "norms.csv", "lenet-c", *RULE)
    assert ran.code == 2
    assert "precision: missing, and replaying needs it" in ran.err


@pytest.mark.slow
def test_solved_verified_shown_and_compared(run, small):
    plan = small / "plan.json"
    ran = run("solve", small / "small.yaml", "-o", plan)
    assert ran.code == 0 and "of these words' in full" in ran.out, ran.err
    assert run("verify", small / "small.yaml", plan).code == 0
    shown = run("show", small / "small.yaml", "--plan", plan)
    assert shown.code == 0 and "gradient" in shown.out
    found = json.loads(run("show", small / "small.yaml", "--plan", plan, "--json").out)
    assert sum(one["sent_bytes"] for one in found["tensors"]) == found["cost"]["communication_bytes"]
    document = json.loads(plan.read_text())
    document["plan"]["fc2"] = document["plan"]["fc2"].replace(":16", ":8")
    plan.write_text(json.dumps(document))
    tampered = run("verify", small / "small.yaml", plan)
    assert tampered.code == 1 and "rounding-error is" in tampered.out


def test_a_budget_below_the_least_error(run, small):
    path = small / "small.yaml"
    path.write_text(
        SMALL.replace("[8, 16, 32]", "[8, 16, 24]").replace(", 0]", ", 0.5]").replace("error: 3", "error: 0.9")
    )
    ran = run("solve", path)
    assert ran.code == 2
    assert "small.yaml:6: subject_to.rounding-error: needs at least 1, the least errors of all layers" in ran.err
    assert "and has 0.9; give it more, or 32 among precision.bits" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate", "small.yaml", "plan.json"), "precision: expected layers that send all in full"),
        (("export", "small.yaml", "plan.json", "--to", "jax", "-o", "step.py"), "here layers choose their bits"),
        (("solve", "small.yaml", "--certificate", "c.cert"), "here layers choose their bits as well"),
        (("solve", "small.yaml", "--why"), "the tables say what every layer sends"),
        (("explore", "small.yaml"), "precision: expected layers that send all in full"),
        (("diff", "plan.json", "plan.json", "small.yaml"), "show --plan says what every layer sends"),
    ],
)
def test_what_does_not_take_bits(run, small, planned, monkeypatch, arguments, message):
    monkeypatch.chdir(small)
    (small / "plan.json").write_text(planned, encoding="utf-8")
    ran = run(*arguments)
    assert ran.code == 2
    assert message in ran.err


def test_the_kept_trace():
    trace = read_norms(KEPT / "norms.csv")
    periods = replayed(trace, NormRule(Fraction(2, 1000), 25, 8, 8), 32)
    assert (trace.batches, len(periods) - 1) == (400, 6)
    instance = load(KEPT / "small-mlp.yaml")
    assert set(trace.norms) == set(instance.precision.sensitivities)


@pytest.mark.slow
def test_tables_and_a_picture(small):
    problem = PrecisionProblem(load(small / "small.yaml"))
    judged = problem.judged(solve(problem).strategies)
    assert len(layers_table(judged).rows) == 2
    assert {row["tensor"].value for row in sent_table(judged).rows} <= {"gradient", "feature-map", "error"}
    from hypar_opt.report.charts.sent_tensors import sent_figure  # which draws with altair

    figure = sent_figure(judged)
    assert "fc1 gradient in 16 bits" in figure.alternative
