"""Exact formulations against all plans of random operators, looked at one by one; many with little memory."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from hypar_opt.cost.operators import OperatorModel
from hypar_opt.cost.operators.domains import NO, RECOMPUTE, YES
from hypar_opt.costgraph import graph_of as costgraph_of
from hypar_opt.evaluation.operators import faults, movements, operator_plan, peak_of, total
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.hardware.accelerator import Optimiser
from hypar_opt.instance.operators import OperatorNetworkSpec, compile_network
from hypar_opt.instance.operators.capacity import least_of_parameters
from hypar_opt.util.partition import Axis, Partition
from tests.cost.operators.random_problems import enumerated, problem, random_problem
from tests.cost.operators.small_networks import NETWORKS, graph_of, small_graph
from tests.evaluation.operators.random_operators import random_graph
from tests.helpers import each

ALWAYS, IN_TURN = ("joint-dp", "brute-force"), ("cp-sat", "milp-highs", "milp-cbc")


def agree(found, names):
    """Check that formulations prove what the best of all plans costs, or that there is none."""
    for name in names:
        run = Run(name, Limits())
        formulation = load_formulation(name)
        graph, shift = (found.graph, 0) if name in ALWAYS else costgraph_of(found.tables)
        declined = formulation.accepts(graph, run)
        if declined is not None:
            assert name == "joint-dp" and graph.capacities, declined
            continue
        solution = formulation.solve(graph, run)
        if found.least is None:
            forbidden = graph.ceiling is not None and (solution.bound or 0) >= graph.ceiling
            assert solution.status == Status.INFEASIBLE or forbidden, name
            continue
        assert (solution.status, solution.bound + shift) == (Status.OPTIMAL, found.least), name
        assert recounted(found, solution.choices[: len(found.compiled.domains)]) == found.least


def plan_of(found, choices):
    """Return the plan that choices are."""
    values = {one.name: one.values[choice] for one, choice in zip(found.compiled.domains, choices, strict=True)}
    operators = [one.name for one in found.compiled.graph.operators]
    return operator_plan(
        found.compiled.graph,
        found.compiled.model.partition,
        {name: value.text for name, value in values.items()},
        {name: values[name].storage for name in operators},
        {name: values[name].kept_text for name in operators if values[name].kept_text},
        padded=found.compiled.model.padded,
        recompute=found.compiled.model.recompute,
        again=decided(found.compiled, values),
    )


def decided(compiled, values):
    """Return what values say of blocks, where that is decided."""
    decisions = compiled.decisions.items()
    return {key.removesuffix(RECOMPUTE): YES if values[name].again else NO for name, key in decisions}


def recounted(found, choices):
    """Return what a plan moves by devices, in the CostGraph's unit; it is allowed, and the memory holds it."""
    compiled = found.compiled
    graph, model, plan = compiled.graph, compiled.model, plan_of(found, choices)
    assert list(faults(graph, model.partition, plan, model.divisible)) == []
    if model.memory is not None:
        assert peak_of(graph, model.partition, plan, Optimiser(model.states, 0, 0)).bytes <= model.memory
    return total(movements(graph, model.partition, plan)) * compiled.costgraph.objective.denominator


def in_turn(seed):
    return (*ALWAYS, IN_TURN[seed % len(IN_TURN)])


@each("seed", range(150), quick=6)
def test_exact_formulations_agree_with_all_plans_of_random_graphs(seed):
    found = random_problem(seed)
    if found is not None:
        agree(found, in_turn(seed))


@each("seed", range(120), quick=4)
def test_exact_formulations_agree_with_all_plans_of_other_layers(seed):
    found = problem(small_graph(seed), seed, most=5_000)
    if found is not None:
        agree(found, in_turn(seed))


