"""What is told of one block for all in a row that do the same is what is told of each by itself."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace

from hypar_opt.evaluation.operators import OperatorStep, operator_plan
from hypar_opt.instance.hardware.accelerator import OPTIMISERS
from hypar_opt.instance.operators import OperatorGraph
from hypar_opt.report.operators.blocks import RepeatedBlocks
from hypar_opt.report.operators.collectives import Moved, collective_rows, total_rows
from hypar_opt.report.operators.memory import memory_rows
from hypar_opt.report.operators.plan import shared_rows, strategy_rows
from tests.evaluation.operators.random_operators import random_partition, random_storage, random_strategies
from tests.evaluation.operators.test_likeness import NORMED, TABLE, blocks, network, often_alike
from tests.helpers import each
from tests.instance.operators.made import graph_of


def tables(step, strategies, told):
    moved, problem = Moved.of(step, told), SimpleNamespace(instance=SimpleNamespace(partition=step.partition))
    rows = strategy_rows(problem, strategies, told), shared_rows(problem, strategies, told)
    return *rows, collective_rows(moved, step.graph, told), total_rows(moved), memory_rows(step, told)


def step_of(graph, partition, strategies, storage=None, recompute="none"):
    plan = operator_plan(graph, partition, strategies, storage or {}, recompute=recompute)
    return OperatorStep(graph, partition, plan, (), OPTIMISERS["adam"])


@each("seed", range(40), quick=4)
def test_tables_are_the_same(seed):
    random = Random(f"told {seed}")
    graph, partition = network(random), random_partition(seed, most=8, sizes=(2, 4))
    strategies = random_strategies(seed, graph, partition, divisible=False)
    if strategies is None:
        return
    strategies = often_alike(random, strategies)
    stored = often_alike(random, random_storage(seed, graph)) if seed % 3 == 0 else {}
    step = step_of(graph, partition, strategies, stored, "blocks" if seed % 4 == 0 else "none")
    told = RepeatedBlocks(graph, step.alike)
    assert told.spread is not None
    said = strategies | {f"{name}:storage": how for name, how in stored.items()}
    assert tables(step, said, told) == tables(step, said, RepeatedBlocks(graph))


def test_how_much_is_looked_at_does_not_depend_on_how_many_blocks_there_are():
    partition = random_partition(1, most=2, sizes=(2,))
    found = []
    for times in (20, 400):
        graph = graph_of([TABLE, blocks(times, NORMED)])
        step = step_of(graph, partition, dict.fromkeys(random_strategies(1, graph, partition), "batch"))
        alike = step.alike
        looked_at = len(alike.first_tensors), len(alike.near.tensors), len(step.few_movements), len(step.few_kept)
        found.append((len(alike.stretches), looked_at))
    assert found[0] == found[1]


def test_blocks_that_are_not_called_by_their_numbers_are_told_of_one_by_one():
    graph, partition = graph_of([TABLE, blocks(8, NORMED)]), random_partition(1, most=2, sizes=(2,))
    operators = tuple(
        replace(one, name="other") if one.name == "h.4.up" else one for one in graph.operators
    )  # what it writes is called as before
    graph = OperatorGraph(graph.tensors, operators, graph.repeats)
    strategies = dict.fromkeys(random_strategies(1, graph, partition), "batch")
    step = step_of(graph, partition, strategies)
    told = RepeatedBlocks(graph, step.alike)
    assert told.spread is None
    assert tables(step, strategies, told) == tables(step, strategies, RepeatedBlocks(graph))


def test_a_plan_that_moves_nothing_is_told_of():
    graph, partition = graph_of([{"name": "act", "activation": {}}]), random_partition(1, most=2, sizes=(2,))
    step = step_of(graph, partition, {"act": "batch"})
    assert tables(step, {"act": "batch"}, RepeatedBlocks(graph, step.alike))[2:4] == ([], [])
