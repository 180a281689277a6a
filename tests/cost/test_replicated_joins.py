"""Joins that lie whole on both halves: what they cost, by formulas, boxes and terms; and what they save."""

from __future__ import annotations

import io
from random import Random

import pytest
from bank.random_networks import random_document
from cost.direct_formula import by_parts
from helpers import document, each, problem_of
from verification.certificate.second_checker import judge

from hypar_opt.instance.choices import CHOICES, Dimension
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.verification.certificate.check import check
from hypar_opt.verification.certificate.write import write_certificate

MORE = ("replicate",)


def residual(levels=1, **options):
    """Return a block of two layers that its input passes by, and a layer behind."""
    layers = [
        {"name": "fc1", "linear": {"features": 4}},
        {"name": "fc2", "linear": {"features": 4}},
        {"name": "sum", "add": {}, "inputs": ["fc1", "fc2"]},
        {"name": "fc3", "linear": {"features": 4}},
    ]
    return document(layers, [4], **{"batch": 2, "levels": levels, "choices": ["dp", "mp", "op", "replicate"]} | options)


@pytest.mark.parametrize(
    ("words", "into", "out"),
    [  # of how many summands a half lacks a half, and of how many errors of who reads the sum
        (("d", "d", "r", "d"), 2, 1),
        (("m", "m", "r", "o"), 0, 0),
        (("o", "m", "r", "o"), 1, 0),
        (("o", "o", "r", "m"), 2, 1),
    ],
)
def test_a_block_by_hand(words, into, out):
    """Of 8 elements, 4 bytes each, both halves read a half: 32 bytes."""
    problem = problem_of(residual())
    found = problem.bytes_of(dict(zip(("fc1", "fc2", "sum", "fc3"), words, strict=True)))
    read = {(edge.producer, edge.reader): place for place, edge in enumerate(problem.work.boundaries)}
    forward, backward = ([sum(rows) for rows in one] for one in (found.forward, found.backward))
    summands = [read[0, 2], read[1, 2]]
    assert sum(forward[place] for place in summands) == 32 * into
    assert [backward[place] for place in summands] == [0, 0]
    assert (forward[read[2, 3]], backward[read[2, 3]]) == (0, 32 * out)
    assert found.intra[2] == (0,)


@each("seed", range(30), quick=8)
def test_formulas_boxes_and_terms_agree(seed):
    problem = problem_of(random_document(seed, most_layers=4, most_levels=3, more=MORE))
    rng = Random(seed)
    variables = problem.base.variables
    for _ in range(5):
        words = {
            one.name: "".join(rng.choice(one.words.alphabet) for _ in range(problem.instance.levels))
            for one in variables
        }
        if problem.fault_of(words) is not None:
            continue
        own, boundaries = by_parts(problem, words)
        total = sum(map(sum, own)) + sum(map(sum, boundaries))
        assert problem.bytes_of(words).total == total
        graph = problem.base
        assert graph.value(problem.choices(words)) == total * graph.objective.denominator


@each("seed", range(16), quick=6)
def test_the_optimum_is_never_worse_and_certified(seed):
    few, many = (problem_of(random_document(seed, more=more)) for more in ((), MORE))
    proofs = []
    without, within = solve(few, "joint-dp"), solve(many, "joint-dp", proof=proofs.append)
    if "fix" not in random_document(seed) and without.proven and without.objective is not None:
        assert within.objective <= without.objective
    if within.objective is not None and many.instance.accounting != "collective":
        file = io.BytesIO()
        write_certificate(file, many, proofs.pop(), within)
        assert check(file).optimal
        assert judge(file).cost == within.objective


def test_only_joins_have_it_and_the_judge_says_so():
    problem = problem_of(residual(levels=2))
    assert {one.name: one.words.alphabet for one in problem.base.variables} == {
        "fc1": "dmo", "fc2": "dmo", "sum": "dmr", "fc3": "dmo"
    }  # fmt: skip
    words = dict.fromkeys(("fc1", "fc2", "fc3"), "dm") | {"sum": "rr"}
    assert problem.fault_of(words) is None
    assert problem.fault_of(words | {"fc2": "rd"}) == "layer 'fc2' has 'rd', expected 2 letters of 'dmo'"


def test_it_can_be_given():
    plan = solve(problem_of(residual(levels=2, fix={"sum": "rm"})), "joint-dp")
    assert plan.strategies["sum"] == "rm"
    with pytest.raises(InputError, match="expected letters from d, m, o, or"):
        problem_of(residual(levels=2, fix={"fc1": "rm"}))


def test_alone_it_is_no_choice_of_layers_with_weights():
    with pytest.raises(InputError, match="the layer 'fc1' chooses dp, mp or op only, and none is there"):
        _ = problem_of(residual(choices=["replicate"])).graph


def test_what_lies_on_both_halves_is_another_thing_than_what_lies_on_one():
    assert CHOICES["replicate"].join is Dimension.COPIES
    assert CHOICES["none"].join is Dimension.NOTHING
    assert not Dimension.COPIES.is_split
