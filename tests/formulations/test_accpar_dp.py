"""AccPar's search: each level exactly where adds are decided, and as its code does where they are not."""

from __future__ import annotations

from itertools import product

import pytest
from bank.random_networks import random_document
from helpers import document, each, instance_of, linear_chain, problem_of

from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification import verify

CHOICES = ["dp", "mp", "op"]


def residual(*widths, out=3):
    """Return linear layers of some widths with an add around every two, and a last layer."""
    layers, name = [], "input"
    for number, (inside, width) in enumerate(widths):
        block = f"b{number}"
        layers += [
            {"name": f"{block}_first", "linear": {"features": inside}, "inputs": [name]},
            {"name": f"{block}_last", "linear": {"features": width}},
            {"name": f"{block}_add", "add": {}, "inputs": [f"{block}_last", name]},
        ]
        name = f"{block}_add"
    return [*layers, {"name": "last", "linear": {"features": out}}]


@each("seed", range(60), quick=20)
def test_one_level_of_any_graph_is_the_optimum(seed):
    problem = problem_of(random_document(4000 + seed, most_levels=1))
    plan, best = solve(problem, "accpar-dp"), solve(problem, "brute-force")
    if best.status == "OPTIMAL" and problem.instance.levels:
        assert (plan.status, plan.objective) == ("OPTIMAL", best.objective)


def test_on_a_chain_it_is_the_papers_algorithm():
    whole = document(
        [{"name": f"fc{n}", "linear": {"features": n}} for n in (24, 16, 8)], [8], levels=3, choices=CHOICES
    )
    assert solve(problem_of(whole), "accpar-dp").strategies == solve(problem_of(whole), "hypar-dp").strategies


def test_each_level_of_a_graph_is_the_best_below_the_levels_above():
    problem = problem_of(document(residual((6, 4), (8, 4)), [4], levels=2, batch=6, choices=CHOICES))
    words = solve(problem, "accpar-dp").strategies

    def second(letters):
        plan = {name: word[0] + letter for (name, word), letter in zip(words.items(), letters, strict=True)}
        return problem.bytes_of(plan).level(1)

    allowed = [["d", "m"] if name.endswith("add") else ["d", "m", "o"] for name in words]
    assert second([word[1] for word in words.values()]) == min(map(second, product(*allowed)))


@each("seed", range(14), quick=4)
def test_what_skips_is_compiled_as_it_is_recounted(seed):
    widths = [(3 + seed % 5, 4), (2 + seed % 3, 4), (5, 4)][: 1 + seed % 3]
    problem = problem_of(
        document(residual(*widths), [4], levels=1 + seed % 3, batch=2 + seed % 4, choices=CHOICES[: 2 + seed % 2],
                 as_released=True)
    )  # fmt: skip
    plans = [solve(problem, "accpar-dp"), solve(problem, "joint-dp"), solve(problem, "cp-sat")]
    assert plans[0].objective >= plans[1].objective == plans[2].objective
    for plan in plans:
        assert problem.bytes_of(plan.strategies).total == plan.objective


def test_a_skip_by_hand():
    # one level, batch 2, all widths 2: 4 elements in every tensor, types d, o, o; sums 4 + 4 + 4, boundaries d-o 2,
    # o-o 2, and d-o around the block 2, behind the cut by d 1; two sides, two bytes
    fix = {"b0_first": "d", "b0_last": "o", "last": "o"}
    problem = problem_of(
        document(residual((2, 2), out=2), [2], batch=2, choices=CHOICES, bytes_per_element=2, fix=fix, as_released=True)
    )
    plan = solve(problem, "joint-dp")
    assert plan.communication_bytes == 2 * 2 * (4 + 4 + 4 + 2 + 2 + 1)


