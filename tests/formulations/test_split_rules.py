"""Plans by a rule about named dimensions, beside the optimum and Megatron's own plan."""

from __future__ import annotations

from itertools import product

import pytest

from hypar_opt.evaluation.operators import movements, operator_plan, total
from hypar_opt.instance import load
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.operators.blocks import GPT_2, LLAMA_3, SMALL
from hypar_opt.studies.operators.megatron import megatron
from hypar_opt.util.errors import Refusal
from tests.helpers import each

COUNTED = {
    ("data-parallel", (4,)): 1_179_648,
    ("megatron", (4,)): 1_179_648,
    ("megatron", (2, 2)): 786_432,
}
"""Bytes of the small block in generated programs."""


def axes(sizes):
    return dict(zip(("node", "gpu")[-len(sizes) :], sizes, strict=True))


@pytest.mark.parametrize(("name", "sizes"), COUNTED)
def test_the_small_block_moves_what_was_counted(name, sizes):
    plan = solve(SMALL.instance(8, axes(sizes)), name)
    assert (plan.status, plan.bound) == ("FEASIBLE", None)
    assert plan.communication_bytes == COUNTED[name, sizes]


CASES = [one for one in product((GPT_2, LLAMA_3), ((2,), (4,), (2, 2), (2, 8))) if one[0].key_heads % one[1][-1] == 0]
"""Blocks, and axes of which the innermost divides the heads."""


@each("case", CASES, quick=3)
def test_megatrons_rule_moves_what_its_plan_moves(case):
    block, sizes = case
    instance = block.instance(8, axes(sizes))
    own = operator_plan(instance.graph, instance.partition, megatron(instance.graph, instance.partition, ["gpu"]))
    plan = solve(instance, "megatron")
    assert plan.communication_bytes == total(movements(instance.graph, instance.partition, own))
    assert all(
        word.split()[-1] not in ("batch", "sequence") for name, word in plan.strategies.items() if ":" not in name
    )


def test_the_batch_is_split_wherever_it_divides_and_else_nothing_that_need_not_be():
    plan = solve(SMALL.instance(2, {"node": 2, "gpu": 4}), "data-parallel")
    words = {name: word for name, word in plan.strategies.items() if ":" not in name}
    assert {word.split()[0] for word in words.values()} == {"batch"}
    assert {words[name] for name in ("norm_1", "add_1", "activation")} == {"batch none"}
    assert "batch" not in {word.split()[1] for word in words.values()}


@each("seed", range(8), quick=8)
def test_what_the_rule_leaves_open_is_chosen_best(seed):
    """Fixing the rule's words, the optimum costs as much."""
    sizes = [(2,), (4,), (2, 2), (2, 4)][seed % 4]
    problem = OperatorProblem(SMALL.instance(8 if seed < 4 else 2, axes(sizes)))
    plan = solve(problem, "data-parallel")
    words = {name: word for name, word in plan.strategies.items() if ":" not in name}
    given = OperatorProblem(problem.instance.replace(fix=words))
    assert solve(given, "joint-dp").objective == plan.objective >= solve(problem, "joint-dp").objective


def test_a_rule_of_named_dimensions_declines_letters_and_the_others_names():
    with pytest.raises(Refusal, match="megatron is for operators, whose choices are named dimensions"):
        solve(load("lenet-c"), "megatron")
    with pytest.raises(Refusal, match="one-weird-trick works level by level"):
        solve(SMALL.instance(8, {"gpu": 2}), "one-weird-trick")


def test_a_bound_that_the_rules_plan_exceeds_leaves_no_plan():
    instance = SMALL.instance(8, {"gpu": 4}).replace(at_most={"communication": "1e6"})
    plan = solve(instance, "data-parallel")
    assert (plan.status, plan.note) == ("NO_SOLUTION", "the rule's plan exceeds the bound on communication")


@pytest.mark.parametrize(("capacity", "status"), [(400_000, "INFEASIBLE"), (1_000_000, "FEASIBLE")])
def test_under_a_memory_the_rule_is_applied_to_the_words_as_they_are(capacity, status):
    whole = SMALL.instance(8, {"gpu": 4}).to_dict()
    whole["array"]["accelerator"] = {"model": "as-evaluated", "rate": 10**12, "memory": {"capacity": capacity}}
    problem = OperatorProblem(OperatorInstance.from_dict(whole))
    assert problem.is_tight
    plan = solve(problem, "data-parallel")
    assert (plan.status, plan.communication_bytes) == (status, 1_179_648 if status == "FEASIBLE" else None)
    assert ("which has 400,000" in plan.note) is (status != "FEASIBLE")


def tight(capacity, storage=("replicated", "zero-1", "zero-3")):
    """Return the small block under a memory, with ways of keeping parameters to choose from."""
    document = SMALL.instance(8, {"gpu": 4}).to_dict()
    accelerator = {"model": "roofline", "rate": 1, "memory": {"capacity": capacity}}
    cost = {**document.get("cost", {}), "storage": list(storage), "optimiser": "adam"}
    array = {**document["array"], "accelerator": accelerator}
    return OperatorProblem(OperatorInstance.from_dict({**document, "array": array, "cost": cost}))


@pytest.mark.parametrize("rule", ["data-parallel", "megatron"])
def test_under_a_memory_a_rule_keeps_its_words_and_stores_otherwise(rule):
    roomy = solve(tight(10**9), rule)
    kept = tight(10**9).peak(tight(10**9).plan_of(roomy.strategies)).bytes
    problem = tight(int(kept) - 1)
    plan = solve(problem, rule)
    assert plan.status == "FEASIBLE"
    words = {name: word for name, word in plan.strategies.items() if ":" not in name}
    assert (
        {"batch"} == set(words.values()) if rule == "data-parallel" else not {"batch", "sequence"} & {*words.values()}
    )
    assert problem.peak(problem.plan_of(plan.strategies)).bytes < kept
    given = OperatorProblem(problem.instance.replace(fix=words))
    assert plan.objective >= solve(given).objective >= roomy.objective


def test_the_batch_everywhere_takes_what_moves_no_more_first():
    """By hand: states by ZeRO-1 move what replicated ones do, parameters by ZeRO-3 half as much again."""
    roomy = solve(tight(10**9), "data-parallel")
    kept = tight(10**9).peak(tight(10**9).plan_of(roomy.strategies)).bytes
    plan = solve(tight(int(kept) - 1), "data-parallel")
    assert plan.communication_bytes == roomy.communication_bytes
    assert "zero-1" in plan.strategies.values()


def test_what_a_rule_lacks_is_said():
    least = solve(tight(10**9, ("zero-3",)), "megatron")
    needed = tight(10**9).kept_in_all(tight(10**9).plan_of(least.strategies))
    plan = solve(tight(int(needed) // 2), "data-parallel")
    assert (plan.status, plan.strategies) in (("NO_SOLUTION", None), ("INFEASIBLE", None))
    assert "at least" in plan.note
