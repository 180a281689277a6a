"""Operators compiled to a CostGraph against the evaluator, which follows index sets device by device."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from hypar_opt.cost.operators import CompiledOperators, OperatorModel
from hypar_opt.costgraph import Objective
from hypar_opt.evaluation.operators import faults, movements, operator_plan, total
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import Axis, Partition
from tests.evaluation.operators.block import block
from tests.evaluation.operators.random_operators import random_graph, random_partition
from tests.helpers import each

STORAGES = ("replicated", "zero-1", "zero-2", "zero-3")


def compiled(graph, partition, **options):
    return CompiledOperators(graph, OperatorModel(partition, **options), Objective({"communication": Fraction(1)}))


def drawn(found, seed):
    """Return random choices, and the plan that they are."""
    random = Random(seed)
    choices = tuple(random.randrange(len(domain.values)) for domain in found.domains)
    values = [(domain.name, domain.values[choice]) for domain, choice in zip(found.domains, choices, strict=True)]
    operators = {one.name for one in found.graph.operators}
    plan = operator_plan(
        found.graph,
        found.model.partition,
        {name: value.text for name, value in values},
        {name: value.storage for name, value in values if name in operators},
    )
    return choices, plan


@each("seed", range(700), quick=12)
def test_a_plan_costs_what_its_devices_receive(seed):
    graph, partition = random_graph(seed), random_partition(seed)
    divisible = bool(seed % 2)
    try:
        found = compiled(graph, partition, divisible=divisible, storages=STORAGES)
        domains = found.domains
    except InputError as none:  # some operators cannot be split so often
        assert "has no word" in str(none)
        return
    assert domains
    for number in range(3):
        choices, plan = drawn(found, f"{seed} {number}")
        assert list(faults(graph, partition, plan, divisible)) == []
        cost = Fraction(found.costgraph.value(choices), found.costgraph.objective.denominator)
        assert cost == total(movements(graph, partition, plan))


def best(name, graph):
    return load_formulation(name).solve(graph, Run(name, Limits()))


@each("seed", range(100), quick=4)
def test_all_exact_formulations_find_the_same(seed):
    graph, partition = random_graph(seed, steps=1, pool=(2, 4, 6)), random_partition(seed, most=6)
    try:
        costgraph = compiled(graph, partition, divisible=True).costgraph
    except InputError as none:
        assert "has no word" in str(none)
        return
    found = best("joint-dp", costgraph)
    assert costgraph.value(found.choices) == found.bound
    for name in ("cp-sat", "milp-highs", "brute-force"):
        formulation = load_formulation(name)
        if formulation.accepts(costgraph, Run(name, Limits())) is None:
            assert best(name, costgraph).bound == found.bound, name


@pytest.mark.parametrize(("sizes", "least"), [((4,), 983_040), ((2, 2), 720_896)])
def test_the_best_plan_of_a_block_beats_all_that_are_spelled(sizes, least):
    partition = Partition(tuple(Axis(f"axis {size}.{number}", size) for number, size in enumerate(sizes)))
    costgraph = compiled(block(), partition, divisible=True).costgraph
    found = best("joint-dp", costgraph)
    assert Fraction(found.bound, costgraph.objective.denominator) == least