def test_adds_as_released_are_not_decided():
    problem = problem_of(document(residual((2, 2)), [2], choices=CHOICES, as_released=True))
    assert list(solve(problem, "accpar-dp").strategies) == ["b0_first", "b0_last", "last"]
    assert list(solve(problem.instance.replace(as_released=False)).strategies) == [
        "b0_first",
        "b0_last",
        "b0_add",
        "last",
    ]


def test_a_shape_may_be_assumed():
    layers = [
        {"name": "a", "linear": {"features": 6}},
        {"name": "grown", "assume": {"shape": [50]}},
        {"name": "b", "linear": {"features": 2}},
    ]
    first, second = problem_of(document(layers, [4])).work.layers
    assert (first.feature_out, second.feature_in, second.weight) == (6, 50, 100)


def test_only_published_goes_with_adds_as_released():
    with pytest.raises(InputError, match="expected accounting published") as caught:
        instance_of(document(residual((2, 2)), [2], accounting="receiver", as_released=True))
    assert caught.value.field == "cost.as_released"


def test_a_block_begins_with_a_layer_that_reads_what_skips():
    layers = [
        {"name": "a", "linear": {"features": 2}},
        {"name": "one", "activation": {}},
        {"name": "two", "activation": {}, "inputs": ["a"]},
        {"name": "sum", "add": {}, "inputs": ["one", "two"]},
        {"name": "b", "linear": {"features": 2}},
    ]
    with pytest.raises(InputError, match="no layer with weights reads 'one' or 'two'") as caught:
        instance_of(document(layers, [2], as_released=True))
    assert caught.value.field == "network.layers[3]"


def test_an_add_as_released_joins_two():
    layers = [*linear_chain(2, 2), {"name": "sum", "add": {}, "inputs": ["fc1", "fc2", "input"]}]
    with pytest.raises(InputError, match="an add as released joins two tensors, got 3") as caught:
        instance_of(document(layers, [2], as_released=True))
    assert caught.value.field == "network.layers[2]"


def test_no_certificate_is_written_of_adds_as_released():
    problem = problem_of(document(residual((2, 2)), [2], as_released=True))
    assert problem.uncertifiable == "certificates know no adds as released"


def test_leaves_lack_nothing_that_adds_as_released_are_charged_for():
    for released in (False, True):
        problem = problem_of(document(residual((2, 2)), [2], choices=CHOICES, as_released=released))
        assert (verify(problem.instance, solve(problem, "accpar-dp")).leaf_exact is None) == released


def test_a_layer_beside_the_path_is_refused_where_adds_are_as_released():
    layers = residual((2, 2), out=2)
    layers[-1:] = [
        {"name": "side", "linear": {"features": 2}, "inputs": ["b0_first"]},
        layers[-1] | {"inputs": ["b0_add"]},
    ]
    problem = problem_of(document(layers, [2], choices=CHOICES, as_released=True))
    with pytest.raises(Refusal, match=r"'side' does not read 'b0_last', and .* one path"):
        solve(problem, "accpar-dp")
    assert solve(problem, "joint-dp").objective == solve(problem, "brute-force").objective


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (["b0_add", "b1_add"], "'both' reads more than one sum, or another layer beside one"),
        (["b0_last", "b1_add"], "'both' reads more than one sum, or another layer beside one"),
        (["b1_first", "b1_last"], "'both' reads 'b1_first' beside 'b1_last'"),
    ],
)
def test_what_else_a_layer_reads_is_refused_where_adds_are_as_released(read, said):
    """What passes by both blocks is charged all the same, by every formulation."""
    layers = residual((2, 2), (2, 2), out=2)
    layers[-1:] = [{"name": "both", "concat": {}, "inputs": read}, layers[-1] | {"inputs": ["both"]}]
    problem = problem_of(document(layers, [2], choices=CHOICES, as_released=True))
    with pytest.raises(Refusal, match=f"{said}, and .* one path"):
        solve(problem, "accpar-dp")
    plan, best = solve(problem, "joint-dp"), solve(problem, "brute-force")
    assert plan.objective == best.objective == problem.bytes_of(plan.strategies).total
