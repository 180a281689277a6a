"""Convolutions in groups: mp splits the groups, op there is none, and the optimum is that of all plans."""

from __future__ import annotations

from math import prod

import pytest
from cost.grouped_networks import costs_of_all_plans, grouped_document
from helpers import document, each, exact_names, instance_of, problem_of

from hypar_opt.evaluation.legality import illegal
from hypar_opt.formulation.registry import found
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError, Refusal

SEEDS = range(40, 80)
DEPTHWISE = [{"name": "dw", "conv": {"filters": 64, "kernel": 7, "pad": 3, "groups": 64}}]
ALL = ["dp", "mp", "op"]


def in_groups(groups, **more):
    conv = {"name": "conv", "conv": {"filters": 8, "kernel": 3, "groups": groups}}
    return document([conv], [8, 4, 4], **{"levels": 2, "choices": ALL, **more})


@each("seed", SEEDS, quick=6)
def test_the_optimum_is_the_least_of_all_plans(seed):
    problem = problem_of(grouped_document(seed))
    least = min((cost for cost, _ in costs_of_all_plans(problem)), default=None)
    for name in ("joint-dp", "brute-force") if seed % 8 else exact_names():
        try:
            plan = solve(problem, name)
        except Refusal:
            continue
        assert (plan.status, plan.objective) == ("INFEASIBLE" if least is None else "OPTIMAL", least), name


