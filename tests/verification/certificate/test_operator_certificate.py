"""Certificates of operators: what they prove is the optimum, and costs are what the evaluator counts."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from helpers import each
from operator_certificates import certified, document_of, strategies

import hypar_opt
from hypar_opt.cost.operators import CompiledOperators, OperatorModel
from hypar_opt.costgraph import Objective
from hypar_opt.evaluation.operators import movements, operator_plan, total
from hypar_opt.solver.kinds import problem_of
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification.certificate.check import check
from hypar_opt.verification.certificate.check_operators import exact
from hypar_opt.verification.certificate.check_operators.costs import Costs
from hypar_opt.verification.certificate.check_operators.exact import WorkRoom
from hypar_opt.verification.certificate.check_operators.plan import cost_of, faults
from hypar_opt.verification.certificate.of_operators import write_operator_certificate
from tests.evaluation.operators.random_operators import (
    random_graph,
    random_partition,
    random_storage,
    random_strategies,
)

SHIPPED = (
    "gpt2-block",
    "dlrm",
    "vit-b-16",
    "mobilenet-v2",
    "u-net",
    "bert-large",
    "gpt2-small",
    "llama-3-8b",
    "mixtral-8x7b",
    "resnet50",
)


@each("seed", range(200), quick=12)
def test_messages_prove_the_best_of_all_plans(seed):
    found = certified(seed)
    if found is not None:
        checked = check(found.file())
        assert (checked.faults, checked.bound, checked.cost) == ((), found.least, found.least)
        assert checked.optimal


@each("weight", ["1/3", "0.1", "7", "2.5"])
def test_a_byte_may_weigh_what_it_wants(weight):
    found = certified(3, Fraction(weight))
    checked = check(found.file())
    assert checked.proven
    assert checked.bound == found.least == Fraction(weight) * certified(3).least
    assert check(found.file(found.header | {"scale": 2}, [4 * one for one in found.tables])).proven


@each("seed", range(150), quick=10)
def test_what_plans_cost_is_what_the_evaluator_counts(seed):
    graph, partition = random_graph(seed, pool=(4, 12)), random_partition(seed, most=12)
    words = random_strategies(seed, graph, partition, divisible=False, none=False)
    if words is None:
        return
    storage = random_storage(seed, graph)
    model = OperatorModel(partition, storages=("replicated", "zero-1", "zero-2", "zero-3"))
    compiled = CompiledOperators(graph, model, Objective({"communication": Fraction(1)}))
    costs = Costs(document_of(compiled), 1, WorkRoom())
    plan = words | {f"{name}:storage": way for name, way in storage.items()}
    assert [*faults(costs, plan)] == []
    moved = total(movements(graph, partition, operator_plan(graph, partition, words, storage)))
    assert Fraction(cost_of(costs, plan), partition.leaves) == moved


def written(name, **overrides):
    """Solve a shipped instance; return its plan, and its certificate as a file."""
    problem, proofs, file = problem_of(hypar_opt.load(name, **overrides)), [], io.BytesIO()
    plan = hypar_opt.solve(problem, "joint-dp", proof=proofs.append)
    write_operator_certificate(file, problem, proofs[0], plan)
    return plan, file


@each("name", SHIPPED, quick=2)
def test_shipped_instances_are_certified(name):
    plan, file = written(name, axes="node=2,gpu=2")
    checked = check(file)
    assert checked.proven
    assert checked.bound == plan.objective


def test_all_shipped_instances_are_named_here():
    there = {path.stem for path in Path("instances/operators").glob("*.yaml")}
    assert there - {"lstm"} == set(SHIPPED)


def test_where_tables_are_too_large_it_is_said():
    with pytest.raises(Refusal, match="memory limit"):
        written("lstm", axes="node=2,gpu=4")


def test_equal_blocks_have_equal_messages():
    """Whatever the number of blocks is: twelve of them take little more than what differs at the ends."""
    _, file = written("gpt2-small", axes="gpu=4")
    checked = check(file)
    assert checked.proven
    messages = checked.header["messages"]
    assert 1 + max(one["table"] for one in messages) < len(messages) / 3


def test_a_memory_that_all_plans_fit_into_changes_nothing():
    """What is kept of maps is not the certificate's; it never costs less than copies."""
    memory = {"model": "as-evaluated", "rate": 10**12, "memory": {"capacity": 10**15}}
    array = {"axes": [{"name": "gpu", "size": 4}]}
    plan, file = written("gpt2-block", array=array | {"accelerator": memory})
    checked = check(file)
    assert checked.proven
    assert checked.bound == plan.objective == written("gpt2-block", array=array)[0].objective


