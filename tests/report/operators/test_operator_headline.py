"""What is said above a plan of operators, and what machines are told beside it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypar_opt.formulation import Status
from hypar_opt.instance import load
from hypar_opt.report.operators.plan import headline, operator_plan_document
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.solve import solve
from tests.report.operator_plans import named

FIELDS = {"batch": 8, "array": "a100-2x8"}


def lines_of(**fields):
    problem = OperatorProblem(load("gpt2-block", **FIELDS, **fields))
    return headline(problem, solve(problem)).split("\n")


def test_what_is_weighed_and_bounded_has_a_line_where_it_is_not_bytes_alone():
    assert not any(line.startswith("objective") for line in lines_of())
    (line,) = [line for line in lines_of(objective="time", at_most={"time": 1}) if line.startswith("objective")]
    assert line.endswith(" ms: time; with time at most 1 s")


def test_a_gap_is_that_of_the_objective():
    one = named(**FIELDS, objective="time")
    loose = replace(one.plan, status=Status.FEASIBLE, bound=Fraction(one.plan.objective) / 2)
    communication, objective = headline(one.problem, loose).split("\n")[1:3]
    assert "bound" not in communication and "2 times the proven bound" in objective


def test_machines_are_told_what_is_kept_by_operator_and_kind():
    one = named(**FIELDS)
    memory = operator_plan_document(one.problem, one.plan)["memory"]
    every = [size for kinds in memory["operators"].values() for size in kinds.values()]
    assert memory["bytes"] == one.step.peak.bytes
    assert sum(every) == one.problem.kept_in_all(one.problem.plan_of(one.strategies))
    assert set(memory["operators"]["fc"]) == {"maps", "parameters", "gradients"}
