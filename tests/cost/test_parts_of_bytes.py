"""The communication in parts: sums, moved and turned."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from bank.random_networks import random_document
from helpers import document, each, linear_chain, problem_of
from mixed_machines import array_of, kind_of, setting_of

from hypar_opt.evaluation.communication import parts_of_bytes
from hypar_opt.evaluation.mixed import communication_bytes
from hypar_opt.instance import load
from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.instance.objective.components import EXCHANGES
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.verification import verify

THREE = ("sums", "moved", "turned")
ALEXNET = [  # at one level, batch 512: elements of sums, moved and turned that one side alone would be charged
    (8452128, 0, 9437184), (11073568, 6815744, 0), (12658720, 4718592, 0),
    (44103712, 2097152, 0), (45688864, 0, 4194304), (62367776, 0, 0),
]  # fmt: skip


def words_of(problem, rng):
    return {
        one.name: "".join(rng.choice(one.words.alphabet) for _ in range(problem.instance.levels))
        for one in problem.base.variables
    }


@each("seed", range(30), quick=8)
def test_together_they_are_all_bytes_and_the_graphs_say_the_same(seed):
    problem = problem_of(random_document(seed, most_levels=3, more=("replicate",)))
    if ACCOUNTINGS[problem.instance.accounting].by_leaves:
        with pytest.raises(InputError, match="counts all levels together"):
            problem.weighing({"sums": Fraction(1)})
        return
    rng = Random(seed)
    graphs = {name: problem.weighing({name: Fraction(1)}) for name in THREE}
    for words in (words_of(problem, rng) for _ in range(4)):
        breakdown = problem.bytes_of(words)
        found = parts_of_bytes(problem.work, breakdown)
        assert sum(found.values()) == breakdown.total
        assert found == {name: graph.value(problem.choices(words)) for name, graph in graphs.items()}


@each("seed", range(20), quick=4)
def test_a_share_changes_what_is_turned_alone(seed):
    """Bytes of both halves at a share a: sums + moved + 4 a (1 - a) turned."""
    rng = Random(seed)
    layers = linear_chain(*(rng.randrange(2, 30) for _ in range(4)))
    problem = problem_of(document(layers, [7], batch=6, bytes_per_element=2, levels=1, choices=["dp", "mp", "op"]))
    share, words = Fraction(rng.randrange(1, 12), 12), words_of(problem, rng)
    kinds = kind_of("fast", rate=300, bandwidth=20), kind_of("slow", rate=100, bandwidth=7)
    setting = setting_of(array_of((0, 1), kinds), batch=6, size=2)
    read = communication_bytes(problem.work, words, {"root": share}, setting).total
    found = parts_of_bytes(problem.work, problem.bytes_of(words))
    assert read == found["sums"] + found["moved"] + 4 * share * (1 - share) * found["turned"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("name", "size"), [("lenet-c", 2), ("accpar-alexnet", 6), ("sfc", 1), ("accpar-vgg-11", 6)])
def test_fronts_of_one_level_have_the_known_sizes(name, size):
    given = load(name, batch=512, levels=1, choices="dp,mp,op", accounting="published")
    front = pareto_front(given, THREE)
    assert (front.components, front.complete, len(front.points)) == (THREE, True, size)
    if name == "accpar-alexnet":
        element = given.bytes_per_element
        by_element = [(s / 2 / element, m / element, 2 * t / element) for s, m, t in (x.values for x in front.points)]
        assert by_element == ALEXNET


def test_they_are_weighed_bounded_claimed_and_verified(tmp_path):
    given = load("lenet-c", objective="sums,turned=0.5", at_most="moved=1e6")
    plan = solve(given)
    assert plan.proven
    assert plan.objective == plan.costs["sums"] + plan.costs["turned"] / 2
    assert plan.costs["moved"] <= 10**6
    plan.save(tmp_path / "plan.json")
    assert verify(given, tmp_path / "plan.json").outcome == "confirmed"


def test_they_are_parts_of_bytes_and_nothing_else():
    assert EXCHANGES == THREE
    with pytest.raises(InputError, match="sums"):
        load("mixed-alexnet", objective="sums")
    with pytest.raises(InputError, match="sums"):
        load("gpt2-block", objective="sums")
