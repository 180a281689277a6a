"""Blocks that are alike, eliminated until they repeat themselves, against elimination of all variables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from formulations.joint_dp.blocks import runs_of
from formulations.joint_dp.buckets import EliminationResult
from formulations.joint_dp.folding import FoldingResult
from formulations.joint_dp.segments import SegmentOrder
from hypar_opt.costgraph import Edge, Repeats, TableEdge, TableUnary, Variable
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.instance import load
from hypar_opt.solver.operator_problem import OperatorProblem
from tests.formulations.repeated_graphs import repeated_graph
from tests.helpers import each

RUN = Run("joint-dp")
JOINT, BRUTE = load_formulation("joint-dp"), load_formulation("brute-force")


def folded(graph):
    order = SegmentOrder.of(graph)
    return None if order is None else FoldingResult.of(graph, order, RUN)


@each("seed", range(1000), quick=120)
def test_blocks_cost_what_all_their_variables_cost(seed):
    graph = repeated_graph(seed)
    found = folded(graph)
    if found is not None:
        assert found.value == EliminationResult.of(graph, RUN).value == graph.value(found.choices)


@each("seed", range(400), quick=20)
def test_tiny_graphs_of_blocks_are_solved_as_by_brute_force(seed):
    graph = repeated_graph(seed, times=4, length=1 + seed % 2, sizes=(1, 2))
    assert JOINT.solve(graph, RUN).bound == BRUTE.solve(graph, Run("brute-force")).bound


def test_most_of_the_random_graphs_are_folded():
    looked = [folded(repeated_graph(seed, times=12)) for seed in range(60)]
    few = [one for one in looked if one is not None and one.facts["segments_looked_at"] < one.facts["segments"]]
    assert len(few) > 20


def test_a_thousand_blocks_are_looked_at_as_often_as_twenty():
    graphs = [repeated_graph(5, times=times, odd=0) for times in (20, 1000)]
    few, many = map(folded, graphs)
    assert many.facts["segments_looked_at"] == few.facts["segments_looked_at"] < 20
    assert graphs[1].value(many.choices) == many.value


def test_the_same_graph_has_the_same_choices():
    graph = repeated_graph(11, times=40)
    assert JOINT.solve(graph, RUN).choices == JOINT.solve(graph, RUN).choices


def odd(graph, number):
    """Return the graph with a block's first variable costing one more."""
    place = graph.repeats[0].first + number * graph.repeats[0].length
    unary = list(graph.unary)
    unary[place] = {"cost": TableUnary(graph.unary_costs[place].dense(object) + 1)}
    return graph.replace(unary=tuple(unary))


def test_a_block_with_other_costs_parts_the_others():
    graph = repeated_graph(3, times=12, odd=0)
    whole = runs_of(graph)
    parts = runs_of(odd(graph, 6))
    assert sum(one.times for one in parts) < sum(one.times for one in whole)
    assert all(not one.first <= graph.repeats[0].first + 6 * graph.repeats[0].length < one.end for one in parts)


def test_a_hint_that_is_wrong_changes_nothing():
    graph = repeated_graph(8, times=9, length=2)
    shifted = replace(graph.repeats[0], first=graph.repeats[0].first + 1, times=8)
    wrong = graph.replace(repeats=(shifted,))
    assert JOINT.solve(wrong, RUN).bound == JOINT.solve(graph.replace(repeats=()), RUN).bound


def test_other_variables_say_nothing_of_blocks():
    graph = repeated_graph(1)
    named = tuple(Variable(f"{one.name}'", one.size) for one in graph.variables)
    assert graph.replace(variables=named).repeats == ()
    assert graph.replace(capacities=()).repeats == graph.repeats


@pytest.mark.parametrize(
    "repeats", [(Repeats(0, 1, 10**6),), (Repeats(0, 1, 2), Repeats(1, 1, 1)), (Repeats(0, 0, 3),)]
)
def test_repeats_beyond_the_variables_are_refused(repeats):
    with pytest.raises(ValueError, match="variables"):
        repeated_graph(1).replace(repeats=repeats)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["bert-large", "gpt2-small", "llama-3-8b", "mixtral-8x7b", "vit-b-16"])
def test_shipped_networks_of_blocks_cost_the_same_folded(name):
    graph = OperatorProblem(load(name)).graph
    found = folded(graph)
    assert found.value == EliminationResult.of(graph, RUN).value == graph.value(found.choices)
    assert found.facts["segments_looked_at"] < 8 < found.facts["segments"]


def test_costs_of_more_than_64_bits_are_folded_in_64():
    graph = repeated_graph(6, times=200, length=2, most=2**40, odd=0)
    assert graph.dtype is np.int64
    large = graph.replace(
        unary=tuple({"cost": TableUnary(one.dense(object) * 2**15)} for one in graph.unary_costs),
        edges=tuple(
            Edge(*pair, {"cost": TableEdge(one.dense(object) * 2**15)}) for pair, one in graph.edge_costs.items()
        ),
    )
    assert large.dtype is object
    assert JOINT.solve(large, RUN).bound == 2**15 * JOINT.solve(graph, RUN).bound


def unfolded_marginals(graph):
    return JOINT.min_marginals(graph.replace(repeats=()), RUN)


@each("seed", range(500), quick=80)
def test_min_marginals_by_blocks_are_those_of_all_variables(seed):
    graph = repeated_graph(seed)
    found, expected = JOINT.min_marginals(graph, RUN), unfolded_marginals(graph)
    assert [one.tolist() for one in found] == [one.tolist() for one in expected]
    assert {one.dtype for one in found} == {np.dtype(graph.dtype)}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["vit-b-16", "gpt2-small", "bert-large", "llama-3-8b"])
def test_shipped_networks_have_the_same_min_marginals_by_blocks(name):
    graph = OperatorProblem(load(name)).graph
    found, expected = JOINT.min_marginals(graph, RUN), unfolded_marginals(graph)
    assert all(map(np.array_equal, found, expected))


def test_blocks_far_from_the_ends_share_their_min_marginals():
    found = JOINT.min_marginals(repeated_graph(5, times=400, odd=0), RUN)
    assert len({id(one) for one in found}) < len(found) / 20
