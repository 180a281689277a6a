"""What is in the memory when: all that operators read and write, and, of what is kept, what the memory counts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from helpers import each
from random_operators import random_graph, random_partition, random_storage, random_strategies, with_blocks

from hypar_opt.evaluation.operators import operator_plan, resident
from hypar_opt.evaluation.operators.buffers import buffers
from hypar_opt.evaluation.operators.peak import occupied, peak_of
from hypar_opt.evaluation.operators.placements import needed, produced, written
from hypar_opt.evaluation.operators.timeline import KEPT, Timeline
from hypar_opt.instance.hardware.accelerator import OPTIMISERS
from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Tensor
from hypar_opt.util.partition import Partition

SGD, ADAM = OPTIMISERS["sgd"], OPTIMISERS["adam"]


def drawn(seed):
    """Return a random graph with blocks, an array and a plan, or None."""
    partition = random_partition(seed, most=12)
    graph = with_blocks(random_graph(seed, steps=6), seed)
    chosen = random_strategies(seed, graph, partition, divisible=False)
    if chosen is None:
        return None
    recompute = "blocks" if seed % 3 else "none"
    plain = operator_plan(graph, partition, chosen, recompute=recompute)
    kept = {
        one.name: " ".join("copy" if (seed + n + len(one.name)) % 2 else "shared" for n in range(count))
        for one in graph.operators
        if (count := len(_copied(graph, one, plain)))
    }
    return (
        graph,
        partition,
        operator_plan(graph, partition, chosen, random_storage(seed, graph), kept, recompute=recompute),
    )


def _copied(graph, operator, plan):
    from hypar_opt.evaluation.operators.plan import copied

    return copied(graph, operator, plan.recomputed)


@each("seed", range(200), quick=20)
def test_what_is_kept_at_the_turn_is_what_the_memory_counts(seed):
    found = drawn(seed)
    if found is None:
        return
    graph, partition, plan = found
    turn = occupied(graph, partition, plan, ADAM)[len(graph.operators) - 1]
    counted = Counter()
    for kinds in resident(graph, partition, plan, ADAM).values():
        counted.update(kinds)
    counted.pop("recomputed", None)
    assert {use: turn.parts[use] for use in KEPT if use in turn.parts} == {k: v for k, v in counted.items() if v}


@each("seed", range(200), quick=20)
def test_whatever_runs_finds_all_that_it_reads_and_writes(seed):
    found = drawn(seed)
    if found is None:
        return
    graph, _, plan = found
    timeline = Timeline(graph, plan)
    there = {(one.tensor.name, one.placement, "gradient" in one.use, moment)
             for one in buffers(timeline, 0) for moment in range(one.first, one.last + 1)}  # fmt: skip
    for moment, (phase, name) in enumerate(timeline.moments):
        operator = next(one for one in graph.operators if one.name == name)
        word, output = plan.words[name], operator.output
        trained = [one for one in operator.operands if graph.has_gradient(one)]
        read = [one for one in operator.operands if phase != "backward" or (one.saved and trained)]
        for operand in read:
            if phase == "backward" and graph.tensors[operand.tensor].role == "parameter" and operand not in trained:
                continue  # what is frozen and stored otherwise is not gathered once more
            assert (operand.tensor, needed(operand, word), False, moment) in there, (phase, name, operand)
        if phase != "backward":
            assert (output.tensor, written(operator, word), False, moment) in there, (phase, name)
            continue
        readers = [graph.operators[number].operands[place] for number, place in graph.readers[output.tensor]]
        if trained and any(one.has_gradient for one in readers):
            assert (output.tensor, needed(output, word), True, moment) in there, name
        for operand in trained:
            made = produced(operator, operand, word)
            same = tuple(made) if graph.tensors[operand.tensor].role != "parameter" else needed(operand, word)
            assert {(operand.tensor, one, True, moment) for one in (made, same)} & there, (name, operand)


def test_a_chain_by_hand():
    """Rows of 6 x 4 through two layers of 4 x 4 on one device; the peak is where the last gradient begins."""
    tensors = {
        "x": Tensor("x", (6, 4), "input", has_gradient=False),
        "v": Tensor("v", (4, 4), "parameter"),
        "w": Tensor("w", (4, 4), "parameter"),
        "one": Tensor("one", (6, 4)),
        "two": Tensor("two", (6, 4)),
        "end": Tensor("end", (6,)),
    }
    sizes = {"b": 6, "i": 4, "o": 4}
    operators = tuple(
        Operator(name, "linear", name, sizes, ("b",), (Operand(read, ("b", "i")), Operand(weight, ("i", "o"))),
                 Operand(name, ("b", "o"), saved=False))
        for name, read, weight in (("one", "x", "v"), ("two", "one", "w"))
    )  # fmt: skip
    loss = Operator(
        "end",
        "loss",
        "end",
        {"b": 6, "i": 4},
        ("b",),
        (Operand("two", ("b", "i")),),
        Operand("end", ("b",), saved=False),
    )  # fmt: skip
    graph, alone = OperatorGraph(tensors, (*operators, loss)), Partition(())
    plan = operator_plan(graph, alone, {"one": "", "two": "", "end": ""})
    moments = {(one.phase, one.operator): one for one in occupied(graph, alone, plan, SGD)}
    weights, rows = 4 * 4 * 4, 6 * 4 * 4
    assert moments["forward", "two"].parts == {
        "parameters": 2 * weights, "gradients": 2 * weights, "maps": 2 * rows, "unread maps": rows,
    }  # fmt: skip
    assert moments["backward", "end"].bytes == 4 * weights + 4 * rows
    peak = peak_of(graph, alone, plan, SGD)
    assert (peak.phase, peak.operator, peak.work_space) == ("backward", "end", rows)
    assert moments["backward", "two"].parts["gradients of maps"] == 2 * rows
    assert moments["backward", "one"].work == {"gradients of maps": Fraction(rows)}
