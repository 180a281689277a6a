"""What a partitioner moves, by its table: compiled costs are those that the evaluator reads for itself."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from hypar_opt.cost.operators.emitted import ReceivedAsEmitted
from hypar_opt.evaluation.operators import Emitted, operator_plan, total
from hypar_opt.evaluation.operators.step import movements
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.instance.operators.conversion_tables import every_pair, shipped_sizes, shipped_table
from hypar_opt.solver.operator_problem import OperatorProblem
from tests.exported import CHAIN, RESNET, TRANSFORMER
from tests.helpers import each


def instance_of(network, **axes):
    return OperatorInstance.from_dict(
        {
            "schema": "hypar-opt/instance/1",
            "name": "small",
            "batch": 8,
            "network": network,
            "array": {"axes": [{"name": name, "size": size} for name, size in axes.items()]},
            "cost": {"accounting": "gspmd"},
        }
    )


@each("seed", range(30), quick=3)
def test_random_plans_are_recounted(seed):
    random = Random(seed)
    axes = random.choice([{"a": 2}, {"a": 2, "b": 4}, {"a": 2, "b": 2}, {"a": 2, "b": 2, "c": 2}])
    problem = OperatorProblem(instance_of(random.choice([CHAIN, RESNET, TRANSFORMER]), **axes))
    graph, compiled = problem.whole, problem.compiled
    for _ in range(5):
        chosen = [random.randrange(len(domain.values)) for domain in compiled.domains]
        words = {domain.name: domain.values[one].text for domain, one in zip(compiled.domains, chosen, strict=True)}
        found = problem.costs(problem.plan_of(words))
        assert found == {"communication": Fraction(graph.value(chosen), graph.objective.denominator)}


@pytest.mark.parametrize("sizes", shipped_sizes())
def test_shipped_tables_have_every_pair(sizes):
    axes = tuple(map(int, sizes.split("x")))
    table = shipped_table(axes)
    assert table.axes == axes
    assert list(table.pairs) == list(every_pair(len(axes)))


@pytest.mark.parametrize("sizes", shipped_sizes())
def test_what_every_partitioner_does_well(sizes):
    axes = tuple(map(int, sizes.split("x")))
    pairs, devices = shipped_table(axes).pairs, int(np.prod(axes))
    moved = {pair: sum((Fraction(share) for *_, share in one), Fraction(0)) for pair, one in pairs.items()}
    whole, summed, split = "R" * len(axes), "P" * len(axes), "0" * len(axes)
    assert moved[f"{summed}>{whole}"] == 2 * (devices - 1)
    assert moved[f"{split}>{whole}"] == devices - 1
    assert moved[f"{whole}>{split}"] == 0
    assert moved[f"{whole[1:]}0>{whole}"] == devices // axes[-1] * (axes[-1] - 1)


def test_dimensions_are_numbered_as_they_come():
    table = shipped_table((2, 4))
    emitted = ReceivedAsEmitted(instance_of(CHAIN, a=2).graph, (2, 4), table)
    have, need = np.array([[2, -2]], np.int8), np.array([[-1, 0]], np.int8)
    share = sum((Fraction(one) for *_, one in table.pairs["0P>R1"]), Fraction(0))
    assert share
    assert Fraction(int(emitted.conversion(8, have, need, ())[0]), emitted.unit) == 8 * share


def test_sums_that_are_left_partial_are_added_up_for_all():
    instance = instance_of(RESNET, a=2)
    names = OperatorProblem(instance).compiled.domains
    words = {domain.name: domain.values[0].text for domain in names}
    emitted = Emitted(shipped_table((2,)).pairs)
    partial, whole = (
        replace(operator_plan(instance.graph, instance.partition, words | {"relu1:gradient": word}), emitted=emitted)
        for word in ("partial", "whole")
    )
    assert total(movements(instance.graph, instance.partition, partial)) == total(
        movements(instance.graph, instance.partition, whole)
    )
