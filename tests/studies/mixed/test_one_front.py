"""One front of sums, moved and turned says of any two machines what a search on these finds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest
from helpers import document, each, instance_of, linear_chain, problem_of
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.evaluation.mixed import Quadratic
from hypar_opt.instance import load
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.solve import solve
from hypar_opt.studies.mixed.one_front import TwoMachines, candidates, served
from hypar_opt.util.errors import Refusal

PARTS = (("sums", "moved", "turned"), 12)


def of_seed(seed, levels=1, **options):
    """Return a chain's document, the same on whatever array."""
    rng = Random(seed)
    sizes = [rng.choice((2, 3, 8, 20, 64)) for _ in range(4)]
    layers = linear_chain(*sizes)
    return document(layers, [rng.choice((4, 16, 50))], batch=12, levels=levels, choices=["dp", "mp", "op"], **options)


@cache
def front_of(seed):
    return pareto_front(problem_of(of_seed(seed)), PARTS[0])


def on_machines(seed, rng):
    """Return the problem of the same chain on two unlike machines."""
    whole = of_seed(seed)
    kinds = [
        {
            "kind": name,
            "count": 1,
            "bandwidth": rng.choice((1, 2, 5, 30)),
            "accelerator": {"model": "as-evaluated", "rate": rng.choice((1, 3, 10, 50)) * 100, "utilisation": 1},
        }
        for name in "ab"
    ]
    whole["array"] |= {"accelerators": kinds}
    whole["cost"] |= {"shares": {"parts": PARTS[1]}}
    return MixedProblem(instance_of(whole | {"objective": {"time": 1}}))


@each("seed", range(12), quick=2)
def test_one_front_serves_all_machines(seed):
    rng = Random(seed)
    problem = on_machines(seed % 4, rng)
    if not problem.array.splits:
        return
    found = served(front_of(seed % 4), TwoMachines.of(problem), PARTS[1])
    plan = solve(problem)
    assert (plan.objective, plan.proven) == (found.seconds, True)
    words = front_of(seed % 4).points[found.place].strategies
    assert problem.costs(words, (found.share,))["time"] == found.seconds


@given(
    first=st.tuples(*[st.integers(-20, 20)] * 2),
    second=st.tuples(*[st.integers(-20, 20)] * 2),
    squares=st.tuples(*[st.integers(-9, 0)] * 2),
    parts=st.integers(2, 30),
)
def test_the_candidates_have_the_best_share(first, second, squares, parts):
    times = Quadratic(*map(Fraction, (*first, squares[0]))), Quadratic(*map(Fraction, (*second, squares[1])))

    def last(share):
        return max(one.at(share) for one in times)

    every = [Fraction(step, parts) for step in range(1, parts)]
    assert min(map(last, candidates(times, parts))) == min(map(last, every))


def test_what_it_does_not_serve_is_refused():
    problem = on_machines(0, Random(1))
    with pytest.raises(Refusal, match="expected a complete front of sums, moved, turned, got one of sums, moved"):
        served(pareto_front(problem_of(of_seed(0)), ("sums", "moved")), TwoMachines.of(problem), 4)
    by_layer = load("mixed-alexnet", barrier="layer")
    with pytest.raises(Refusal, match="two unlike machines that wait for each other at the end of a step alone"):
        TwoMachines.of(MixedProblem(by_layer))
