"""What one operator reads twice alike is converted, kept, and its gradient added up once; otherwise each apart."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver.operator_problem import OperatorProblem
from tests.cost.operators.random_problems import agrees_at_every_moment
from tests.helpers import each

BYTES = 4 * 8 * 8
"""Of a map of a batch of 8 with 8 features."""
TWICE = {
    "square": {"inputs": ["fc", "fc"], "multiply": {}},
    "self-attention": {"inputs": ["fc", "fc", "fc"], "attention": {"heads": 2}},
    "gram": {"inputs": ["fc", "fc"], "einsum": {"equation": "batch a i, batch c i -> batch a c"}},
}


def problem_of(case, memory=None):
    one = {"self-attention": {"sequence": 4}, "gram": {"sequence": 4}}.get(case, {})
    layers = [{"name": "fc", "linear": {"features": 8}}, {"name": "twice", **TWICE[case]}]
    accelerator = (
        {} if memory is None else {"accelerator": {"model": "roofline", "rate": 1, "memory": {"capacity": memory}}}
    )
    return OperatorProblem(
        OperatorInstance.from_dict(
            {
                "schema": "hypar-opt/instance/1",
                "name": case,
                "batch": 8,
                "network": {"input": {**one, "features": 8}, "layers": layers},
                "array": {"axes": [{"name": "a", "size": 2}, {"name": "b", "size": 2}], **accelerator},
            }
        )
    )


def costs(problem, strategies):
    """Return what the cost model and the evaluator say of words."""
    choices = problem.choices(strategies)
    compiled = Fraction(problem.whole.value(choices), problem.whole.objective.denominator)
    return compiled, problem.costs(problem.plan_of(strategies))["communication"]


def test_a_square_is_gathered_once():
    """By hand: a map of T bytes lies in quarters, and a square that b does not split needs halves.

    So each of four devices receives a quarter more, T in all, once for both operands; the gradient, of which every
    device has a half, is sliced for nothing.
    """
    problem = problem_of("square")
    words = {"fc": "batch batch", "twice": "batch none", "fc:forward": "batch batch", "fc:gradient": "batch batch"}
    parameters = 2 * 3 * (8 * 8) * 4  # an all-reduce among four
    assert costs(problem, words) == (parameters + BYTES, parameters + BYTES)


def test_needed_in_two_ways_it_is_converted_twice():
    """By hand: a map of T bytes lies in quarters along the batch; a product with itself is split along its rows.

    Its first operand is needed in quarters of rows, an all-to-all of 3/4 T, its second whole, a gather of 3 T.
    Backward the gradient of the first goes the same way back, and that of the second is added up to quarters along the
    batch, a reduce-scatter of 3 T.
    """
    problem, size = problem_of("gram"), 4 * 8 * 4 * 8
    words = {"fc": "batch batch", "twice": "a a", "fc:forward": "batch batch", "fc:gradient": "batch batch"}
    parameters = 2 * 3 * (8 * 8) * 4
    there = Fraction(3, 4) * size + 3 * size
    assert costs(problem, words) == (parameters + 2 * there, parameters + 2 * there)


@pytest.mark.parametrize("case", TWICE)
@each("seed", range(200), quick=10)
def test_the_cost_model_agrees_with_the_evaluator(case, seed):
    problem, random = problem_of(case, memory=10**9), Random(seed)
    choices = [random.randrange(len(one.values)) for one in problem.compiled.domains]
    task = problem.task("brute-force", "strategies", None, None)[0]
    strategies, _ = task.decode(choices)
    compiled, recounted = costs(problem, strategies)
    assert compiled == recounted
    agrees_at_every_moment(problem.compiled, problem.plan_of(strategies), choices, idle=True)


def test_a_square_keeps_one_copy():
    problem = problem_of("square", memory=10**9)
    words = {"fc": "batch batch", "twice": "batch none", "fc:forward": "batch batch", "fc:gradient": "batch batch"}
    maps = {name: kinds.get("maps", 0) for name, kinds in problem.kept(problem.plan_of(words)).items()}
    assert maps == {"fc": BYTES / 4, "twice": BYTES / 4 + BYTES / 2}