def test_a_memory_that_some_plans_do_not_fit_into_is_refused():
    memory = {"model": "as-evaluated", "rate": 10**12, "memory": {"capacity": 10**8}}
    array = {"axes": [{"name": "gpu", "size": 4}], "accelerator": memory}
    with pytest.raises(Refusal, match="know no memory that some plans do not fit into"):
        written("gpt2-block", array=array)


def test_maps_that_are_computed_once_more_are_refused():
    with pytest.raises(Refusal, match="do not know of blocks that run once more"):
        written("gpt2-small", axes="gpu=4", recompute="blocks")


def test_parts_may_be_padded():
    """Six devices, which divide few of the sizes."""
    plan, file = written("gpt2-block", axes="node=2,gpu=3", splits="padded")
    checked = check(file)
    assert checked.proven
    assert checked.bound == plan.objective
    assert checked.header["problem"]["splits"] == "padded"


@each("seed", range(60), quick=10)
def test_what_padded_plans_cost_is_what_the_evaluator_counts(seed):
    graph, partition = random_graph(seed, pool=(3, 5, 7)), random_partition(seed, most=12)
    model = OperatorModel(partition, storages=("replicated", "zero-3"), padded=True)
    try:
        compiled = CompiledOperators(graph, model, Objective({"communication": Fraction(1)}))
        domains = compiled.domains
    except InputError:  # some operator has no word
        return
    random, costs = Random(seed), Costs(document_of(compiled), 1, WorkRoom())
    for _ in range(3):
        plan = strategies(compiled, [random.randrange(len(one.values)) for one in domains])
        assert [*faults(costs, plan)] == []
        ways = {name.removesuffix(":storage"): way for name, way in plan.items() if name.endswith(":storage")}
        words = {name: word for name, word in plan.items() if not name.endswith(":storage")}
        moved = total(movements(graph, partition, operator_plan(graph, partition, words, ways, padded=True)))
        assert Fraction(cost_of(costs, plan), partition.leaves) == moved


def test_sums_that_are_taken_in_parts_have_the_same_least(monkeypatch):
    found = [certified(seed) for seed in range(6)]
    monkeypatch.setattr(exact, "CELLS", 3)
    assert all(check(one.file()).proven for one in found if one is not None)


@each("seed", range(40))
def test_parts_cover_a_table_once(seed):
    random = Random(seed)
    shape = [random.randrange(1, 6) for _ in range(random.randrange(1, 5))]
    seen = np.zeros(shape, int)
    for part in exact._parts(shape):
        seen[part] += 1
    assert (seen == 1).all()


def test_numbers_beyond_64_bits():
    found = certified(3)
    header = json.loads(json.dumps(found.header))
    problem = header["problem"]
    statistics = (some for one in problem["operators"] for some in one["statistics"])
    for one in (*problem["tensors"], *statistics):
        one["element_bytes"] *= 2**60
    header["claim"]["bound"] = str(found.least * 2**60)
    assert check(found.file(header, [one.astype(object) * 2**60 for one in found.tables])).proven


def test_it_is_of_one_instance(tmp_path):
    _, file = written("gpt2-block", axes="gpu=2")
    path = tmp_path / "plan.cert"
    path.write_bytes(file.getvalue())
    plan = hypar_opt.solve(hypar_opt.load("gpt2-block", axes="gpu=2"))
    assert hypar_opt.verify("gpt2-block", plan, certificate=path).outcome.value == "confirmed"
    for overrides, field in (
        ({"axes": "gpu=4"}, "overrides"),
        ({"axes": "gpu=2", "batch": 16}, "overrides"),
        ({"axes": "gpu=2", "objective": {"communication": 2}}, "overrides"),
    ):
        other = hypar_opt.solve(hypar_opt.load("gpt2-block", **overrides))
        with pytest.raises(InputError, match="is a certificate of another problem") as error:
            hypar_opt.verify("gpt2-block", other, certificate=path)
        assert error.value.field == f"problem.{field}"
