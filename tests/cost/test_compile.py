"""The compiled costs, level by level, are those of the model's formulas."""

from __future__ import annotations

from itertools import product

import pytest
from bank.random_networks import MODELS
from cost.direct_formula import by_parts
from helpers import document, linear_chain, problem_of
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.cost.compile import compile_workload
from hypar_opt.cost.layout import CostModel
from hypar_opt.costgraph import Objective
from hypar_opt.instance.network import Add, Layer, Linear, Network, workload
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import halves

SIZES = st.integers(1, 40)
RESIDUAL = {"name": "sum", "add": {}, "inputs": ["fc2", "fc1"]}


@st.composite
def problems(draw, shape=("chain", "graph")):
    """Two or three linear layers of any size, perhaps a join around the second and a layer behind it."""
    accounting, choices = draw(st.sampled_from([model for model in MODELS if model[1] != ["mp", "op"]]))
    width = draw(SIZES)
    layers = linear_chain(width, width)
    if draw(st.sampled_from(shape)) == "graph":
        layers.append(RESIDUAL)
    layers.append({"name": "last", "linear": {"features": draw(SIZES)}})
    whole = document(
        layers,
        [draw(SIZES)],
        batch=draw(st.integers(1, 300)),
        levels=draw(st.integers(0, 4)),
        accounting=accounting,
        choices=choices,
        bytes_per_element=draw(st.sampled_from([2, 4, 10])),
    )
    return problem_of(whole)


@st.composite
def plans(draw):
    problem = draw(problems())
    return problem, tuple(draw(st.integers(0, variable.size - 1)) for variable in problem.graph.variables)


@given(plans())
def test_every_level_of_every_layer_and_boundary(plan):
    problem, choices = plan
    graph, levels = problem.graph, problem.instance.levels
    unit = graph.objective.denominator
    letters = [v.words.letters(choice) for v, choice in zip(graph.variables, choices, strict=True)]
    layers, boundaries = by_parts(problem, problem.strategies(choices))
    for expected, costs, word in zip(layers, graph.unary, letters, strict=True):
        cost = costs[COMMUNICATION]
        assert [cost.level(h, word[:h])[word[h]] for h in range(levels)] == [unit * row for row in expected]
    for expected, edge in zip(boundaries, graph.edges, strict=True):
        s, q = letters[edge.first], letters[edge.second]
        cost = edge.costs[COMMUNICATION]
        assert [cost.level(h, (s[:h], q[:h]))[s[h], q[h]] for h in range(levels)] == [unit * row for row in expected]


@given(plans())
def test_a_plan_costs_the_sum_of_its_parts(plan):
    problem, choices = plan
    layers, boundaries = by_parts(problem, problem.strategies(choices))
    total = sum(map(sum, [*layers, *boundaries]))
    assert problem.graph.value(choices) == total * problem.graph.objective.denominator


@given(plans())
def test_the_order_of_a_words_letters_does_not_matter_within_a_layer(plan):
    """Intra-layer bytes of a word: over its letters a, the bytes of one level of a x (2^n_a - 1)."""
    problem, choices = plan
    for variable, costs, choice in zip(problem.graph.variables, problem.graph.unary, choices, strict=True):
        cost, word = costs[COMMUNICATION], variable.words.word(choice)
        one_level = cost.level(0, ()) if word else [0] * len(variable.words.alphabet)
        counts = [word.count(letter) for letter in variable.words.alphabet]
        assert cost.value(choice) == sum(b * (2**n - 1) for b, n in zip(one_level, counts, strict=True))


@given(problems())
def test_the_alphabet_is_the_choices_and_joins_have_no_op(problem):
    for layer, variable in zip(problem.work.layers, problem.graph.variables, strict=True):
        letters = problem.instance.choices.replace("o", "") if layer.keeps_layout else problem.instance.choices
        assert (variable.name, variable.words.alphabet) == (layer.name, letters)
        assert (variable.words.length, variable.attributes["kind"]) == (problem.instance.levels, layer.kind)


SPLITS = [  # batch, in, out; how often each can be halved
    (8, 12, 5, (3, 2, 0)),
    (1, 7, 3, (0, 0, 0)),
    (6, 64, 40, (1, 6, 3)),
]


@pytest.mark.parametrize(("batch", "n_in", "n_out", "halvings"), SPLITS)
def test_divisible_splits_allow_what_divides(batch, n_in, n_out, halvings):
    whole = document(linear_chain(n_out), [n_in], batch=batch, levels=4, choices=["dp", "mp", "op"], splits="divisible")
    words = problem_of(whole).graph.variables[0].words
    assert words.limits == halvings
    for word in map("".join, product("dmo", repeat=4)):
        sizes = zip((batch, n_in, n_out), "dmo", strict=True)
        divides = all(size % 2 ** word.count(letter) == 0 for size, letter in sizes)
        assert bool(words.mask[words.index(word)]) is divides


def test_a_convolution_splits_channels_a_grouped_one_groups_and_a_join_all_its_inputs():
    layers = [
        {"name": "conv", "conv": {"filters": 24, "kernel": 1, "groups": 2}},
        {"name": "left", "conv": {"filters": 8, "kernel": 1}, "inputs": ["conv"]},
        {"name": "both", "concat": {}, "inputs": ["conv", "left"]},
    ]
    whole = document(layers, [8, 3, 3], batch=2, choices=["dp", "mp", "op"], splits="divisible")
    limits = {v.name: v.words.limits for v in problem_of(whole).graph.variables}
    # conv: a batch of 2, 2 groups; the join: 24 and 8 channels
    assert limits == {"conv": (1, 1), "left": (1, 3, 3), "both": (1, 3)}


def test_any_split_is_allowed_unless_asked():
    graph = problem_of(document(linear_chain(5), [3], batch=1, levels=3)).graph
    assert graph.variables[0].mask is None


def test_a_given_strategy_is_the_only_one_allowed():
    words = problem_of(document(linear_chain(5), [3], levels=2, fix={"fc1": "md"})).graph.variables[0].words
    assert [words.word(i) for i in range(4) if words.mask[i]] == ["md"]


def test_a_join_needs_dp_or_mp():
    layers = (
        Layer("fc1", Linear(3), ("input",)),
        Layer("fc2", Linear(3), ("fc1",)),
        Layer("sum", Add(), ("fc1", "fc2")),
    )
    with pytest.raises(InputError, match="the join 'sum' chooses dp, mp or replicate only, and none is there"):
        compile_workload(workload(Network((3,), layers)), CostModel(1, halves(1), choices="o"), Objective({}))
