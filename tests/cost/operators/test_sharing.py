"""What operators that are alike have in common when they are compiled."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from formulations.joint_dp.blocks import runs_of
from hypar_opt.cost.operators.components import CompiledComponents
from hypar_opt.instance import load
from hypar_opt.solver.operator_problem import OperatorProblem


def test_blocks_are_named_and_share_their_costs():
    graph = OperatorProblem(load("vit-b-16")).graph
    (blocks,) = graph.repeats
    names = [graph.variables[blocks.first + number * blocks.length].name for number in range(blocks.times)]
    assert len({name.split(".", 2)[2] for name in names}) == 1
    for place in range(blocks.first, blocks.first + blocks.length):
        assert graph.unary_costs[place] is graph.unary_costs[place + blocks.length]
    second = {pair: cost for pair, cost in graph.edge_costs.items() if blocks.first <= min(pair) < max(pair)}
    inner = [(a, b) for a, b in second if b < blocks.first + blocks.length]
    assert inner
    for a, b in inner:
        assert second[a, b] is second[a + blocks.length, b + blocks.length]


def test_a_word_that_is_given_parts_an_operator_from_its_like():
    whole = OperatorProblem(load("vit-b-16"))
    name = next(one.name for one in whole.instance.graph.operators if one.kind == "attention")
    given = OperatorProblem(load("vit-b-16", fix={name: "batch batch"}))
    sizes = {variable.name: variable.size for variable in given.graph.variables}
    others = {one.name: sizes[one.name] for one in whole.instance.graph.operators if one.kind == "attention"}
    assert others.pop(name) == 1 < min(others.values())


def test_an_operator_that_differs_in_products_alone_parts_the_blocks_where_time_counts():
    problem = OperatorProblem(load("gpt2-small", array="a100-2x8"))
    graph = problem.instance.graph
    place = next(i for i, one in enumerate(graph.operators) if one.name == "h.6.attention")
    operators = list(graph.operators)
    operators[place] = replace(operators[place], products=1)
    other = replace(graph, operators=tuple(operators))  # still says that its blocks are alike

    def times(given, component):
        compiled = CompiledComponents(given, problem.model, problem.instance.links, problem.instance.device)
        return [one.times for one in runs_of(compiled.costgraph({component: Fraction(1)}))]

    assert times(other, "communication") == times(graph, "communication")
    assert (times(graph, "compute-time"), times(other, "compute-time")) == ([11], [6, 4])
