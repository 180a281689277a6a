"""collective: the table of placements, totals in closed form, and how far as-evaluated is off it."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from bank.random_networks import random_document
from helpers import document, each, instance_of, linear_chain, problem_of

from hypar_opt.cost.collectives import Held, held
from hypar_opt.instance import load
from hypar_opt.instance.choices import CHOICES, LayerTensor
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError

ALL = ["dp", "mp", "op"]
SPLIT = {CHOICES[name].letter: CHOICES[name].weighted for name in ALL}


def random_chain(seed, **most):
    return random_document(seed, is_chain=True, accounting="collective", **most)


def drawn(problem, rng):
    """Return a strategy of every layer that it may have."""
    words = [variable.words for variable in problem.graph.variables]
    drawn = [one.letters(rng.randrange(one.size)) for one in words]
    letters = ["".join(one.alphabet[x] for x in word) for one, word in zip(words, drawn, strict=True)]
    return dict(zip([layer.name for layer in problem.work.layers], letters, strict=True))


def compiled(problem, plan):
    return Fraction(problem.graph.value(problem.choices(plan)), problem.model.parts)


def linear(seed, letters, levels=None):
    """Return a random chain of linear layers without any fixed strategies, and a plan of it."""
    rng = Random(seed)
    features = [rng.choice((1, 2, 3, 8, 40)) for _ in range(rng.randint(2, 6))]
    levels = levels or rng.randint(1, 5)
    choices = [name for name, one in CHOICES.items() if one.letter in letters]
    batch, first = rng.choice((1, 3, 16)), rng.choice((1, 5, 64))
    whole = document(linear_chain(*features), [first], batch=batch, levels=levels, choices=choices)
    return whole, {f"fc{i}": "".join(rng.choices(letters, k=levels)) for i in range(1, len(features) + 1)}


def exchanged(producer, s, q):
    """At how many levels a tensor is cut along another dimension."""
    crossing = [("d", "m"), ("o", "d"), *([("m", "d")] if producer.groups > 1 else [])]
    return sum(pair in crossing for pair in zip(s, q, strict=True))


def closed(problem, plan):
    """What the layers' words come to, from how often they have which letter: docs/model.md."""
    instance, layers = problem.instance, problem.work.layers
    element, total = instance.bytes_per_element, Fraction(0)
    for layer in layers:
        total += 2 * element * layer.weight * (2 ** plan[layer.name].count("d") - 1)
    for edge in problem.work.boundaries:
        producer = layers[edge.producer]
        s, q = plan[producer.name], plan[layers[edge.reader].name]
        z = exchanged(producer, s, q)
        written = prod_of_sizes(producer) * (2 ** (s.count("m") * (producer.groups == 1)) - 1)
        total += 2 * element * instance.batch * (written + edge.feature * (2 ** q.count("o") - Fraction(1, 2**z)))
    last = layers[-1]
    summed = prod_of_sizes(last) * (2 ** plan[last.name].count("m") - 1) if last.groups == 1 else 0
    return total + 2 * element * instance.batch * summed


def prod_of_sizes(layer):
    return layer.out_sizes[0] * layer.map_out[0] * layer.map_out[1]


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("dd", (2, 2, 2, 2)), ("dm", (2, 2, 1, 2)), ("do", (2, 2, 2, 4)),
        ("md", (4, 2, 2, 2)), ("mm", (4, 2, 2, 2)), ("mo", (4, 2, 2, 4)),
        ("od", (2, 2, 1, 2)), ("om", (2, 2, 2, 2)), ("oo", (2, 2, 2, 4)),
    ],
)  # fmt: skip
def test_what_is_held_of_a_feature_map(way, expected):
    """Quarters: behind slices, behind the reduce-scatter, left in place, needed."""
    a, b = (SPLIT[letter] for letter in way)
    assert held(a, LayerTensor.F_OUT, b, LayerTensor.F_IN) == Held(*expected)


def test_what_is_whole_already_is_sliced():
    """A layer that splits nothing leaves its output whole: no letter of today does, and the rule knows it."""
    from hypar_opt.instance.choices import Dimension

    def whole(letter):
        return held(Dimension.NOTHING, LayerTensor.F_OUT, SPLIT[letter], LayerTensor.F_IN)

    assert [whole(letter) for letter in "dmo"] == [Held(2, 2, 2, 2), Held(2, 2, 2, 2), Held(4, 4, 4, 4)]


@each("seed", range(300), quick=10)
def test_costs_boxes_and_closed_form_on_random_chains(seed):
    """Convolutions, in groups, too, with and without pools behind them, and linear layers."""
    problem, rng = problem_of(random_chain(seed, most_levels=5)), Random(seed)
    for _ in range(3):
        plan = drawn(problem, rng)
        assert problem.bytes_of(plan).total == compiled(problem, plan) == closed(problem, plan)


def test_they_have_pools_and_groups():
    work = [problem_of(random_chain(seed)).work for seed in range(60)]
    layers = [layer for one in work for layer in one.layers]
    pooled = [one.layers[edge.producer].written > edge.feature for one in work for edge in one.boundaries]
    assert sum(pooled) >= 10
    assert sum(layer.groups > 1 for layer in layers) >= 10


SFC = {
    "dddd": (16_886_661_120, 16_886_661_120),
    "mmmm": (755_281_920, 1_132_769_280),
    "oooo mmmm": (503_623_680, 503_623_680),
}