@each("seed", range(60), quick=4)
def test_every_plan_is_recounted(seed):
    """All of a problem's plans, by devices: their bytes, and which the memory holds."""
    found = problem(random_graph(seed, steps=1, pool=(2, 4, 6)), seed, most=60)
    if found is None:
        return
    counted = []
    for choices in product(*(range(size) for size in found.costs.shape)):
        plan, model = plan_of(found, choices), found.compiled.model
        moved = total(movements(found.compiled.graph, model.partition, plan))
        assert moved * found.compiled.costgraph.objective.denominator == found.costs[choices]
        if found.has_memory:
            peak = peak_of(found.compiled.graph, model.partition, plan, Optimiser(model.states, 0, 0))
            size = peak.bytes * found.compiled.occupancy.unit
            assert least_of_parameters(found.compiled.graph, model.states) <= size <= found.usages[choices]
            counted.append((size, found.usages[choices], found.costs[choices]))
    for limit in {size for size, _, _ in counted}:
        within = min(cost for _, usage, cost in counted if usage <= limit)
        assert within == min(cost for size, _, cost in counted if size <= limit)


def test_of_two_maps_that_others_read_one_may_be_kept_and_the_other_converted_again():
    """Of a product one factor lies as it is needed; only the other is a copy, and the memory holds it."""
    layers = [
        {"name": "u", "linear": {"features": 4}},
        {"name": "g", "activation": {}},
        {"name": "m", "inputs": ["u", "g"], "multiply": {}},
        {"name": "z", "inputs": ["g"], "activation": {}},
    ]
    spec = OperatorNetworkSpec.model_validate({"input": {"sequence": 4, "features": 4}, "layers": layers})
    graph = compile_network(spec, 2, 1)
    lies = {"u:forward": "out", "u:gradient": "out", "g:forward": "sequence", "g:gradient": "sequence"}
    words = {"u": "out", "g": "features", "m": "sequence", "z": "sequence", **lies}
    fix = {name: (word,) for name, word in words.items()}
    partition = Partition((Axis("axis", 2),))

    def problem_of(memory):
        return enumerated(graph, OperatorModel(partition, memory=Fraction(memory), fix=fix))

    free = problem_of(10**6)
    plan = operator_plan(graph, partition, words)
    size = peak_of(graph, partition, plan, Optimiser(0, 0, 0)).bytes
    agree(free, ["brute-force"])
    tight = problem_of(size)
    assert tight.least == free.least
    agree(tight, ["brute-force", "cp-sat"])


@pytest.mark.slow
def test_what_is_drawn():
    """Problems without a plan, with little memory, tied weights, parameters not trained and maps that nobody reads."""
    seen = Counter()
    for seed in range(300):
        found = random_problem(seed)
        if found is None:
            continue
        graph = found.compiled.graph
        seen["memory"] += found.has_memory
        seen["infeasible"] += found.least is None
        seen["any"] += not found.compiled.model.divisible
        seen["padded"] += found.compiled.model.padded
        seen[f"{found.compiled.model.partition.levels} axes"] += 1
        roles = {name: tensor.role for name, tensor in graph.tensors.items()}
        seen["tied"] += any(roles[name] == "parameter" and len(graph.readers[name]) > 1 for name in roles)
        seen["frozen"] += any(roles[name] == "parameter" and not graph.tensors[name].has_gradient for name in roles)
        seen["unread"] += sum(roles[name] == "activation" and not graph.readers[name] for name in roles) > 1
        seen["twice"] += any(
            len({operand.tensor for operand in one.operands}) < len(one.operands) for one in graph.operators
        )
    least = {"memory": 60, "infeasible": 5, "any": 60, "padded": 30, "tied": 5, "frozen": 10, "unread": 5, "twice": 5}
    assert all(seen[what] >= count for what, count in least.items()), seen
    assert min(seen[f"{levels} axes"] for levels in (1, 2, 3)) >= 30


def test_the_layers_are_of_the_kinds_that_random_graphs_have_not():
    kinds = {one.kind for name in NETWORKS for one in graph_of(name, 4).operators}
    assert kinds >= {"dispatch", "combine", "einsum", "matmul", "softmax", "split", "concat", "upsample"}
    assert kinds >= {"transposed_conv", "multiply", "dropout", "embedding"}
