"""The random graphs are of all kinds, so that what is tested with them is tested of all."""

from __future__ import annotations

from collections import Counter

from random_operators import random_graph, random_partition, random_storage, random_strategies

from hypar_opt.evaluation.operators import movements, operator_plan
from hypar_opt.evaluation.operators.plan import is_shared


def test_the_same_seed_gives_the_same():
    assert random_graph(3) == random_graph(3)
    assert random_graph(3) != random_graph(4)


def test_all_kinds_are_drawn():
    found, moved = Counter(), Counter()
    for seed in range(30):
        graph, partition = random_graph(seed, pool=(4, 12)), random_partition(seed, most=12)
        strategies = random_strategies(seed, graph, partition, divisible=False)
        if strategies is None:
            continue
        found.update(one.kind for one in graph.operators)
        found.update(tensor.role for name, tensor in graph.tensors.items() if is_shared(graph, name))
        found[len(partition.axes)] += 1
        plan = operator_plan(graph, partition, strategies, random_storage(seed, graph))
        moved.update((one.phase, one.kind) for one in movements(graph, partition, plan))
    kinds = {"linear", "norm", "add", "square", "attention", "embedding", "loss", "conv", "pool", "batch_norm"}
    assert found.keys() >= {*kinds, "global_pool", "activation", "parameter", 1, 2, 3}
    exchanges = {"all-reduce", "reduce-scatter", "all-gather", "all-to-all"}
    assert moved.keys() == (
        {(phase, kind) for phase in ("forward", "backward", "update") for kind in exchanges}
        | {("forward", "halo"), ("backward", "halo")}
    )
