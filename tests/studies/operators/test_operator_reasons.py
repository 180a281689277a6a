"""Why operators are as they are: the numbers beside those of whole plans recounted."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt.evaluation.operators import movements, surroundings, total
from hypar_opt.report.operators.reasons import operator_reasons_document, operator_why_lines
from hypar_opt.report.reasons import WHY
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.operators.blocks import SMALL
from hypar_opt.studies.operators.reasons import operator_reasons
from tests.helpers import each


@each("sizes", [{"gpu": 4}, {"node": 2, "gpu": 2}])
def test_what_another_dimension_costs_is_the_difference_of_two_plans(sizes):
    problem = OperatorProblem(SMALL.instance(8, sizes))
    plan = solve(problem, "joint-dp")
    count = 0
    for reason in operator_reasons(problem, plan):
        for other in reason.others:
            word = " ".join(other.exchange.word)
            assert word.split()[other.axis] == other.dimension
            changed = problem.costs(problem.plan_of({**plan.strategies, reason.operator: word}))["communication"]
            assert other.more == changed - plan.objective >= 0
            count += 1
    assert count > 30


def test_all_that_operators_move_is_told_once_or_for_both_ends():
    problem = OperatorProblem(SMALL.instance(8, {"gpu": 4}))
    words = problem.plan_of(solve(problem, "data-parallel").strategies)
    instance = problem.instance
    graph, partition = instance.graph, instance.partition
    sums = Fraction(0)
    for operator in graph.operators:
        around = movements(graph, partition, words, (), surroundings(graph, operator))
        sums += sum(one.bytes for one in around if one.phase == "update")
    assert sums == total(movements(graph, partition, words))


def test_a_sentence_names_sizes_what_moves_and_what_else_there_is():
    problem = OperatorProblem(SMALL.instance(8, {"gpu": 4}).replace(fix={"up": "out"}))
    plan = solve(problem, "data-parallel")
    found = operator_reasons(problem, plan)
    lines = operator_why_lines(problem, found)
    (project,) = [line for line in lines if line.startswith("project ")]
    assert project.startswith(
        "project is batch: whole, its gradient 16.38 kB and its output 65.54 kB; it moves 98.3 kB"
    )
    assert "in +" in project
    (up,) = [line for line in lines if line.startswith("up ")]
    assert "up is out, as the instance gives it: " in up
    assert WHY["operators"](problem, found[:2], False)[-1] == "stopped by the limit, 10 operators before the end"
    documents = operator_reasons_document(problem, found)
    assert [one["operator"] for one in documents] == [one.name for one in problem.instance.graph.operators]
    assert documents[5]["moved"] == {"its gradient": 98304}


def test_without_a_plan_there_are_no_reasons():
    problem = OperatorProblem(SMALL.instance(8, {"gpu": 4}))
    with pytest.raises(ValueError, match="has no operators to give reasons of"):
        operator_reasons(problem, replace(solve(problem, "joint-dp"), strategies=None))
    assert operator_reasons(problem, solve(problem, "joint-dp"), lambda: True) == ()