@pytest.mark.parametrize("words", SFC)
def test_sfc_as_counted_in_programs(words):
    """The input's error apart, which programs do not compute."""
    problem = NetworkProblem(load("sfc", input_error=False))
    names = [layer.name for layer in problem.work.layers]
    plan = dict(zip(names, (words.split() * 4)[:4], strict=True))
    assert tuple(problem.bytes_of(plan, name).total for name in ("collective", "leaf-exact")) == SFC[words]


def test_sfc_s_optimum():
    plan = solve(load("sfc", accounting="collective"), "joint-dp")
    assert (plan.status, plan.objective) == ("OPTIMAL", 680_833_024)
    assert plan.strategies == {"fc1": "dmmm", "fc2": "mmmm", "fc3": "mmmm", "fc4": "mmmm"}


@each("seed", range(200), quick=10)
def test_as_evaluated_is_it_but_for_fused_exchanges(seed):
    """What is left: a boundary's z all-to-alls one by one, z = levels with dp before mp; weights, last layer alike."""
    whole, plan = linear(seed, "dm")
    problem = problem_of(whole)
    more = problem.bytes_of(plan, "as-evaluated").total - problem.bytes_of(plan, "collective").total
    expected, layers = Fraction(0), problem.work.layers
    for edge in problem.work.boundaries:
        pair = plan[layers[edge.producer].name], plan[layers[edge.reader].name]
        z = sum(one == ("d", "m") for one in zip(*pair, strict=True))
        size = problem.instance.bytes_per_element * problem.instance.batch * edge.feature
        expected += size * (z - 2 * (1 - Fraction(1, 2**z)))
    assert more == expected >= 0


@each("seed", range(300), quick=10)
def test_what_leaf_exact_has_more(seed):
    """What is whole and nobody needs whole; u levels at which the producer has m and the reader o, z as ever."""
    problem = problem_of(random_chain(seed, most_levels=5), input_error=False)
    plan, layers = drawn(problem, Random(seed)), problem.work.layers
    expected = Fraction(0)
    for edge in problem.work.boundaries:
        producer = layers[edge.producer]
        s, q = plan[producer.name], plan[layers[edge.reader].name]
        summed = s if producer.groups == 1 else ""
        u = sum(pair == ("m", "o") for pair in zip(summed, q, strict=False))
        more = (
            2 ** summed.count("m")
            - 1
            + 2 ** q.count("o")
            - 1
            - Fraction(2, 2 ** exchanged(producer, s, q)) * (2**u - 1)
        )
        assert more >= 0
        expected += problem.instance.bytes_per_element * problem.instance.batch * edge.feature * more
    assert problem.bytes_of(plan, "leaf-exact").total - problem.bytes_of(plan, "collective").total == expected


POOLED = [
    {"name": "conv", "conv": {"filters": 4, "kernel": 3, "pad": 1}},
    {"name": "act", "activation": {}},
    {"name": "pool", "pool": {"kernel": 2}},
    {"name": "fc", "linear": {"features": 3}},
]


@pytest.mark.parametrize(
    ("words", "forward", "backward"),
    [
        ("dd", 0, 0),
        ("dm", 16 / 2, 16 / 2),  # an all-to-all behind the pool
        ("do", 16, 16),  # gathered behind the pool; scattered there
        ("md", 64, 64),  # scattered in front of the pool; gathered there
        ("mm", 64, 64),
        ("mo", 64 + 16, 16 + 64),
        ("od", 16 / 2, 16 / 2),
        ("om", 0, 0),
        ("oo", 16, 16),
    ],
)
def test_every_pair_around_a_pool_by_hand(words, forward, backward):
    """Two accelerators, one sample, 4 x 4 x 4 written and 4 x 2 x 2 read, 4 bytes each."""
    problem = problem_of(document(POOLED, [2, 4, 4], batch=1, accounting="collective", choices=ALL))
    found = problem.bytes_of(dict(zip(("conv", "fc"), words, strict=True)))
    assert (found.forward, found.backward) == (((4 * forward,),), ((4 * backward,),))


def test_the_error_of_the_input_is_never_charged():
    for given in (True, False):
        problem = problem_of(document(linear_chain(3), [5], accounting="collective", choices=ALL, input_error=given))
        assert problem.bytes_of({"fc1": "o"}).total == 0 == compiled(problem, {"fc1": "o"})


def test_the_last_layer_s_sums_are_whole_on_all_in_front_of_its_pool():
    problem = problem_of(document(POOLED[:3], [2, 4, 4], batch=1, levels=3, accounting="collective"))
    assert problem.bytes_of({"conv": "mmm"}).total == 2 * 4 * 64 * 7 == compiled(problem, {"conv": "mmm"})


@pytest.mark.parametrize("name", ["resnet-18", "resnet-50"])
def test_networks_with_several_readers_are_declined(name):
    with pytest.raises(InputError, match="expected a chain, got 2 readers of '") as raised:
        load(name, accounting="collective")
    assert raised.value.field == "--accounting"


def test_a_file_that_asks_for_it_is_told_where():
    layers = [
        {"name": "fc1", "linear": {"features": 4}},
        {"name": "fc2", "linear": {"features": 4}},
        {"name": "sum", "add": {}, "inputs": ["fc1", "fc2"]},
    ]
    with pytest.raises(InputError, match="got 2 readers of 'fc1'; leaf-exact takes any network") as raised:
        instance_of(document(layers, [4], accounting="collective"))
    assert raised.value.field == "cost.accounting"
    instance_of(document(layers, [4], accounting="leaf-exact"))
