"""Objectives: exact rational weights over one common denominator."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from helpers import document, linear_chain, problem_of

from hypar_opt.cost.compile import compile_workload
from hypar_opt.cost.layout import CostModel
from hypar_opt.costgraph import (
    CostGraph,
    Edge,
    EdgeTerm,
    Objective,
    TableEdge,
    TableUnary,
    UnaryTerm,
    Variable,
    WordEdge,
    Words,
    WordUnary,
)
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.instance import load
from hypar_opt.instance.network import workload
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.util.partition import halves


def test_the_denominator_is_common_to_all_weights():
    objective = Objective({"a": Fraction(1, 4), "b": (Fraction(1, 6), Fraction(2))})
    assert objective.denominator == 12
    assert objective.scalar("a") == 3
    assert objective.by_level("b", 2) == (2, 24)
    assert objective.by_level("a", 3) == (3, 3, 3)


def test_a_component_without_a_weight_counts_nothing():
    objective = Objective({"a": Fraction(1)})
    assert (objective.scalar("b"), objective.by_level("b", 2)) == (0, (0, 0))


def test_negative_weights_are_refused():
    with pytest.raises(ValueError, match="not negative"):
        Objective({"a": Fraction(1), "b": (Fraction(1), Fraction(-1))})


def test_weights_by_level_need_a_cost_with_as_many_levels():
    objective = Objective({"a": (Fraction(1), Fraction(2))})
    with pytest.raises(ValueError, match="'a' has 2 weights for 3 levels"):
        objective.by_level("a", 3)
    with pytest.raises(ValueError, match="'a' is weighted by level, and this cost has no levels"):
        objective.scalar("a")


def graph_of(objective):
    model = CostModel(batch=256, partition=halves(2))
    return compile_workload(workload(load("lenet-c").network), model, objective)


def test_a_tenth_of_a_byte_is_exact():
    whole, tenth = (
        graph_of(Objective({COMMUNICATION: Fraction(1)})),
        graph_of(Objective({COMMUNICATION: Fraction(1, 10)})),
    )
    assert tenth.objective.denominator == 10
    for choices in [(0, 0, 0, 0), (0, 1, 2, 3), (3, 3, 3, 3)]:
        assert Fraction(tenth.value(choices), 10) == Fraction(whole.value(choices), 10)


@pytest.mark.parametrize("name", ["joint-dp", "brute-force"])
def test_the_optimum_in_tenths_of_a_byte_is_exact(name):
    formulation = load_formulation(name)
    whole, tenth = (
        formulation.solve(graph_of(Objective({COMMUNICATION: weight})), Run(name))
        for weight in (Fraction(1), Fraction(1, 10))
    )
    assert (tenth.choices, tenth.bound) == (whole.choices, whole.bound)


def test_a_third_and_a_seventh_do_not_round():
    weight = Fraction(1, 3) + Fraction(1, 7)
    graph = problem_of(document(linear_chain(2), [4], batch=16)).graph
    weighed = graph.replace(objective=Objective({COMMUNICATION: weight}))
    assert Fraction(weighed.value((0,)), weighed.objective.denominator) == weight * 64


def test_weights_by_level_weigh_the_bytes_of_each_level():
    weights = (Fraction(1, 2), Fraction(3))
    problem = problem_of(document(linear_chain(8, 4), [8], batch=4, levels=2, accounting="receiver"))
    graph = problem.graph.replace(objective=Objective({COMMUNICATION: weights}))
    for choices in [(0, 0), (1, 2), (3, 1)]:
        breakdown = problem.bytes_of(problem.strategies(choices))
        expected = sum(weight * breakdown.level(h) for h, weight in enumerate(weights))
        assert Fraction(graph.value(choices), graph.objective.denominator) == expected


def test_components_over_words_and_in_tables_add_up():
    words = Words("dm", 1)
    over_words = WordUnary(words, (UnaryTerm((5, 7), ((2, 2),), (1,)),))
    edge_words = WordEdge(words, words, (EdgeTerm(((1, 2), (3, 4)), 0, ((2, 2),), (1,)),))
    graph = CostGraph(
        (Variable("a", 2, words), Variable("b", 2, words)),
        ({"bytes": over_words, "time": TableUnary(np.array([10, 20]))}, {}),
        (Edge(0, 1, {"bytes": edge_words, "time": TableEdge(np.array([[0, 1], [0, 0]]))}),),
        Objective({"bytes": Fraction(1), "time": Fraction(1, 2)}),
    )
    # in halves: 2 x bytes + 1 x time
    assert [graph.value(choices) for choices in [(0, 0), (0, 1), (1, 0), (1, 1)]] == [
        2 * 5 + 10 + 2 * 1, 2 * 5 + 10 + 2 * 2 + 1, 2 * 7 + 20 + 2 * 3, 2 * 7 + 20 + 2 * 4,
    ]  # fmt: skip