@each("seed", SEEDS, quick=20)
def test_the_plans_that_there_are_and_what_they_cost(seed):
    """The compiled costs and masks, and the evaluator's rule and boxes."""
    problem = problem_of(grouped_document(seed))
    plans = [(strategies, cost) for cost, strategies in costs_of_all_plans(problem)]
    assert len(plans) == prod(one.size if one.mask is None else int(one.mask.sum()) for one in problem.graph.variables)
    for strategies, cost in plans[:: max(1, len(plans) // 40)]:
        choices = problem.choices(strategies)
        assert problem.graph.feasible(choices)
        assert illegal(problem.work, strategies, problem.rules) is None
        assert problem.bytes_of(strategies).total == cost
        assert problem.graph.value(choices) == cost * problem.graph.objective.denominator


def test_the_seeds_have_what_they_should():
    problems = [problem_of(grouped_document(seed)) for seed in SEEDS]
    groups = [layer.groups for problem in problems for layer in problem.work.layers]
    assert {1, 2, 3, 4, 8, 24} == set(groups)
    assert {problem.instance.accounting for problem in problems} == {
        "published", "as-evaluated", "receiver", "leaf-exact",
    }  # fmt: skip
    assert len({(one.instance.splits, one.instance.input_error) for one in problems}) == 4
    plans = [solve(problem, "joint-dp") for problem in problems]
    assert 2 <= sum(plan.status == "INFEASIBLE" for plan in plans) <= 30
    split = [
        layer.name
        for problem, plan in zip(problems, plans, strict=True)
        for layer in problem.work.layers
        if plan.strategies and layer.groups > 1 and "m" in plan.strategies[layer.name]
    ]
    assert len(split) >= 8


@pytest.mark.parametrize("splits", ["any", "divisible"])
def test_sixteen_accelerators_with_four_channels_each_exchange_nothing(splits):
    whole = document(DEPTHWISE, [64, 8, 8], batch=1, levels=4, choices=ALL, splits=splits)
    plan = solve(instance_of(whole), "joint-dp")
    assert (plan.status, plan.strategies, plan.communication_bytes) == ("OPTIMAL", {"dw": "mmmm"}, 0)


def test_groups_are_not_cut_even_where_any_dimension_may_be():
    problem = problem_of(in_groups(2, batch=1))
    assert {word for _, plan in costs_of_all_plans(problem) for word in plan.values()} == {"dd", "dm", "md"}
    assert [problem.graph.feasible(problem.choices({"conv": word})) for word in ("dm", "mm")] == [True, False]
    assert illegal(problem.work, {"conv": "mm"}, problem.rules) == (
        "layer 'conv' has 'mm', expected m at most once, as it halves the 2 groups"
    )
    assert illegal(problem.work, {"conv": "do"}, problem.rules) == (
        "layer 'conv' has 'do', expected 2 letters of 'dm' with 2 groups"
    )


@pytest.mark.parametrize(
    ("groups", "word", "message"),
    [
        (4, "do", "expected letters from d, m in a convolution with 4 groups, or . where it is open, got 'do'"),
        (2, "mm", "expected m at most once, as it halves the 2 groups, got 'mm'"),
        (1, "mmm", "expected 2 letters, one a level, or . where it is open, got 'mmm'"),
    ],
)
def test_a_given_strategy_that_cuts_groups_is_an_error(groups, word, message):
    with pytest.raises(InputError, match=r"fix\.conv") as raised:
        instance_of(in_groups(groups, fix={"conv": word}))
    assert raised.value.message == message


def test_an_odd_number_of_groups_is_not_halved():
    layers = [{"name": "conv", "conv": {"filters": 6, "kernel": 1, "groups": 3}}]
    with pytest.raises(InputError, match="expected no m, as it halves the 3 groups, got 'm'"):
        instance_of(document(layers, [6, 2, 2], fix={"conv": "m"}))


def test_more_levels_than_halvings_of_the_groups():
    layers = [{"name": "conv", "conv": {"filters": 12, "kernel": 1, "groups": 12}}]
    with pytest.raises(InputError, match="expected m at most 2 times, as it halves the 12 groups, got 'mmm'"):
        instance_of(document(layers, [12, 2, 2], levels=3, fix={"conv": "mmm"}))


def test_choices_that_leave_no_letter():
    with pytest.raises(InputError) as raised:
        _ = problem_of(in_groups(4, choices=["op"])).graph
    assert raised.value.field == "cost.choices"
    assert raised.value.message == "the convolution 'conv' in 4 groups chooses dp or mp only, and neither is there"


@pytest.mark.parametrize("name", [one for one in found() if one in exact_names()])
def test_where_the_groups_are_too_few_there_is_no_plan_and_it_is_said_why(name):
    try:
        plan = solve(instance_of(in_groups(2, choices=["mp"])), name)
    except Refusal:
        return
    assert plan.status == "INFEASIBLE"
    assert "no strategy of 2 letters of 'm' is allowed for 'conv', which has 2 groups" in plan.note


def test_rules_that_would_cut_groups_say_so_and_the_greedy_search_stays_within_them():
    instance = load("alexnet-full")
    plan = solve(instance, "model-parallel")
    assert plan.status == "NO_SOLUTION"
    assert plan.note.endswith("breaks a split or capacity rule of this instance: 'conv2' cannot have 'mmmm'")
    assert solve(instance, "one-weird-trick").status == solve(instance, "data-parallel").status == "FEASIBLE"
    greedy = solve(instance, "hypar-dp")
    problem = NetworkProblem(instance)
    assert illegal(problem.work, greedy.strategies, problem.rules) is None


def test_nothing_is_free_behind_groups_as_evaluated():
    """What is free behind a dense layer in mp is free for its partial sums; groups have none."""
    layers = [*in_groups(8)["network"]["layers"], {"name": "fc", "linear": {"features": 4}}]
    problem = problem_of(document(layers, [8, 4, 4], batch=2, accounting="as-evaluated"))
    # F and E of 2 x 8 x 2 x 2 elements: C to B a quarter each, two sides, four bytes; C to C nothing
    assert problem.bytes_of({"conv": "m", "fc": "d"}).inter == ((2 * 4 * 2 * 64 // 4,),)
    assert problem.bytes_of({"conv": "m", "fc": "m"}).inter == ((0,),)


def test_what_the_weights_need_at_the_least_is_by_what_splits_them():
    def with_capacity(groups, choices=("dp", "mp")):
        whole = in_groups(groups, choices=list(choices), levels=3, batch=1)
        machine = {"model": "as-evaluated", "rate": 1, "memory": {"capacity": 100}}
        return whole | {"array": {**whole["array"], "placement": "identity", "accelerator": machine}}

    # 8 filters of 8 / 4 channels x 9 elements are 576 bytes, a quarter of them 144
    with pytest.raises(InputError, match="at least 144 bytes, which the weights of 'conv' alone"):
        instance_of(with_capacity(4))
    assert instance_of(with_capacity(8)).levels == 3  # 288 bytes, an eighth of them 36


def test_the_kind_says_how_many_groups_m_splits(capsys):
    from hypar_opt.report.console import console
    from hypar_opt.report.plan import show_plan

    problem = NetworkProblem(load("alexnet-full"))
    show_plan(console(), problem, solve(problem, "joint-dp"), None)
    assert "conv, 2 groups" in capsys.readouterr().out
