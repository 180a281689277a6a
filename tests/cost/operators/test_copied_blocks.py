"""Blocks that are copies cost what they cost compiled by themselves, whatever stands beside them and reads them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from hypar_opt.cost.operators import CompiledOperators, OperatorModel
from hypar_opt.costgraph import Objective
from hypar_opt.util.partition import Axis, Partition
from tests.helpers import each
from tests.instance.operators.random_blocks import random_blocks


def costs(graph, **model):
    partition = Partition((Axis("a", 2), Axis("b", 2)))
    found = CompiledOperators(graph, OperatorModel(partition, **model), Objective({"communication": Fraction(1)}))
    graph = found.costgraph
    own = [{name: cost.values.tolist() for name, cost in one.items()} for one in graph.unary]
    edges = [
        (one.first, one.second, {n: c.values.tolist() for n, c in one.costs.items()}, np.array(one.barred).tolist())
        for one in graph.edges
    ]
    return found.domains, graph.variables, own, edges


APART = {"nothing": (None, None)}
"""Words that are given for nothing in the network, so that no blocks are copies."""


@each("seed", range(40), quick=4)
def test_copies_cost_what_they_cost_by_themselves(seed):
    random = Random(f"equal blocks {seed}")
    graph = random_blocks(random)
    model = {"storages": ("replicated", "zero-1", "zero-3")} if random.random() < 0.3 else {}
    assert costs(graph, **model) == costs(replace(graph, repeats=()), **model)
    again = {"recompute": random.choice(["blocks", "choose"]), "memory": Fraction(10**9)}
    assert costs(graph, **again) == costs(graph, fix=APART, **again)
